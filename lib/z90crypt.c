// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Back end "z90crypt": raw RSA over /dev/z90crypt
 *
 * Works with the node of apq.ko and with the one of the s390 kernel driver:
 * uses nothing but ICARSAMODEXPO and ICARSACRT.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/z90crypt.h>

#include "backend.h"

_Static_assert(APQ_RSA_MAX == Z90CRYPT_MAX_MOD_LEN, "longest modulus");

/* Bytes before dp, p and qinv. CCA cards read them, so they must be zero. */
#define CRT_PAD		8
#define CRT_HALF_MAX	((APQ_RSA_MAX + 1) / 2)

/* The operands of ICARSACRT that are longer than the caller's; secret */
struct padded_key {
	uint8_t dp[CRT_PAD + CRT_HALF_MAX];
	uint8_t p[CRT_PAD + CRT_HALF_MAX];
	uint8_t qinv[CRT_PAD + CRT_HALF_MAX];
};

static int z90crypt_open(struct apq *h)
{
	int fd = apq_open_node("/dev/z90crypt");

	if (fd < 0)
		return fd;
	h->fd = fd;
	return 0;
}

static void z90crypt_close(struct apq *h)
{
	close(h->fd);
}

/* The ABI has pointers to non-const for operands that it only reads. */
static __u8 *operand(const uint8_t *p)
{
	return (__u8 *)(uintptr_t)p;
}

static int request(const struct apq *h, unsigned long nr, void *arg)
{
	if (ioctl(h->fd, nr, arg) >= 0)
		return 0;
	/* not a z90crypt behind this name */
	return errno == ENOTTY ? -ENODEV : -errno;
}

static int z90crypt_rsa_me(const struct apq *h, const struct apq_rsa_me *op)
{
	struct ica_rsa_modexpo me;

	memset(&me, 0, sizeof(me));
	me.inputdata = operand(op->in);
	me.inputdatalength = op->len;
	me.outputdata = op->out;
	me.outputdatalength = op->len;
	me.b_key = operand(op->exp);
	me.n_modulus = operand(op->mod);
	return request(h, ICARSAMODEXPO, &me);
}

static __u8 *pad(uint8_t *buf, const uint8_t *value, size_t len)
{
	memset(buf, 0, CRT_PAD);
	memcpy(buf + CRT_PAD, value, len);
	return buf;
}

static int z90crypt_rsa_crt(const struct apq *h, const struct apq_rsa_crt *op)
{
	size_t half = (op->len + 1) / 2;
	struct ica_rsa_modexpo_crt crt;
	struct padded_key key;
	int ret;

	memset(&crt, 0, sizeof(crt));
	crt.inputdata = operand(op->in);
	crt.inputdatalength = op->len;
	crt.outputdata = op->out;
	crt.outputdatalength = op->len;
	crt.bp_key = pad(key.dp, op->dp, half);
	crt.bq_key = operand(op->dq);
	crt.np_prime = pad(key.p, op->p, half);
	crt.nq_prime = operand(op->q);
	crt.u_mult_inv = pad(key.qinv, op->qinv, half);

	ret = request(h, ICARSACRT, &crt);
	explicit_bzero(&key, sizeof(key));
	return ret;
}

const struct apq_backend_ops apq_backend_z90crypt = {
	.id		= APQ_BACKEND_Z90CRYPT,
	.name		= "z90crypt",
	.open		= z90crypt_open,
	.close		= z90crypt_close,
	.rsa_me		= z90crypt_rsa_me,
	.rsa_crt	= z90crypt_rsa_crt,
};
