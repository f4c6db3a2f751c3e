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

#define TAP_EXIT_SKIP	4

void tap_plan(unsigned int n);

/* One result; returns @good. */
__attribute__((format(printf, 2, 3)))
int tap_ok(int good, const char *fmt, ...);

/* @got and @want are numbers, often -errno; shows both when they differ. */
__attribute__((format(printf, 3, 4)))
int tap_is(long long got, long long want, const char *fmt, ...);

/* The exit status of the program */
int tap_exit(void);

__attribute__((format(printf, 1, 2), noreturn))
void tap_skip_all(const char *fmt, ...);

/* For what no test is about, such as no memory: ends the program as failed. */
__attribute__((format(printf, 1, 2), noreturn))
void tap_bail(const char *fmt, ...);

#endif /* APQ_TAP_H */
