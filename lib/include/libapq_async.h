/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * libapq - requests that nobody waits for; part of libapq.h, which includes it
 *
 * Only the back end "apq" can do this: ask for APQ_CAP_ASYNC. Any number of
 * threads may submit, reap and cancel on one handle; a result goes to one of
 * those that reap. Results belong to the process that submitted: a child of
 * fork() gets -EPERM while its parent has requests in flight on the handle.
 */
#ifndef LIBAPQ_ASYNC_H
#define LIBAPQ_ASYNC_H

#include <stddef.h>
#include <stdint.h>

#include "libapq.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct apq_request - a request of apq_submit()
 * @cipher:	key, of the same handle
 * @decrypt:	0 to encrypt, 1 to decrypt
 * @iv:		apq_cipher_ivsize() bytes; NULL if that is 0
 * @aad:	additional authenticated data of an AEAD; NULL if @aad_len is 0
 * @aad_len:	its bytes, at most 4096; 0 for what is no AEAD
 * @src:	input
 * @dst:	output, equal to @src or not overlapping it, with room for @len
 *		bytes, and apq_cipher_tagsize() more to encrypt
 * @len:	bytes of input; as for apq_encrypt(), apq_aead_encrypt() or
 *		apq_aead_decrypt()
 * @user_data:	comes back with the result; any value
 * @deadline_ns: CLOCK_MONOTONIC; not done by then, it ends with -ETIMEDOUT; 0
 *		for twice the module's request_timeout
 *
 * The structure, @iv and @aad may be changed when apq_submit() has returned, the
 * input when the result was reaped. The output is there then.
 */
struct apq_request {
	struct apq_cipher *cipher;
	int decrypt;
	const void *iv;
	const void *aad;
	size_t aad_len;
	const void *src;
	void *dst;
	size_t len;
	uint64_t user_data;
	uint64_t deadline_ns;
};

/**
 * struct apq_result - a result of apq_reap()
 * @user_data:	of the request
 * @result:	bytes of output, or -errno as the call that waits returns it;
 *		-ECANCELED after apq_cancel()
 * @reserved:	0
 */
struct apq_result {
	uint64_t user_data;
	int32_t result;
	uint32_t reserved;
};

/**
 * apq_submit() - send requests, do not wait for them
 * @h:		open back end
 * @requests:	array
 * @nr:		its length, 1 or more
 * @why:	receives 0 or the -errno for which @requests[returned] was not
 *		accepted; may be NULL
 *
 * Each of those that are accepted, from the first on, has one result later; of
 * the others nothing remains. In mode caller an idle software card computes in
 * this call. apq_software_below() has no effect here.
 *
 * Return: how many were accepted; if it is none -EAGAIN 1024 requests of the
 * handle are not reaped; -ENOBUFS RLIMIT_MEMLOCK does not allow so much data in
 * flight; -EPERM another process has requests in flight on the handle; -ENOTSUP
 * the back end cannot do this; -EINVAL, -EMSGSIZE, -EFAULT, -ENODEV, -EINTR,
 * -ENOMEM as apq_encrypt().
 */
long apq_submit(struct apq *h, const struct apq_request *requests, size_t nr,
		int *why);

/**
 * apq_reap() - collect results
 * @h:		open back end
 * @results:	array to fill
 * @max:	its length, 1 or more
 * @min:	wait for so many, 0 to @max
 * @timeout_ns:	wait at most so long; 0: do not wait; -1: no limit
 *
 * Fewer than @min come back when nothing more is in flight. The order is that in
 * which cards were done.
 *
 * Return: how many, 0 if the time is over or nothing is in flight; -EINTR a signal
 * came before the first; -EPERM; -ENOTSUP; -EINVAL; -EFAULT. None is lost by an
 * error.
 */
long apq_reap(struct apq *h, struct apq_result *results, size_t max, size_t min,
	      int64_t timeout_ns);

/**
 * apq_cancel() - take requests back
 * @h:		open back end
 * @user_data:	of which requests
 *
 * Each of them has the result -ECANCELED then, which is still to be reaped.
 *
 * Return: how many; -ENOENT no such request in flight; -EALREADY a card works on
 * it, its result will come; -EPERM; -ENOTSUP; -EINVAL.
 */
int apq_cancel(struct apq *h, uint64_t user_data);

/**
 * apq_cancel_all() - take back all requests of a handle
 * @h:		open back end
 *
 * Return: as apq_cancel().
 */
int apq_cancel_all(struct apq *h);

/**
 * apq_fd() - a descriptor to wait on with poll() or epoll
 * @h:		open back end
 *
 * Readable while results are there, writable while another request may be
 * submitted. It belongs to the handle: do not close or read it.
 *
 * Return: the descriptor; -ENOTSUP; -EINVAL.
 */
int apq_fd(const struct apq *h);

/**
 * apq_eventfd() - have an eventfd signalled when results are there
 * @h:		open back end
 * @fd:		eventfd(2), which stays the caller's; -1 for none any more
 *
 * Return: 0; -EBADF no descriptor; -EINVAL no eventfd; -ENOTSUP.
 */
int apq_eventfd(struct apq *h, int fd);

/**
 * apq_mode_choose() - a completion mode for this handle alone
 * @h:		open back end
 * @mode:	name, one of apq_mode_list()
 *
 * It runs beside the mode of the adapter, for the requests of this handle that
 * are sent from now on, those that wait too. Once for a handle.
 *
 * Return: 0; -EINVAL no such mode; -EBUSY one was chosen before; -ENOTSUP;
 * -ENOMEM.
 */
int apq_mode_choose(struct apq *h, const char *mode);

#ifdef __cplusplus
}
#endif

#endif /* LIBAPQ_ASYNC_H */
