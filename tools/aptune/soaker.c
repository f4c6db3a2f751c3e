// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Idle-priority soaker.
 *
 * Ticks sample: work that a timer starts is over before the next tick looks,
 * so a queue driven by timers seems to cost nothing. The soaker does not
 * sample. One thread per CPU of class SCHED_IDLE does small, equal units of
 * work whenever nobody else wants the CPU. How many units an idle CPU does per
 * second is calibrated first; the share of them that is missing in a window is
 * what everybody else together had of it: callers, engine and poll threads,
 * hard and soft interrupts, and the cache and pipeline they took. Ticks and
 * housekeeping of the idle machine are part of the calibration and so are
 * subtracted.
 *
 * The poll thread. SCHED_IDLE weighs 3, a nice 19 thread weighs 15, so where
 * the poll thread spins, the soaker gets about a sixth of the CPU that the poll
 * thread would have used, and replies wait while it does. Hence
 *  - throughput and latency come from a window in which the soaker is parked
 *    (also because a soaked CPU never enters a sleep state);
 *  - the share that the soaker took from the poll thread is added to the cost:
 *    the kernel's exact account says how long the poll thread was ready to run
 *    but did not (run_delay). What it waited longer per second in the soaked
 *    window than in the quiet one, it waited for the soaker. measure.c does
 *    that sum; both parts are in the JSON output.
 *
 * Groups. Weights only compare tasks of one task group. A session's autogroup
 * or a service's cgroup has weight 1024 as a whole, and a soaker in it would
 * displace kernel threads. Therefore the soaker is a process with a session of
 * its own, whose autogroup is set to nice 19, in the root cgroup if it may go
 * there. This changes nothing for the threads that are measured.
 *
 * Context and lifetime: the parent writes only @command, each soaker thread
 * only its own slot, in memory that both processes map. The process dies with
 * its parent.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "clock.h"
#include "soaker.h"

/* Steps of one unit: some microseconds on hardware, some ten emulated. */
#define UNIT_STEPS	2000

#define SETTLE_NS	(20 * NS_PER_MS)
#define SLICES		12
#define SLICE_NS	(40 * NS_PER_MS)
#define CHECK_NS	(80 * NS_PER_MS)

#define START_TIMEOUT_NS (5 * NS_PER_S)

enum { COMMAND_PARK, COMMAND_RUN };
enum { SLOT_STARTING, SLOT_READY, SLOT_ABSENT };

/* One per possible CPU, on cache lines of its own. */
struct slot {
	_Atomic uint64_t units;
	atomic_uint state;
} __attribute__((aligned(128)));

struct shared {
	atomic_uint command;	/* also the futex that parked threads sleep on */
	struct slot slot[];
};

struct soaker {
	struct shared *shared;
	size_t shared_len;
	unsigned int possible;	/* slots */
	pid_t pid;
	clockid_t cpu_clock;	/* CPU time of the soaker's process */
	unsigned int *cpu;	/* slots in use, state.cpus of them */
	double *rate;		/* units per ns of each of these, in force */
	double *look;		/* the same as just measured */
	struct soaker_sample a, b;
	struct soaker_state state;
};

/* A chain of dependent steps in registers, which no compiler can shorten. */
static uint64_t do_unit(uint64_t x)
{
	unsigned int i;

	for (i = 0; i < UNIT_STEPS; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		__asm__ volatile("" : "+r" (x));
	}
	return x;
}

static void write_line(const char *path, const char *line)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	/* Not allowed or not there: the soaker works, it only weighs more. */
	if (write(fd, line, strlen(line)) < 0)
		errno = 0;
	close(fd);
}

static int become_idle(unsigned int cpu, unsigned int possible)
{
	struct sched_param param = { 0 };
	size_t len = CPU_ALLOC_SIZE(possible);
	cpu_set_t *set = CPU_ALLOC(possible);
	int ret;

	if (!set)
		return -1;
	CPU_ZERO_S(len, set);
	CPU_SET_S(cpu, len, set);
	ret = sched_setaffinity(0, len, set);
	CPU_FREE(set);
	return ret ? ret : sched_setscheduler(0, SCHED_IDLE, &param);
}

/* What a soaker thread needs; lives as long as the soaker's process. */
struct thread_arg {
	struct shared *shared;
	unsigned int cpu, possible;
};

static void *soak(void *p)
{
	const struct thread_arg *arg = p;
	struct slot *slot = &arg->shared->slot[arg->cpu];
	atomic_uint *command = &arg->shared->command;
	uint64_t x = arg->cpu + 1;

	/* An offline CPU, or one outside our cpuset, cannot be soaked. */
	if (become_idle(arg->cpu, arg->possible)) {
		atomic_store(&slot->state, SLOT_ABSENT);
		return NULL;
	}
	atomic_store(&slot->state, SLOT_READY);
	for (;;) {
		if (atomic_load_explicit(command, memory_order_relaxed) ==
		    COMMAND_PARK) {
			syscall(SYS_futex, command, FUTEX_WAIT, COMMAND_PARK,
				NULL, NULL, 0);
			continue;
		}
		x = do_unit(x);
		atomic_store_explicit(&slot->units,
				      atomic_load_explicit(&slot->units,
						memory_order_relaxed) + 1,
				      memory_order_relaxed);
	}
}

