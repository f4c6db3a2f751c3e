// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Log-linear histogram, see histogram.h for accuracy and range.
 */
#include <math.h>
#include <string.h>

#include "histogram.h"

#define SUB	(1U << HIST_SUB_BITS)

static unsigned int bucket_of(uint64_t ns)
{
	unsigned int shift;

	if (ns < SUB)
		return ns;
	if (ns >> HIST_MAX_BITS)
		return HIST_BUCKETS - 1;
	/* Top HIST_SUB_BITS + 1 bits: the leading one and the bucket number. */
	shift = 63 - __builtin_clzll(ns) - HIST_SUB_BITS;
	return ((shift + 1) << HIST_SUB_BITS) + (ns >> shift) - SUB;
}

static uint64_t middle_of(unsigned int bucket)
{
	unsigned int shift;

	if (bucket < SUB)
		return bucket;
	shift = (bucket >> HIST_SUB_BITS) - 1;
	return ((uint64_t)(bucket % SUB + SUB) << shift) + ((1ULL << shift) >> 1);
}

void hist_reset(struct histogram *h)
{
	memset(h, 0, sizeof(*h));
}

void hist_add(struct histogram *h, uint64_t ns)
{
	if (!h->count || ns < h->min)
		h->min = ns;
	if (!h->count || ns > h->max)
		h->max = ns;
	h->count++;
	h->sum += ns;
	h->bucket[bucket_of(ns)]++;
}

void hist_merge(struct histogram *to, const struct histogram *from)
{
	unsigned int i;

	if (!from->count)
		return;
	if (!to->count || from->min < to->min)
		to->min = from->min;
	if (!to->count || from->max > to->max)
		to->max = from->max;
	to->count += from->count;
	to->sum += from->sum;
	for (i = 0; i < HIST_BUCKETS; i++)
		to->bucket[i] += from->bucket[i];
}

uint64_t hist_quantile(const struct histogram *h, double q)
{
	uint64_t rank, seen = 0, ns;
	unsigned int i;

	if (!h->count)
		return 0;
	rank = ceil(q * h->count);
	if (rank < 1)
		rank = 1;
	/* The last rank is known exactly, also when its bucket has no end. */
	if (rank >= h->count)
		return h->max;
	for (i = 0; i < HIST_BUCKETS; i++) {
		seen += h->bucket[i];
		if (seen >= rank)
			break;
	}
	ns = middle_of(i);
	if (ns < h->min)
		return h->min;
	return ns > h->max ? h->max : ns;
}
