/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sweep: what to measure, and everything that came out of it.
 */
#ifndef APTUNE_SWEEP_H
#define APTUNE_SWEEP_H

#include "environment.h"
#include "mode.h"
#include "op.h"
#include "result.h"
#include "soaker.h"

#define MAX_OPS		16
#define MAX_SIZES	32
#define MAX_PATHS	4
#define MAX_THREAD_COUNTS 16

/**
 * struct sweep_settings - the grid is the product of the lists, less what a
 * path cannot do; RSA has one size
 * @time_ms: per cell
 * @verify_file: NULL for none
 * @out_dir: for sweep.json and sweep.csv
 */
struct sweep_settings {
	char modes[MAX_MODES][MODE_NAME_LEN];
	const struct op *ops[MAX_OPS];
	size_t sizes[MAX_SIZES];
	const struct path *paths[MAX_PATHS];
	unsigned int threads[MAX_THREAD_COUNTS];
	unsigned int nr_modes, nr_ops, nr_sizes, nr_paths, nr_threads;
	unsigned int time_ms;
	const char *verify_file;
	const char *out_dir;
};

/**
 * struct verify_record - a finished check of an operation on a path
 * @bytes: input bytes that went through, encryption and decryption together
 * @requests: how many requests that took
 * @seconds: duration, OpenSSL's part included
 */
struct verify_record {
	const struct path *path;
	const struct op *op;
	uint64_t bytes, requests;
	double seconds;
};

/**
 * struct sweep - results
 * @results: finished cells, modes of a cell next to each other
 * @failure: sentence about what stopped the sweep, or empty
 * @signal: that stopped it, or 0
 * @poll_timeout: interval of mode hrtimer during the sweep, ns
 */
struct sweep {
	const struct sweep_settings *settings;
	struct environment env;
	struct soaker_state soaker;
	struct result *results;
	size_t nr_results, nr_cells;
	struct verify_record verify[MAX_PATHS * MAX_OPS];
	size_t nr_verify;
	uint64_t poll_timeout;
	double seconds;
	char failure[512];
	int signal;
};

/* Cells of the grid. */
size_t sweep_cells(const struct sweep_settings *settings);

/*
 * Measure all cells. The mode and interval before are restored, whatever
 * happens. Returns 0 if all cells were measured, else -1: then @signal or
 * @failure says why, and what was finished is in @results. A failure was
 * complained about. Call sweep_free() in any case.
 */
int sweep_run(const struct sweep_settings *settings, struct sweep *sweep);
void sweep_free(struct sweep *sweep);

/* Outputs. All return 0, or -1 after they complained. */
int sweep_print(const struct sweep *sweep);			/* sweep_table.c */
int sweep_write_json(const struct sweep *sweep, const char *path); /* json.c */
int sweep_write_csv(const struct sweep *sweep, const char *path); /* csv.c */

#endif
