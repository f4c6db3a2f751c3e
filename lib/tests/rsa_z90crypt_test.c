// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Raw RSA over /dev/z90crypt against OpenSSL's BN_mod_exp(); needs apq.ko or
 * an s390 with a card
 */
#include <errno.h>
#include <openssl/bn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libapq.h"
#include "tap.h"
#include "vectors.h"

#define MAX_LEN		512
#define NR_THREADS	4
#define OPS_PER_THREAD	20

/* fields of rsa_keys.txt after the name */
enum { N, E, D, P, Q, DP, DQ, QINV, NR_NUMBERS };

struct key {
	char name[40];
	struct bignum_st *v[NR_NUMBERS];	/* BIGNUM */
	size_t len;			/* bytes of the modulus */
};

static struct apq *h;
static BN_CTX *bn_ctx;
static struct key *keys;
static unsigned int nr_keys;

static void add_key(char *const *fields, void *arg)
{
	struct key *k = &keys[nr_keys++];
	int i;

	(void)arg;
	memset(k, 0, sizeof(*k));
	snprintf(k->name, sizeof(k->name), "%s", fields[0]);
	for (i = 0; i < NR_NUMBERS; i++)
		if (!BN_hex2bn(&k->v[i], fields[i + 1]))
			tap_bail("%s: a number that is not hex", k->name);
	k->len = BN_num_bytes(k->v[N]);
}

static void to_bytes(const BIGNUM *v, uint8_t *buf, size_t len)
{
	if (BN_bn2binpad(v, buf, len) < 0)
		tap_bail("a number does not fit %zu bytes", len);
}

/* @len may be more than the modulus has: zeros come before it then. */
static int modexpo(const struct key *k, int exponent, const BIGNUM *in,
		   size_t len, uint8_t *out)
{
	uint8_t b[3][MAX_LEN];
	struct apq_rsa_me op = { len, b[0], b[1], b[2], out };

	to_bytes(in, b[0], len);
	to_bytes(k->v[exponent], b[1], len);
	to_bytes(k->v[N], b[2], len);
	return apq_rsa_modexpo(h, &op);
}

static int crt(const struct key *k, const BIGNUM *in, size_t len, uint8_t *out)
{
	uint8_t b[6][MAX_LEN];
	size_t half = (len + 1) / 2;
	struct apq_rsa_crt op = {
		.len = len, .in = b[0], .p = b[1], .q = b[2], .dp = b[3],
		.dq = b[4], .qinv = b[5], .out = out,
	};
	int i;

	to_bytes(in, b[0], len);
	for (i = P; i <= QINV; i++)
		to_bytes(k->v[i], b[i - P + 1], half);
	return apq_rsa_crt(h, &op);
}

/* exponent D: also the same by CRT */
static int check_with(const struct key *k, int exponent, const BIGNUM *in,
		      size_t len, BN_CTX *ctx)
{
	uint8_t out[MAX_LEN + 1], want[MAX_LEN];
	BIGNUM *r = BN_new();
	int good, ret;

	if (!r || !BN_mod_exp(r, in, k->v[exponent], k->v[N], ctx))
		tap_bail("BN_mod_exp");
	to_bytes(r, want, len);
	BN_free(r);

	memset(out, 0x55, sizeof(out));
	ret = modexpo(k, exponent, in, len, out);
	good = !ret && !memcmp(out, want, len) && out[len] == 0x55;
	if (exponent == D && good) {
		memset(out, 0x55, sizeof(out));
		ret = crt(k, in, len, out);
		good = !ret && !memcmp(out, want, len) && out[len] == 0x55;
	}
	if (!good)
		printf("# %s, length %zu: returned %d\n", k->name, len, ret);
	return good;
}

static int check(const struct key *k, const BIGNUM *in, size_t len)
{
	return check_with(k, E, in, len, bn_ctx) &&
	       check_with(k, D, in, len, bn_ctx);
}