static _Noreturn void soaker_process(struct shared *shared,
				     unsigned int possible, pid_t parent)
{
	struct thread_arg *arg = calloc(possible, sizeof(*arg));
	pthread_t thread;
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || !arg)
		_exit(1);
	prctl(PR_SET_NAME, "aptune-soaker");
	setsid();
	write_line("/proc/self/autogroup", "19");
	write_line("/sys/fs/cgroup/cgroup.procs", "0");
	for (i = 0; i < possible; i++) {
		arg[i] = (struct thread_arg){ shared, i, possible };
		if (pthread_create(&thread, NULL, soak, &arg[i]))
			_exit(1);
	}
	for (;;)
		pause();
}

static int sleep_ns(uint64_t ns)
{
	struct timespec ts = { ns / NS_PER_S, ns % NS_PER_S };

	return -clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
}

/* Once reaped, the number may belong to somebody else: forget it. */
static int is_gone(struct soaker *s)
{
	if (s->pid > 0 && waitpid(s->pid, NULL, WNOHANG) == s->pid)
		s->pid = 0;
	return s->pid <= 0;
}

/* Wait until every slot is ready or absent, then list the ready ones. */
static int collect_slots(struct soaker *s)
{
	uint64_t deadline = now_ns() + START_TIMEOUT_NS;
	unsigned int i, state;

	s->state.cpus = 0;
	for (i = 0; i < s->possible; i++) {
		while ((state = atomic_load(&s->shared->slot[i].state)) ==
		       SLOT_STARTING) {
			if (now_ns() > deadline || is_gone(s))
				return -1;
			sleep_ns(NS_PER_MS);
		}
		if (state == SLOT_READY)
			s->cpu[s->state.cpus++] = i;
	}
	return s->state.cpus ? 0 : -1;
}

static int allocate(struct soaker *s)
{
	s->cpu = calloc(s->possible, sizeof(*s->cpu));
	s->rate = calloc(s->possible, sizeof(*s->rate));
	s->look = calloc(s->possible, sizeof(*s->look));
	s->a.units = calloc(s->possible, sizeof(*s->a.units));
	s->b.units = calloc(s->possible, sizeof(*s->b.units));
	s->shared_len = sizeof(struct shared) +
			s->possible * sizeof(struct slot);
	s->shared = mmap(NULL, s->shared_len, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s->shared == MAP_FAILED) {
		s->shared = NULL;
		return -1;
	}
	return s->cpu && s->rate && s->look && s->a.units && s->b.units ?
	       0 : -1;
}

int soaker_create(struct soaker **out)
{
	struct soaker *s = calloc(1, sizeof(*s));
	pid_t parent = getpid();

	if (!s || (s->possible = sysconf(_SC_NPROCESSORS_CONF), allocate(s))) {
		complain("soaker", "out of memory");
		goto out_destroy;
	}
	s->pid = fork();
	if (s->pid < 0) {
		complain("soaker", "cannot fork: %s", strerror(errno));
		goto out_destroy;
	}
	if (!s->pid)
		soaker_process(s->shared, s->possible, parent);
	if (clock_getcpuclockid(s->pid, &s->cpu_clock) || collect_slots(s)) {
		complain("soaker", "its threads did not start on any CPU");
		goto out_destroy;
	}
	*out = s;
	return 0;

out_destroy:
	soaker_destroy(s);
	return -1;
}

void soaker_destroy(struct soaker *s)
{
	if (!s)
		return;
	if (s->pid > 0) {
		kill(s->pid, SIGKILL);
		waitpid(s->pid, NULL, 0);
	}
	if (s->shared)
		munmap(s->shared, s->shared_len);
	free(s->cpu);
	free(s->rate);
	free(s->look);
	free(s->a.units);
	free(s->b.units);
	free(s);
}

void soaker_run(struct soaker *s)
{
	atomic_store(&s->shared->command, COMMAND_RUN);
	syscall(SYS_futex, &s->shared->command, FUTEX_WAKE, s->possible, NULL,
		NULL, 0);
}

void soaker_park(struct soaker *s)
{
	atomic_store(&s->shared->command, COMMAND_PARK);
}

