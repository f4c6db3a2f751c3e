// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Short requests computed in the caller: which ones, and what comes out
 *
 * This program defines ioctl() and dlopen(), and a shared library uses the
 * definitions of the program before those of libc. The device is a plain file that
 * computes nothing, so an answer that is right did not come from there.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/apq.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libapq.h"
#include "mock.h"
#include "tap.h"
#include "vectors.h"

#define NR_THREADS	4
#define ROUNDS		2000

static int created, destroyed, sent, no_library;

int ioctl(int fd, unsigned long nr, ...)
{
	va_list args;
	void *arg;

	(void)fd;
	va_start(args, nr);
	arg = va_arg(args, void *);
	va_end(args);
	switch (nr) {
	case APQ_IOC_INFO:
		((struct apq_info *)arg)->abi_version = APQ_ABI_VERSION;
		return 0;
	case APQ_IOC_SESSION_CREATE:
		return ++created;
	case APQ_IOC_SESSION_DESTROY:
		destroyed++;
		return 0;
	default:
		__atomic_fetch_add(&sent, 1, __ATOMIC_RELAXED);
		return ((struct apq_op *)arg)->src_len;
	}
}

void *dlopen(const char *file, int mode)
{
	static void *(*real)(const char *, int);

	if (no_library)
		return NULL;
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "dlopen");
	return real(file, mode);
}

static struct apq *open_device(size_t below)
{
	struct apq *h;

	if (apq_open(&h, APQ_BACKEND_DEVICE) || apq_software_below(h, below))
		tap_bail("cannot open the mock device");
	return h;
}

static struct apq_cipher *new_cipher(struct apq *h, enum apq_cipher_alg alg,
				     const void *key, size_t len)
{
	struct apq_cipher *c;

	if (apq_cipher_new(h, alg, NULL, key, len, &c))
		tap_bail("no cipher %d", alg);
	return c;
}

static void test_arguments(void)
{
	struct apq *h = open_device(0), *z90;

	mock_file("/dev/z90crypt", "");
	if (apq_open(&z90, APQ_BACKEND_Z90CRYPT))
		tap_bail("no z90crypt");
	errno = 1234;
	tap_is(apq_software_below(NULL, 0), -EINVAL, "NULL");
	tap_is(apq_software_below(h, (1 << 20) + 2), -EINVAL, "too large");
	tap_is(apq_software_below(h, (1 << 20) + 1), 0, "all requests");
	tap_is(apq_software_below(z90, 16), -ENOTSUP, "no ciphers");
	tap_is(apq_software_requests(NULL), 0, "requests of NULL");
	tap_is(errno, 1234, "errno is not touched");
	apq_close(z90);
	apq_close(h);
}

static enum apq_cipher_alg alg_by_name(const char *name)
{
	if (!strcmp(name, "aes-ecb"))
		return APQ_AES_ECB;
	if (!strcmp(name, "aes-cbc"))
		return APQ_AES_CBC;
	if (!strcmp(name, "aes-ctr"))
		return APQ_AES_CTR;
	if (!strcmp(name, "des3-cbc"))
		return APQ_DES3_CBC;
	tap_bail("a vector of %s", name);
}

/* fields: name algorithm key iv plaintext ciphertext; twice, from kept state */
static void known_answer(char *const *fields, void *h)
{
	uint8_t key[32], iv[16], plain[1024], cipher[1024], out[1024];
	size_t key_len = hex_decode(fields[2], key, sizeof(key));
	size_t len = hex_decode(fields[4], plain, sizeof(plain));
	struct apq_cipher *c;
	int good = 1, i;

	hex_decode(fields[3], iv, sizeof(iv));
	hex_decode(fields[5], cipher, sizeof(cipher));
	c = new_cipher(h, alg_by_name(fields[1]), key, key_len);
	for (i = 0; i < 2; i++) {
		good &= apq_decrypt(c, iv, cipher, out, len) == (long)len &&
			!memcmp(out, plain, len);
		/* in place */
		good &= apq_encrypt(c, iv, out, out, len) == (long)len &&
			!memcmp(out, cipher, len);
	}
	tap_ok(good && !sent && apq_software_requests(c) == 4,
	       "known answer %s", fields[0]);
	apq_cipher_free(c);
}

static void test_threshold(void)
{
	static const uint8_t key[16], iv[16];
	struct apq *h = open_device(64);
	struct apq_cipher *c = new_cipher(h, APQ_AES_CBC, key, 16), *off;
	uint8_t buf[128] = { 0 };

	sent = 0;
	apq_encrypt(c, iv, buf, buf, 48);
	tap_ok(sent == 0 && apq_software_requests(c) == 1, "48 bytes of 64");
	tap_is(apq_encrypt(c, iv, buf, buf, 64), 64, "64 bytes of 64");
	tap_ok(sent == 1 && apq_software_requests(c) == 1, "go to the device");
	tap_is(apq_encrypt(c, iv, buf, buf, 47), -EINVAL, "47 bytes");

	if (apq_software_below(h, 0))
		tap_bail("cannot turn it off");
	off = new_cipher(h, APQ_AES_CBC, key, 16);
	apq_encrypt(off, iv, buf, buf, 16);
	tap_ok(sent == 2 && !apq_software_requests(off), "turned off");
	apq_encrypt(c, iv, buf, buf, 16);
	tap_ok(sent == 2 && apq_software_requests(c) == 2,
	       "but not for the cipher from before");
	apq_cipher_free(off);
	apq_cipher_free(c);
	apq_close(h);
	tap_is(destroyed, created, "the sessions are gone");
}

