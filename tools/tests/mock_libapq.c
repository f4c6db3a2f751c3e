// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A libapq without a module: the same API with answers computed by OpenSSL, for
 * the tests of aptune. LD_LIBRARY_PATH puts it before the real one.
 *
 * Environment (times in microseconds):
 *   MOCK_SERVICE_US	duration of a request, slept (default 200)
 *   MOCK_TIMER_US	duration instead of that in mode timer (default 4000)
 *   MOCK_WRONG_AT	this request, counted over all threads from 0, gets an
 *			answer with one bit flipped, and every later one too
 *   MOCK_STALE_AT	from this request on nothing is written
 *   MOCK_FAIL_AT	this request and all later ones fail with -EIO
 *   MOCK_MODE_SLIPS	a mode that is set does not take
 *   MOCK_TIMEOUT_SLIPS	nor does the poll timeout
 *   MOCK_ABSENT	no module: everything is -ENODEV
 *   MOCK_STATE		file that keeps mode and timeout between processes
 */
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/bn.h>
#include <openssl/evp.h>

#include <libapq.h>

#define EXPORT __attribute__((visibility("default")))

struct apq {
	enum apq_backend backend;
};

struct apq_cipher {
	char evp[16];
	unsigned char key[32];
	size_t iv_len, block;
};

static atomic_ulong requests;

struct state {
	char mode[16];
	uint64_t timeout;
};

static long knob(const char *name, long preset)
{
	const char *s = getenv(name);

	return s ? atol(s) : preset;
}

static void load_state(struct state *s)
{
	const char *path = getenv("MOCK_STATE");
	FILE *f = path ? fopen(path, "r") : NULL;

	if (!f || fscanf(f, "%15s %" SCNu64, s->mode, &s->timeout) != 2) {
		strcpy(s->mode, "hrtimer");
		s->timeout = 250000;
	}
	if (f)
		fclose(f);
}

static void save_state(const struct state *s)
{
	const char *path = getenv("MOCK_STATE");
	FILE *f = path ? fopen(path, "w") : NULL;

	if (!f)
		abort();	/* a test that forgot MOCK_STATE */
	fprintf(f, "%s %" PRIu64 "\n", s->mode, s->timeout);
	fclose(f);
}

/* Each thread may look at the state file only now and then. */
static int is_timer(void)
{
	static _Thread_local unsigned int age;
	static _Thread_local int timer;
	struct state s;

	if (age++ % 64 == 0) {
		load_state(&s);
		timer = !strcmp(s.mode, "timer");
	}
	return timer;
}

static int serve(unsigned char *out, size_t len, const unsigned char *answer)
{
	long us = is_timer() ? knob("MOCK_TIMER_US", 4000) :
			       knob("MOCK_SERVICE_US", 200);
	struct timespec ts = { us / 1000000, us % 1000000 * 1000 };
	long number = atomic_fetch_add(&requests, 1);

	clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
	if (getenv("MOCK_FAIL_AT") && number >= knob("MOCK_FAIL_AT", 0))
		return -EIO;
	if (getenv("MOCK_STALE_AT") && number >= knob("MOCK_STALE_AT", 0))
		return 0;
	memcpy(out, answer, len);
	if (getenv("MOCK_WRONG_AT") && number >= knob("MOCK_WRONG_AT", 0))
		out[len / 2] ^= 4;
	return 0;
}

EXPORT int apq_open(struct apq **h, enum apq_backend backend)
{
	if (getenv("MOCK_ABSENT"))
		return -ENODEV;
	*h = calloc(1, sizeof(**h));
	if (!*h)
		return -ENOMEM;
	(*h)->backend = backend;
	return 0;
}

EXPORT void apq_close(struct apq *h)
{
	free(h);
}

EXPORT int apq_cipher_new(struct apq *h, enum apq_cipher_alg alg,
			  const char *driver, const void *key, size_t key_len,
			  struct apq_cipher **c)
{
	static const char *const modes[] = {
		[APQ_AES_ECB] = "ECB", [APQ_AES_CBC] = "CBC",
		[APQ_AES_CTR] = "CTR",
	};

	if (h->backend == APQ_BACKEND_Z90CRYPT || driver)
		return -ENOTSUP;
	*c = calloc(1, sizeof(**c));
	if (!*c)
		return -ENOMEM;
	memcpy((*c)->key, key, key_len);
	if (alg == APQ_DES3_CBC) {
		strcpy((*c)->evp, "DES-EDE3-CBC");
		(*c)->iv_len = 8;
		(*c)->block = 8;
		return 0;
	}
	snprintf((*c)->evp, sizeof((*c)->evp), "AES-%d-%s", (int)key_len * 8,
		 modes[alg]);
	(*c)->iv_len = alg == APQ_AES_ECB ? 0 : 16;
	(*c)->block = alg == APQ_AES_CTR ? 1 : 16;
	return 0;
}

EXPORT void apq_cipher_free(struct apq_cipher *c)
{
	free(c);
}