void soaker_read(const struct soaker *s, struct soaker_sample *sample)
{
	unsigned int i;

	sample->time = now_ns();
	for (i = 0; i < s->state.cpus; i++)
		sample->units[i] =
			atomic_load_explicit(&s->shared->slot[s->cpu[i]].units,
					     memory_order_relaxed);
	sample->run_ns = clock_ns(s->cpu_clock);
}

/* Signed, so that noise around an idle machine has mean 0. */
static double used_percent(const struct soaker *s,
			   const struct soaker_sample *from,
			   const struct soaker_sample *to, const double *rate)
{
	double ns = to->time - from->time, left = 0;
	unsigned int i;

	for (i = 0; i < s->state.cpus; i++)
		left += (to->units[i] - from->units[i]) / (rate[i] * ns);
	return 100 * (1 - left / s->state.cpus);
}

static double clamp_percent(double percent)
{
	return percent < 0 ? 0 : percent > 100 ? 100 : percent;
}

double soaker_used(const struct soaker *s, const struct soaker_sample *from,
		   const struct soaker_sample *to)
{
	return clamp_percent(used_percent(s, from, to, s->rate));
}

double soaker_used_by_time(const struct soaker *s,
			   const struct soaker_sample *from,
			   const struct soaker_sample *to)
{
	double all = (double)(to->time - from->time) * s->state.cpus;

	return clamp_percent(100 * (1 - (to->run_ns - from->run_ns) / all));
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, unsigned int nr)
{
	qsort(values, nr, sizeof(*values), compare_doubles);
	return (values[(nr - 1) / 2] + values[nr / 2]) / 2;
}

/* Units of each CPU in one slice of @ns, into @rate as units per ns. */
static int measure_slice(struct soaker *s, uint64_t ns, double *rate)
{
	unsigned int i;
	int ret;

	soaker_read(s, &s->a);
	ret = sleep_ns(ns);
	soaker_read(s, &s->b);
	for (i = 0; i < s->state.cpus; i++)
		rate[i] = (double)(s->b.units[i] - s->a.units[i]) /
			  (s->b.time - s->a.time);
	return ret;
}

/*
 * The median of the slices, per CPU: what others do on an idle machine comes
 * in bursts that the median does not see.
 */
static int take_medians(struct soaker *s, double *slices)
{
	double column[SLICES], total[SLICES] = { 0 }, all;
	unsigned int i, k, cpus = s->state.cpus;

	s->state.units_per_s = 0;
	for (i = 0; i < cpus; i++) {
		for (k = 0; k < SLICES; k++)
			column[k] = slices[k * cpus + i];
		s->rate[i] = median(column, SLICES);
		if (!(s->rate[i] > 0))
			return -ESRCH;
		for (k = 0; k < SLICES; k++)
			total[k] += slices[k * cpus + i] / s->rate[i] / cpus;
		s->state.units_per_s += s->rate[i] * NS_PER_S;
	}
	all = median(total, SLICES);
	for (k = 0; k < SLICES; k++)
		total[k] = fabs(total[k] - all);
	s->state.noise_percent = 100 * median(total, SLICES);
	return 0;
}

int soaker_calibrate(struct soaker *s)
{
	double *slices = calloc((size_t)SLICES * s->state.cpus, sizeof(*slices));
	uint64_t start, run;
	unsigned int k;
	int ret;

	if (!slices)
		return -ENOMEM;
	soaker_run(s);
	ret = sleep_ns(SETTLE_NS);
	start = now_ns();
	run = clock_ns(s->cpu_clock);
	for (k = 0; k < SLICES && !ret; k++)
		ret = measure_slice(s, SLICE_NS, slices + k * s->state.cpus);
	run = clock_ns(s->cpu_clock) - run;
	start = now_ns() - start;
	soaker_park(s);
	if (!ret)
		ret = is_gone(s) ? -ESRCH : take_medians(s, slices);
	s->state.busy_percent =
		clamp_percent(100 * (1 - (double)run / start / s->state.cpus));
	free(slices);
	return ret;
}

int soaker_check(struct soaker *s)
{
	double drift = 0;
	int look, ret;

	soaker_run(s);
	ret = sleep_ns(SETTLE_NS);
	for (look = 0; look < 2 && !ret; look++) {
		ret = measure_slice(s, CHECK_NS, s->look);
		drift = used_percent(s, &s->a, &s->b, s->rate);
		if (fabs(drift) <= SOAKER_DRIFT_MAX)
			break;
	}
	soaker_park(s);
	if (!ret && is_gone(s))
		ret = -ESRCH;
	if (ret)
		return ret;
	s->state.checks++;
	if (fabs(drift) > s->state.drift_percent)
		s->state.drift_percent = fabs(drift);
	if (look == 2) {
		memcpy(s->rate, s->look, s->state.cpus * sizeof(*s->rate));
		s->state.recalibrations++;
	}
	return 0;
}

const struct soaker_state *soaker_state(const struct soaker *s)
{
	return &s->state;
}
