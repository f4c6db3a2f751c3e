/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One measured cell, and the table of its fields from which CSV, JSON and the
 * man page are made.
 */
#ifndef APTUNE_RESULT_H
#define APTUNE_RESULT_H

#include <stddef.h>
#include <stdint.h>

#include "mode.h"
#include "workload.h"

/* Schema of sweep.json and sweep.csv, see Documentation/results.rst. */
#define RESULT_SCHEMA_VERSION	1

/*
 * If the soaker's own speed was off by more than this, what it lost says more
 * about the speed of the CPUs than about who had them.
 */
#define RESULT_OFF_SPEED	0.10

/**
 * struct result - a cell
 * @spec: path, operation, size, threads
 * @mode: completion mode
 *
 * The rest is described in the field table of result.c. Figures that do not
 * exist, such as a ratio without a measured mode timer, are NAN.
 */
struct result {
	struct workload_spec spec;
	char mode[MODE_NAME_LEN];
	double throughput;
	double ops_per_s;
	double cpu_percent;
	double efficiency;
	double throughput_ratio;
	double efficiency_ratio;
	double p50_ns, p99_ns, max_ns;
	double samples, requests, checked;
	double soaked_ops_per_s;
	double cpu_soaker_percent;
	double cpu_poll_wait_percent;
	double cpu_by_time_percent;
	double soaker_speed_ratio;
	double cpu_poll_thread_percent;
	double cpu_engine_percent;
};

/**
 * struct result_field - a number of struct result
 * @name: in JSON and CSV
 * @decimals: digits behind the point in CSV
 * @offset: of a double in struct result
 * @help: what it is, for the man page
 */
struct result_field {
	const char *name;
	int decimals;
	size_t offset;
	const char *help;
};

extern const struct result_field result_fields[];	/* ended by name NULL */

/* Was the soaker's speed off in this cell? Not if it never got a CPU. */
int result_is_off_speed(const struct result *r);

double result_value(const struct result *r, const struct result_field *field);

/* "MB/s" (1 MB is 1000000 bytes) or "ops/s" */
const char *result_unit(const struct workload_spec *spec);

/*
 * Derive throughput, efficiency and the ratios to mode timer from what was
 * measured. Efficiency below a CPU share of @noise_percent does not exist.
 */
void result_derive(struct result *results, size_t nr, double noise_percent);

/* "64", "8K", "1M" */
void result_size_text(size_t size, char *buf, size_t len);

#endif
