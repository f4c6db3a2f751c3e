/* SPDX-License-Identifier: GPL-2.0 */
/* Time, and waiting for a condition with a deadline. */
#ifndef APQ_SELFTEST_CLOCK_H
#define APQ_SELFTEST_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define NSEC_PER_SEC	1000000000ULL
#define NSEC_PER_MSEC	1000000ULL

static inline uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

static inline void pause_ns(uint64_t ns)
{
	struct timespec ts = {
		.tv_sec = ns / NSEC_PER_SEC,
		.tv_nsec = ns % NSEC_PER_SEC,
	};

	nanosleep(&ts, NULL);
}

/* Length of a kernel tick: the coarse clock moves once in each. */
static inline uint64_t tick_ns(void)
{
	struct timespec ts;

	clock_getres(CLOCK_MONOTONIC_COARSE, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* Looks every millisecond; the value is whether @condition came true. */
#define wait_for(condition, seconds) ({					\
	uint64_t _end = now_ns() + (seconds) * NSEC_PER_SEC;		\
	bool _met;							\
									\
	while (!(_met = (condition)) && now_ns() < _end)		\
		pause_ns(NSEC_PER_MSEC);				\
	_met;								\
})

#endif
