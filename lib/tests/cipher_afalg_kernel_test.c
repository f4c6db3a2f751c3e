// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Ciphers over AF_ALG with generic drivers of the kernel itself, so that the
 * back end is tested where apq.ko is not
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cipher_suite.h"
#include "tap.h"

/* The portable AES of the kernel, which Linux 7 has under another name. */
static const char *const aes_drivers[][3] = {
	{ "ecb(aes-generic)", "cbc(aes-generic)", "ctr(aes-generic)" },
	{ "ecb(aes-lib)", "cbc(aes-lib)", "ctr(aes-lib)" },
};

static const char *const *aes = aes_drivers[0];

static const char *kernel_driver(enum apq_cipher_alg alg)
{
	switch (alg) {
	case APQ_AES_ECB:
		return aes[0];
	case APQ_AES_CBC:
		return aes[1];
	case APQ_AES_CTR:
		return aes[2];
	default:
		return "cbc(des3_ede-generic)";
	}
}

static void find_aes(void)
{
	static const uint8_t key[16];
	struct apq_cipher *c;
	struct apq *h;

	if (apq_open(&h, APQ_BACKEND_AFALG))
		return;
	if (!apq_cipher_new(h, APQ_AES_ECB, aes_drivers[1][0], key, 16, &c)) {
		aes = aes_drivers[1];
		apq_cipher_free(c);
	}
	apq_close(h);
}

/* libkcapi prints errors unless it is told not to. */
static void silence(struct apq *h)
{
	static const uint8_t key[16];
	int real = dup(STDERR_FILENO), copy = memfd_create("stderr", 0);
	struct apq_cipher *c;
	struct stat st;

	if (real < 0 || copy < 0)
		tap_bail("cannot redirect stderr");
	dup2(copy, STDERR_FILENO);
	apq_cipher_new(h, APQ_AES_CBC, "cbc-aes-nobody", key, 16, &c);
	dup2(real, STDERR_FILENO);
	close(real);
	tap_ok(!fstat(copy, &st) && !st.st_size, "nothing is printed");
	close(copy);
}

static int is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* The number that the next descriptor will get */
static int next_fd(void)
{
	int fd = dup(STDOUT_FILENO);

	close(fd);
	return fd;
}

/* Sockets and a pipe cost more than a short request: they have to be kept. */
static void reuse(struct apq *h)
{
	static const uint8_t key[16], iv[16];
	struct apq_cipher *c;
	uint8_t buf[16];
	int first, i, same = 1;

	if (apq_cipher_new(h, APQ_AES_CBC, kernel_driver(APQ_AES_CBC), key, 16, &c))
		tap_bail("no cipher");
	first = next_fd();
	apq_encrypt(c, iv, iv, buf, 16);
	same = is_open(first);
	first = next_fd();
	for (i = 0; i < 100; i++)
		apq_encrypt(c, iv, iv, buf, 16);
	tap_ok(same && next_fd() == first, "requests in turn share sockets");
	apq_cipher_free(c);
}

static void driver_names(struct apq *h)
{
	static const uint8_t key[16];
	struct apq_cipher *c = NULL;
	char name[200];

	tap_is(apq_cipher_new(h, APQ_AES_CBC, "cbc-aes-nobody", key, 16, &c),
	       -ENOENT, "a driver that does not exist");
	tap_is(apq_cipher_new(h, APQ_AES_CBC, "", key, 16, &c), -ENOENT,
	       "a driver without a name");
	tap_is(apq_cipher_new(h, APQ_AES_CBC, aes[0], key, 16, &c),
	       -EINVAL, "a driver of another algorithm");
	tap_is(apq_cipher_new(h, APQ_AES_CBC, "sha256-generic", key, 16, &c),
	       -ENOENT, "a driver of no cipher");
	memset(name, 'x', sizeof(name));
	memcpy(name, aes[1], strlen(aes[1]));
	name[sizeof(name) - 1] = '\0';
	tap_is(apq_cipher_new(h, APQ_AES_CBC, name, key, 16, &c), -ENOENT,
	       "a driver name of 199 characters");
	tap_ok(!c, "none of them gave a handle");
}

/* The kernel has several drivers of "cbc(aes)" and only one named like this. */
static void probe(void)
{
	struct apq_afalg_info info;
	struct stat st;

	if (apq_afalg_probe("skcipher", kernel_driver(APQ_AES_CBC), &info))
		tap_bail("no probe");
	tap_ok(!info.family && !info.library && !info.name && !info.async &&
	       !strcmp(info.driver, kernel_driver(APQ_AES_CBC)),
	       "probe: '%s' answered, async %d", info.driver, info.async);
	tap_ok(!apq_afalg_probe("skcipher", "cbc(aes)", &info) && !info.name &&
	       info.driver[0] && strcmp(info.driver, "cbc(aes)"),
	       "probe: '%s' is cbc(aes) here", info.driver);
	tap_ok(!apq_afalg_probe("skcipher", "cbc-aes-nobody", &info) &&
	       info.name == -ENOENT && !info.driver[0],
	       "probe: a driver that does not exist");
	tap_is(info.restricted < 0,
	       stat("/proc/sys/crypto/af_alg_restrict", &st) < 0,
	       "probe: crypto.af_alg_restrict, %d", info.restricted);
}

static void afalg_only(struct apq *h)
{
	probe();
	driver_names(h);
	silence(h);
	reuse(h);
}

int main(void)
{
	static const struct cipher_suite suite = {
		.backend = APQ_BACKEND_AFALG,
		.driver = kernel_driver,
		.extra = afalg_only,
		.nr_extra = 12,
	};

	find_aes();
	return cipher_suite_run(&suite);
}
