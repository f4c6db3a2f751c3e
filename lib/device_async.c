// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Back end "apq": requests that nobody waits for
 *
 * The kernel holds everything that lasts: what is in flight, and the results.
 */
#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "device.h"

/* Requests that go to the kernel at once; their entries are 3.5 KiB of stack. */
#define CHUNK 32

_Static_assert(sizeof(struct apq_result) == sizeof(struct apq_completion) &&
	       offsetof(struct apq_result, user_data) ==
	       offsetof(struct apq_completion, user_data) &&
	       offsetof(struct apq_result, result) ==
	       offsetof(struct apq_completion, result), "results as they are");

static void fill(struct apq_entry *e, const struct apq_request *r)
{
	apq_device_entry(e, r->cipher, r->decrypt ? APQ_DECRYPT : APQ_ENCRYPT,
			 r->iv, r->src, r->dst, r->len);
	e->aad = (uintptr_t)r->aad;
	e->aad_len = r->aad_len;
	e->user_data = r->user_data;
	e->deadline_ns = r->deadline_ns;
}

/* How many were accepted; @why: 0 or the -errno for which the next was not */
static long submit_chunk(struct apq *h, const struct apq_request *requests,
			 unsigned int nr, int *why)
{
	struct apq_entry entries[CHUNK];
	struct apq_submit submit = {
		.entries = (uintptr_t)entries,
		.nr = nr,
		.entry_size = sizeof(entries[0]),
	};
	unsigned int i;
	int ret;

	for (i = 0; i < nr; i++)
		fill(&entries[i], &requests[i]);
	ret = apq_device_ioctl(h, APQ_IOC_SUBMIT, (uintptr_t)&submit);
	if (ret < 0) {
		*why = ret;
		return 0;
	}
	*why = (unsigned int)ret < nr ? -(int)submit.error : 0;
	return ret;
}

static long device_submit(struct apq *h, const struct apq_request *requests,
			  size_t nr, int *why)
{
	size_t done = 0;

	*why = 0;
	while (done < nr && !*why) {
		size_t n = nr - done < CHUNK ? nr - done : CHUNK;

		done += submit_chunk(h, requests + done, n, why);
	}
	return done;
}

static long device_reap(struct apq *h, struct apq_result *results, size_t max,
			size_t min, int64_t timeout_ns)
{
	struct apq_reap reap = {
		.completions = (uintptr_t)results,
		.max = max < UINT_MAX ? max : UINT_MAX,
		.min = min < UINT_MAX ? min : UINT_MAX,
		.completion_size = sizeof(results[0]),
		.timeout_ns = timeout_ns,
	};

	return apq_device_ioctl(h, APQ_IOC_REAP, (uintptr_t)&reap);
}

static int device_cancel(struct apq *h, uint64_t user_data, int all)
{
	struct apq_cancel cancel = {
		.user_data = user_data,
		.flags = all ? APQ_CANCEL_ALL : 0,
	};

	return apq_device_ioctl(h, APQ_IOC_CANCEL, (uintptr_t)&cancel);
}

static int device_eventfd(struct apq *h, int fd)
{
	return apq_device_ioctl(h, APQ_IOC_EVENTFD, fd);
}

static int device_mode(struct apq *h, const char *mode)
{
	struct apq_file_mode arg;
	size_t len = strlen(mode);

	/* longer than the field is longer than any mode's name */
	if (len >= sizeof(arg.name))
		return -EINVAL;
	memset(&arg, 0, sizeof(arg));
	memcpy(arg.name, mode, len);
	return apq_device_ioctl(h, APQ_IOC_SET_MODE, (uintptr_t)&arg);
}

const struct apq_async_ops apq_device_async = {
	.submit		= device_submit,
	.reap		= device_reap,
	.cancel		= device_cancel,
	.eventfd	= device_eventfd,
	.mode		= device_mode,
};
