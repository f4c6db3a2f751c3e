// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * What apq_random() and the lookup of cipher suites cost on this machine
 *
 * Lines "name value unit", notes begin with #. What is compared runs in turn, in
 * short windows of one run, and a figure is the median of its windows. Time that
 * a thread was ready to run while somebody else had its CPU does not count; time
 * that it waited for a lock would.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>

#include "libapq.h"

#define WINDOW		0.05	/* s */
#define NR_WINDOWS	41
#define MAX_THREADS	64
#define LEN		64

static int use_getrandom(void *buf, size_t len)
{
	return getrandom(buf, len, 0) == (ssize_t)len ? 0 : -1;
}

/* A thread of a window, which gets @rate calls a second */
struct runner {
	pthread_t thread;
	pthread_barrier_t *start;
	int cpu;
	int (*fill)(void *buf, size_t len);
	double rate;
};

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void die(const char *what)
{
	fprintf(stderr, "bench: %s\n", what);
	exit(1);
}

/*
 * Seconds that this thread was ready but did not run, since it began. 0 where
 * the kernel does not count it.
 */
static double kept_waiting(void)
{
	unsigned long long ns = 0;
	FILE *f = fopen("/proc/thread-self/schedstat", "r");

	if (f) {
		if (fscanf(f, "%*u %llu", &ns) != 1)
			ns = 0;
		fclose(f);
	}
	return ns / 1e9;
}

static void *run(void *arg)
{
	unsigned char buf[LEN];
	struct runner *r = arg;
	double begin, end, waited;
	long calls = 0;
	cpu_set_t set;
	int i;

	CPU_ZERO(&set);
	CPU_SET(r->cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	/* the first call allocates, the others warm the caches */
	for (i = 0; i < 2000; i++)
		if (r->fill(buf, sizeof(buf)))
			die("no random bytes");
	pthread_barrier_wait(r->start);
	waited = kept_waiting();
	begin = now(CLOCK_MONOTONIC);
	do {
		for (i = 0; i < 64; i++)
			r->fill(buf, sizeof(buf));
		calls += 64;
		end = now(CLOCK_MONOTONIC);
	} while (end - begin < WINDOW);
	waited = kept_waiting() - waited;
	r->rate = calls / (end - begin - waited);
	return NULL;
}

/* Calls a second of one thread on each of the CPUs, together */
static double window(const int *cpus, int nr, int (*fill)(void *, size_t))
{
	struct runner runners[MAX_THREADS];
	pthread_barrier_t start;
	double sum = 0;
	int i;

	pthread_barrier_init(&start, NULL, nr);
	for (i = 0; i < nr; i++) {
		runners[i] = (struct runner){ .start = &start, .cpu = cpus[i],
					      .fill = fill };
		if (pthread_create(&runners[i].thread, NULL, run, &runners[i]))
			die("no thread");
	}
	for (i = 0; i < nr; i++) {
		pthread_join(runners[i].thread, NULL);
		sum += runners[i].rate;
	}
	pthread_barrier_destroy(&start);
	return sum;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, int n)
{
	qsort(v, n, sizeof(*v), compare);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static void bench_random(const int *cpus, int nr)
{
	static double ns[NR_WINDOWS], gain[NR_WINDOWS], scaling[NR_WINDOWS];
	int i, c;

	for (i = 0; i < NR_WINDOWS; i++) {
		double kernel, one = 0, many;

		kernel = window(cpus, 1, use_getrandom);
		gain[i] = window(cpus, 1, apq_random) / kernel;
		many = window(cpus, nr, apq_random);
		/* CPUs differ: what each does alone */
		for (c = 0; c < nr; c++)
			one += window(&cpus[c], 1, apq_random);
		scaling[i] = many / one;
		ns[i] = 1e9 * nr / one;
	}
	printf("random_64_ns %.1f ns\n", median(ns, NR_WINDOWS));
	printf("random_over_getrandom %.2f ratio\n", median(gain, NR_WINDOWS));
	printf("random_threads %d threads\n", nr);
	printf("random_scaling %.3f ratio\n", median(scaling, NR_WINDOWS));
}

static double lookup_ns(const char *name)
{
	enum { CALLS = 300 };
	double begin = now(CLOCK_MONOTONIC);
	const struct apq_suite *s;
	int i;

	for (i = 0; i < CALLS; i++)
		if (apq_suite_by_name(name, &s))
			die(name);
	return (now(CLOCK_MONOTONIC) - begin) * 1e9 / CALLS;
}

/* All suites once a round, so that other load does not hit one of them alone */
static void bench_suites(void)
{
	enum { ROUNDS = 41, MAX_SUITES = 1024 };
	static double v[MAX_SUITES][ROUNDS];
	const struct apq_suite *s;
	const char *name = "";
	double worst = 0;
	int i, n = 0;

	for (i = 0; i < ROUNDS; i++)
		for (n = 0, s = NULL; (s = apq_suite_next(s)) && n < MAX_SUITES;)
			v[n++][i] = lookup_ns(s->name);
	for (n = 0, s = NULL; (s = apq_suite_next(s)) && n < MAX_SUITES; n++) {
		double ns = median(v[n], ROUNDS);

		if (ns > worst) {
			worst = ns;
			name = s->name;
		}
	}
	printf("# slowest of %d suites: %s\n", n, name);
	printf("suite_lookup_ns_max %.1f ns\n", worst);
}

int main(void)
{
	int cpus[MAX_THREADS], cpu, nr = 0;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		die("no CPUs");
	for (cpu = 0; cpu < CPU_SETSIZE && nr < MAX_THREADS; cpu++)
		if (CPU_ISSET(cpu, &set))
			cpus[nr++] = cpu;
	printf("# ratios of one run; times are those of this machine and its load\n");
	bench_random(cpus, nr);
	bench_suites();
	return 0;
}
