// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * The exact bytes that the device and z90crypt back ends hand to ioctl()
 *
 * This program defines ioctl(), and a shared library uses the definition of
 * the program before that of libc. The nodes are plain files in a mock root.
 * What the library passed is copied here during the call, since the library
 * wipes it afterwards.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/apq.h>
#include <linux/z90crypt.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libapq.h"
#include "mock.h"
#include "tap.h"

#define HALF_MAX	256

static struct {
	int calls, fd, cloexec;
	unsigned long nr, arg;
	int ret, err;		/* answer to give; err 0 for ret */
	__u32 abi_version;	/* of the answer to APQ_IOC_INFO */
	struct apq_session_create create;
	struct apq_op op;
	struct apq_entry entry[4];	/* of the last run or submit */
	struct apq_submit submit;
	struct apq_reap reap;
	struct apq_cancel cancel;
	struct apq_file_mode mode;
	int runs, destroyed;
	void *key_at;
	uint8_t flat[APQ_MAX_RSA_KEY_LEN];
	struct ica_rsa_modexpo me;
	struct ica_rsa_modexpo_crt crt;
	void *padded[3];		/* dp, p, qinv as passed, with 8 bytes more */
	uint8_t padded_copy[3][8 + HALF_MAX];
	uint8_t key[64];
} seen;

static void see_crt(const struct ica_rsa_modexpo_crt *crt)
{
	size_t half = (crt->inputdatalength + 1) / 2;
	int i;

	seen.crt = *crt;
	seen.padded[0] = crt->bp_key;
	seen.padded[1] = crt->np_prime;
	seen.padded[2] = crt->u_mult_inv;
	for (i = 0; i < 3; i++)
		memcpy(seen.padded_copy[i], seen.padded[i], 8 + half);
}

static void see_create(const struct apq_session_create *create)
{
	void *key = (void *)(uintptr_t)create->key;

	seen.create = *create;
	seen.key_at = key;
	memcpy(create->mod_len ? seen.flat : seen.key, key, create->key_len);
}

/* The first four of the entries; the answer is what answer() was given. */
static void see_submit(struct apq_submit *submit)
{
	struct apq_entry *e = (void *)(uintptr_t)submit->entries;
	unsigned int i;

	seen.submit = *submit;
	for (i = 0; i < submit->nr && i < 4; i++)
		seen.entry[i] = e[i];
	submit->error = EAGAIN;
}

/* The prototype of libc has no argument names we could use. */
int ioctl(int fd, unsigned long nr, ...)
{
	va_list args;
	void *arg;

	va_start(args, nr);
	arg = va_arg(args, void *);
	va_end(args);
	seen.calls++;
	seen.fd = fd;
	seen.cloexec = fcntl(fd, F_GETFD) & FD_CLOEXEC;
	seen.nr = nr;
	seen.arg = (unsigned long)arg;
	if (nr == APQ_IOC_INFO)
		((struct apq_info *)arg)->abi_version = seen.abi_version;
	else if (nr == APQ_IOC_SESSION_CREATE)
		see_create(arg);
	else if (nr == APQ_IOC_CRYPT)
		seen.op = *(struct apq_op *)arg;
	else if (nr == APQ_IOC_RUN)
		seen.entry[seen.runs++] = *(struct apq_entry *)arg;
	else if (nr == APQ_IOC_SUBMIT)
		see_submit(arg);
	else if (nr == APQ_IOC_REAP)
		seen.reap = *(struct apq_reap *)arg;
	else if (nr == APQ_IOC_CANCEL)
		seen.cancel = *(struct apq_cancel *)arg;
	else if (nr == APQ_IOC_SET_MODE)
		seen.mode = *(struct apq_file_mode *)arg;
	else if (nr == APQ_IOC_SESSION_DESTROY)
		seen.destroyed = seen.arg;
	else if (nr == ICARSAMODEXPO)
		seen.me = *(struct ica_rsa_modexpo *)arg;
	else if (nr == ICARSACRT)
		see_crt(arg);
	if (nr == APQ_IOC_SUBMIT && !seen.err && (__u32)seen.ret > seen.submit.nr)
		return seen.submit.nr;
	if (seen.err) {
		errno = seen.err;
		return -1;
	}
	return seen.ret;
}

