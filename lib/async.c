// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Requests that nobody waits for: checks, then the back end
 */
#include <errno.h>

#include "backend.h"

/* 0 or why there is nothing asynchronous on this handle */
static int usable(const struct apq *h)
{
	if (!h)
		return -EINVAL;
	return h->ops->async ? 0 : -ENOTSUP;
}

/* 0 or why this request cannot be sent */
static int check(const struct apq *h, const struct apq_request *r)
{
	const struct apq_cipher *c = r->cipher;

	if (!c || c->h != h || (r->decrypt & ~1))
		return -EINVAL;
	return apq_cipher_check(c, r->decrypt ? APQ_DECRYPT : APQ_ENCRYPT,
				r->iv, r->aad, r->aad_len, r->src, r->dst,
				r->len);
}

APQ_PUBLIC long apq_submit(struct apq *h, const struct apq_request *requests,
			   size_t nr, int *why)
{
	int saved_errno = errno;
	int refused = 0, error = 0;
	size_t good = 0;
	long ret = 0;

	if (!requests || !nr)
		return -EINVAL;
	ret = usable(h);
	if (ret)
		return ret;

	while (good < nr && !refused) {
		refused = check(h, &requests[good]);
		good += !refused;
	}
	if (good)
		ret = h->ops->async->submit(h, requests, good, &error);
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

	if (!results || !max || min > max || timeout_ns < -1)
		return -EINVAL;
	ret = usable(h);
	if (ret)
		return ret;
	ret = h->ops->async->reap(h, results, max, min, timeout_ns);
	errno = saved_errno;
	return ret;
}

static int cancel(struct apq *h, uint64_t user_data, int all)
{
	int saved_errno = errno;
	int ret = usable(h);

	if (ret)
		return ret;
	ret = h->ops->async->cancel(h, user_data, all);
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
	int ret = usable(h);

	return ret ? ret : h->fd;
}

APQ_PUBLIC int apq_eventfd(struct apq *h, int fd)
{
	int saved_errno = errno;
	int ret = usable(h);

	if (ret)
		return ret;
	ret = h->ops->async->eventfd(h, fd);
	errno = saved_errno;
	return ret;
}

APQ_PUBLIC int apq_mode_choose(struct apq *h, const char *mode)
{
	int saved_errno = errno;
	int ret;

	if (!mode)
		return -EINVAL;
	ret = usable(h);
	if (ret)
		return ret;
	ret = h->ops->async->mode(h, mode);
	errno = saved_errno;
	return ret;
}
