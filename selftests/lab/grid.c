// SPDX-License-Identifier: GPL-2.0
/*
 * The completion modes on a modelled card, in the lab: for each cell of a grid
 * and each mode the throughput, the CPU time per request and the latency.
 * Every output line says "modelled": the card is the null engine under the
 * service model.
 *
 * CPU time is all time in which the CPU was not idle, by the kernel's own
 * exact account (idle_sleeptime in /proc/timer_list, nanoseconds): callers,
 * interrupts, poll threads and the way into and out of idle. With one CPU and
 * virtual time nothing else runs.
 *
 * usage: grid SERVICE_MODEL_FILE < CELLS; a line of CELLS is: OP LEN CALLERS
 * SERVICE_NS ENGINES LOAD JITTER MODE..., with LOAD in percent of what the card
 * can do, 0: each caller sends its next request when it has the answer. Mode
 * "throughput" is adaptive with that preference. LEN of RSA is that of the
 * modulus in bytes.
 *        grid --ops: the operations it knows, one a line
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <linux/apq.h>

#define MAX_CALLERS	32
#define MAX_REQUESTS	4000
#define MAX_LEN		65536
#define MAX_MOD_LEN	512
#define NS_PER_S	1000000000ull

/* Requests that teach a mode, then those that are measured. */
#define WARM_PER_CALLER	12
#define WARM_MIN	80
#define MEASURE_MIN	240
#define MEASURE_PER_CALLER 20

struct op {
	const char *name;
	unsigned int alg;
	unsigned int code;
	unsigned int key_len;	/* RSA: goes by the modulus */
};

static const struct op ops[] = {
	{ "aes128", APQ_ALG_AES_CBC, APQ_OP_ENCRYPT, 16 },
	{ "aes256", APQ_ALG_AES_CBC, APQ_OP_ENCRYPT, 32 },
	{ "des3", APQ_ALG_DES3_CBC, APQ_OP_ENCRYPT, 24 },
	{ "rsa", APQ_ALG_RSA_ME, APQ_OP_RSA, 0 },
	{ "rsa-crt", APQ_ALG_RSA_CRT, APQ_OP_RSA, 0 },
};

struct cell {
	const struct op *op;
	unsigned int len;
	unsigned int callers;
	unsigned int service_ns;
	unsigned int engines;
	unsigned int load;
	unsigned int jitter;
};

struct caller {
	pthread_t thread;
	unsigned int nr;
	int fd;
	struct apq_op op;
	unsigned char *in, *out;
};

static struct caller callers[MAX_CALLERS];
static struct cell cell;

/* One phase: @want requests by the first cell.callers callers. */
static atomic_uint phase, running;
static atomic_uint taken;
static unsigned int want;
static uint64_t phase_start;
static uint64_t arrival[MAX_REQUESTS];	/* after phase_start, if paced */
static uint64_t latency[MAX_REQUESTS];
static uint64_t finished[MAX_REQUESTS];

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "grid: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static void futex_wait(atomic_uint *word, unsigned int value)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void futex_wake(atomic_uint *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, MAX_CALLERS + 1, NULL,
		NULL, 0);
}