/* Memory that the library wiped last; the same trick as with ioctl() */
static void *wiped_from;
static char *wiped_to;

void explicit_bzero(void *p, size_t len)
{
	memset(p, 0, len);
	wiped_from = p;
	wiped_to = (char *)p + len;
}

/* What explicit_bzero() becomes with _FORTIFY_SOURCE */
void __explicit_bzero_chk(void *p, size_t len, size_t room);
void __explicit_bzero_chk(void *p, size_t len, size_t room)
{
	(void)room;
	explicit_bzero(p, len);
}

static void answer(int ret, int err)
{
	memset(&seen, 0, sizeof(seen));
	wiped_from = NULL;
	wiped_to = NULL;
	seen.ret = ret;
	seen.err = err;
	seen.abi_version = APQ_ABI_VERSION;
}

static struct apq *open_or_bail(enum apq_backend id)
{
	struct apq *h;

	answer(0, 0);
	if (apq_open(&h, id))
		tap_bail("cannot open back end %d on the mock root", id);
	return h;
}

static void test_open(void)
{
	struct apq *h = NULL;

	answer(0, 0);
	tap_is(apq_open(&h, APQ_BACKEND_DEVICE), 0, "open of /dev/apq");
	tap_ok(seen.calls == 1 && seen.nr == APQ_IOC_INFO, "asks what it is");
	tap_ok(seen.cloexec, "its descriptor is close-on-exec");
	tap_ok(apq_backend(h) == APQ_BACKEND_DEVICE &&
	       !strcmp(apq_backend_name(h), "apq"), "it is called apq");
	apq_close(h);
	tap_is(fcntl(seen.fd, F_GETFD), -1, "close closes");

	h = NULL;
	answer(0, ENOTTY);
	tap_is(apq_open(&h, APQ_BACKEND_DEVICE), -ENODEV, "a foreign node");
	tap_ok(!h && fcntl(seen.fd, F_GETFD) < 0, "is closed again");
	answer(0, 0);
	seen.abi_version = 0;
	tap_is(apq_open(&h, APQ_BACKEND_DEVICE), -ENODEV, "ABI version 0");
	answer(0, 0);
	seen.abi_version = APQ_ABI_VERSION + 1;
	tap_is(apq_open(&h, APQ_BACKEND_DEVICE), 0, "a newer ABI version");
	apq_close(h);

	answer(0, 0);
	tap_is(apq_open(&h, APQ_BACKEND_AUTO), 0, "automatic choice");
	tap_is(apq_backend(h), APQ_BACKEND_DEVICE, "is the device");
	apq_close(h);
}

/* Every byte of the request, against one that is filled in by hand */
static void check_op(const struct apq_op *want, const char *what)
{
	tap_ok(seen.calls == 1 && seen.nr == APQ_IOC_CRYPT &&
	       !memcmp(&seen.op, want, sizeof(*want)),
	       "%s: one ioctl with the expected bytes", what);
}

