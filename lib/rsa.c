// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Raw RSA: checks, then the back end
 *
 * Only what the card cannot see or cannot survive is checked here. Even and
 * zero moduli and inputs that are too large are left to the card, which has
 * to look at the operands anyway.
 */
#include <errno.h>

#include "backend.h"

/*
 * a > b for numbers of @len bytes, big endian. Both are secret primes: the
 * time it takes depends on @len only.
 */
static int greater(const uint8_t *a, const uint8_t *b, size_t len)
{
	unsigned int borrow = 0;
	size_t i;

	/* b - a borrows out of its highest byte exactly if a > b */
	for (i = len; i--; )
		borrow = ((b[i] - a[i] - borrow) >> 8) & 1;
	return borrow;
}

APQ_PUBLIC int apq_rsa_modexpo(struct apq *h, const struct apq_rsa_me *op)
{
	int saved_errno = errno;
	int ret;

	if (!h || !op || !op->in || !op->exp || !op->mod || !op->out)
		return -EINVAL;
	if (!h->ops->rsa_me)
		return -ENOTSUP;
	if (!op->len)
		return -EINVAL;
	if (op->len > APQ_RSA_MAX)
		return -ENODEV;

	ret = h->ops->rsa_me(h, op);
	errno = saved_errno;
	return ret;
}

APQ_PUBLIC int apq_rsa_crt(struct apq *h, const struct apq_rsa_crt *op)
{
	int saved_errno = errno;
	int ret;

	if (!h || !op || !op->in || !op->p || !op->q || !op->dp || !op->dq ||
	    !op->qinv || !op->out)
		return -EINVAL;
	if (!h->ops->rsa_crt)
		return -ENOTSUP;
	if (op->len < 2)
		return -EINVAL;
	if (op->len > APQ_RSA_MAX)
		return -ENODEV;
	/* Cards need p > q and do not look: they would answer wrong. */
	if (!greater(op->p, op->q, (op->len + 1) / 2))
		return -EINVAL;

	ret = h->ops->rsa_crt(h, op);
	errno = saved_errno;
	return ret;
}
