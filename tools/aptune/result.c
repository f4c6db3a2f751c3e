// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fields of a result and the sums that lead from one to another.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "result.h"

#define FIELD(member, digits, text)					\
	{								\
		.name = #member, .decimals = digits,			\
		.offset = offsetof(struct result, member), .help = text	\
	}

const struct result_field result_fields[] = {
	FIELD(throughput, 3,
	      "requests per second for RSA, MB/s (1000000 bytes) for ciphers; quiet window, "
	      "all threads together"),
	FIELD(ops_per_s, 2, "requests per second, quiet window"),
	FIELD(cpu_percent, 2,
	      "CPU share of the whole machine, 100 = all CPUs busy: cpu_soaker_percent + "
	      "cpu_poll_wait_percent; where soaker_speed_ratio is off by more than 0.1, "
	      "cpu_by_time_percent + cpu_poll_wait_percent"),
	{ "throughput_per_cpu_percent", 4, offsetof(struct result, efficiency),
	  "throughput divided by cpu_percent; absent where cpu_percent is below what "
	  "the soaker resolves" },
	FIELD(throughput_ratio, 4,
	      "throughput divided by that of mode timer in the same cell"),
	{ "throughput_per_cpu_ratio", 4,
	  offsetof(struct result, efficiency_ratio),
	  "throughput_per_cpu_percent divided by that of mode timer in the same cell" },
	FIELD(p50_ns, 0, "median latency of a request as the caller sees it"),
	FIELD(p99_ns, 0,
	      "99th percentile of it; the maximum if there are fewer than 100 samples"),
	FIELD(max_ns, 0, "longest request"),
	FIELD(samples, 0, "requests behind the latencies"),
	FIELD(requests, 0, "requests sent in the cell, warm-up included"),
	FIELD(checked, 0, "answers among them compared with OpenSSL's"),
	FIELD(soaked_ops_per_s, 2,
	      "requests per second in the soaked window; where this differs much from "
	      "ops_per_s the soaker disturbed the cell"),
	FIELD(cpu_soaker_percent, 2,
	      "share of its calibrated rate that the soaker lost in the soaked window"),
	FIELD(cpu_poll_wait_percent, 2,
	      "share that the soaker took from the poll thread: how much longer per second "
	      "the thread waited for a CPU in the soaked window than in the quiet one"),
	FIELD(cpu_by_time_percent, 2,
	      "as cpu_soaker_percent, from the scheduler's account of the soaker's run "
	      "time; a smaller figure means that interrupts, a hypervisor or a shared core "
	      "took the rest"),
	FIELD(soaker_speed_ratio, 3,
	      "units that the soaker did per CPU time it got, relative to its calibrated "
	      "rate; far from 1 the speed of the CPUs changed (a busy host, a changing "
	      "clock) and cpu_soaker_percent is wrong"),
	FIELD(cpu_poll_thread_percent, 2,
	      "run time of the poll thread in the quiet window, of the whole machine, exact"),
	FIELD(cpu_engine_percent, 2,
	      "run time of the engine threads in the quiet window, of the whole machine, exact"),
	{ .name = NULL }
};

double result_value(const struct result *r, const struct result_field *field)
{
	return *(const double *)((const char *)r + field->offset);
}

const char *result_unit(const struct workload_spec *spec)
{
	return spec->op->kind == OP_RSA_CRT ? "ops/s" : "MB/s";
}

int result_is_off_speed(const struct result *r)
{
	return fabs(r->soaker_speed_ratio - 1) > RESULT_OFF_SPEED;
}

static int is_same_cell(const struct result *a, const struct result *b)
{
	return a->spec.path == b->spec.path && a->spec.op == b->spec.op &&
	       a->spec.size == b->spec.size &&
	       a->spec.threads == b->spec.threads;
}

/* Modes of a cell stand together, so the search stays near @i. */
static const struct result *find_timer(const struct result *results, size_t nr,
				       size_t i)
{
	size_t k = i;

	while (k > 0 && is_same_cell(&results[k - 1], &results[i]))
		k--;
	for (; k < nr && is_same_cell(&results[k], &results[i]); k++) {
		if (!strcmp(results[k].mode, "timer"))
			return &results[k];
	}
	return NULL;
}

static double divide(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

void result_derive(struct result *results, size_t nr, double noise_percent)
{
	const struct result *timer;
	double cpu;
	size_t i;

	for (i = 0; i < nr; i++) {
		struct result *r = &results[i];

		r->throughput = r->ops_per_s;
		if (r->spec.op->kind == OP_CIPHER)
			r->throughput *= r->spec.size / 1e6;
		cpu = result_is_off_speed(r) ? r->cpu_by_time_percent :
					       r->cpu_soaker_percent;
		r->cpu_percent = fmin(100, cpu + r->cpu_poll_wait_percent);
		r->efficiency = NAN;
		if (r->cpu_percent > noise_percent)
			r->efficiency = divide(r->throughput, r->cpu_percent);
	}
	for (i = 0; i < nr; i++) {
		struct result *r = &results[i];

		timer = find_timer(results, nr, i);
		r->throughput_ratio = timer ?
			divide(r->throughput, timer->throughput) : NAN;
		r->efficiency_ratio = timer ?
			divide(r->efficiency, timer->efficiency) : NAN;
	}
}

void result_size_text(size_t size, char *buf, size_t len)
{
	if (size % 1048576 == 0)
		snprintf(buf, len, "%zuM", size / 1048576);
	else if (size % 1024 == 0)
		snprintf(buf, len, "%zuK", size / 1024);
	else
		snprintf(buf, len, "%zu", size);
}