static void test_crypt(enum apq_cipher_alg alg, size_t ivsize, size_t block)
{
	uint8_t key[24], iv[16], src[96], dst[96];
	struct apq *h = open_or_bail(APQ_BACKEND_DEVICE);
	struct apq_cipher *c = NULL;
	struct apq_session_create create = {
		.alg = alg, .key = (uintptr_t)key, .key_len = sizeof(key),
	};
	struct apq_op op = {
		.session = 77, .op = APQ_OP_ENCRYPT, .src = (uintptr_t)src,
		.dst = (uintptr_t)dst, .src_len = 48, .dst_len = 48,
	};

	memset(key, 0x4b, sizeof(key));
	memset(iv, 0x1e, sizeof(iv));
	memcpy(op.iv, iv, ivsize);
	answer(77, 0);
	tap_is(apq_cipher_new(h, alg, NULL, key, sizeof(key), &c), 0,
	       "algorithm %d: new", alg);
	tap_ok(seen.nr == APQ_IOC_SESSION_CREATE &&
	       !memcmp(&seen.create, &create, sizeof(create)) &&
	       !memcmp(seen.key, key, sizeof(key)), "session request");
	tap_is(apq_cipher_ivsize(c), ivsize, "IV size");
	tap_is(apq_cipher_blocksize(c), block, "block size");

	answer(48, 0);
	tap_is(apq_encrypt(c, ivsize ? iv : NULL, src, dst, 48), 48, "encrypt");
	check_op(&op, "encrypt");
	answer(48, 0);
	op.op = APQ_OP_DECRYPT;
	op.dst = op.src;
	tap_is(apq_decrypt(c, iv, src, src, 48), 48, "decrypt in place");
	check_op(&op, "decrypt");

	answer(0, 0);
	apq_cipher_free(c);
	tap_ok(seen.nr == APQ_IOC_SESSION_DESTROY && seen.arg == 77,
	       "free ends the session");
	apq_close(h);
}

static void test_crypt_errors(void)
{
	static const int errors[] = {
		EINVAL, ENODEV, EIO, ETIMEDOUT, EINTR, ENOMEM, EFAULT,
	};
	static uint8_t buf[16];
	struct apq *h = open_or_bail(APQ_BACKEND_DEVICE);
	struct apq_cipher *c = NULL;
	size_t i;

	answer(0, ENOKEY);
	tap_is(apq_cipher_new(h, APQ_AES_ECB, NULL, buf, 16, &c), -ENOKEY,
	       "a refused key");
	tap_ok(!c, "gives no handle");
	answer(1, 0);
	apq_cipher_new(h, APQ_AES_ECB, NULL, buf, 16, &c);
	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		answer(0, errors[i]);
		errno = 1234;
		tap_is(apq_encrypt(c, NULL, buf, buf, 16), -errors[i],
		       "errno %d comes back", errors[i]);
		tap_ok(errno == 1234 && seen.calls == 1,
		       "one try, errno not touched");
	}
	answer(15, 0);
	tap_is(apq_encrypt(c, NULL, buf, buf, 16), -EIO, "a short answer");
	apq_cipher_free(c);
	apq_close(h);
}

/* How many ioctls a child does that frees an inherited key and one of its own */
static void test_fork(void)
{
	struct apq *h = open_or_bail(APQ_BACKEND_DEVICE);
	static const uint8_t key[16];
	struct apq_cipher *c, *own;
	int status = -1;
	pid_t child;

	answer(7, 0);
	if (apq_cipher_new(h, APQ_AES_CBC, NULL, key, 16, &c))
		tap_bail("no cipher");
	child = fork();
	if (!child) {
		answer(8, 0);
		apq_cipher_free(c);
		status = seen.calls;
		if (apq_cipher_new(h, APQ_AES_CBC, NULL, key, 16, &own))
			_exit(100);
		apq_cipher_free(own);
		_exit(status * 10 + seen.calls);
	}
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		tap_bail("no child");
	tap_is(WEXITSTATUS(status), 2,
	       "a child does not destroy the session of its parent");
	answer(0, 0);
	apq_cipher_free(c);
	tap_ok(seen.calls == 1 && seen.nr == APQ_IOC_SESSION_DESTROY,
	       "the parent does");
	apq_close(h);
}

