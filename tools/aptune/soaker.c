// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Idle-priority soaker.
 *
 * Ticks sample: work that a timer starts is over before the next tick looks,
 * so a queue driven by timers seems to cost nothing. The soaker does not
 * sample. One process per CPU of class SCHED_IDLE does small, equal units of
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
 * displace kernel threads. Therefore the soaker has a session of its own, whose
 * autogroup is set to nice 19, in the root cgroup if it may go there. This
 * changes nothing for the threads that are measured.
 *
 * Rate. A rate is units per CPU time of the soaker, which the scheduler
 * accounts exactly, not per time of the clock: so it is right also where the
 * machine was not quite idle during the calibration.
 *
 * Context and lifetime: aptune forks a leader, the leader forks one process
 * per CPU (processes, because the CPU clock of another process can be read, that
 * of its threads cannot). Aptune writes only @command, each process only its
 * own slot, in memory that all map. Each dies with the process that forked it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <math.h>
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
#define SLICE_NS	(40 * NS_PER_MS)
#define SLICES		12
#define MAX_SLICES	100	/* on a machine that leaves little */
#define MIN_SLICES	3	/* per CPU that say something */
#define MIN_UNITS	10	/* in a slice that says something */
#define CHECK_NS	(80 * NS_PER_MS)

#define START_TIMEOUT_NS (5 * NS_PER_S)

enum { COMMAND_PARK, COMMAND_RUN };
enum { SLOT_STARTING, SLOT_READY, SLOT_ABSENT };

/* One per possible CPU, on cache lines of its own. @pid before @state. */
struct slot {
	_Atomic uint64_t units;
	atomic_int pid;
	atomic_uint state;
} __attribute__((aligned(128)));

struct shared {
	atomic_uint command;	/* also the futex that the parked sleep on */
	struct slot slot[];
};

/* What one slice says about a CPU. */
struct look {
	double rate;		/* units per ns of the soaker's CPU time, or 0 */
	double share;		/* of the CPU that the soaker had, 0 to 1 */
};

struct soaker {
	struct shared *shared;
	size_t shared_len;
	unsigned int possible;	/* slots */
	pid_t leader;
	/* Each of the following has state.cpus elements in use. */
	unsigned int *cpu;	/* slots */
	clockid_t *clock;	/* CPU time of their processes */
	double *rate;		/* units per ns of CPU time, in force */
	struct look *look;	/* last slice */
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

/* What the machine does not allow or have is not needed: errors are ignored. */
static void write_line(const char *path, const char *line)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, line, strlen(line)) < 0)
		errno = 0;
	close(fd);
}

static int pin_to(unsigned int cpu, unsigned int possible)
{
	size_t len = CPU_ALLOC_SIZE(possible);
	cpu_set_t *set = CPU_ALLOC(possible);
	int ret;

	if (!set)
		return -1;
	CPU_ZERO_S(len, set);
	CPU_SET_S(cpu, len, set);
	ret = sched_setaffinity(0, len, set);
	CPU_FREE(set);
	return ret;
}

static _Noreturn void soak(struct shared *shared, unsigned int cpu,
			   unsigned int possible, pid_t parent)
{
	struct slot *slot = &shared->slot[cpu];
	atomic_uint *command = &shared->command;
	uint64_t x = cpu + 1;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	atomic_store(&slot->pid, getpid());
	/* An offline CPU, or one outside our cpuset, cannot be soaked. */
	if (pin_to(cpu, possible)) {
		atomic_store(&slot->state, SLOT_ABSENT);
		_exit(0);
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
		atomic_fetch_add_explicit(&slot->units, 1,
					  memory_order_relaxed);
	}
}

static _Noreturn void lead(struct shared *shared, unsigned int possible,
			   pid_t parent)
{
	pid_t self = getpid(), pid;
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	prctl(PR_SET_NAME, "aptune-soaker");
	setsid();
	write_line("/sys/fs/cgroup/cgroup.procs", "0");
	for (i = 0; i < possible; i++) {
		pid = fork();
		if (pid < 0)
			_exit(1);
		if (!pid)
			soak(shared, i, possible, self);
	}
	/* Absent ones leave at once; any other end is the soaker's end. */
	for (;;) {
		int status;

		if (wait(&status) < 0)
			pause();
		else if (!WIFEXITED(status) || WEXITSTATUS(status))
			_exit(1);
	}
}

static int sleep_ns(uint64_t ns)
{
	struct timespec ts = { ns / NS_PER_S, ns % NS_PER_S };

	return -clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
}

/* Once reaped, the number may belong to somebody else: forget it. */
static int is_gone(struct soaker *s)
{
	if (s->leader > 0 && waitpid(s->leader, NULL, WNOHANG) == s->leader)
		s->leader = 0;
	return s->leader <= 0;
}

/*
 * Idle priority, or normal priority where a busy machine would leave nothing
 * for the calibration: a rate is per CPU time, so priority does not change it.
 */
