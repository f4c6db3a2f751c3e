// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A thin cover over libsmartcols: rows are filled from the left, and an error
 * anywhere is kept until the table is printed.
 */
#include <libsmartcols.h>
#include <stdarg.h>
#include <stdlib.h>

#include "table.h"

struct table {
	struct libscols_table *scols;
	struct libscols_line *line;	/* row being filled; owned by scols */
	size_t column;			/* next cell of it */
	int failed;
};

struct table *table_new(const struct table_column *columns)
{
	struct table *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->scols = scols_new_table();
	if (!t->scols) {
		free(t);
		return NULL;
	}
	/* Never cut: a figure that lost its last digits is a wrong figure. */
	scols_table_set_termforce(t->scols, SCOLS_TERMFORCE_NEVER);
	for (; columns->name; columns++) {
		if (!scols_table_new_column(t->scols, columns->name, 0,
					    columns->left ? 0 : SCOLS_FL_RIGHT))
			t->failed = 1;
	}
	return t;
}

void table_free(struct table *t)
{
	if (!t)
		return;
	scols_unref_table(t->scols);
	free(t);
}

void table_row(struct table *t)
{
	t->line = scols_table_new_line(t->scols, NULL);
	t->column = 0;
	if (!t->line)
		t->failed = 1;
}

void table_cell(struct table *t, const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	if (!t->line || scols_line_set_data(t->line, t->column++, text))
		t->failed = 1;
}

int table_print(struct table *t, FILE *out)
{
	if (t->failed)
		return -1;
	scols_table_set_stream(t->scols, out);
	return scols_print_table(t->scols) ? -1 : 0;
}