static void test_submit(void)
{
	struct apq *h = open_or_bail(APQ_BACKEND_DEVICE);
	static uint8_t key[32], iv[16], buf[64];
	struct apq_request r[40];
	struct apq_result results[3];
	struct apq_cipher *c;
	struct apq_entry want = {
		.user_data = 7, .session = 9, .op = APQ_OP_DECRYPT,
		.src = (uintptr_t)buf, .dst = (uintptr_t)buf, .src_len = 48,
		.dst_len = 32, .aad = (uintptr_t)key, .aad_len = 5,
		.deadline_ns = 1234,
	};
	int why = 1, i;

	memset(iv, 0x1e, sizeof(iv));
	memcpy(want.iv, iv, 12);
	answer(9, 0);
	if (apq_cipher_new(h, APQ_AES_GCM, NULL, key, 32, &c))
		tap_bail("no cipher");
	for (i = 0; i < 40; i++)
		r[i] = (struct apq_request) {
			.cipher = c, .decrypt = 1, .iv = iv, .aad = key,
			.aad_len = 5, .src = buf, .dst = buf, .len = 48,
			.user_data = 7, .deadline_ns = 1234,
		};

	answer(2, 0);
	tap_is(apq_submit(h, r, 2, &why), 2, "two requests");
	tap_ok(!why && seen.calls == 1 && seen.submit.nr == 2 &&
	       seen.submit.entry_size == sizeof(want) &&
	       !memcmp(&seen.entry[1], &want, sizeof(want)),
	       "one ioctl with the expected bytes");
	answer(1, 0);
	tap_is(apq_submit(h, r, 2, &why), 1, "the second one is refused");
	tap_is(why, -EAGAIN, "and the reason is told");
	answer(0, EPERM);
	tap_is(apq_submit(h, r, 2, NULL), -EPERM, "both are refused");
	answer(1, 0);
	r[1].len = 15;
	tap_is(apq_submit(h, r, 2, &why), 1, "the second one is wrong");
	tap_ok(why == -EINVAL && seen.submit.nr == 1, "it is not sent");
	answer(0, 0);
	tap_is(apq_submit(h, r + 1, 1, &why), -EINVAL, "the only one is wrong");
	tap_is(seen.calls, 0, "nothing is sent");
	r[1].len = 48;
	answer(32, 0);
	tap_is(apq_submit(h, r, 40, &why), 40, "more than a system call takes");

	answer(3, 0);
	tap_is(apq_reap(h, results, 3, 2, -1), 3, "reap");
	tap_ok(seen.calls == 1 && seen.reap.max == 3 && seen.reap.min == 2 &&
	       seen.reap.completions == (uintptr_t)results &&
	       seen.reap.completion_size == sizeof(results[0]) &&
	       seen.reap.timeout_ns == -1, "its bytes");
	answer(0, 0);
	tap_is(apq_reap(h, results, 1, 2, 0), -EINVAL, "min over max");
	answer(4, 0);
	tap_is(apq_cancel(h, 7), 4, "cancel");
	tap_ok(seen.cancel.user_data == 7 && !seen.cancel.flags, "its bytes");
	answer(0, EALREADY);
	tap_is(apq_cancel_all(h), -EALREADY, "cancel all");
	tap_ok(!seen.cancel.user_data && seen.cancel.flags == APQ_CANCEL_ALL,
	       "its bytes");
	answer(0, 0);
	tap_is(apq_mode_choose(h, "caller"), 0, "mode");
	tap_ok(!strcmp(seen.mode.name, "caller"), "its bytes");
	tap_is(apq_mode_choose(h, "a name of many letters"), -EINVAL,
	       "a mode of 16 letters or more");
	tap_is(apq_eventfd(h, 5), 0, "eventfd");
	tap_ok(seen.nr == APQ_IOC_EVENTFD && seen.arg == 5, "its bytes");
	tap_is(fcntl(apq_fd(h), F_GETFD), FD_CLOEXEC, "a descriptor to poll");
	tap_is(apq_encrypt(c, iv, buf, buf, 16), -EINVAL,
	       "an AEAD has other calls");
	apq_cipher_free(c);
	apq_close(h);
}

