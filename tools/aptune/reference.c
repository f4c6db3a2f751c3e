// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reference answers by OpenSSL's libcrypto, and the inputs of all runs.
 */
#include <string.h>

#include <openssl/bn.h>
#include <openssl/evp.h>

#include "reference.h"

/*
 * Primes of the test key, made by openssl genrsa 2048 for this file. A fixed
 * key keeps runs comparable and spares emulated machines seconds of prime
 * search. It protects nothing.
 */
static const char prime_p[] =
	"e85825b80cfde2e805d3aba8cf1458d562b14b5243584925e965317d45058745"
	"cf08f5f306970bd381b47d4144cbecf42ee56666a746b0f2eb69ce6124425f56"
	"ae96fd25aa2e264d571198f95d4b11bdee411c551ec5875f417a28baeffa5e24"
	"3487f730017069f9cb2a93d94f18cc5481200e11897b7e267c0db1d8698d867d";

static const char prime_q[] =
	"bba839770e0325b0a7b60484cc2d980c0cfa0ed311149d60eefde7f439d15e3d"
	"1dfe9a880a9815a2055f1e96ae5a7dffe14ce151b783eef8e6e854c103626c78"
	"20b63bf0904accdcf0629647cf052d9a81d82afe3130dcc4a72a8012b6fbc836"
	"848055cc39e9b19aa4cb9c000273a3fa4de6d647ccb6f5548b58aa5a2056b173";

#define PUBLIC_EXPONENT	65537

int reference_cipher(const struct op *op, int encrypt, const uint8_t *key,
		     const uint8_t *iv, const uint8_t *in, uint8_t *out,
		     size_t len)
{
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, op->evp, NULL);
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n, last, ok;

	ok = cipher && ctx &&
	     EVP_CipherInit_ex2(ctx, cipher, key, op->iv_len ? iv : NULL,
				encrypt, NULL) &&
	     EVP_CIPHER_CTX_set_padding(ctx, 0) &&
	     EVP_CipherUpdate(ctx, out, &n, in, len) &&
	     EVP_CipherFinal_ex(ctx, out + n, &last) &&
	     (size_t)n + last == len;
	EVP_CIPHER_CTX_free(ctx);
	EVP_CIPHER_free(cipher);
	return ok ? 0 : -1;
}

/* Numbers that belong to one key while it is computed. */
struct key_numbers {
	BN_CTX *ctx;
	BIGNUM *p, *q, *n, *d, *p1, *q1, *phi, *e, *t;
};

static int compute_key(struct key_numbers *k, struct rsa_key *key)
{
	return k->t &&
	       BN_hex2bn(&k->p, prime_p) && BN_hex2bn(&k->q, prime_q) &&
	       BN_mul(k->n, k->p, k->q, k->ctx) &&
	       BN_sub(k->p1, k->p, BN_value_one()) &&
	       BN_sub(k->q1, k->q, BN_value_one()) &&
	       BN_mul(k->phi, k->p1, k->q1, k->ctx) &&
	       BN_set_word(k->e, PUBLIC_EXPONENT) &&
	       BN_mod_inverse(k->d, k->e, k->phi, k->ctx) &&
	       BN_bn2binpad(k->n, key->modulus, RSA_LEN) == RSA_LEN &&
	       BN_bn2binpad(k->d, key->private, RSA_LEN) == RSA_LEN &&
	       BN_bn2binpad(k->p, key->p, RSA_HALF) == RSA_HALF &&
	       BN_bn2binpad(k->q, key->q, RSA_HALF) == RSA_HALF &&
	       BN_mod(k->t, k->d, k->p1, k->ctx) &&
	       BN_bn2binpad(k->t, key->dp, RSA_HALF) == RSA_HALF &&
	       BN_mod(k->t, k->d, k->q1, k->ctx) &&
	       BN_bn2binpad(k->t, key->dq, RSA_HALF) == RSA_HALF &&
	       BN_mod_inverse(k->t, k->q, k->p, k->ctx) &&
	       BN_bn2binpad(k->t, key->qinv, RSA_HALF) == RSA_HALF;
}

int reference_rsa_key(struct rsa_key *key)
{
	struct key_numbers k = { .ctx = BN_CTX_new() };
	int ok;

	if (!k.ctx)
		return -1;
	BN_CTX_start(k.ctx);
	k.p = BN_CTX_get(k.ctx);
	k.q = BN_CTX_get(k.ctx);
	k.n = BN_CTX_get(k.ctx);
	k.d = BN_CTX_get(k.ctx);
	k.p1 = BN_CTX_get(k.ctx);
	k.q1 = BN_CTX_get(k.ctx);
	k.phi = BN_CTX_get(k.ctx);
	k.e = BN_CTX_get(k.ctx);
	k.t = BN_CTX_get(k.ctx);	/* NULL if any of them failed */
	ok = compute_key(&k, key);
	BN_CTX_end(k.ctx);
	BN_CTX_free(k.ctx);
	return ok ? 0 : -1;
}

int reference_rsa_private(const struct rsa_key *key, const uint8_t *in,
			  uint8_t *out)
{
	BN_CTX *ctx = BN_CTX_new();
	BIGNUM *x, *d, *n;
	int ok;

	if (!ctx)
		return -1;
	BN_CTX_start(ctx);
	x = BN_CTX_get(ctx);
	d = BN_CTX_get(ctx);
	n = BN_CTX_get(ctx);
	ok = n && BN_bin2bn(in, RSA_LEN, x) &&
	     BN_bin2bn(key->private, RSA_LEN, d) &&
	     BN_bin2bn(key->modulus, RSA_LEN, n) &&
	     BN_mod_exp(x, x, d, n, ctx) &&
	     BN_bn2binpad(x, out, RSA_LEN) == RSA_LEN;
	BN_CTX_end(ctx);
	BN_CTX_free(ctx);
	return ok ? 0 : -1;
}

/* splitmix64: any seed gives a full-period sequence. */
void reference_fill(uint64_t seed, uint8_t *buf, size_t len)
{
	while (len) {
		size_t n = len < sizeof(seed) ? len : sizeof(seed);
		uint64_t z = seed += 0x9e3779b97f4a7c15ULL;

		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
		z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
		z ^= z >> 31;
		memcpy(buf, &z, n);
		buf += n;
		len -= n;
	}
}
