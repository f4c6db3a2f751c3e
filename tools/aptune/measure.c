// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One cell.
 *
 *   start      quiet_from            quiet_to  soaked_from          soaked_to
 *     | warm-up |  throughput, latency  | settle |  CPU share           |
 *     | 10 %    |  45 %, soaker parked  | 4 %    |  41 %, soaker runs   |
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "cli.h"
#include "clock.h"
#include "interrupt.h"
#include "measure.h"

#define WARM_UP_PERCENT		10
#define QUIET_PERCENT		45
#define SETTLE_PERCENT		4

int meter_create(struct meter *m)
{
	memset(m, 0, sizeof(*m));
	if (soaker_create(&m->soaker))
		return -1;
	if (soaker_sample_init(m->soaker, &m->from) ||
	    soaker_sample_init(m->soaker, &m->to)) {
		complain("soaker", "out of memory");
		meter_destroy(m);
		return -1;
	}
	return 0;
}

void meter_destroy(struct meter *m)
{
	soaker_destroy(m->soaker);
	soaker_sample_free(&m->from);
	soaker_sample_free(&m->to);
	memset(m, 0, sizeof(*m));
}

static int sleep_until(uint64_t ns)
{
	struct timespec ts = { ns / NS_PER_S, ns % NS_PER_S };

	if (interrupt_signal())
		return -EINTR;
	return -clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

/* Kernel threads at one edge of a window. */
struct edge {
	uint64_t time;
	struct kthread_time poll, engine;
};

static void read_edge(const struct meter *m, struct edge *e)
{
	e->time = now_ns();
	kthread_read(&m->poll, &e->poll);
	kthread_read(&m->engine, &e->engine);
}

/* @ns of CPU time between two edges as a percentage of the whole machine. */
static double machine_percent(const struct meter *m, uint64_t ns,
			      const struct edge *from, const struct edge *to)
{
	return 100.0 * ns / (to->time - from->time) /
	       soaker_state(m->soaker)->cpus;
}

static double wait_percent(const struct meter *m, const struct edge *from,
			   const struct edge *to)
{
	return machine_percent(m, to->poll.wait_ns - from->poll.wait_ns, from,
			       to);
}

static void plan_windows(struct workload_plan *plan, unsigned int time_ms)
{
	uint64_t start = now_ns(), percent = time_ms * NS_PER_MS / 100;

	plan->quiet_from = start + WARM_UP_PERCENT * percent;
	plan->quiet_to = plan->quiet_from + QUIET_PERCENT * percent;
	plan->soaked_from = plan->quiet_to + SETTLE_PERCENT * percent;
	plan->soaked_to = start + 100 * percent;
}

/* Sleep through the windows and read the meters at their edges. */
static int watch_windows(struct meter *m, const struct workload_plan *plan,
			 struct edge edge[4])
{
	int ret;

	ret = sleep_until(plan->quiet_from);
	read_edge(m, &edge[0]);
	if (!ret)
		ret = sleep_until(plan->quiet_to);
	read_edge(m, &edge[1]);
	soaker_run(m->soaker);
	if (!ret)
		ret = sleep_until(plan->soaked_from);
	read_edge(m, &edge[2]);
	soaker_read(m->soaker, &m->from);
	if (!ret)
		ret = sleep_until(plan->soaked_to);
	soaker_read(m->soaker, &m->to);
	read_edge(m, &edge[3]);
	soaker_park(m->soaker);
	return ret;
}

/*
 * What the soaker took from the poll thread: the thread's additional wait, but
 * not more than the soaker had at all. A wait is accounted when it ends, so a
 * long one behind other tasks can fall into the wrong window.
 */
static double taken_from_poll(const struct meter *m, const struct edge edge[4],
			      double soaker_had)
{
	double extra = wait_percent(m, &edge[2], &edge[3]) -
		       wait_percent(m, &edge[0], &edge[1]);

	return fmax(0, fmin(extra, soaker_had));
}

static void fill_cpu(const struct meter *m, const struct edge edge[4],
		     struct result *r)
{
	r->cpu_soaker_percent = soaker_used(m->soaker, &m->from, &m->to);
	r->cpu_by_time_percent = soaker_used_by_time(m->soaker, &m->from,
						     &m->to);
	r->soaker_speed_ratio = soaker_speed(m->soaker, &m->from, &m->to);
	r->cpu_poll_wait_percent =
		taken_from_poll(m, edge, 100 - r->cpu_by_time_percent);
	r->cpu_poll_thread_percent =
		machine_percent(m, edge[1].poll.run_ns - edge[0].poll.run_ns,
				&edge[0], &edge[1]);
	r->cpu_engine_percent =
		machine_percent(m,
				edge[1].engine.run_ns - edge[0].engine.run_ns,
				&edge[0], &edge[1]);
}

static void fill_counts(const struct workload_plan *plan,
			const struct workload_counts *c, struct result *r)
{
	r->ops_per_s = c->quiet_ops * NS_PER_S /
		       (plan->quiet_to - plan->quiet_from);
	r->soaked_ops_per_s = c->soaked_ops * NS_PER_S /
			      (plan->soaked_to - plan->soaked_from);
	r->p50_ns = hist_quantile(&c->latency, 0.50);
	r->p99_ns = hist_quantile(&c->latency, 0.99);
	r->max_ns = c->latency.count ? c->latency.max : 0;
	r->samples = c->latency.count;
	r->requests = c->requests;
	r->checked = c->checked;
}

int measure_cell(struct meter *m, struct workload *load, unsigned int time_ms,
		 struct result *r)
{
	struct workload_plan plan;
	struct workload_counts counts;
	struct edge edge[4];
	int ret, failed;

	kthread_find(KTHREAD_POLL, &m->poll);
	kthread_find(KTHREAD_ENGINE, &m->engine);
	plan_windows(&plan, time_ms);
	ret = workload_start(load, &plan);
	if (ret) {
		complain("threads", "cannot start: %s", strerror(-ret));
		return ret;
	}
	ret = watch_windows(m, &plan, edge);
	if (ret)
		workload_stop(load);
	failed = workload_join(load, &counts);
	if (failed)
		return -EIO;
	if (ret)
		return ret;
	fill_counts(&plan, &counts, r);
	fill_cpu(m, edge, r);
	return 0;
}
