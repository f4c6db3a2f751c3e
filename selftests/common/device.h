/* SPDX-License-Identifier: GPL-2.0 */
/* Calls of /dev/apq without a library between; -errno on failure. */
#ifndef APQ_SELFTEST_DEVICE_H
#define APQ_SELFTEST_DEVICE_H

#include <errno.h>
#include <fcntl.h>
#include <linux/apq.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

#define DEVICE		"/dev/apq"

/* A pointer as the interface passes it, the same for both word sizes. */
static inline uint64_t address(const void *p)
{
	return (uintptr_t)p;
}

static inline int device_open(void)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Returns the number of the session. */
static inline int session_create(int fd, unsigned int alg, const void *key,
				 unsigned int len)
{
	struct apq_session_create c = {
		.alg = alg,
		.key = address(key),
		.key_len = len,
	};
	int ret = ioctl(fd, APQ_IOC_SESSION_CREATE, &c);

	return ret < 0 ? -errno : ret;
}

static inline int session_destroy(int fd, unsigned long session)
{
	return ioctl(fd, APQ_IOC_SESSION_DESTROY, session) ? -errno : 0;
}

/* Longer than any test waits, where the limit of 15 s would be too short. */
#define OP_TIMEOUT_MS	300000

static inline struct apq_op op_init(unsigned int session, unsigned int op,
				    const void *src, void *dst,
				    unsigned int len)
{
	return (struct apq_op) {
		.session = session,
		.op = op,
		.src = address(src),
		.dst = address(dst),
		.src_len = len,
		.dst_len = len,
		.timeout_ms = OP_TIMEOUT_MS,
	};
}

/* Returns the bytes written. */
static inline int op_run(int fd, const struct apq_op *op)
{
	int ret = ioctl(fd, APQ_IOC_CRYPT, op);

	return ret < 0 ? -errno : ret;
}

/* The usual case; @iv may be NULL for none. */
static inline int op_crypt(int fd, unsigned int session, unsigned int op,
			   const void *iv, unsigned int ivsize, const void *src,
			void *dst, unsigned int len)
{
	struct apq_op o = op_init(session, op, src, dst, len);

	if (iv)
		memcpy(o.iv, iv, ivsize);
	return op_run(fd, &o);
}

#endif
