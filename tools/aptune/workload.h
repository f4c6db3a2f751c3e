/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that send one kind of request in a closed loop: each sends its next
 * request when it has the answer to the last.
 */
#ifndef APTUNE_WORKLOAD_H
#define APTUNE_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "histogram.h"
#include "op.h"

#define MAX_THREADS	256
#define MAX_SIZE	1048576		/* largest request of libapq in bytes */

/**
 * struct workload_spec - what the threads do
 * @path: way to the queue
 * @op: operation
 * @size: bytes per request; RSA_LEN for RSA
 * @threads: how many, 1 to MAX_THREADS
 */
struct workload_spec {
	const struct path *path;
	const struct op *op;
	size_t size;
	unsigned int threads;
};

/**
 * struct workload_plan - when what is counted; CLOCK_MONOTONIC in ns
 * @quiet_from, @quiet_to: window for throughput and latency, no soaker runs
 * @soaked_from, @soaked_to: window for the CPU share; the threads end with it
 *
 * Times are fixed before the threads start, so no thread waits for another
 * and a request that lies across the edge of a window counts in it with the
 * part of its duration that lies inside. That matters where a window holds
 * only a few requests.
 */
struct workload_plan {
	uint64_t quiet_from, quiet_to;
	uint64_t soaked_from, soaked_to;
};

/**
 * struct workload_counts - what came out of one run
 * @quiet_ops, @soaked_ops: requests per window, with fractions
 * @latency: requests that ended inside the quiet window; if none did, the
 *	     ones that covered it
 * @requests: all requests of the run, warm-up included
 * @checked: how many of them were compared with OpenSSL's answer
 */
struct workload_counts {
	double quiet_ops, soaked_ops;
	struct histogram latency;
	uint64_t requests, checked;
};

struct workload;

/*
 * Open back ends, give them keys, and compute inputs and right answers for all
 * threads. Returns 0, or -1 after it complained.
 */
int workload_create(const struct workload_spec *spec, struct workload **w);
void workload_destroy(struct workload *w);

/* Start the threads; workload_join() waits for their end. 0 or -errno. */
int workload_start(struct workload *w, const struct workload_plan *plan);

/* Ask running threads to end after the request they are in. */
void workload_stop(struct workload *w);

/*
 * Wait for the threads. Returns 0, or -1 if a request failed or its answer was
 * wrong; workload_failure() then says which in one sentence.
 */
int workload_join(struct workload *w, struct workload_counts *counts);
const char *workload_failure(const struct workload *w);

#endif
