// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Requests that nobody waits for: checks, then the back end
 */
#include <errno.h>

#include "backend.h"

static const struct apq_async_ops *ops_of(const struct apq *h)
{
	return h->ops->async;
}

/* 0 or why this request cannot be sent */
static int check(const struct apq *h, const struct apq_request *r)
{
	const struct apq_cipher *c = r->cipher;

	if (!c || c->h != h || (r->decrypt & ~1) || (r->aad_len && !r->aad) ||
	    (r->aad_len && !c->info->tagsize))
		return -EINVAL;
	return apq_cipher_check(c, r->decrypt ? APQ_DECRYPT : APQ_ENCRYPT,
				r->iv, r->src, r->dst, r->len, r->aad_len);
}

APQ_PUBLIC long apq_submit(struct apq *h, const struct apq_request *requests,
			   size_t nr, int *why)
{
	int saved_errno = errno;
	int refused = 0, error = 0;
	size_t good = 0;
	long ret = 0;

	if (!h || !requests || !nr)
		return -EINVAL;
	if (!ops_of(h))
		return -ENOTSUP;

	while (good < nr && !refused) {
		refused = check(h, &requests[good]);
		good += !refused;
	}
	if (good)
		ret = ops_of(h)->submit(h, requests, good, &error);
	if (!error)
		error = refused;
	if (why)
		*why = error;
	errno = saved_errno;
	return ret ? ret : error;
}

APQ_PUBLIC long apq_reap(struct apq *h, struct apq_result *results, size_t max,
			 size_t min, int64_t timeout_ns)
{
	int saved_errno = errno;
	long ret;

	if (!h || !results || !max || min > max || timeout_ns < -1)
		return -EINVAL;
	if (!ops_of(h))
		return -ENOTSUP;
	ret = ops_of(h)->reap(h, results, max, min, timeout_ns);
	errno = saved_errno;
	return ret;
}

static int cancel(struct apq *h, uint64_t user_data, int all)
{
	int saved_errno = errno;
	int ret;

	if (!h)
		return -EINVAL;
	if (!ops_of(h))
		return -ENOTSUP;
	ret = ops_of(h)->cancel(h, user_data, all);
	errno = saved_errno;
	return ret;
}

APQ_PUBLIC int apq_cancel(struct apq *h, uint64_t user_data)
{
	return cancel(h, user_data, 0);
}

APQ_PUBLIC int apq_cancel_all(struct apq *h)
{
	return cancel(h, 0, 1);
}

APQ_PUBLIC int apq_fd(const struct apq *h)
{
	if (!h)
		return -EINVAL;
	return ops_of(h) ? h->fd : -ENOTSUP;
}

APQ_PUBLIC int apq_eventfd(struct apq *h, int fd)
{
	int saved_errno = errno;
	int ret;

	if (!h)
		return -EINVAL;
	if (!ops_of(h))
		return -ENOTSUP;
	ret = ops_of(h)->eventfd(h, fd);
	errno = saved_errno;
	return ret;
}

APQ_PUBLIC int apq_mode_choose(struct apq *h, const char *mode)
{
	int saved_errno = errno;
	int ret;

	if (!h || !mode)
		return -EINVAL;
	if (!ops_of(h))
		return -ENOTSUP;
	ret = ops_of(h)->mode(h, mode);
	errno = saved_errno;
	return ret;
}
