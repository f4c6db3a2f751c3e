/* SPDX-License-Identifier: GPL-2.0 */
/* Submitting and reaping on /dev/apq; -errno on failure. */
#ifndef APQ_SELFTEST_ASYNC_H
#define APQ_SELFTEST_ASYNC_H

#include "device.h"

static inline struct apq_entry entry_init(unsigned int session, unsigned int op,
					  const void *src, void *dst,
					  unsigned int len)
{
	return (struct apq_entry) {
		.session = session,
		.op = op,
		.src = address(src),
		.dst = address(dst),
		.src_len = len,
		.dst_len = len,
	};
}

/* Waits; returns the bytes of output. */
static inline int entry_run(int fd, const struct apq_entry *e)
{
	int ret = ioctl(fd, APQ_IOC_RUN, e);

	return ret < 0 ? -errno : ret;
}

/* Returns how many were accepted; @error may be NULL. */
static inline int submit(int fd, const struct apq_entry *e, unsigned int nr,
			 unsigned int *error)
{
	struct apq_submit s = {
		.entries = address(e),
		.nr = nr,
		.entry_size = sizeof(*e),
		.accepted = 0xdead,
		.error = 0xdead,
	};
	int ret = ioctl(fd, APQ_IOC_SUBMIT, &s);

	if (ret < 0)
		return -errno;
	if (error)
		*error = s.error;
	return ret == (int)s.accepted ? ret : -EPROTO;
}

static inline int reap(int fd, struct apq_completion *c, unsigned int min,
		       unsigned int max, int64_t timeout_ns)
{
	struct apq_reap r = {
		.completions = address(c),
		.max = max,
		.min = min,
		.completion_size = sizeof(*c),
		.timeout_ns = timeout_ns,
	};
	int ret = ioctl(fd, APQ_IOC_REAP, &r);

	return ret < 0 ? -errno : ret;
}

static inline int cancel(int fd, uint64_t user_data, unsigned int flags)
{
	struct apq_cancel c = { .user_data = user_data, .flags = flags };
	int ret = ioctl(fd, APQ_IOC_CANCEL, &c);

	return ret < 0 ? -errno : ret;
}

static inline int file_mode(int fd, const char *name)
{
	struct apq_file_mode m = {};

	memcpy(m.name, name, strnlen(name, sizeof(m.name)));
	return ioctl(fd, APQ_IOC_SET_MODE, &m) ? -errno : 0;
}

#endif
