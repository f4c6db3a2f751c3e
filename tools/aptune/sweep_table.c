// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table that a sweep prints. Man page section COLUMNS explains it.
 */
#include <math.h>
#include <stdio.h>

#include "cli.h"
#include "sweep.h"
#include "table.h"

/* Latency quantiles of fewer samples than this deserve a remark. */
#define FEW_SAMPLES	100
/* So much change by the soaker, in either direction, too. */
#define DISTURBED	0.20
/* And so much activity of others while it was calibrated, percent. */
#define BUSY_PERCENT	5.0

static const struct table_column columns[] = {
	{ .name = "PATH", .left = 1 },
	{ .name = "CIPHER", .left = 1 },
	{ .name = "SIZE" },
	{ .name = "THR" },
	{ .name = "MODE", .left = 1 },
	{ .name = "RATE" },
	{ .name = "UNIT", .left = 1 },
	{ .name = "CPU%" },
	{ .name = "RATE/CPU%" },
	{ .name = "xRATE" },
	{ .name = "xRATE/CPU%" },
	{ .name = "P50" },
	{ .name = "P99" },
	{ .name = NULL }
};

/* Three significant digits, as many as a measurement is worth. */
static void number_cell(struct table *t, double x, const char *suffix)
{
	int decimals = 0;

	if (isnan(x)) {
		table_cell(t, "-");
		return;
	}
	for (; decimals < 6 && x > 0 && x * pow(10, decimals) < 100; decimals++)
		;
	table_cell(t, "%.*f%s", decimals, x, suffix);
}

static void time_cell(struct table *t, double ns)
{
	if (ns < 1e3)
		number_cell(t, ns, "ns");
	else if (ns < 1e6)
		number_cell(t, ns / 1e3, "us");
	else if (ns < 1e9)
		number_cell(t, ns / 1e6, "ms");
	else
		number_cell(t, ns / 1e9, "s");
}

static void result_row(struct table *t, const struct result *r)
{
	char size[16];

	result_size_text(r->spec.size, size, sizeof(size));
	table_row(t);
	table_cell(t, "%s", r->spec.path->name);
	table_cell(t, "%s", r->spec.op->name);
	table_cell(t, "%s", size);
	table_cell(t, "%u", r->spec.threads);
	table_cell(t, "%s", r->mode);
	number_cell(t, r->throughput, "");
	table_cell(t, "%s", result_unit(&r->spec));
	table_cell(t, "%.1f", r->cpu_percent);
	number_cell(t, r->efficiency, "");
	number_cell(t, r->throughput_ratio, "");
	number_cell(t, r->efficiency_ratio, "");
	time_cell(t, r->p50_ns);
	time_cell(t, r->p99_ns);
}

static void print_head(const struct sweep *sweep)
{
	const struct environment *env = &sweep->env;
	size_t i;

	if (env->banner)
		printf("%s\n", env->banner);
	printf("kernel: %s\ncpu: %s, %u online, hypervisor %s, HZ %u, clocksource %s\n",
	       env->kernel, env->cpu_model, env->cpus, env->hypervisor, env->hz,
	       *env->clocksource ? env->clocksource : "unknown");
	for (i = 0; i < env->cards.nr; i++)
		printf("card%02x: %s, engine %s\n", env->cards.card[i].id,
		       env->cards.card[i].type, env->cards.card[i].engine);
	printf("poll timeout of mode hrtimer: %llu ns; %u ms per cell\n",
	       (unsigned long long)sweep->poll_timeout,
	       sweep->settings->time_ms);
	for (i = 0; i < sweep->nr_verify; i++)
		printf("checked: %s %s equals OpenSSL, %llu bytes in %llu requests\n",
		       sweep->verify[i].path->name, sweep->verify[i].op->name,
		       (unsigned long long)sweep->verify[i].bytes,
		       (unsigned long long)sweep->verify[i].requests);
}

static int is_disturbed(const struct result *r)
{
	return fabs(r->soaked_ops_per_s - r->ops_per_s) >
	       DISTURBED * r->ops_per_s;
}

static void print_remarks(const struct sweep *sweep)
{
	const struct soaker_state *s = &sweep->soaker;
	size_t i, few = 0, disturbed = 0, unresolved = 0, off_speed = 0;

	for (i = 0; i < sweep->nr_results; i++) {
		few += sweep->results[i].samples < FEW_SAMPLES;
		disturbed += is_disturbed(&sweep->results[i]);
		off_speed += result_is_off_speed(&sweep->results[i]);
		unresolved += isnan(sweep->results[i].efficiency);
	}
	printf("%zu of %zu cells, %.0f s. RATE/CPU%% is RATE per percent of the whole machine, x columns are ratios to mode timer of the same cell.\n",
	       sweep->nr_results, sweep->nr_cells, sweep->seconds);
	printf("soaker: %u CPUs, noise %.2f %%, largest drift %.2f %% in %u checks, %u recalibrations\n",
	       s->cpus, s->noise_percent, s->drift_percent, s->checks,
	       s->recalibrations);
	if (few)
		printf("note: %zu cells have fewer than %d samples, their P99 is the maximum\n",
		       few, FEW_SAMPLES);
	if (unresolved)
		printf("note: %zu cells used less CPU than the soaker resolves\n",
		       unresolved);
	if (disturbed)
		printf("warning: in %zu cells the rate changed by more than %.0f %% while the soaker ran; their CPU%% is less sure\n",
		       disturbed, DISTURBED * 100);
	if (off_speed)
		printf("warning: in %zu cells the CPUs ran more than %.0f %% faster or slower than calibrated (a busy host, a changing clock); their CPU%% is the scheduler's account, which does not see interrupts\n",
		       off_speed, RESULT_OFF_SPEED * 100);
	if (s->busy_percent > BUSY_PERCENT)
		printf("warning: the machine was %.0f %% busy while the soaker was calibrated; what it does besides counts in CPU%%\n",
		       s->busy_percent);
	if (s->cpus && s->cpus < sweep->env.cpus)
		printf("warning: only %u of %u CPUs could be soaked; CPU%% is that of these\n",
		       s->cpus, sweep->env.cpus);
}

int sweep_print(const struct sweep *sweep)
{
	struct table *t = table_new(columns);
	size_t i;
	int ret;

	if (!t) {
		complain("table", "out of memory");
		return -1;
	}
	print_head(sweep);
	for (i = 0; i < sweep->nr_results; i++)
		result_row(t, &sweep->results[i]);
	ret = table_print(t, stdout);
	table_free(t);
	print_remarks(sweep);
	if (ret)
		complain("table", "out of memory");
	return ret;
}
