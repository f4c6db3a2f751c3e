// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * What only /dev/apq can do, against OpenSSL: requests that nobody waits for,
 * AES-GCM and AES-XTS, RSA, keys that are passed on; needs apq.ko
 */
#include <errno.h>
#include <fcntl.h>
#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "libapq.h"
#include "tap.h"

#define NR	80	/* more than two system calls take */
#define LEN	2000
#define TAG	16

static uint8_t key[64], iv[16], aad[20], src[LEN], dst[LEN + TAG], want[LEN + TAG];

static struct apq_cipher *cipher(struct apq *h, enum apq_cipher_alg alg,
				 size_t key_len)
{
	struct apq_cipher *c;
	int ret = apq_cipher_new(h, alg, NULL, key, key_len, &c);

	if (ret)
		tap_bail("apq_cipher_new: %s", strerror(-ret));
	return c;
}

static void openssl(const char *name, const uint8_t *in, size_t len,
		    size_t aad_len, uint8_t *out)
{
	EVP_CIPHER *evp = EVP_CIPHER_fetch(NULL, name, NULL);
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n = 0, good;

	good = evp && ctx && EVP_EncryptInit_ex2(ctx, evp, key, iv, NULL) &&
	       (!aad_len || EVP_EncryptUpdate(ctx, NULL, &n, aad, aad_len)) &&
	       EVP_EncryptUpdate(ctx, out, &n, in, len) &&
	       EVP_EncryptFinal_ex(ctx, out + len, &n);
	if (good && strstr(name, "GCM"))
		good = EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_GET_TAG, TAG,
					   out + len);
	if (!good)
		tap_bail("OpenSSL refuses %s", name);
	EVP_CIPHER_CTX_free(ctx);
	EVP_CIPHER_free(evp);
}

static void test_gcm(struct apq *h)
{
	struct apq_cipher *c = cipher(h, APQ_AES_GCM, 32);

	openssl("AES-256-GCM", src, LEN, sizeof(aad), want);
	tap_is(apq_aead_encrypt(c, iv, aad, sizeof(aad), src, dst, LEN),
	       LEN + TAG, "GCM: encrypt");
	tap_ok(!memcmp(dst, want, LEN + TAG), "GCM: as OpenSSL does");
	tap_is(apq_aead_decrypt(c, iv, aad, sizeof(aad), dst, dst, LEN + TAG),
	       LEN, "GCM: decrypt in place");
	tap_ok(!memcmp(dst, src, LEN), "GCM: it is the text");
	want[LEN / 2] ^= 1;
	memset(dst, 0x55, LEN);
	tap_is(apq_aead_decrypt(c, iv, aad, sizeof(aad), want, dst, LEN + TAG),
	       -EBADMSG, "GCM: one bit changed");
	tap_ok(memcmp(dst, src, 64), "GCM: nothing of the text");
	openssl("AES-256-GCM", src, 0, sizeof(aad), want);
	tap_is(apq_aead_encrypt(c, iv, aad, sizeof(aad), NULL, dst, 0), TAG,
	       "GCM: no text");
	tap_ok(!memcmp(dst, want, TAG), "GCM: its tag");
	tap_is(apq_aead_decrypt(c, iv, aad, sizeof(aad), want, NULL, TAG), 0,
	       "GCM: and back");
	apq_cipher_free(c);
}

static void test_xts(struct apq *h)
{
	struct apq_cipher *c = cipher(h, APQ_AES_XTS, 64);

	openssl("AES-256-XTS", src, LEN - 7, 0, want);
	tap_is(apq_encrypt(c, iv, src, dst, LEN - 7), LEN - 7, "XTS: encrypt");
	tap_ok(!memcmp(dst, want, LEN - 7), "XTS: as OpenSSL does");
	tap_is(apq_encrypt(c, iv, src, dst, 15), -EINVAL, "XTS: 15 bytes");
	apq_cipher_free(c);
}