static int set_idle(struct soaker *s, int idle)
{
	struct sched_param param = { 0 };
	char path[64];
	unsigned int i;
	int ret = 0;

	snprintf(path, sizeof(path), "/proc/%d/autogroup", s->leader);
	write_line(path, idle ? "19" : "0");
	for (i = 0; i < s->state.cpus; i++) {
		pid_t pid = atomic_load(&s->shared->slot[s->cpu[i]].pid);

		ret |= sched_setscheduler(pid, idle ? SCHED_IDLE : SCHED_OTHER,
					  &param);
	}
	return ret;
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
		if (state != SLOT_READY)
			continue;
		if (clock_getcpuclockid(atomic_load(&s->shared->slot[i].pid),
					&s->clock[s->state.cpus]))
			return -1;
		s->cpu[s->state.cpus++] = i;
	}
	return s->state.cpus ? 0 : -1;
}

static int allocate(struct soaker *s)
{
	s->cpu = calloc(s->possible, sizeof(*s->cpu));
	s->clock = calloc(s->possible, sizeof(*s->clock));
	s->rate = calloc(s->possible, sizeof(*s->rate));
	s->look = calloc(s->possible, sizeof(*s->look));
	s->shared_len = sizeof(struct shared) +
			s->possible * sizeof(struct slot);
	s->shared = mmap(NULL, s->shared_len, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s->shared == MAP_FAILED) {
		s->shared = NULL;
		return -1;
	}
	return s->cpu && s->clock && s->rate && s->look ? 0 : -1;
}

int soaker_sample_init(const struct soaker *s, struct soaker_sample *sample)
{
	sample->cpu = calloc(s->state.cpus, sizeof(*sample->cpu));
	return sample->cpu ? 0 : -1;
}

void soaker_sample_free(struct soaker_sample *sample)
{
	free(sample->cpu);
	sample->cpu = NULL;
}

