// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Back end "apq": raw RSA, a session for each request
 *
 * That is three system calls, little beside an RSA operation.
 */
#define _DEFAULT_SOURCE
#include <string.h>

#include "device.h"

_Static_assert(APQ_RSA_MAX == APQ_MAX_MOD_LEN, "longest modulus");
_Static_assert(5 * ((APQ_RSA_MAX + 1) / 2) <= APQ_MAX_RSA_KEY_LEN,
	       "longest key in CRT form");

/*
 * Key numbers one behind the other, as the kernel takes them; secret. Two whole
 * ones of a modulus are shorter than five halves.
 */
struct flat_key {
	uint8_t bytes[APQ_MAX_RSA_KEY_LEN];
	size_t len;
};

static void add(struct flat_key *key, const uint8_t *value, size_t len)
{
	memcpy(key->bytes + key->len, value, len);
	key->len += len;
}

static int run(const struct apq *h, uint32_t session, const uint8_t *in,
	       uint8_t *out, size_t len)
{
	struct apq_entry e = {
		.session = session,
		.op = APQ_OP_RSA,
		.src = (uintptr_t)in,
		.dst = (uintptr_t)out,
		.src_len = len,
		.dst_len = len,
	};
	long ret = apq_device_run(h, &e);

	return ret < 0 ? ret : 0;
}

/* Wipes the key. */
static int with_session(const struct apq *h, enum apq_alg alg,
			struct flat_key *key, const uint8_t *in, uint8_t *out,
			size_t len)
{
	struct apq_session_create create = {
		.alg = alg,
		.key = (uintptr_t)key->bytes,
		.key_len = key->len,
		.mod_len = len,
	};
	int session, ret;

	session = apq_device_ioctl(h, APQ_IOC_SESSION_CREATE, (uintptr_t)&create);
	explicit_bzero(key->bytes, sizeof(key->bytes));
	/* the operands of a call are one thing to who calls us */
	if (session == -ENOKEY)
		return -EINVAL;
	if (session < 0)
		return session;
	ret = run(h, session, in, out, len);
	apq_device_ioctl(h, APQ_IOC_SESSION_DESTROY, session);
	return ret;
}

int apq_device_rsa_me(const struct apq *h, const struct apq_rsa_me *op)
{
	struct flat_key key = { .len = 0 };

	add(&key, op->exp, op->len);
	add(&key, op->mod, op->len);
	return with_session(h, APQ_ALG_RSA_ME, &key, op->in, op->out, op->len);
}

int apq_device_rsa_crt(const struct apq *h, const struct apq_rsa_crt *op)
{
	size_t half = (op->len + 1) / 2;
	struct flat_key key = { .len = 0 };

	add(&key, op->p, half);
	add(&key, op->q, half);
	add(&key, op->dp, half);
	add(&key, op->dq, half);
	add(&key, op->qinv, half);
	return with_session(h, APQ_ALG_RSA_CRT, &key, op->in, op->out, op->len);
}
