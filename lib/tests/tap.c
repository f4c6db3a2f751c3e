// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tap.h"

static unsigned int planned, done, failed;

static void print(const char *head, const char *fmt, va_list args)
{
	fputs(head, stdout);
	vprintf(fmt, args);
	putchar('\n');
}

void tap_plan(unsigned int n)
{
	/* what a program said before it died has to come out */
	setvbuf(stdout, NULL, _IOLBF, 0);
	planned = n;
	printf("TAP version 13\n1..%u\n", n);
}

static int result(int good, const char *fmt, va_list args)
{
	char head[32];

	snprintf(head, sizeof(head), "%s %u - ", good ? "ok" : "not ok",
		 ++done);
	print(head, fmt, args);
	failed += !good;
	return good;
}

int tap_ok(int good, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	result(good, fmt, args);
	va_end(args);
	return good;
}

int tap_is(long long got, long long want, const char *fmt, ...)
{
	va_list args;

	if (got != want)
		printf("# got %lld, want %lld\n", got, want);
	va_start(args, fmt);
	result(got == want, fmt, args);
	va_end(args);
	return got == want;
}

int tap_exit(void)
{
	if (done != planned)
		printf("# %u tests planned, %u ran\n", planned, done);
	printf("# %u passed, %u failed\n", done - failed, failed);
	return failed || done != planned;
}

void tap_skip_all(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print("TAP version 13\n1..0 # SKIP ", fmt, args);
	va_end(args);
	exit(TAP_EXIT_SKIP);
}

void tap_bail(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print("Bail out! ", fmt, args);
	va_end(args);
	exit(1);
}