static long crypt_request(struct apq_cipher *c, int encrypt, const void *iv,
			  const void *src, void *dst, size_t len)
{
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, c->evp, NULL);
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	unsigned char *answer = malloc(len + 32);
	int n, ret;

	if (len % c->block || !len || len > 1048576)
		abort();
	if (!EVP_CipherInit_ex2(ctx, cipher, c->key, iv, encrypt, NULL) ||
	    !EVP_CIPHER_CTX_set_padding(ctx, 0) ||
	    !EVP_CipherUpdate(ctx, answer, &n, src, len) || n != (int)len)
		abort();
	EVP_CIPHER_CTX_free(ctx);
	EVP_CIPHER_free(cipher);
	ret = serve(dst, len, answer);
	free(answer);
	return ret ? ret : (long)len;
}

EXPORT long apq_encrypt(struct apq_cipher *c, const void *iv, const void *src,
			void *dst, size_t len)
{
	return crypt_request(c, 1, iv, src, dst, len);
}

EXPORT long apq_decrypt(struct apq_cipher *c, const void *iv, const void *src,
			void *dst, size_t len)
{
	return crypt_request(c, 0, iv, src, dst, len);
}

/* Garner: q * ((m_p - m_q) * qinv mod p) + m_q */
EXPORT int apq_rsa_crt(struct apq *h, const struct apq_rsa_crt *op)
{
	int half = (op->len + 1) / 2;
	BN_CTX *ctx = BN_CTX_new();
	BIGNUM *x = BN_bin2bn(op->in, op->len, NULL);
	BIGNUM *p = BN_bin2bn(op->p, half, NULL);
	BIGNUM *q = BN_bin2bn(op->q, half, NULL);
	BIGNUM *dp = BN_bin2bn(op->dp, half, NULL);
	BIGNUM *dq = BN_bin2bn(op->dq, half, NULL);
	BIGNUM *qinv = BN_bin2bn(op->qinv, half, NULL);
	BIGNUM *mp = BN_new(), *mq = BN_new(), *t = BN_new();
	unsigned char answer[512];

	if (h->backend != APQ_BACKEND_Z90CRYPT)
		return -ENOTSUP;
	BN_mod(t, x, p, ctx);
	BN_mod_exp(mp, t, dp, p, ctx);
	BN_mod(t, x, q, ctx);
	BN_mod_exp(mq, t, dq, q, ctx);
	BN_mod_sub(t, mp, mq, p, ctx);
	BN_mod_mul(t, t, qinv, p, ctx);
	BN_mul(t, t, q, ctx);
	BN_add(t, t, mq);
	BN_bn2binpad(t, answer, op->len);
	BN_free(x), BN_free(p), BN_free(q), BN_free(dp), BN_free(dq);
	BN_free(qinv), BN_free(mp), BN_free(mq), BN_free(t);
	BN_CTX_free(ctx);
	return serve(op->out, op->len, answer);
}

EXPORT int apq_cards(struct apq_card_info *cards, size_t max)
{
	if (getenv("MOCK_ABSENT"))
		return -ENODEV;
	if (max)
		cards[0] = (struct apq_card_info){
			.id = 0, .type = "CEX8A", .engine = "mock-openssl",
			.online = 1, .depth = 8, .requests = requests,
		};
	return 1;
}

EXPORT int apq_mode_get(char *buf, size_t len)
{
	struct state s;

	if (getenv("MOCK_ABSENT"))
		return -ENODEV;
	load_state(&s);
	return snprintf(buf, len, "%s", s.mode) < (int)len ? 0 : -ENOSPC;
}

EXPORT int apq_mode_list(char *buf, size_t len)
{
	if (getenv("MOCK_ABSENT"))
		return -ENODEV;
	return snprintf(buf, len, "timer hrtimer thread") < (int)len ?
	       0 : -ENOSPC;
}

EXPORT int apq_mode_set(const char *mode)
{
	struct state s;

	if (getenv("MOCK_ABSENT"))
		return -ENODEV;
	if (strcmp(mode, "timer") && strcmp(mode, "hrtimer") &&
	    strcmp(mode, "thread"))
		return -EINVAL;
	if (getenv("MOCK_MODE_SLIPS"))
		return 0;
	load_state(&s);
	strcpy(s.mode, mode);
	save_state(&s);
	return 0;
}

EXPORT int apq_poll_timeout_get(uint64_t *ns)
{
	struct state s;

	if (getenv("MOCK_ABSENT"))
		return -ENODEV;
	load_state(&s);
	*ns = s.timeout;
	return 0;
}

EXPORT int apq_poll_timeout_set(uint64_t ns)
{
	struct state s;

	if (getenv("MOCK_ABSENT"))
		return -ENODEV;
	if (getenv("MOCK_TIMEOUT_SLIPS"))
		return 0;
	load_state(&s);
	s.timeout = ns;
	save_state(&s);
	return 0;
}

EXPORT const char *apq_version(void)
{
	return "0.0-mock";
}
