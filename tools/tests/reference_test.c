// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The reference answers themselves, against published vectors and identities:
 * what everything is compared with must not share our mistakes.
 */
#include <stdio.h>
#include <string.h>

#include <openssl/bn.h>

#include "reference.h"
#include "tap.h"

static void unhex(const char *hex, uint8_t *out)
{
	unsigned int byte;

	for (; *hex; hex += 2, out++) {
		if (sscanf(hex, "%2x", &byte) != 1)
			tap_bail("bad hex in the test");
		*out = byte;
	}
}

/* NIST SP 800-38A, F.2.1 and F.2.5: CBC-AES128 and CBC-AES256, first block */
static void test_aes(void)
{
	uint8_t key[32], iv[16], in[16], want[16], out[16];

	unhex("000102030405060708090a0b0c0d0e0f", iv);
	unhex("6bc1bee22e409f96e93d7e117393172a", in);
	unhex("2b7e151628aed2a6abf7158809cf4f3c", key);
	unhex("7649abac8119b246cee98e9b12e9197d", want);
	tap_ok(!reference_cipher(op_find("aes-128-cbc"), 1, key, iv, in, out,
				 16) && !memcmp(out, want, 16),
	       "AES-128-CBC of SP 800-38A");
	unhex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
	      key);
	unhex("f58c4c04d6e5f1ba779eabfb5f7bfbd6", want);
	tap_ok(!reference_cipher(op_find("aes-256-cbc"), 1, key, iv, in, out,
				 16) && !memcmp(out, want, 16),
	       "AES-256-CBC of SP 800-38A");
}

/* Every operation of the table decrypts what it encrypted. */
static void test_round_trips(void)
{
	uint8_t key[MAX_KEY_LEN], iv[MAX_IV_LEN], in[160], mid[160], out[160];
	const struct op *op;

	reference_fill(1, key, sizeof(key));
	reference_fill(2, iv, sizeof(iv));
	reference_fill(3, in, sizeof(in));
	for (op = ops; op->name; op++) {
		if (op->kind != OP_CIPHER)
			continue;
		tap_ok(!reference_cipher(op, 1, key, iv, in, mid, 160) &&
		       !reference_cipher(op, 0, key, iv, mid, out, 160) &&
		       memcmp(in, mid, 160) && !memcmp(in, out, 160),
		       "%s there and back", op->name);
	}
}

static void test_rsa(void)
{
	uint8_t in[RSA_LEN], signature[RSA_LEN];
	BN_CTX *ctx = BN_CTX_new();
	BIGNUM *p, *q, *n, *e = NULL, *x, *t = BN_new();
	struct rsa_key key;

	if (reference_rsa_key(&key))
		tap_bail("no key");
	p = BN_bin2bn(key.p, RSA_HALF, NULL);
	q = BN_bin2bn(key.q, RSA_HALF, NULL);
	n = BN_bin2bn(key.modulus, RSA_LEN, NULL);
	tap_ok(BN_check_prime(p, ctx, NULL) == 1, "p is prime");
	tap_ok(BN_check_prime(q, ctx, NULL) == 1, "q is prime");
	tap_ok(BN_cmp(p, q) > 0, "p > q, as the card wants");
	BN_mul(t, p, q, ctx);
	tap_ok(!BN_cmp(t, n) && BN_num_bits(n) == 2048, "p q = n of 2048 bits");
	reference_fill(4, in, sizeof(in));
	in[0] &= 0x7f;
	tap_ok(!reference_rsa_private(&key, in, signature),
	       "private operation");
	BN_dec2bn(&e, "65537");
	x = BN_bin2bn(signature, RSA_LEN, NULL);
	BN_mod_exp(x, x, e, n, ctx);
	BN_bn2binpad(x, signature, RSA_LEN);
	tap_ok(!memcmp(in, signature, RSA_LEN), "public operation undoes it");
	BN_free(p), BN_free(q), BN_free(n), BN_free(e), BN_free(x), BN_free(t);
	BN_CTX_free(ctx);
}

int main(void)
{
	tap_plan(2 + 10 + 6);
	test_aes();
	test_round_trips();
	test_rsa();
	return tap_exit();
}
