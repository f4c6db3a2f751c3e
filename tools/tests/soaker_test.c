// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The soaker against loads whose size the scheduler accounts exactly.
 *
 * The other load of the machine must be small while a window is judged; how
 * small it is, the CPU clocks of burner and soaker say, which do not depend on
 * what is tested. If the machine never calms down the test is skipped.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
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
#define LIMIT_NS	(30 * NS_PER_S)	/* for a machine that is never calm */

/* Points of the whole machine. */
#define CALM		1.5	/* load of others in a window that is judged */
#define TOLERANCE	3.0

#define POLL_NAME	"apq-test-poll"

static const int duty[] = { 20, 50, 80 };
#define NR_DUTY		3

static uint64_t deadline;
static struct soaker *soaker;
static struct soaker_sample from, to;
static unsigned int cpus;

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

/* What the soaker finds used and what the burner had, in one window. */
static void weigh(clockid_t burner, double *used, double *load, double *others)
{
	uint64_t run;

	soaker_run(soaker);
	sleep_ns(30 * NS_PER_MS);
	run = clock_ns(burner);
	soaker_read(soaker, &from);
	sleep_ns(WINDOW_NS);
	soaker_read(soaker, &to);
	run = clock_ns(burner) - run;
	soaker_park(soaker);
	*used = soaker_used(soaker, &from, &to);
	*load = percent_of_machine(run, to.time - from.time);
	*others = soaker_used_by_time(soaker, &from, &to) - *load;
}

/* A calm window with the burner, or none: returns 1 or 0. */
static int weigh_calm(int percent, double *used, double *load)
{
	double others;
	clockid_t clock;
	pid_t pid = start(burn, percent);
	int calm = 0;

	if (clock_getcpuclockid(pid, &clock))
		tap_bail("no CPU clock of the burner");
	while (!calm && now_ns() < deadline) {
		weigh(clock, used, load, &others);
		calm = fabs(others) <= CALM;
	}
	end(pid);
	return calm;
}

/* What became of a thread that polls. */
struct polled {
	unsigned int found;
	double used;	/* by the soaker's account */
	double wait;	/* of the thread, for the soaker */
};

/* One quiet and one soaked window; 1 if nobody else disturbed them. */
static int weigh_poll_once(const struct kthread_list *list, struct polled *p)
{
	struct kthread_time a, b, c, d;
	double others;
	uint64_t window;

	kthread_read(list, &a);
	sleep_ns(WINDOW_NS);
	kthread_read(list, &b);
	soaker_run(soaker);
	sleep_ns(30 * NS_PER_MS);
	kthread_read(list, &c);
	soaker_read(soaker, &from);
	sleep_ns(WINDOW_NS);
	soaker_read(soaker, &to);
	kthread_read(list, &d);
	soaker_park(soaker);
	window = to.time - from.time;
	p->used = soaker_used(soaker, &from, &to);
	p->wait = percent_of_machine(d.wait_ns - c.wait_ns, window) -
		  percent_of_machine(b.wait_ns - a.wait_ns, WINDOW_NS);
	others = soaker_used_by_time(soaker, &from, &to) -
		 percent_of_machine(d.run_ns - c.run_ns, window);
	return fabs(others) <= CALM &&
	       percent_of_machine(b.run_ns - a.run_ns, WINDOW_NS) * cpus > 97;
}

static int weigh_poll(struct polled *p)
{
	struct kthread_list list;
	pid_t pid = start(NULL, 0);
	int calm = 0;

	sleep_ns(50 * NS_PER_MS);
	kthread_find(POLL_NAME, &list);
	p->found = list.nr;
	while (!calm && now_ns() < deadline)
		calm = weigh_poll_once(&list, p);
	end(pid);
	return calm;
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
	tap_ok(fabs(p->used + p->wait - whole) < TOLERANCE,
	       "%.1f %% + %.1f %% is all of one CPU, %.1f %%", p->used, p->wait,
	       whole);
}

int main(void)
{
	double used[NR_DUTY], load[NR_DUTY];
	struct polled polled;
	int i, calm = 1, calibrated;

	if (soaker_create(&soaker))
		tap_bail("no soaker");
	cpus = soaker_state(soaker)->cpus;
	if (soaker_sample_init(soaker, &from) || soaker_sample_init(soaker, &to))
		tap_bail("no memory");
	deadline = now_ns() + LIMIT_NS;
	calibrated = soaker_calibrate(soaker);
	for (i = 0; i < NR_DUTY && calm; i++)
		calm = weigh_calm(duty[i], &used[i], &load[i]);
	if (!calm || !weigh_poll(&polled))
		tap_skip_all("others used more than %.1f %% of the machine for %llu s",
			     CALM, LIMIT_NS / NS_PER_S);
	soaker_destroy(soaker);

	tap_plan(2 + 2 * NR_DUTY + 3);
	tap_is(calibrated, 0, "calibrated");
	tap_is(cpus, sysconf(_SC_NPROCESSORS_ONLN), "on all CPUs");
	for (i = 0; i < NR_DUTY; i++) {
		tap_ok(fabs(load[i] - (double)duty[i] / cpus) < 10,
		       "burner of %d %% of a CPU is %.1f %% of the machine",
		       duty[i], load[i]);
		tap_ok(fabs(used[i] - load[i]) < TOLERANCE,
		       "soaker says %.1f %%", used[i]);
	}
	judge_poll(&polled);
	return tap_exit();
}
