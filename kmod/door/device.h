/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of /dev/apq: an open file and its requests.
 *
 * Order of locks: apq_file.reap_lock, apq_file.lock, then those of core.
 */
#ifndef APQ_DOOR_DEVICE_H
#define APQ_DOOR_DEVICE_H

#include <linux/eventfd.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/scatterlist.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <uapi/linux/apq.h>
#include "../core/req.h"
#include "../core/session.h"
#include "buffer.h"

/* Requests that a file keeps for the next use. */
#define APQ_FILE_SPARES		32

/* Sessions 0 to one less than this are found without a walk. */
#define APQ_FILE_FIRST		8

/**
 * struct apq_file - an open file
 * @sessions: by number; changed under its lock, read under RCU
 * @first: the first of them once more, where a look costs less; under RCU
 * @mode: completion mode of its requests, set once; NULL: the active one
 * @spare: a request that is not in use, NULL: somebody took it
 * @reap_lock: held by who takes results; @ring_head
 * @wait: who waits for results, or for the last request
 * @expire: ends requests whose deadline is over
 * @ring: results of requests that are over and done with
 * @ring_head: the next to take; only grows, as @ring_tail
 * @lock: what follows (BH off)
 * @ring_tail: where the next is put; also read without lock
 * @spares: more requests that are not in use
 * @nr_spares: how many
 * @mm: whose memory the submitted requests work on, a reference; changes
 *	under @reap_lock too, and only while nothing is in flight
 * @in_flight: requests submitted and not reaped
 * @nr_done: on @done; also read without lock
 * @flight: requests that a queue has
 * @done: requests with a result that must be finished in process context
 * @eventfd: signalled when there are results, or NULL
 * @next_expire: jiffies for which @expire is armed, if @expire_armed
 * @expire_armed: it is
 */
struct apq_file {
	struct xarray sessions;
	struct apq_session __rcu *first[APQ_FILE_FIRST];
	struct apq_mode *mode;
	struct device_req *spare;
	struct mutex reap_lock;		/* ring_head */
	wait_queue_head_t wait;
	struct delayed_work expire;
	struct apq_completion *ring;
	unsigned int ring_head;
	spinlock_t lock;		/* the fields below */
	unsigned int ring_tail;
	struct list_head spares;
	unsigned int nr_spares;
	struct mm_struct *mm;
	unsigned int in_flight;
	unsigned int nr_done;
	struct list_head flight;
	struct list_head done;
	struct eventfd_ctx *eventfd;
	unsigned long next_expire;
	bool expire_armed;
};

/**
 * struct device_req - a request of /dev/apq, with its data
 * @req: the request
 * @link: in a list of its file
 * @src_sg: input, where it was copied
 * @dst_sg: output, where it will be copied
 * @buf: memory for both, additional data before each
 * @half: bytes of @buf for each of them
 * @src: input, where it is pinned
 * @dst: output, where it is pinned, or both in place
 * @copied: which of the two ways
 * @aad_len: bytes of additional data
 * @out_len: bytes of output
 * @src_nr: ranges of input
 * @dst_nr: ranges of output
 * @src_iov: where the caller has the input
 * @dst_iov: where he wants the output
 * @user_data: of the caller, for APQ_IOC_SUBMIT
 * @deadline: jiffies, for APQ_IOC_SUBMIT
 * @charged: pages charged to RLIMIT_MEMLOCK
 */
struct device_req {
	struct apq_req req;
	struct list_head link;
	struct scatterlist src_sg;
	struct scatterlist dst_sg;
	u8 *buf;
	unsigned int half;
	struct apq_pinned src;
	struct apq_pinned dst;
	bool copied;
	unsigned int aad_len;
	unsigned int out_len;
	unsigned int src_nr;
	unsigned int dst_nr;
	struct apq_iovec src_iov[APQ_MAX_IOV];
	struct apq_iovec dst_iov[APQ_MAX_IOV];
	u64 user_data;
	unsigned long deadline;
	unsigned int charged;
};

/* request.c */
struct apq_session *apq_device_session(struct apq_file *af, u32 id);
struct device_req *apq_device_prepare(struct apq_file *af,
				      const struct apq_entry *e,
				      struct apq_session *s,
				      struct device_req *dr);
int apq_device_finish(struct device_req *dr, int ret);
void apq_device_req_put(struct apq_file *af, struct device_req *dr);
void apq_device_req_drain(struct apq_file *af);
unsigned int apq_device_timeout(u64 deadline_ns);
long apq_device_crypt(struct apq_file *af, u64 arg);
long apq_device_run(struct apq_file *af, u64 arg);

/* keys.c */
long apq_keys_create(struct apq_file *af, void __user *arg);
long apq_keys_destroy(struct apq_file *af, unsigned long id);
long apq_keys_export(struct apq_file *af, unsigned long id);
long apq_keys_import(struct apq_file *af, unsigned long fd);
void apq_keys_drop(struct apq_file *af);

/* async.c */
void apq_async_init(struct apq_file *af);
void apq_async_exit(struct apq_file *af);
long apq_async_submit(struct apq_file *af, u64 arg);
long apq_async_reap(struct apq_file *af, u64 arg);
long apq_async_cancel(struct apq_file *af, u64 arg);
long apq_async_eventfd(struct apq_file *af, unsigned long fd);
__poll_t apq_async_poll(struct apq_file *af, struct file *file,
			struct poll_table_struct *wait);

#endif
