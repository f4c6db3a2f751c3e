// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Run a sweep.
 *
 * Order: path, operation, size, threads, and innermost the modes, so that what
 * is compared is measured within a second or two of each other and whatever
 * else the machine does hits all modes alike.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "clock.h"
#include "interrupt.h"
#include "measure.h"
#include "progress.h"
#include "sweep.h"
#include "verify.h"

/* Between two looks at the soaker's calibration. */
#define RECHECK_NS	(15 * NS_PER_S)

/* State of a running sweep that no output needs. */
struct run {
	const struct sweep_settings *settings;
	struct sweep *sweep;
	struct progress progress;
	struct meter meter;
	struct verify_file *file;
	uint64_t checked;	/* when the soaker was calibrated or checked */
};

static size_t sizes_of(const struct sweep_settings *s, const struct op *op)
{
	return op->kind == OP_CIPHER ? s->nr_sizes : 1;
}

size_t sweep_cells(const struct sweep_settings *s)
{
	unsigned int p, o;
	size_t cells = 0;

	for (p = 0; p < s->nr_paths; p++) {
		for (o = 0; o < s->nr_ops; o++) {
			if (s->ops[o]->kind == s->paths[p]->kind)
				cells += sizes_of(s, s->ops[o]);
		}
	}
	return cells * s->nr_threads * s->nr_modes;
}

/* Note and report what stopped the sweep. */
static int stop(struct run *run, const char *what, const char *reason)
{
	progress_end(&run->progress);
	snprintf(run->sweep->failure, sizeof(run->sweep->failure), "%s: %s",
		 what, reason);
	complain(what, "%s", reason);
	return -1;
}

static int stop_by_signal(struct run *run)
{
	progress_end(&run->progress);
	run->sweep->signal = interrupt_signal();
	return -1;
}

static void describe(const struct result *r, char *buf, size_t len)
{
	char size[16];

	result_size_text(r->spec.size, size, sizeof(size));
	snprintf(buf, len, "%s %s %s x%u %s", r->spec.path->name,
		 r->spec.op->name, size, r->spec.threads, r->mode);
}

static int check_soaker(struct run *run, int first)
{
	int ret;

	if (!first && now_ns() - run->checked < RECHECK_NS)
		return 0;
	ret = first ? soaker_calibrate(run->meter.soaker) :
		      soaker_check(run->meter.soaker);
	run->checked = now_ns();
	run->sweep->soaker = *soaker_state(run->meter.soaker);
	/* A signal that is not ours cannot come: all others are default. */
	if (ret == -EINTR)
		return stop_by_signal(run);
	if (ret == -EBUSY)
		return stop(run, "soaker", "others leave it nothing of some CPU; make the machine idle");
	if (ret)
		return stop(run, "soaker", ret == -ESRCH ?
			    "it was killed" : strerror(-ret));
	return 0;
}

/* One mode of one cell; mode_set() and measure_cell() complain themselves. */
static int run_cell(struct run *run, struct workload *load,
		    const struct workload_spec *spec, const char *mode)
{
	struct sweep *sweep = run->sweep;
	struct result *r = &sweep->results[sweep->nr_results];
	char label[96];
	int ret;

	memset(r, 0, sizeof(*r));
	r->spec = *spec;
	snprintf(r->mode, sizeof(r->mode), "%s", mode);
	describe(r, label, sizeof(label));
	progress_show(&run->progress, sweep->nr_results, label);
	if (check_soaker(run, 0))
		return -1;
	if (mode_set(mode))
		return stop(run, label, "the mode cannot be set");
	ret = measure_cell(&run->meter, load, run->settings->time_ms, r);
	if (ret == -EINTR)
		return stop_by_signal(run);
	if (ret)
		return stop(run, label, *workload_failure(load) ?
			    workload_failure(load) : strerror(-ret));
	sweep->nr_results++;
	return 0;
}

static int run_modes(struct run *run, const struct workload_spec *spec)
{
	struct workload *load;
	unsigned int m;
	int ret = 0;

	if (interrupt_signal())
		return stop_by_signal(run);
	if (workload_create(spec, &load))
		return stop(run, spec->path->name, "the path cannot be used");
	for (m = 0; m < run->settings->nr_modes && !ret; m++)
		ret = run_cell(run, load, spec, run->settings->modes[m]);
	workload_destroy(load);
	return ret;
}

