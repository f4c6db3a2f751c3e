// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Opening and closing back ends
 */
#include <errno.h>
#include <stdlib.h>

#include "backend.h"

/* In the order in which APQ_BACKEND_AUTO tries them */
static const struct apq_backend_ops *const backends[] = {
	&apq_backend_device,
	&apq_backend_afalg,
	&apq_backend_z90crypt,
};

#define NR_BACKENDS (sizeof(backends) / sizeof(backends[0]))

static int open_one(struct apq *h, const struct apq_backend_ops *ops)
{
	h->ops = ops;
	h->fd = -1;
	return ops->open(h);
}

static unsigned int caps_of(const struct apq_backend_ops *ops)
{
	return (ops->cipher_new ? APQ_CAP_CIPHER : 0) |
	       (ops->rsa_me && ops->rsa_crt ? APQ_CAP_RSA : 0) |
	       (ops->aead ? APQ_CAP_AEAD : 0) |
	       (ops->async ? APQ_CAP_ASYNC : 0);
}

/*
 * The first one that has @caps and opens. If none does, a reason that somebody
 * can do something about (no permission) is worth more than -ENODEV.
 */
static int open_first(struct apq *h, unsigned int caps)
{
	int ret = -ENOTSUP;
	size_t i;

	for (i = 0; i < NR_BACKENDS; i++) {
		int err;

		if (caps & ~caps_of(backends[i]))
			continue;
		err = open_one(h, backends[i]);
		if (!err)
			return 0;
		if (ret == -ENODEV || ret == -ENOTSUP)
			ret = err;
	}
	return ret;
}

static int open_by_id(struct apq *h, enum apq_backend id)
{
	size_t i;

	for (i = 0; i < NR_BACKENDS; i++)
		if (backends[i]->id == id)
			return open_one(h, backends[i]);
	return -EINVAL;
}

/* @caps count for APQ_BACKEND_AUTO only. */
static int open_new(struct apq **h, enum apq_backend id, unsigned int caps)
{
	int saved_errno = errno;
	struct apq *new;
	int ret;

	if (!h)
		return -EINVAL;
	new = calloc(1, sizeof(*new));
	if (!new) {
		errno = saved_errno;
		return -ENOMEM;
	}

	ret = id == APQ_BACKEND_AUTO ? open_first(new, caps) :
	      open_by_id(new, id);
	if (ret)
		free(new);
	else
		*h = new;
	errno = saved_errno;
	return ret;
}

APQ_PUBLIC int apq_open(struct apq **h, enum apq_backend backend)
{
	return open_new(h, backend, 0);
}

APQ_PUBLIC int apq_open_for(struct apq **h, unsigned int caps)
{
	if (caps & ~(APQ_CAP_CIPHER | APQ_CAP_RSA | APQ_CAP_AEAD | APQ_CAP_ASYNC))
		return -EINVAL;
	return open_new(h, APQ_BACKEND_AUTO, caps);
}

APQ_PUBLIC unsigned int apq_caps(const struct apq *h)
{
	return h ? caps_of(h->ops) : 0;
}

APQ_PUBLIC void apq_close(struct apq *h)
{
	int saved_errno = errno;

	if (!h)
		return;
	h->ops->close(h);
	free(h);
	errno = saved_errno;
}

APQ_PUBLIC enum apq_backend apq_backend(const struct apq *h)
{
	return h ? h->ops->id : APQ_BACKEND_AUTO;
}

APQ_PUBLIC const char *apq_backend_name(const struct apq *h)
{
	return h ? h->ops->name : NULL;
}

APQ_PUBLIC const char *apq_version(void)
{
	return APQ_VERSION;
}
