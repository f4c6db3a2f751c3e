// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sweep.csv: comment lines with '#', a line of names, a line per cell. A value
 * that does not exist is an empty field. No value contains a comma.
 */
#include <math.h>
#include <stdio.h>

#include "outfile.h"
#include "sweep.h"

static void write_head(const struct sweep *sweep, FILE *f)
{
	const struct result_field *field;

	if (sweep->env.banner)
		fprintf(f, "# %s\n", sweep->env.banner);
	fprintf(f, "# aptune sweep, schema version %d, %s, %zu of %zu cells\n",
		RESULT_SCHEMA_VERSION, sweep->env.date, sweep->nr_results,
		sweep->nr_cells);
	fprintf(f, "# kernel: %s\n# cpu: %s, hypervisor: %s\n",
		sweep->env.kernel, sweep->env.cpu_model,
		sweep->env.hypervisor);
	fputs("path,cipher,size,threads,mode,unit", f);
	for (field = result_fields; field->name; field++)
		fprintf(f, ",%s", field->name);
	fputc('\n', f);
}

static void write_row(const struct result *r, FILE *f)
{
	const struct result_field *field;

	fprintf(f, "%s,%s,%zu,%u,%s,%s", r->spec.path->name, r->spec.op->name,
		r->spec.size, r->spec.threads, r->mode, result_unit(&r->spec));
	for (field = result_fields; field->name; field++) {
		double value = result_value(r, field);

		if (isnan(value))
			fputc(',', f);
		else
			fprintf(f, ",%.*f", field->decimals, value);
	}
	fputc('\n', f);
}

int sweep_write_csv(const struct sweep *sweep, const char *path)
{
	struct outfile out;
	size_t i;

	if (outfile_open(&out, path))
		return -1;
	write_head(sweep, out.stream);
	for (i = 0; i < sweep->nr_results; i++)
		write_row(&sweep->results[i], out.stream);
	return outfile_close(&out, 0);
}