static void test_default(void)
{
	static const uint8_t key[16], iv[16];
	struct apq_cipher *c;
	uint8_t buf[16];
	struct apq *h;

	if (apq_open(&h, APQ_BACKEND_DEVICE))
		tap_bail("cannot open the mock device");
	c = new_cipher(h, APQ_AES_CTR, key, 16);
	sent = 0;
	apq_encrypt(c, iv, buf, buf, 1);
	tap_ok(sent == 1 && !apq_software_requests(c), "off by default");
	apq_cipher_free(c);
	apq_close(h);
}

struct worker {
	pthread_t thread;
	struct apq_cipher *c;
	uint8_t iv[16];
	int good;
};

/* CTR of zeros is another text for each IV */
static void *work(void *arg)
{
	static const uint8_t zeros[100];
	uint8_t first[100], out[100];
	struct worker *w = arg;
	int i;

	w->good = apq_encrypt(w->c, w->iv, zeros, first, 100) == 100;
	for (i = 0; i < ROUNDS; i++) {
		size_t len = 1 + i % 100;

		w->good &= apq_encrypt(w->c, w->iv, zeros, out, len) ==
				(long)len && !memcmp(out, first, len);
		w->good &= apq_decrypt(w->c, w->iv, first, out, len) ==
				(long)len && !memcmp(out, zeros, len);
	}
	return NULL;
}

static void test_threads(void)
{
	static const uint8_t key[32];
	struct worker w[NR_THREADS];
	struct apq *h = open_device(4096);
	struct apq_cipher *c = new_cipher(h, APQ_AES_CTR, key, 32);
	int i, good = 1;

	for (i = 0; i < NR_THREADS; i++) {
		w[i] = (struct worker){ .c = c, .iv = { i } };
		if (pthread_create(&w[i].thread, NULL, work, &w[i]))
			tap_bail("no thread");
	}
	for (i = 0; i < NR_THREADS; i++) {
		pthread_join(w[i].thread, NULL);
		good &= w[i].good;
	}
	tap_ok(good && apq_software_requests(c) ==
	       NR_THREADS * (2 * ROUNDS + 1), "%d threads on one key",
	       NR_THREADS);
	apq_cipher_free(c);
	apq_close(h);
}

/* How often memory has these bytes, which are kept here changed */
static unsigned int in_memory(const uint8_t *p, const uint8_t *end,
			      const uint8_t *changed, size_t len)
{
	unsigned int n = 0;
	size_t i;

	for (; p + len <= end; p++) {
		for (i = 0; i < len && (p[i] ^ changed[i]) == 0xff; i++)
			;
		n += i == len;
	}
	return n;
}

/* In all that can be written and belongs to no file, the stack left out */
static unsigned int in_heap(const uint8_t *changed, size_t len)
{
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long from, to, inode;
	unsigned int n = 0;
	char line[256];

	if (!f)
		tap_bail("no /proc/self/maps");
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx rw-p %*s %*s %lu", &from, &to,
			   &inode) == 3 && !inode && !strstr(line, "[stack]"))
			n += in_memory((uint8_t *)from, (uint8_t *)to, changed,
				       len);
	fclose(f);
	return n;
}

static void test_wiped(void)
{
	static const uint8_t iv[16];
	struct apq *h = open_device(4096);
	uint8_t changed[16], key[16], buf[16];
	struct apq_cipher *c;
	unsigned int before;
	int i;

	apq_random(changed, sizeof(changed));
	for (i = 0; i < 16; i++)
		key[i] = changed[i] ^ 0xff;
	c = new_cipher(h, APQ_AES_CBC, key, 16);
	apq_encrypt(c, iv, buf, buf, 16);
	apq_decrypt(c, iv, buf, buf, 16);
	before = in_heap(changed, 16);
	apq_cipher_free(c);
	tap_ok(before && !in_heap(changed, 16),
	       "the key was in memory %u times and is gone", before);
	apq_close(h);
}

/* In a process of its own, since the library looks for libcrypto once. */
static void test_no_library(void)
{
	int status;
	pid_t child = fork();

	if (!child) {
		static const uint8_t key[16];
		uint8_t out[16];
		struct apq_cipher *c;
		struct apq *h;

		no_library = 1;
		if (apq_open(&h, APQ_BACKEND_DEVICE))
			_exit(1);
		if (apq_software_below(h, 64) != -ELIBACC)
			_exit(2);
		if (apq_cipher_new(h, APQ_AES_CBC, NULL, key, 16, &c))
			_exit(3);
		_exit(apq_encrypt(c, key, key, out, 16) != 16);
	}
	if (waitpid(child, &status, 0) != child)
		tap_bail("no child");
	tap_is(status, 0, "no libcrypto: the device does it all");
}

int main(void)
{
	struct apq *h;

	mock_init();
	mock_file("/dev/apq", "");
	tap_plan(17 + vectors_read("nist.txt", 6, NULL, NULL));
	test_no_library();
	test_default();
	test_arguments();
	h = open_device(4096);
	sent = 0;
	vectors_read("nist.txt", 6, known_answer, h);
	apq_close(h);
	test_threshold();
	test_threads();
	test_wiped();
	return tap_exit();
}