static void test_device_rsa(void)
{
	struct apq *h = open_or_bail(APQ_BACKEND_DEVICE);
	static uint8_t in[64], e[64], n[64], out[64];
	const struct apq_rsa_me op = { 64, in, e, n, out };
	struct apq_entry want = {
		.session = 64, .op = APQ_OP_RSA, .src = (uintptr_t)in,
		.dst = (uintptr_t)out, .src_len = 64, .dst_len = 64,
	};

	memset(e, 0xe0, 64);
	memset(n, 0x90, 64);
	answer(64, 0);
	tap_is(apq_rsa_modexpo(h, &op), 0, "modexpo over /dev/apq");
	tap_ok(seen.create.alg == APQ_ALG_RSA_ME && seen.create.mod_len == 64 &&
	       seen.create.key_len == 128 && !memcmp(seen.flat, e, 64) &&
	       !memcmp(seen.flat + 64, n, 64), "a session with the key");
	tap_ok(seen.runs == 1 && !memcmp(&seen.entry[0], &want, sizeof(want)),
	       "a request with the expected bytes");
	tap_is(seen.destroyed, 64, "which ends the session");
	tap_ok(wiped_from && wiped_from <= seen.key_at &&
	       wiped_to >= (char *)seen.key_at + 128, "the copy is wiped");
	answer(0, ENOKEY);
	tap_is(apq_rsa_modexpo(h, &op), -EINVAL, "a key that is refused");
	apq_close(h);
}

static void test_refused(void)
{
	static uint8_t buf[(1 << 20) + 16];
	struct apq *h = open_or_bail(APQ_BACKEND_DEVICE);
	struct apq_cipher *cbc, *ctr, *des;

	answer(5, 0);
	if (apq_cipher_new(h, APQ_AES_CBC, NULL, buf, 16, &cbc) ||
	    apq_cipher_new(h, APQ_AES_CTR, NULL, buf, 32, &ctr) ||
	    apq_cipher_new(h, APQ_DES3_CBC, NULL, buf, 24, &des))
		tap_bail("no ciphers");

	answer(0, 0);
	tap_is(apq_encrypt(cbc, buf, buf, buf, 0), -EINVAL, "length 0");
	tap_is(apq_encrypt(cbc, buf, buf, buf, 15), -EINVAL, "length 15");
	tap_is(apq_decrypt(cbc, buf, buf, buf, 17), -EINVAL, "length 17");
	tap_is(apq_encrypt(des, buf, buf, buf, 12), -EINVAL, "3DES, 12");
	tap_is(apq_encrypt(cbc, buf, buf, buf, sizeof(buf)), -EMSGSIZE,
	       "1 MiB and a block");
	tap_is(apq_encrypt(cbc, buf, buf, buf, (1 << 20) + 1), -EMSGSIZE,
	       "1 MiB and a byte");
	tap_is(apq_encrypt(cbc, buf, buf, buf, SIZE_MAX), -EMSGSIZE,
	       "length -1");
	tap_is(apq_encrypt(cbc, NULL, buf, buf, 16), -EINVAL, "no IV");
	tap_is(apq_encrypt(cbc, buf, NULL, buf, 16), -EINVAL, "no input");
	tap_is(apq_encrypt(cbc, buf, buf, NULL, 16), -EINVAL, "no output");
	tap_is(apq_cipher_new(h, APQ_AES_CBC, "cbc-aes-apq", buf, 16, &ctr),
	       -EINVAL, "a driver name, which is for AF_ALG only");
	tap_is(seen.calls, 0, "none of them reached the kernel");

	answer(1, 0);
	tap_is(apq_encrypt(ctr, buf, buf, buf, 1), 1, "CTR takes one byte");
	answer(24, 0);
	tap_is(apq_encrypt(des, buf, buf, buf, 24), 24, "3DES, 24");
	answer(1 << 20, 0);
	tap_is(apq_encrypt(cbc, buf, buf, buf, 1 << 20), 1 << 20, "1 MiB");

	answer(0, 0);
	apq_cipher_free(cbc);
	apq_cipher_free(ctr);
	apq_cipher_free(des);
	apq_close(h);
}

