/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of /dev/apq: an open file and its requests.
 */
#ifndef APQ_DOOR_DEVICE_H
#define APQ_DOOR_DEVICE_H

#include <linux/list.h>
#include <linux/scatterlist.h>
#include <linux/spinlock.h>
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
 * @spare: a request that is not in use, NULL: somebody took it
 * @lock: what follows (BH off)
 * @spares: more requests that are not in use
 * @nr_spares: how many
 */
struct apq_file {
	struct xarray sessions;
	struct apq_session __rcu *first[APQ_FILE_FIRST];
	struct device_req *spare;
	spinlock_t lock;	/* the fields below */
	struct list_head spares;
	unsigned int nr_spares;
};

/**
 * struct device_req - a request of /dev/apq, with its data
 * @req: the request
 * @link: in a list of its file
 * @src_sg: input, where it was copied
 * @dst_sg: output, where it will be copied
 * @buf: memory for both
 * @half: bytes of @buf for each of them
 * @src: input, where it is pinned
 * @dst: output, where it is pinned, or both in place
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
};

/* request.c */
struct device_req *apq_device_req_get(struct apq_file *af);
void apq_device_req_put(struct apq_file *af, struct device_req *dr);
void apq_device_req_drain(struct apq_file *af);
long apq_device_crypt(struct apq_file *af, const struct apq_op *op);
long apq_device_random(struct apq_file *af, const struct apq_op *op);

#endif
