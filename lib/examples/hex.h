/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * Bytes as text, for the examples
 */
#ifndef APQ_EXAMPLE_HEX_H
#define APQ_EXAMPLE_HEX_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Bytes that @text stands for, at most @max of them; -1 if it is no hex */
static inline long hex_read(const char *text, unsigned char *buf, size_t max)
{
	size_t len = strlen(text), i;

	if (len % 2 || len / 2 > max ||
	    strspn(text, "0123456789abcdefABCDEF") != len)
		return -1;
	for (i = 0; i < len / 2; i++)
		if (sscanf(text + 2 * i, "%2hhx", &buf[i]) != 1)
			return -1;
	return len / 2;
}

static inline void hex_print(const unsigned char *buf, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		printf("%02x", buf[i]);
	putchar('\n');
}

#endif /* APQ_EXAMPLE_HEX_H */