static void test_modexpo(struct apq *h, size_t len)
{
	static uint8_t in[512], exp[512], mod[512], out[512];
	struct apq_rsa_me op = { len, in, exp, mod, out };
	struct ica_rsa_modexpo want;

	memset(&want, 0, sizeof(want));
	want.inputdata = in;
	want.inputdatalength = len;
	want.outputdata = out;
	want.outputdatalength = len;
	want.b_key = exp;
	want.n_modulus = mod;
	answer(0, 0);
	tap_is(apq_rsa_modexpo(h, &op), 0, "modexpo of %zu bytes", len);
	tap_ok(seen.calls == 1 && seen.nr == ICARSAMODEXPO &&
	       !memcmp(&seen.me, &want, sizeof(want)),
	       "one ioctl with the expected bytes, padding included");
}

/* Fields of half a modulus with a different byte in each */
static void fill_crt(struct apq_rsa_crt *op, size_t len)
{
	static uint8_t in[512], out[512], half[5][HALF_MAX];
	int i;

	for (i = 0; i < 5; i++)
		memset(half[i], 0xa0 - 0x10 * i, HALF_MAX);
	*op = (struct apq_rsa_crt) {
		.len = len, .in = in, .p = half[0], .q = half[1],
		.dp = half[2], .dq = half[3], .qinv = half[4], .out = out,
	};
}

/* Not what the caller gave: 8 zeros, then the caller's bytes, a copy */
static int padded_ok(int i, const uint8_t *value, size_t half)
{
	static const uint8_t zeros[8];

	return seen.padded[i] != value &&
	       !memcmp(seen.padded_copy[i], zeros, 8) &&
	       !memcmp(seen.padded_copy[i] + 8, value, half);
}

static void test_crt(struct apq *h, size_t len)
{
	struct ica_rsa_modexpo_crt want;
	size_t half = (len + 1) / 2;
	struct apq_rsa_crt op;

	fill_crt(&op, len);
	answer(0, 0);
	tap_is(apq_rsa_crt(h, &op), 0, "CRT of %zu bytes", len);
	memset(&want, 0, sizeof(want));
	want.inputdata = (__u8 *)op.in;
	want.inputdatalength = len;
	want.outputdata = op.out;
	want.outputdatalength = len;
	want.bp_key = seen.crt.bp_key;
	want.bq_key = (__u8 *)op.dq;
	want.np_prime = seen.crt.np_prime;
	want.nq_prime = (__u8 *)op.q;
	want.u_mult_inv = seen.crt.u_mult_inv;
	tap_ok(seen.calls == 1 && seen.nr == ICARSACRT &&
	       !memcmp(&seen.crt, &want, sizeof(want)),
	       "one ioctl with the expected bytes, padding included");
	tap_ok(padded_ok(0, op.dp, half), "dp behind 8 zero bytes");
	tap_ok(padded_ok(1, op.p, half), "p behind 8 zero bytes");
	tap_ok(padded_ok(2, op.qinv, half), "qinv behind 8 zero bytes");
}

