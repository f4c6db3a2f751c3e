/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What OpenSSL makes of the same input: the answers that count as right.
 */
#ifndef APTUNE_REFERENCE_H
#define APTUNE_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

#include "op.h"

/**
 * struct rsa_key - the test key in the form the card takes
 * @modulus: n, RSA_LEN bytes, big endian like all numbers here
 * @p, @q: primes, p > q
 * @dp, @dq: d mod (p - 1), d mod (q - 1)
 * @qinv: q^-1 mod p
 * @private: d
 */
struct rsa_key {
	uint8_t modulus[RSA_LEN];
	uint8_t p[RSA_HALF], q[RSA_HALF];
	uint8_t dp[RSA_HALF], dq[RSA_HALF], qinv[RSA_HALF];
	uint8_t private[RSA_LEN];
};

/*
 * Encrypt (@encrypt) or decrypt @len bytes, whole blocks. @iv is not changed.
 * Returns 0, or -1 if OpenSSL failed (out of memory, algorithm not there).
 */
int reference_cipher(const struct op *op, int encrypt, const uint8_t *key,
		     const uint8_t *iv, const uint8_t *in, uint8_t *out,
		     size_t len);

/* The test key. Returns 0 or -1. */
int reference_rsa_key(struct rsa_key *key);

/* in^d mod n without CRT, RSA_LEN bytes each. Returns 0 or -1. */
int reference_rsa_private(const struct rsa_key *key, const uint8_t *in,
			  uint8_t *out);

/*
 * Bytes that look random and are the same in every run with the same @seed, so
 * that two runs do the same work.
 */
void reference_fill(uint64_t seed, uint8_t *buf, size_t len);

#endif
