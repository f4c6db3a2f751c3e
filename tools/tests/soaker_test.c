// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The soaker against loads whose size the scheduler accounts exactly.
 * apq-timeout: 75
 *
 * A window is judged only if the machine lets us. The other load must be
 * small; how small it is, the CPU clocks of burner and soaker say, which do
 * not depend on what is tested. And a CPU must be as fast as when it was
 * calibrated, before the burner starts and after it ended: on a virtual
 * machine whose host takes CPU time away, it is not, and no soaker could tell
 * that from a load. The median of some windows then is what counts. Where the
 * machine never comes to rest the test is skipped; selftests/lab/test_soaker.sh
 * runs it where nothing is left to chance.
 *
 * usage: soaker_test [WINDOWS]
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "kthread.h"
#include "soaker.h"
#include "tap.h"

#define WINDOW_NS	(400 * NS_PER_MS)
#define PERIOD_NS	(10 * NS_PER_MS)
#define SETTLE_NS	(30 * NS_PER_MS)
#define LOOK_NS		(100 * NS_PER_MS)
#define LIMIT_NS	(45 * NS_PER_S)	/* for a machine that is never calm */
#define MAX_WINDOWS	15

/* Points of the whole machine. */
#define CALM		1.5	/* load of others in a window that is judged */
#define TOLERANCE	3.0

#define STEADY		2.0	/* percent of the calibrated speed */

#define POLL_NAME	"apq-test-poll"

static const int duty[] = { 20, 50, 80 };
#define NR_DUTY		3

static uint64_t deadline;
static struct soaker *soaker;
static struct soaker_sample from, to;
static unsigned int cpus, windows = 5;
static unsigned int restless, unsteady;	/* windows refused, by reason */

static void sleep_ns(uint64_t ns)
{
	struct timespec ts = { ns / NS_PER_S, ns % NS_PER_S };

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, &ts) == EINTR)
		;
}

static void pin(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		_exit(1);
}

/* Burn @percent of each period of CPU time on CPU 0. */
static _Noreturn void burn(int percent)
{
	uint64_t next = now_ns(), until;

	pin();
	for (;;) {
		until = clock_ns(CLOCK_THREAD_CPUTIME_ID) +
			PERIOD_NS / 100 * percent;
		while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < until)
			;
		next += PERIOD_NS;
		if (next > now_ns())
			sleep_ns(next - now_ns());
		else
			next = now_ns();
	}
}

/* A thread like the module's poll thread: nice 19, never sleeps. */
static _Noreturn void poll_forever(void)
{
	int fd;

	pin();
	prctl(PR_SET_NAME, POLL_NAME);
	setsid();
	fd = open("/proc/self/autogroup", O_WRONLY);
	if (fd >= 0 && write(fd, "19", 2) < 0)
		_exit(1);
	if (setpriority(PRIO_PROCESS, 0, 19))
		_exit(1);
	for (;;)
		;
}

