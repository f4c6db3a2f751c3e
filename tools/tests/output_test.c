// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sweep.json and sweep.csv hold what the results held: written, read back and
 * compared field by field.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep.h"
#include "tap.h"

#define NR	3

static struct sweep_settings settings = {
	.modes = { "timer", "thread" }, .nr_modes = 2,
	.sizes = { 64, 65536 }, .nr_sizes = 2,
	.threads = { 4 }, .nr_threads = 1,
	.nr_ops = 1, .nr_paths = 1, .time_ms = 500,
	.verify_file = "a \"quoted\" name",
};

static struct result results[NR];

/* Different in every field of every result; ratios do not exist in one. */
static void fill(struct sweep *sweep)
{
	const struct result_field *f;
	unsigned int i, k;

	settings.ops[0] = op_find("3des-cbc");
	settings.paths[0] = path_find("afalg");
	for (i = 0; i < NR; i++) {
		results[i].spec = (struct workload_spec){
			settings.paths[0], settings.ops[0], 64 << i, 4,
		};
		strcpy(results[i].mode, i ? "thread" : "timer");
		for (f = result_fields, k = 0; f->name; f++, k++) {
			double x = 1000 * i + k + (f->decimals ? 0.25 : 0);

			*(double *)((char *)&results[i] + f->offset) = x;
		}
	}
	results[1].throughput_ratio = NAN;
	*sweep = (struct sweep){
		.settings = &settings, .results = results, .nr_results = NR,
		.nr_cells = 4, .poll_timeout = 120000000000ULL, .seconds = 2.5,
	};
	strcpy(sweep->env.kernel, "kernel \\ with \t odd \"signs\"");
	strcpy(sweep->env.hypervisor, "TCG");
	sweep->env.banner = "a banner";
	strcpy(sweep->failure, "why it stopped");
}

static void check_json(const char *path)
{
	const struct result_field *f;
	json_t *root, *cells, *cell, *x;
	int i, good = 1;

	root = json_load_file(path, 0, NULL);
	tap_ok(json_is_object(root), "JSON is valid");
	tap_is(json_integer_value(json_object_get(root, "schema_version")), 1,
	       "schema version");
	tap_ok(json_is_false(json_object_get(root, "complete")),
	       "3 of 4 cells are not complete");
	tap_ok(!strcmp(json_string_value(json_object_get(root, "banner")),
		       "a banner"), "banner");
	x = json_object_get(json_object_get(root, "environment"), "kernel");
	tap_ok(!strcmp(json_string_value(x), "kernel \\ with \t odd \"signs\""),
	       "odd characters survive");
	x = json_object_get(json_object_get(root, "settings"),
			    "poll_timeout_ns");
	tap_is(json_integer_value(x), 120000000000, "numbers beyond 32 bits");
	cells = json_object_get(root, "cells");
	tap_is(json_array_size(cells), NR, "cells");
	for (i = 0; i < NR; i++) {
		cell = json_array_get(cells, i);
		good &= json_integer_value(json_object_get(cell, "size")) ==
			64 << i;
		for (f = result_fields; f->name; f++) {
			double want = result_value(&results[i], f);

			x = json_object_get(cell, f->name);
			good &= isnan(want) ? json_is_null(x) :
				json_number_value(x) == want;
		}
	}
	tap_ok(good, "all fields of all cells");
	json_decref(root);
}

static void check_csv_row(char *line, const struct result *r, int *good)
{
	const struct result_field *f;
	char *field;

	field = strsep(&line, ",");
	*good &= !strcmp(field, "afalg");
	field = strsep(&line, ",");
	*good &= !strcmp(field, "3des-cbc");
	field = strsep(&line, ",");
	*good &= atol(field) == (long)r->spec.size;
	field = strsep(&line, ",");
	*good &= atol(field) == 4;
	field = strsep(&line, ",");
	*good &= !strcmp(field, r->mode);
	field = strsep(&line, ",");
	*good &= !strcmp(field, "MB/s");
	for (f = result_fields; f->name && line; f++) {
		double want = result_value(r, f);

		field = strsep(&line, ",\n");
		*good &= isnan(want) ? !*field : atof(field) == want;
	}
	*good &= !f->name && line && !*line;
}

static void check_csv(const char *path)
{
	static const char names[] = "path,cipher,size,threads,mode,unit,throughput,";
	FILE *f = fopen(path, "r");
	char line[2048];
	int comments = 0, header = 0, rows = 0, good = 1;

	while (f && fgets(line, sizeof(line), f)) {
		if (line[0] == '#')
			comments++;
		else if (!header)
			header = !strncmp(line, names, strlen(names));
		else if (++rows <= NR)
			check_csv_row(line, &results[rows - 1], &good);
	}
	if (f)
		fclose(f);
	tap_ok(comments >= 2, "CSV has its comments");
	tap_ok(header, "and a line of names");
	tap_is(rows, NR, "and a row per cell");
	tap_ok(good, "all fields of all rows");
}

int main(void)
{
	char dir[] = "/tmp/output_test.XXXXXX", path[64], gone[64];
	struct sweep sweep;
	FILE *f;

	tap_plan(14);
	if (!mkdtemp(dir))
		tap_bail("no temporary directory");
	fill(&sweep);
	snprintf(path, sizeof(path), "%s/sweep.json", dir);
	/* What was there before is replaced, not appended to. */
	f = fopen(path, "w");
	if (!f || fputs("old", f) < 0 || fclose(f))
		tap_bail("cannot write to %s", path);
	tap_is(sweep_write_json(&sweep, path), 0, "JSON written");
	check_json(path);
	unlink(path);
	snprintf(path, sizeof(path), "%s/sweep.csv", dir);
	if (sweep_write_csv(&sweep, path))
		tap_bail("no CSV");
	check_csv(path);
	unlink(path);
	snprintf(gone, sizeof(gone), "%s/none/sweep.csv", dir);
	tap_is(sweep_write_csv(&sweep, gone), -1, "a missing directory is an error");
	/* Fails if a temporary file was left. */
	if (rmdir(dir))
		tap_bail("%s is not empty", dir);
	return tap_exit();
}