static void sleep_until(uint64_t ns)
{
	struct timespec t = { (time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S) };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void do_request(struct caller *c, unsigned int i)
{
	uint64_t start;

	if (cell.load) {
		start = phase_start + arrival[i];
		if (now_ns() < start)
			sleep_until(start);
	} else {
		start = now_ns();
	}
	if (ioctl(c->fd, APQ_IOC_CRYPT, &c->op) != (int)cell.len)
		die("a request failed");
	finished[i] = now_ns();
	latency[i] = finished[i] - start;
}

static void *run_caller(void *data)
{
	struct caller *c = data;
	unsigned int seen = 0, i;

	prctl(PR_SET_TIMERSLACK, 1);
	for (;;) {
		while (atomic_load(&phase) == seen)
			futex_wait(&phase, seen);
		seen = atomic_load(&phase);
		if (c->nr >= cell.callers)
			continue;
		while ((i = atomic_fetch_add(&taken, 1)) < want)
			do_request(c, i);
		if (atomic_fetch_sub(&running, 1) == 1)
			futex_wake(&running);
	}
	return NULL;
}

static void run_phase(unsigned int nr)
{
	unsigned int left;

	want = nr;
	atomic_store(&taken, 0);
	atomic_store(&running, cell.callers);
	phase_start = now_ns() + 100000;
	atomic_fetch_add(&phase, 1);
	futex_wake(&phase);
	while ((left = atomic_load(&running)))
		futex_wait(&running, left);
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die(path);
	close(fd);
}

/* Nanoseconds for which CPU 0 was idle. */
static uint64_t idle_ns(void)
{
	static char text[1 << 16];
	ssize_t len, sum = 0;
	char *at;
	int fd = open("/proc/timer_list", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		die("/proc/timer_list");
	while ((len = read(fd, text + sum, sizeof(text) - 1 - sum)) > 0)
		sum += len;
	close(fd);
	text[sum] = '\0';
	at = strstr(text, ".idle_sleeptime");
	at = at ? strchr(at, ':') : NULL;
	if (!at) {
		errno = ENOENT;
		die("idle_sleeptime");
	}
	return strtoull(at + 1, NULL, 10);
}

static void open_callers(void)
{
	unsigned int i;

	for (i = 0; i < MAX_CALLERS; i++) {
		struct caller *c = &callers[i];

		c->nr = i;
		c->in = aligned_alloc(4096, MAX_LEN);
		c->out = aligned_alloc(4096, MAX_LEN);
		if (!c->in || !c->out)
			die("memory");
		memset(c->in, 1, MAX_LEN);
		memset(c->out, 1, MAX_LEN);
		c->fd = open("/dev/apq", O_RDWR | O_CLOEXEC);
		if (c->fd < 0)
			die("/dev/apq");
		if (pthread_create(&c->thread, NULL, run_caller, c))
			die("thread");
	}
}

/* The null card computes with no key: only the length must be right. */
static void make_key(struct apq_session_create *create)
{
	static unsigned char key[5 * MAX_MOD_LEN];
	unsigned int len = cell.op->key_len;

	memset(key, 0x5a, sizeof(key));
	if (cell.op->code == APQ_OP_RSA) {
		unsigned int crt = cell.op->alg == APQ_ALG_RSA_CRT;

		create->mod_len = cell.len;
		len = crt ? 5 * ((cell.len + 1) / 2) : 2 * cell.len;
	}
	create->key = (uintptr_t)key;
	create->key_len = len;
}

static void set_op(struct caller *c)
{
	struct apq_session_create create = { .alg = cell.op->alg };
	int session;

	make_key(&create);
	if (c->op.session)
		ioctl(c->fd, APQ_IOC_SESSION_DESTROY, c->op.session);
	session = ioctl(c->fd, APQ_IOC_SESSION_CREATE, &create);
	if (session < 0)
		die("session");
	c->op = (struct apq_op){
		.session = (uint32_t)session,
		.op = (uint8_t)cell.op->code,
		.src = (uintptr_t)c->in,
		.dst = (uintptr_t)c->out,
		.src_len = cell.len,
		.dst_len = cell.len,
	};
}

/* The same arrivals for every mode: exponential, from a fixed seed. */
static void make_arrivals(unsigned int nr)
{
	double gap = 100.0 * cell.service_ns / cell.engines / cell.load, at = 0;
	uint64_t x = 88172645463325252ull;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		at -= gap * log(((double)(x >> 11) + 0.5) / 9007199254740992.0);
		arrival[i] = (uint64_t)at;
	}
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Events per second: the slope of their count over time, by least squares over
 * the middle four fifths. A mode that takes several replies at once makes steps
 * in it, which two points would not see.
 */
static double slope(const uint64_t *at, unsigned int nr)
{
	unsigned int i, from = nr / 10, to = nr - nr / 10;
	double n = to - from, t, st = 0, sn = 0, stt = 0, snt = 0;

	for (i = from; i < to; i++) {
		t = (double)(at[i] - at[from]);
		st += t;
		sn += i;
		stt += t * t;
		snt += t * i;
	}
	return (snt - st * sn / n) / (stt - st * st / n) * NS_PER_S;
}

/*
 * Requests per second. At an offered load no more than what came: what a late
 * mode takes in bursts looks like more.
 */
static double throughput(unsigned int nr)
{
	double t;

	qsort(finished, nr, sizeof(finished[0]), compare);
	t = slope(finished, nr);
	return cell.load ? fmin(t, slope(arrival, nr)) : t;
}

static void measure(const char *mode)
{
	unsigned int warm = cell.callers * WARM_PER_CALLER, nr;
	uint64_t idle, start, end;
	char name[32];
	double t;

	snprintf(name, sizeof(name), "%s", mode);
	if (!strcmp(mode, "throughput")) {
		write_file("/sys/bus/ap/preference", "throughput");
		snprintf(name, sizeof(name), "adaptive");
	} else {
		write_file("/sys/bus/ap/preference", "balanced");
	}
	write_file("/sys/bus/ap/completion", name);
	if (warm < WARM_MIN)
		warm = WARM_MIN;
	nr = cell.callers * MEASURE_PER_CALLER;
	if (nr < MEASURE_MIN)
		nr = MEASURE_MIN;
	if (cell.load)
		make_arrivals(nr);
	run_phase(warm);
	idle = idle_ns();
	start = now_ns();
	run_phase(nr);
	end = now_ns();
	idle = idle_ns() - idle;
	/* The last requests find fewer and fewer others: not of this load. */
	qsort(latency, nr - cell.callers, sizeof(latency[0]), compare);
	t = throughput(nr);
	nr -= cell.callers;
	printf("modelled %s %u %u %u %u %u %u %s %.1f %.0f %llu %llu\n",
	       cell.op->name, cell.len, cell.callers, cell.service_ns,
	       cell.engines, cell.load, cell.jitter, mode, t,
	       (double)(end - start - idle) / (nr + cell.callers),
	       (unsigned long long)latency[nr / 2],
	       (unsigned long long)latency[nr * 99 / 100]);
	fflush(stdout);
}

static void set_cell(const char *card)
{
	char text[96];
	unsigned int i;

	snprintf(text, sizeof(text), "all_ns=%u engines=%u jitter=%u",
		 cell.service_ns, cell.engines, cell.jitter);
	write_file(card, text);
	for (i = 0; i < cell.callers; i++)
		set_op(&callers[i]);
}

static int parse_cell(char *line, char **modes)
{
	char name[16];
	unsigned int i;
	int end;

	if (sscanf(line, "%15s %u %u %u %u %u %u %n", name, &cell.len,
		   &cell.callers, &cell.service_ns, &cell.engines, &cell.load,
		   &cell.jitter, &end) != 7)
		return -1;
	cell.op = NULL;
	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (!strcmp(ops[i].name, name))
			cell.op = &ops[i];
	*modes = line + end;
	if (!cell.op || !cell.len || cell.len > MAX_LEN)
		return -1;
	if (cell.op->key_len == 0 && cell.len > MAX_MOD_LEN)
		return -1;
	return cell.callers && cell.callers <= MAX_CALLERS ? 0 : -1;
}

static int list_ops(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		printf("%s\n", ops[i].name);
	return 0;
}

int main(int argc, char **argv)
{
	char line[256], *modes, *mode;

	if (argc == 2 && !strcmp(argv[1], "--ops"))
		return list_ops();
	if (argc != 2) {
		fprintf(stderr, "usage: grid SERVICE_MODEL_FILE < CELLS\n");
		return 2;
	}
	open_callers();
	while (fgets(line, sizeof(line), stdin)) {
		if (parse_cell(line, &modes)) {
			fprintf(stderr, "grid: not a cell: %s", line);
			return 2;
		}
		set_cell(argv[1]);
		for (mode = strtok(modes, " \n"); mode;
		     mode = strtok(NULL, " \n"))
			measure(mode);
	}
	return 0;
}
