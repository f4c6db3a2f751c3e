/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef APTUNE_CLOCK_H
#define APTUNE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_S	1000000000ULL
#define NS_PER_MS	1000000ULL

static inline uint64_t timespec_ns(const struct timespec *ts)
{
	return ts->tv_sec * NS_PER_S + ts->tv_nsec;
}

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts))
		return 0;
	return timespec_ns(&ts);
}

/* The clock of all windows and latencies. */
static inline uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

#endif
