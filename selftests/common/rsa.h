/* SPDX-License-Identifier: GPL-2.0 */
/* Keys with a known answer, and calls of /dev/z90crypt; -errno on failure. */
#ifndef APQ_SELFTEST_RSA_H
#define APQ_SELFTEST_RSA_H

#include <errno.h>
#include <fcntl.h>
#include <linux/z90crypt.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include "rsa_vectors.h"

#define Z90CRYPT	"/dev/z90crypt"
/* Bytes in front of the values that belong to p. */
#define CRT_PAD		8
#define RSA_MAX_LEN	Z90CRYPT_MAX_MOD_LEN
#define RSA_MAX_PART	(RSA_MAX_LEN / 2 + CRT_PAD)

/* A key in the form the device takes; in and out are a pair of its private op. */
struct rsa_key {
	unsigned int len;
	unsigned int part;
	uint8_t n[RSA_MAX_LEN];
	uint8_t d[RSA_MAX_LEN];
	uint8_t in[RSA_MAX_LEN];
	uint8_t out[RSA_MAX_LEN];
	uint8_t p[RSA_MAX_PART];
	uint8_t q[RSA_MAX_PART];
	uint8_t dp[RSA_MAX_PART];
	uint8_t dq[RSA_MAX_PART];
	uint8_t u[RSA_MAX_PART];
};

static inline uint8_t rsa_nibble(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Right-justified in @len bytes. */
static inline void rsa_decode(const char *hex, uint8_t *to, size_t len)
{
	size_t digits = strlen(hex);

	if (digits > 2 * len)
		abort();
	memset(to, 0, len);
	while (digits--) {
		to[len - 1] |= rsa_nibble(hex[digits]);
		if (digits) {
			digits--;
			to[len - 1] |= rsa_nibble(hex[digits]) << 4;
		}
		len--;
	}
}

/* @bits: one of the vectors; @len: bytes of the operands, or more than needed */
static inline void rsa_key_load_padded(struct rsa_key *k, unsigned int bits,
				       unsigned int len)
{
	const struct rsa_vector *v = rsa_vectors;

	while (v->bits != bits)
		if (++v == rsa_vectors + NR_RSA_VECTORS)
			abort();
	k->len = len;
	k->part = (k->len + 1) / 2;
	rsa_decode(v->n, k->n, k->len);
	rsa_decode(v->d, k->d, k->len);
	rsa_decode(v->in, k->in, k->len);
	rsa_decode(v->out, k->out, k->len);
	rsa_decode(v->p, k->p, k->part + CRT_PAD);
	rsa_decode(v->dp, k->dp, k->part + CRT_PAD);
	rsa_decode(v->u, k->u, k->part + CRT_PAD);
	rsa_decode(v->q, k->q, k->part);
	rsa_decode(v->dq, k->dq, k->part);
}

static inline void rsa_key_load(struct rsa_key *k, unsigned int bits)
{
	rsa_key_load_padded(k, bits, (bits + 7) / 8);
}

static inline int z90crypt_open(void)
{
	int fd = open(Z90CRYPT, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static inline struct ica_rsa_modexpo me_init(struct rsa_key *k,
					     const uint8_t *in, uint8_t *out)
{
	return (struct ica_rsa_modexpo) {
		.inputdata = (uint8_t *)in,
		.inputdatalength = k->len,
		.outputdata = out,
		.outputdatalength = k->len,
		.b_key = k->d,
		.n_modulus = k->n,
	};
}

static inline struct ica_rsa_modexpo_crt crt_init(struct rsa_key *k,
						  const uint8_t *in,
						  uint8_t *out)
{
	return (struct ica_rsa_modexpo_crt) {
		.inputdata = (uint8_t *)in,
		.inputdatalength = k->len,
		.outputdata = out,
		.outputdatalength = k->len,
		.bp_key = k->dp,
		.bq_key = k->dq,
		.np_prime = k->p,
		.nq_prime = k->q,
		.u_mult_inv = k->u,
	};
}

static inline int rsa_me(int fd, struct rsa_key *k, const uint8_t *in,
			 uint8_t *out)
{
	struct ica_rsa_modexpo me = me_init(k, in, out);

	return ioctl(fd, ICARSAMODEXPO, &me) ? -errno : 0;
}

static inline int rsa_crt(int fd, struct rsa_key *k, const uint8_t *in,
			  uint8_t *out)
{
	struct ica_rsa_modexpo_crt crt = crt_init(k, in, out);

	return ioctl(fd, ICARSACRT, &crt) ? -errno : 0;
}

#endif
