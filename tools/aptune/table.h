/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables on a terminal, through libsmartcols.
 */
#ifndef APTUNE_TABLE_H
#define APTUNE_TABLE_H

#include <stdio.h>

struct table;

struct table_column {
	const char *name;	/* NULL ends the list */
	int left;		/* text: flush left; numbers are flush right */
};

struct table *table_new(const struct table_column *columns);
void table_free(struct table *t);

/* Begin a row; then one table_cell() per column, from the left. */
void table_row(struct table *t);
void table_cell(struct table *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns 0, or -1 if memory ran out here or in a call before. */
int table_print(struct table *t, FILE *out);

#endif
