/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * Test Anything Protocol for the test programs of libapq
 *
 *	tap_plan(2);
 *	tap_ok(1 + 1 == 2, "sum");
 *	tap_is(apq_mode_get(NULL, 1), -EINVAL, "no buffer");
 *	return tap_exit();
 *
 * The plan counts: a program that dies early, or forgets a test, fails. Exit
 * status: 0 all passed, 1 not, 4 skipped with a reason.
 */
#ifndef APQ_TAP_H
#define APQ_TAP_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define TAP_EXIT_SKIP	4

static unsigned int tap_planned, tap_done, tap_failed;

static inline void tap_plan(unsigned int n)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	tap_planned = n;
	printf("TAP version 13\n1..%u\n", n);
}

__attribute__((format(printf, 2, 3), unused))
static int tap_ok(int good, const char *fmt, ...)
{
	va_list args;

	printf("%s %u - ", good ? "ok" : "not ok", ++tap_done);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	if (!good)
		tap_failed++;
	return good;
}

/* @got and @want are numbers, often -errno; shows both when they differ */
__attribute__((format(printf, 3, 4), unused))
static int tap_is(long long got, long long want, const char *fmt, ...)
{
	va_list args;
	char what[200];

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	if (got != want)
		printf("# got %lld, want %lld\n", got, want);
	return tap_ok(got == want, "%s", what);
}

static inline int tap_exit(void)
{
	if (tap_done != tap_planned)
		printf("# %u tests planned, %u ran\n", tap_planned, tap_done);
	printf("# %u passed, %u failed\n", tap_done - tap_failed, tap_failed);
	return tap_failed || tap_done != tap_planned;
}

__attribute__((format(printf, 1, 2), noreturn, unused))
static void tap_skip_all(const char *fmt, ...)
{
	va_list args;

	printf("TAP version 13\n1..0 # SKIP ");
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	exit(TAP_EXIT_SKIP);
}

/* For what no test is about, such as no memory: ends the program as failed. */
__attribute__((format(printf, 1, 2), noreturn, unused))
static void tap_bail(const char *fmt, ...)
{
	va_list args;

	printf("Bail out! ");
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	exit(1);
}

#endif /* APQ_TAP_H */