/* Each request has its own IV, so that one in the place of another shows. */
static void test_batch(struct apq *h)
{
	static uint8_t ivs[NR][16], out[NR][256], expect[256];
	struct apq_cipher *c = cipher(h, APQ_AES_CTR, 16);
	struct pollfd fd = { .fd = apq_fd(h), .events = POLLIN };
	struct apq_request r[NR];
	struct apq_result got[NR];
	int i, why = 1, good = 1, seen[NR] = { 0 };
	long n = 0, ret;

	for (i = 0; i < NR; i++) {
		memset(ivs[i], i, 16);
		r[i] = (struct apq_request) {
			.cipher = c, .iv = ivs[i], .src = src, .dst = out[i],
			.len = 256, .user_data = i,
		};
	}
	tap_is(apq_submit(h, r, NR, &why), NR, "batch: submit");
	tap_is(why, 0, "batch: nothing refused");
	tap_is(poll(&fd, 1, 10000), 1, "batch: poll");
	while (n < NR) {
		ret = apq_reap(h, got + n, NR - n, 1, 10000000000);
		if (ret <= 0)
			break;
		n += ret;
	}
	tap_is(n, NR, "batch: reap");
	for (i = 0; i < n; i++) {
		good &= got[i].result == 256 && got[i].user_data < NR &&
			!seen[got[i].user_data]++;
	}
	tap_ok(good, "batch: each result once");
	for (i = 0; i < NR; i++) {
		memcpy(iv, ivs[i], 16);
		openssl("AES-128-CTR", src, 256, 0, expect);
		good &= !memcmp(out[i], expect, 256);
	}
	tap_ok(good, "batch: as OpenSSL does");
	tap_is(apq_reap(h, got, NR, 1, 0), 0, "batch: nothing more");
	tap_is(apq_cancel(h, 3), -ENOENT, "batch: nothing to cancel");
	r[1].iv = NULL;
	tap_is(apq_submit(h, r, 3, &why), 1, "batch: the second has no IV");
	tap_is(why, -EINVAL, "batch: which is told");
	tap_is(apq_reap(h, got, NR, 1, 10000000000), 1, "batch: the first is there");
	apq_cipher_free(c);
}

static void test_pass_on(struct apq *h)
{
	struct apq_cipher *c = cipher(h, APQ_AES_CBC, 16), *twin = NULL;
	struct apq *other;
	int fd = apq_cipher_export(c);

	tap_ok(fd >= 0 && fcntl(fd, F_GETFD) == FD_CLOEXEC, "export");
	if (apq_open(&other, APQ_BACKEND_DEVICE))
		tap_bail("cannot open it twice");
	tap_is(apq_cipher_import(other, APQ_AES_CBC, fd, &twin), 0, "import");
	close(fd);
	apq_encrypt(c, iv, src, want, 64);
	apq_cipher_free(c);
	tap_ok(apq_encrypt(twin, iv, src, dst, 64) == 64 &&
	       !memcmp(dst, want, 64), "the same key, after the first is gone");
	tap_is(apq_cipher_import(other, APQ_AES_CBC, 0, &c), -EINVAL,
	       "a descriptor that carries none");
	apq_cipher_free(twin);
	apq_close(other);
}

static void test_rsa(struct apq *h)
{
	BIGNUM *n = BN_new(), *e = BN_new(), *m = BN_new(), *r = BN_new();
	uint8_t b[3][64], out[64], expect[64];
	struct apq_rsa_me op = { 64, b[0], b[1], b[2], out };
	BN_CTX *ctx = BN_CTX_new();

	if (!BN_rand(n, 512, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ODD) ||
	    !BN_rand_range(e, n) || !BN_rand_range(m, n) ||
	    !BN_mod_exp(r, m, e, n, ctx))
		tap_bail("no numbers");
	BN_bn2binpad(m, b[0], 64);
	BN_bn2binpad(e, b[1], 64);
	BN_bn2binpad(n, b[2], 64);
	BN_bn2binpad(r, expect, 64);
	tap_is(apq_rsa_modexpo(h, &op), 0, "RSA");
	tap_ok(!memcmp(out, expect, 64), "RSA: as OpenSSL does");
	b[2][63] &= 0xfe;
	tap_is(apq_rsa_modexpo(h, &op), -EINVAL, "RSA: even modulus");
}

int main(void)
{
	struct apq *h;
	int ret;

	if (access("/dev/apq", F_OK))
		tap_skip_all("no /dev/apq: apq.ko is not loaded");
	ret = apq_open_for(&h, APQ_CAP_AEAD | APQ_CAP_ASYNC | APQ_CAP_CIPHER |
			   APQ_CAP_RSA);
	if (ret)
		tap_bail("apq_open_for: %s", strerror(-ret));
	RAND_bytes(key, sizeof(key));
	RAND_bytes(iv, sizeof(iv));
	RAND_bytes(src, sizeof(src));
	tap_plan(36);
	test_gcm(h);
	test_xts(h);
	test_batch(h);
	test_pass_on(h);
	test_rsa(h);
	tap_is(apq_mode_choose(h, "caller"), 0, "a mode of its own");
	tap_is(apq_mode_choose(h, "timer"), -EBUSY, "only once");
	tap_is(apq_mode_choose(h, "none"), -EINVAL, "no such mode");
	test_xts(h);
	apq_close(h);
	return tap_exit();
}