static int run_op(struct run *run, const struct path *path, const struct op *op)
{
	const struct sweep_settings *s = run->settings;
	struct workload_spec spec = { .path = path, .op = op };
	unsigned int i, t;
	int ret;

	for (i = 0; i < sizes_of(s, op); i++) {
		spec.size = op->kind == OP_CIPHER ? s->sizes[i] : RSA_LEN;
		for (t = 0; t < s->nr_threads; t++) {
			spec.threads = s->threads[t];
			ret = run_modes(run, &spec);
			if (ret)
				return ret;
		}
	}
	return 0;
}

static int verify(struct run *run, const struct path *path)
{
	char text[400];
	int ret;

	if (!run->file)
		return 0;
	snprintf(text, sizeof(text), "checking path %s with %s against OpenSSL",
		 path->name, run->settings->verify_file);
	progress_note(&run->progress, text);
	ret = verify_path(run->file, path, run->settings, run->sweep->verify,
			  &run->sweep->nr_verify, text, sizeof(text));
	if (ret == -EINTR)
		return stop_by_signal(run);
	return ret ? stop(run, "check", text) : 0;
}

static int run_paths(struct run *run)
{
	const struct sweep_settings *s = run->settings;
	unsigned int p, o;
	int ret = 0;

	for (p = 0; p < s->nr_paths && !ret; p++) {
		ret = verify(run, s->paths[p]);
		for (o = 0; o < s->nr_ops && !ret; o++) {
			if (s->ops[o]->kind == s->paths[p]->kind)
				ret = run_op(run, s->paths[p], s->ops[o]);
		}
	}
	return ret;
}

static int run_with_meter(struct run *run)
{
	int ret;

	if (meter_create(&run->meter))
		return stop(run, "soaker", "cannot be started");
	progress_note(&run->progress, "calibrating the soaker");
	ret = check_soaker(run, 1);
	progress_start(&run->progress, run->sweep->nr_cells);
	if (!ret)
		ret = run_paths(run);
	if (!ret)
		progress_show(&run->progress, run->sweep->nr_results, "done");
	progress_end(&run->progress);
	run->sweep->soaker = *soaker_state(run->meter.soaker);
	meter_destroy(&run->meter);
	return ret;
}

static int prepare(struct run *run)
{
	const struct sweep_settings *s = run->settings;
	struct sweep *sweep = run->sweep;

	sweep->settings = s;
	sweep->nr_cells = sweep_cells(s);
	sweep->results = calloc(sweep->nr_cells, sizeof(*sweep->results));
	if (!sweep->results)
		return stop(run, "results", "out of memory");
	if (environment_read(&sweep->env))
		return stop(run, "environment", "the module cannot be asked");
	if (s->verify_file && verify_open(s->verify_file, &run->file))
		return stop(run, s->verify_file, "cannot be used for the check");
	return 0;
}

int sweep_run(const struct sweep_settings *settings, struct sweep *sweep)
{
	struct run run = { .settings = settings, .sweep = sweep };
	struct mode_state before;
	uint64_t start = now_ns();
	int ret;

	memset(sweep, 0, sizeof(*sweep));
	progress_start(&run.progress, 0);
	ret = prepare(&run);
	if (!ret && mode_read(&before))
		ret = stop(&run, "mode", "cannot be read");
	if (!ret) {
		sweep->poll_timeout = before.poll_timeout;
		ret = run_with_meter(&run);
		if (mode_restore(&before))
			ret = stop(&run, before.mode,
				   "the mode before the sweep cannot be restored");
	}
	verify_close(run.file);
	result_derive(sweep->results, sweep->nr_results,
		      sweep->soaker.noise_percent);
	sweep->seconds = (double)(now_ns() - start) / NS_PER_S;
	return ret;
}

void sweep_free(struct sweep *sweep)
{
	environment_free(&sweep->env);
	free(sweep->results);
	memset(sweep, 0, sizeof(*sweep));
}
