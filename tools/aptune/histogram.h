/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Log-linear histogram of times in nanoseconds.
 *
 * Values below 2^HIST_SUB_BITS have a bucket each. Above, each power of two is
 * cut into 2^HIST_SUB_BITS buckets of equal width, so a bucket is at most
 * 1/2^HIST_SUB_BITS of its value wide: with 7 bits a quantile, given as the
 * middle of its bucket, is off by at most 0.4 %. Values of 2^HIST_MAX_BITS ns
 * (18 minutes) and more fall into the last bucket.
 */
#ifndef APTUNE_HISTOGRAM_H
#define APTUNE_HISTOGRAM_H

#include <stdint.h>

#define HIST_SUB_BITS	7
#define HIST_MAX_BITS	40
#define HIST_BUCKETS	((HIST_MAX_BITS - HIST_SUB_BITS + 1) << HIST_SUB_BITS)

struct histogram {
	uint64_t count;
	uint64_t min, max;	/* exact; undefined while count is 0 */
	double sum;
	uint32_t bucket[HIST_BUCKETS];
};

void hist_reset(struct histogram *h);
void hist_add(struct histogram *h, uint64_t ns);
void hist_merge(struct histogram *to, const struct histogram *from);

/*
 * The smallest recorded value that at least share @q (0 to 1) of all values do
 * not exceed, within the accuracy above and never outside [min, max]. 0 if
 * nothing was recorded.
 */
uint64_t hist_quantile(const struct histogram *h, double q);

#endif