static void test_rsa_refused(struct apq *h)
{
	struct apq_rsa_me me = { 0, (uint8_t *)"", (uint8_t *)"",
				 (uint8_t *)"", NULL };
	uint8_t out[1], equal[HALF_MAX];
	struct apq_rsa_crt crt;

	answer(0, 0);
	tap_is(apq_rsa_modexpo(h, &me), -EINVAL, "modexpo, no output");
	me.out = out;
	tap_is(apq_rsa_modexpo(h, &me), -EINVAL, "modexpo, length 0");
	me.len = 513;
	tap_is(apq_rsa_modexpo(h, &me), -ENODEV, "modexpo, length 513");
	me.len = SIZE_MAX;
	tap_is(apq_rsa_modexpo(h, &me), -ENODEV, "modexpo, length -1");
	fill_crt(&crt, 1);
	tap_is(apq_rsa_crt(h, &crt), -EINVAL, "CRT, length 1");
	fill_crt(&crt, 513);
	tap_is(apq_rsa_crt(h, &crt), -ENODEV, "CRT, length 513");
	fill_crt(&crt, 256);
	crt.qinv = NULL;
	tap_is(apq_rsa_crt(h, &crt), -EINVAL, "CRT, no qinv");
	fill_crt(&crt, 256);
	memcpy(equal, crt.p, sizeof(equal));
	crt.q = equal;
	tap_is(apq_rsa_crt(h, &crt), -EINVAL, "CRT, p = q");
	equal[127]++;
	tap_is(apq_rsa_crt(h, &crt), -EINVAL, "CRT, q larger in one bit");
	equal[0]++;
	equal[127] = 0;
	tap_is(apq_rsa_crt(h, &crt), -EINVAL, "CRT, q larger in byte 0");
	tap_is(seen.calls, 0, "none of them reached the kernel");
	memcpy(equal, crt.p, sizeof(equal));
	equal[127]--;
	tap_is(apq_rsa_crt(h, &crt), 0, "CRT, p larger in one bit");
}

static void test_rsa_errors(struct apq *h)
{
	static const int errors[] = { EINVAL, ENODEV, EIO, EINTR, ENOMEM };
	struct apq_rsa_crt crt;
	size_t i;

	fill_crt(&crt, 64);
	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		answer(0, errors[i]);
		errno = 1234;
		tap_is(apq_rsa_crt(h, &crt), -errors[i], "errno %d comes back",
		       errors[i]);
		tap_ok(errno == 1234 && seen.calls == 1,
		       "one try, errno not touched");
	}
	answer(0, ENOTTY);
	tap_is(apq_rsa_crt(h, &crt), -ENODEV, "a foreign node");
}

/* All of the three copies, over their whole length */
static void test_wiped(struct apq *h)
{
	struct apq_rsa_crt crt;
	int i;

	for (i = 0; i < 3; i++) {
		fill_crt(&crt, 512);
		answer(0, i == 2 ? EIO : 0);
		apq_rsa_crt(h, &crt);
		tap_ok(wiped_from && wiped_from <= seen.padded[i] &&
		       wiped_to >= (char *)seen.padded[i] + 8 + HALF_MAX,
		       "copy %d is wiped", i);
	}
}

int main(void)
{
	struct apq *h;

	mock_init();
	mock_file("/dev/apq", "");
	mock_file("/dev/z90crypt", "");
	tap_plan(164);
	test_open();
	test_crypt(APQ_AES_ECB, 0, 16);
	test_crypt(APQ_AES_CBC, 16, 16);
	test_crypt(APQ_AES_CTR, 16, 1);
	test_crypt(APQ_DES3_CBC, 8, 8);
	test_crypt_errors();
	test_fork();
	test_refused();
	test_submit();
	test_device_rsa();

	h = open_or_bail(APQ_BACKEND_Z90CRYPT);
	tap_ok(!strcmp(apq_backend_name(h), "z90crypt"), "z90crypt by name");
	test_modexpo(h, 1);
	test_modexpo(h, 129);
	test_modexpo(h, 512);
	test_crt(h, 2);
	test_crt(h, 129);
	test_crt(h, 256);
	test_crt(h, 512);
	test_rsa_refused(h);
	test_rsa_errors(h);
	test_wiped(h);
	apq_close(h);
	return tap_exit();
}
