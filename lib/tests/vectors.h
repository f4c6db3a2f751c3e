/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * Test vectors from text files: one vector a line, fields between blanks, # at
 * the start of a comment line
 */
#ifndef APQ_VECTORS_H
#define APQ_VECTORS_H

#include <stddef.h>
#include <stdint.h>

#define VECTOR_FIELDS_MAX	10

/*
 * Calls @each for every vector of vectors/@file beside the program; ends the
 * program if the file is not there or a line has not @nr fields. Returns how
 * many vectors there were. @each may be NULL, to count.
 */
unsigned int vectors_read(const char *file, int nr,
			  void (*each)(char *const *fields, void *arg),
			  void *arg);

/* Decodes hex into @buf; returns the bytes, 0 for "-"; ends on bad input. */
size_t hex_decode(const char *hex, uint8_t *buf, size_t size);

#endif /* APQ_VECTORS_H */