int soaker_create(struct soaker **out)
{
	struct soaker *s = calloc(1, sizeof(*s));
	pid_t parent = getpid();

	if (s)
		s->possible = sysconf(_SC_NPROCESSORS_CONF);
	if (!s || allocate(s)) {
		complain("soaker", "out of memory");
		goto out_destroy;
	}
	s->leader = fork();
	if (s->leader < 0) {
		complain("soaker", "cannot fork: %s", strerror(errno));
		goto out_destroy;
	}
	if (!s->leader)
		lead(s->shared, s->possible, parent);
	if (collect_slots(s) || soaker_sample_init(s, &s->a) ||
	    soaker_sample_init(s, &s->b) || set_idle(s, 1)) {
		complain("soaker", "it did not start on any CPU");
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
	if (s->leader > 0) {
		kill(s->leader, SIGKILL);
		waitpid(s->leader, NULL, 0);
	}
	if (s->shared)
		munmap(s->shared, s->shared_len);
	free(s->cpu);
	free(s->rate);
	free(s->look);
	free(s->clock);
	soaker_sample_free(&s->a);
	soaker_sample_free(&s->b);
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
	for (i = 0; i < s->state.cpus; i++) {
		sample->cpu[i].units =
			atomic_load_explicit(&s->shared->slot[s->cpu[i]].units,
					     memory_order_relaxed);
		sample->cpu[i].run_ns = clock_ns(s->clock[i]);
	}
}

static double clamp_percent(double percent)
{
	return percent < 0 ? 0 : percent > 100 ? 100 : percent;
}

double soaker_used(const struct soaker *s, const struct soaker_sample *from,
		   const struct soaker_sample *to)
{
	double ns = to->time - from->time, left = 0;
	unsigned int i;

	for (i = 0; i < s->state.cpus; i++)
		left += (to->cpu[i].units - from->cpu[i].units) /
			(s->rate[i] * ns);
	return clamp_percent(100 * (1 - left / s->state.cpus));
}

double soaker_used_by_time(const struct soaker *s,
			   const struct soaker_sample *from,
			   const struct soaker_sample *to)
{
	double ns = to->time - from->time, left = 0;
	unsigned int i;

	for (i = 0; i < s->state.cpus; i++)
		left += (to->cpu[i].run_ns - from->cpu[i].run_ns) / ns;
	return clamp_percent(100 * (1 - left / s->state.cpus));
}

double soaker_speed(const struct soaker *s, const struct soaker_sample *from,
		    const struct soaker_sample *to)
{
	double done = 0, due = 0;
	unsigned int i;

	for (i = 0; i < s->state.cpus; i++) {
		done += to->cpu[i].units - from->cpu[i].units;
		due += s->rate[i] * (to->cpu[i].run_ns - from->cpu[i].run_ns);
	}
	return due > 0 ? done / due : NAN;
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

/* Watch one slice of @ns, into s->look. */
static int look_at_slice(struct soaker *s, uint64_t ns)
{
	unsigned int i;
	int ret;

	soaker_read(s, &s->a);
	ret = sleep_ns(ns);
	soaker_read(s, &s->b);
	for (i = 0; i < s->state.cpus; i++) {
		uint64_t units = s->b.cpu[i].units - s->a.cpu[i].units;
		double run = s->b.cpu[i].run_ns - s->a.cpu[i].run_ns;

		s->look[i].share = run / (s->b.time - s->a.time);
		s->look[i].rate = units >= MIN_UNITS && run > 0 ?
				  units / run : 0;
	}
	return ret;
}

/*
 * The rate of the last slice relative to the one in force, over all CPUs that
 * the soaker got.
 */
static double relative_rate(const struct soaker *s)
{
	double sum = 0;
	unsigned int i, cpus = 0;

	for (i = 0; i < s->state.cpus; i++) {
		if (!(s->look[i].rate > 0))
			continue;
		sum += s->look[i].rate / s->rate[i];
		cpus++;
	}
	return cpus ? sum / cpus : 1;
}

static void take_rates(struct soaker *s)
{
	unsigned int i;

	s->state.units_per_s = 0;
	for (i = 0; i < s->state.cpus; i++)
		s->state.units_per_s += s->rate[i] * NS_PER_S;
}

/* Rates of slot @i in the slices that have one; returns how many. */
static unsigned int column_of(const struct look *slices, unsigned int nr,
			      unsigned int cpus, unsigned int i, double *column)
{
	unsigned int k, n = 0;

	for (k = 0; k < nr; k++) {
		if (slices[k * cpus + i].rate > 0)
			column[n++] = slices[k * cpus + i].rate;
	}
	return n;
}

static int is_enough(const struct look *slices, unsigned int nr,
		     unsigned int cpus)
{
	double column[MAX_SLICES];
	unsigned int i;

	for (i = 0; i < cpus && nr >= SLICES; i++) {
		if (column_of(slices, nr, cpus, i, column) < MIN_SLICES)
			return 0;
	}
	return nr >= SLICES;
}

/*
 * Per CPU the median of the slices: what disturbs an idle machine comes in
 * bursts that a median does not see. The noise is the median deviation from
 * that, the mean over the CPUs.
 */
static void take_medians(struct soaker *s, const struct look *slices,
			 unsigned int nr)
{
	double column[MAX_SLICES], had = 0, noise = 0;
	unsigned int i, k, n, cpus = s->state.cpus;

	for (i = 0; i < cpus; i++) {
		n = column_of(slices, nr, cpus, i, column);
		s->rate[i] = median(column, n);
		for (k = 0; k < n; k++)
			column[k] = fabs(column[k] / s->rate[i] - 1);
		noise += median(column, n);
		for (k = 0; k < nr; k++)
			had += slices[k * cpus + i].share;
	}
	s->state.noise_percent = 100 * noise / cpus;
	s->state.busy_percent = clamp_percent(100 * (1 - had / nr / cpus));
	take_rates(s);
}

int soaker_calibrate(struct soaker *s)
{
	size_t cpus = s->state.cpus;
	struct look *slices = calloc(MAX_SLICES * cpus, sizeof(*slices));
	unsigned int nr = 0;
	int ret;

	if (!slices)
		return -ENOMEM;
	soaker_run(s);
	ret = sleep_ns(SETTLE_NS);
	while (!ret && nr < MAX_SLICES && !is_enough(slices, nr, cpus)) {
		if (nr == SLICES)
			set_idle(s, 0);
		ret = look_at_slice(s, SLICE_NS);
		memcpy(slices + nr++ * cpus, s->look, cpus * sizeof(*slices));
	}
	soaker_park(s);
	if (is_gone(s) || set_idle(s, 1))
		ret = -ESRCH;
	if (!ret && !is_enough(slices, nr, cpus))
		ret = -EBUSY;
	if (!ret)
		take_medians(s, slices, nr);
	free(slices);
	return ret;
}

int soaker_check(struct soaker *s)
{
	double drift = 0;
	unsigned int i;
	int look, ret;

	soaker_run(s);
	ret = sleep_ns(SETTLE_NS);
	for (look = 0; look < 2 && !ret; look++) {
		ret = look_at_slice(s, CHECK_NS);
		drift = 100 * fabs(relative_rate(s) - 1);
		if (drift <= SOAKER_DRIFT_MAX)
			break;
	}
	soaker_park(s);
	if (!ret && is_gone(s))
		ret = -ESRCH;
	if (ret)
		return ret;
	s->state.checks++;
	if (drift > s->state.drift_percent)
		s->state.drift_percent = drift;
	if (look < 2)
		return 0;
	for (i = 0; i < s->state.cpus; i++) {
		if (s->look[i].rate > 0)
			s->rate[i] = s->look[i].rate;
	}
	take_rates(s);
	s->state.recalibrations++;
	return 0;
}

const struct soaker_state *soaker_state(const struct soaker *s)
{
	return &s->state;
}