static void test_key(const struct key *k)
{
	/* long ones are slow where the machine is emulated */
	int i, good = 1, rounds = k->len > 256 ? 1 : 5;
	BIGNUM *in = BN_new();

	for (i = 0; i < rounds; i++) {
		if (!BN_rand_range(in, k->v[N]))
			tap_bail("BN_rand_range");
		good &= BN_is_zero(in) || check(k, in, k->len);
	}
	tap_ok(good, "%s: random inputs", k->name);

	BN_one(in);
	good = check(k, in, k->len);
	/* short: almost all of the operand is zeros */
	BN_set_word(in, 0x1234567);
	good &= check(k, in, k->len);
	BN_sub(in, k->v[N], BN_value_one());
	good &= check(k, in, k->len);
	tap_ok(good, "%s: inputs 1, 0x1234567 and n - 1", k->name);

	good = 1;
	for (i = 1; i <= 2 && k->len + i <= MAX_LEN; i++)
		good &= check(k, in, k->len + i);
	tap_ok(good, "%s: operands with 1 and 2 zero bytes before", k->name);
	BN_free(in);
}

static void test_refused(const struct key *k)
{
	uint8_t b[2][MAX_LEN] = { { 0 } }, out[MAX_LEN];
	struct apq_rsa_me op = { k->len, b[0], b[0], b[1], out };
	BIGNUM *in = BN_dup(k->v[N]);

	b[0][k->len - 1] = 3;
	tap_is(apq_rsa_modexpo(h, &op), -EINVAL, "modulus 0");
	to_bytes(k->v[N], b[1], k->len);
	b[1][k->len - 1] &= 0xfe;
	tap_is(apq_rsa_modexpo(h, &op), -EINVAL, "even modulus");
	tap_is(modexpo(k, D, in, k->len, out), -EINVAL, "input n");
	tap_is(crt(k, in, k->len, out), -EINVAL, "input n, CRT");
	BN_add_word(in, 1);
	tap_is(modexpo(k, D, in, k->len, out), -EINVAL, "input n + 1");
	BN_sub_word(in, 2);
	tap_is(check(k, in, k->len), 1, "after that n - 1 is right");
	BN_free(in);
}

struct worker {
	pthread_t thread;
	unsigned int nr;
	int good;
};

/* Another key in each thread */
static void *work(void *arg)
{
	struct worker *w = arg;
	const struct key *k = &keys[w->nr % nr_keys];
	BN_CTX *ctx = BN_CTX_new();
	BIGNUM *in = BN_new();
	int i;

	while (k->len > 256)
		k = &keys[(k - keys + 1) % nr_keys];
	w->good = 1;
	for (i = 0; i < OPS_PER_THREAD && w->good; i++) {
		if (!BN_rand_range(in, k->v[N]))
			tap_bail("BN_rand_range");
		w->good = check_with(k, i % 4 ? E : D, in, k->len, ctx);
	}
	BN_free(in);
	BN_CTX_free(ctx);
	return NULL;
}

static void test_threads(void)
{
	struct worker workers[NR_THREADS];
	unsigned int i;
	int good = 1;

	for (i = 0; i < NR_THREADS; i++) {
		workers[i].nr = i;
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			tap_bail("no thread");
	}
	for (i = 0; i < NR_THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		good &= workers[i].good;
	}
	tap_ok(good, "%d threads on one handle", NR_THREADS);
}

int main(void)
{
	unsigned int i, n;
	int ret, j;

	if (access("/dev/z90crypt", F_OK))
		tap_skip_all("no /dev/z90crypt: apq.ko is not loaded");
	ret = apq_open(&h, APQ_BACKEND_Z90CRYPT);
	if (ret)
		tap_bail("apq_open: %s", strerror(-ret));
	n = vectors_read("rsa_keys.txt", 1 + NR_NUMBERS, NULL, NULL);
	keys = calloc(n, sizeof(*keys));
	bn_ctx = BN_CTX_new();
	if (!keys || !bn_ctx)
		tap_bail("no memory");
	vectors_read("rsa_keys.txt", 1 + NR_NUMBERS, add_key, NULL);

	tap_plan(3 * n + 6 + 1);
	for (i = 0; i < n; i++)
		test_key(&keys[i]);
	test_refused(&keys[0]);
	test_threads();
	apq_close(h);

	for (i = 0; i < n; i++)
		for (j = 0; j < NR_NUMBERS; j++)
			BN_free(keys[i].v[j]);
	free(keys);
	BN_CTX_free(bn_ctx);
	return tap_exit();
}