static pid_t start(void (*what)(int), int percent)
{
	pid_t pid = fork();

	if (pid < 0)
		tap_bail("cannot fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (what)
		what(percent);
	poll_forever();
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static double percent_of_machine(uint64_t ns, uint64_t window)
{
	return 100.0 * ns / window / cpus;
}

static void soak(uint64_t ns)
{
	soaker_read(soaker, &from);
	sleep_ns(ns);
	soaker_read(soaker, &to);
}

/*
 * Is the machine as fast as it was calibrated? If not it may have changed for
 * good: calibrate for the next window.
 */
static int is_steady(void)
{
	double speed;

	soaker_run(soaker);
	sleep_ns(SETTLE_NS);
	soak(LOOK_NS);
	soaker_park(soaker);
	speed = soaker_speed(soaker, &from, &to);
	if (fabs(speed - 1) * 100 <= STEADY)
		return 1;
	unsteady++;
	soaker_calibrate(soaker);
	return 0;
}

static int is_calm(double others)
{
	if (fabs(others) <= CALM)
		return 1;
	restless++;
	return 0;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values)
{
	qsort(values, windows, sizeof(*values), compare_doubles);
	return (values[(windows - 1) / 2] + values[windows / 2]) / 2;
}

/* A burner and what the soaker made of it: points of the machine. */
struct burnt {
	double load;		/* had by the burner */
	double error;		/* what the soaker found, less that */
};

/* One window, with the burner; 1 if nobody disturbed it. */
static int weigh_once(int percent, double *load, double *error)
{
	clockid_t clock;
	uint64_t run;
	pid_t pid = start(burn, percent);

	if (clock_getcpuclockid(pid, &clock))
		tap_bail("no CPU clock of the burner");
	soaker_run(soaker);
	sleep_ns(SETTLE_NS);
	run = clock_ns(clock);
	soak(WINDOW_NS);
	run = clock_ns(clock) - run;
	soaker_park(soaker);
	end(pid);
	*load = percent_of_machine(run, to.time - from.time);
	*error = soaker_used(soaker, &from, &to) - *load;
	return is_calm(soaker_used_by_time(soaker, &from, &to) - *load);
}

/* The median of all windows; 1 if there were enough. */
static int weigh(int percent, struct burnt *burnt)
{
	double load[MAX_WINDOWS], error[MAX_WINDOWS];
	unsigned int nr = 0;

	while (nr < windows && now_ns() < deadline) {
		if (is_steady() &&
		    weigh_once(percent, &load[nr], &error[nr]) && is_steady())
			nr++;
	}
	if (nr < windows)
		return 0;
	burnt->load = median(load);
	burnt->error = median(error);
	return 1;
}

/* What became of a thread that polls. */
struct polled {
	unsigned int found;
	double used;	/* by the soaker's account */
	double wait;	/* of the thread, for the soaker */
	double sum;
};

/* One quiet and one soaked window; 1 if nobody else disturbed them. */
static int weigh_poll_once(unsigned int *found, double *used, double *wait)
{
	struct kthread_time a, b, c, d;
	struct kthread_list list;
	uint64_t window;
	pid_t pid = start(NULL, 0);

	sleep_ns(50 * NS_PER_MS);
	kthread_find(POLL_NAME, &list);
	*found = list.nr;
	kthread_read(&list, &a);
	sleep_ns(WINDOW_NS);
	kthread_read(&list, &b);
	soaker_run(soaker);
	sleep_ns(SETTLE_NS);
	kthread_read(&list, &c);
	soak(WINDOW_NS);
	kthread_read(&list, &d);
	soaker_park(soaker);
	end(pid);
	window = to.time - from.time;
	*used = soaker_used(soaker, &from, &to);
	*wait = percent_of_machine(d.wait_ns - c.wait_ns, window) -
		percent_of_machine(b.wait_ns - a.wait_ns, WINDOW_NS);
	return is_calm(soaker_used_by_time(soaker, &from, &to) -
		       percent_of_machine(d.run_ns - c.run_ns, window)) &&
	       percent_of_machine(b.run_ns - a.run_ns, WINDOW_NS) * cpus > 97;
}

static int weigh_poll(struct polled *p)
{
	double used[MAX_WINDOWS], wait[MAX_WINDOWS], sum[MAX_WINDOWS];
	unsigned int nr = 0;

	while (nr < windows && now_ns() < deadline) {
		if (!is_steady() ||
		    !weigh_poll_once(&p->found, &used[nr], &wait[nr]) ||
		    !is_steady())
			continue;
		sum[nr] = used[nr] + wait[nr];
		nr++;
	}
	if (nr < windows)
		return 0;
	p->used = median(used);
	p->wait = median(wait);
	p->sum = median(sum);
	return 1;
}

/*
 * The soaker takes CPU from a nice 19 thread. Its own loss then is too small;
 * with the thread's additional wait the sum is right.
 */
static void judge_poll(const struct polled *p)
{
	double whole = 100.0 / cpus;

	tap_is(p->found, 1, "the polling thread is found by its name");
	tap_ok(p->wait > TOLERANCE, "the soaker took %.1f %% from it", p->wait);
	tap_ok(fabs(p->sum - whole) < TOLERANCE,
	       "%.1f %% + %.1f %% is all of one CPU, %.1f %%", p->used, p->wait,
	       whole);
}

static void skip(void)
{
	tap_skip_all("the machine did not rest for %llu s: %u windows with more than %.1f %% of it used by others, %u times a CPU was more than %.1f %% faster or slower than calibrated",
		     LIMIT_NS / NS_PER_S, restless, CALM, unsteady, STEADY);
}

static void prepare(int argc, char **argv)
{
	if (argc > 1)
		windows = strtoul(argv[1], NULL, 10);
	if (windows < 1 || windows > MAX_WINDOWS)
		tap_bail("1 to %d windows, not %s", MAX_WINDOWS, argv[1]);
	if (soaker_create(&soaker))
		tap_bail("no soaker");
	cpus = soaker_state(soaker)->cpus;
	if (soaker_sample_init(soaker, &from) || soaker_sample_init(soaker, &to))
		tap_bail("no memory");
	deadline = now_ns() + LIMIT_NS;
}

int main(int argc, char **argv)
{
	struct burnt burnt[NR_DUTY];
	struct polled polled = { 0 };
	int i, calibrated;

	prepare(argc, argv);
	for (i = 0; i < NR_DUTY; i++) {
		calibrated = soaker_calibrate(soaker);
		if (calibrated == -EBUSY)
			skip();
		if (calibrated)
			tap_bail("calibration: %d", calibrated);
		if (!weigh(duty[i], &burnt[i]))
			skip();
	}
	if (!weigh_poll(&polled))
		skip();
	soaker_destroy(soaker);

	tap_plan(1 + 2 * NR_DUTY + 3);
	tap_is(cpus, sysconf(_SC_NPROCESSORS_ONLN), "on all CPUs");
	for (i = 0; i < NR_DUTY; i++) {
		tap_ok(fabs(burnt[i].load - (double)duty[i] / cpus) < 10,
		       "burner of %d %% of a CPU is %.1f %% of the machine",
		       duty[i], burnt[i].load);
		tap_ok(fabs(burnt[i].error) < TOLERANCE,
		       "soaker is off by %.1f %%", burnt[i].error);
	}
	judge_poll(&polled);
	return tap_exit();
}
