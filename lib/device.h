/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * Back end "apq": what its files share
 */
#ifndef APQ_DEVICE_H
#define APQ_DEVICE_H

#include <errno.h>
#include <sys/ioctl.h>

#include <linux/apq.h>

#include "backend.h"

/* What the kernel says, as -errno if it is an error. @arg: number or address */
static inline int apq_device_ioctl(const struct apq *h, unsigned long nr,
				   uintptr_t arg)
{
	int ret = ioctl(h->fd, nr, arg);

	return ret < 0 ? -errno : ret;
}

/* One request that fills @dst_len bytes, which it returns, or -errno */
long apq_device_run(const struct apq *h, const struct apq_entry *e);

/* A request of a cipher; the caller adds what this one does not have. */
void apq_device_entry(struct apq_entry *e, const struct apq_cipher *c,
		      enum apq_direction dir, const void *iv, const void *src,
		      void *dst, size_t len);

/* device_async.c */
extern const struct apq_async_ops apq_device_async;

/* device_rsa.c */
int apq_device_rsa_me(const struct apq *h, const struct apq_rsa_me *op);
int apq_device_rsa_crt(const struct apq *h, const struct apq_rsa_crt *op);

#endif /* APQ_DEVICE_H */
