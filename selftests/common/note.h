/* SPDX-License-Identifier: GPL-2.0 */
/* Comments in the TAP. */
#ifndef APQ_SELFTEST_NOTE_H
#define APQ_SELFTEST_NOTE_H

#include <stdarg.h>
#include <stdio.h>

/* Flushed at once: a test of the harness ends with _exit(). */
static inline __attribute__((format(printf, 1, 2)))
void note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("# ");
	vprintf(fmt, ap);
	printf("\n");
	va_end(ap);
	fflush(stdout);
}

#endif
