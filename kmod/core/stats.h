/* SPDX-License-Identifier: GPL-2.0 */
/* What a queue counts, under its lock. */
#ifndef APQ_CORE_STATS_H
#define APQ_CORE_STATS_H

#include <linux/atomic.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <uapi/linux/apq.h>
#include "req.h"

/* Class i of a histogram holds times of 2^(i-1) to 2^i - 1 ns; the last more. */
#define APQ_HIST_CLASSES	36
#define APQ_NR_ALGS		33	/* numbers of enum apq_alg and one more */
#define APQ_MAX_BATCH		APQ_CARD_DEPTH

/**
 * struct apq_stats - counts of a queue
 * @count: answered requests by algorithm and size class
 * @errors: of these, answered with an error
 * @polls: looks that took the lock; looks without a reply are counted by the
 *	   queue, without lock
 * @batch: of these, how many took 0, 1, ... replies; the last more
 * @service: time the engine worked on a request
 * @wait: time from the queue to the engine
 * @oversleep: time from the card's reply to the poll that took it
 * @timed: requests in the last two; not those whose caller did the work
 */
struct apq_stats {
	u64 count[APQ_NR_ALGS][NR_APQ_CLASSES];
	u64 errors;
	u64 polls;
	u64 batch[APQ_MAX_BATCH + 1];
	u64 service[APQ_HIST_CLASSES];
	u64 wait[APQ_HIST_CLASSES];
	u64 oversleep[APQ_HIST_CLASSES];
	u64 timed;
};

/**
 * struct apq_inline_stats - counts of requests that their callers worked on
 * @count: as in struct apq_stats
 * @errors: same
 * @service: same
 *
 * Not under the lock of the queue, which such requests do not need otherwise.
 */
struct apq_inline_stats {
	atomic64_t count[APQ_NR_ALGS][NR_APQ_CLASSES];
	atomic64_t errors;
	atomic64_t service[APQ_HIST_CLASSES];
};

static inline unsigned int apq_hist_class(s64 ns)
{
	/* Clocks of two CPUs may differ by a little. */
	unsigned int i = ns > 0 ? ilog2((u64)ns) + 1 : 0;

	return min_t(unsigned int, i, APQ_HIST_CLASSES - 1);
}

static inline void apq_hist_add(u64 *hist, s64 ns)
{
	hist[apq_hist_class(ns)]++;
}

struct apq_queue;

ssize_t apq_stats_show(struct apq_queue *aq, char *buf);
void apq_stats_clear(struct apq_queue *aq);

#endif
