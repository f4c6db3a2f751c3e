// SPDX-License-Identifier: GPL-2.0
/*
 * What a request of /dev/apq costs. In the lab the nanoseconds are
 * instructions. AES-128-CBC.
 *
 * usage: apq_cost oneshot LENGTH COUNT		ns for one APQ_IOC_CRYPT, COUNT a round
 *	  apq_cost batch LENGTH COUNT		ns for one of 32 in a batch
 *	  apq_cost rate one|file|files SECONDS	requests of 64 bytes per second:
 *		one thread, two on one file, two on a file each; with two, each
 *		on a CPU of its own
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <linux/apq.h>

#define BATCH	32
#define ROUNDS	15
#define WARM_UP	3	/* rounds */
#define MIB	(1U << 20)

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static int open_device(void)
{
	int fd = open("/dev/apq", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die("/dev/apq");
	return fd;
}

static uint32_t new_session(int fd)
{
	unsigned char key[16] = "0123456789abcde";
	struct apq_session_create create = {
		.alg = APQ_ALG_AES_CBC,
		.key = (uintptr_t)key,
		.key_len = sizeof(key),
	};
	int session = ioctl(fd, APQ_IOC_SESSION_CREATE, &create);

	if (session < 0)
		die("session");
	return (uint32_t)session;
}

/* Memory that is there, page by page. */
static unsigned char *buffer(size_t len)
{
	unsigned char *at = aligned_alloc(4096, (len + 4095) & ~4095UL);

	if (!at)
		die("memory");
	memset(at, 1, len);
	return at;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * The median of rounds that are shorter than a tick of the kernel, which comes
 * by time and not by operation: most rounds have none.
 */
static uint64_t median(uint64_t *round)
{
	qsort(round, ROUNDS, sizeof(round[0]), compare);
	return round[ROUNDS / 2];
}

static uint64_t oneshot(unsigned int len, unsigned int count)
{
	int fd = open_device();
	struct apq_op op = {
		.session = new_session(fd),
		.op = APQ_OP_ENCRYPT,
		.src = (uintptr_t)buffer(len),
		.dst = (uintptr_t)buffer(len),
		.src_len = len,
		.dst_len = len,
	};
	uint64_t round[ROUNDS], start;
	unsigned int i, r;

	for (r = 0; r < ROUNDS + WARM_UP; r++) {
		start = now_ns();
		for (i = 0; i < count; i++)
			if (ioctl(fd, APQ_IOC_CRYPT, &op) != (int)len)
				die("APQ_IOC_CRYPT");
		if (r >= WARM_UP)
			round[r - WARM_UP] = (now_ns() - start) / count;
	}
	return median(round);
}

static uint64_t batch(unsigned int len, unsigned int count)
{
	unsigned char *src = buffer((size_t)BATCH * len);
	unsigned char *dst = buffer((size_t)BATCH * len);
	struct apq_completion done[BATCH];
	struct apq_entry entry[BATCH] = {};
	struct apq_submit submit = {
		.entries = (uintptr_t)entry,
		.nr = BATCH,
		.entry_size = sizeof(entry[0]),
	};
	struct apq_reap reap = {
		.completions = (uintptr_t)done,
		.min = BATCH,
		.max = BATCH,
		.completion_size = sizeof(done[0]),
		.timeout_ns = -1,
	};
	int fd = open_device();
	uint32_t session = new_session(fd);
	uint64_t round[ROUNDS], start;
	unsigned int i, r;

	for (i = 0; i < BATCH; i++) {
		entry[i].session = session;
		entry[i].op = APQ_OP_ENCRYPT;
		entry[i].src = (uintptr_t)(src + (size_t)i * len);
		entry[i].dst = (uintptr_t)(dst + (size_t)i * len);
		entry[i].src_len = len;
		entry[i].dst_len = len;
	}
	for (r = 0; r < ROUNDS + WARM_UP; r++) {
		start = now_ns();
		for (i = 0; i < count; i++)
			if (ioctl(fd, APQ_IOC_SUBMIT, &submit) != BATCH ||
			    ioctl(fd, APQ_IOC_REAP, &reap) != BATCH ||
			    done[i % BATCH].result != (int)len)
				die("batch");
		if (r >= WARM_UP)
			round[r - WARM_UP] = (now_ns() - start) / count / BATCH;
	}
	return median(round);
}

struct caller {
	pthread_t thread;
	int fd;
	int cpu;
	uint32_t session;
	uint64_t until;
	uint64_t requests;
};

static void *caller_fn(void *data)
{
	struct caller *c = data;
	struct apq_op op = {
		.session = c->session,
		.op = APQ_OP_ENCRYPT,
		.src = (uintptr_t)buffer(64),
		.dst = (uintptr_t)buffer(64),
		.src_len = 64,
		.dst_len = 64,
	};
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(c->cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("CPU");
	while (now_ns() < c->until) {
		unsigned int i;

		for (i = 0; i < 100; i++)
			if (ioctl(c->fd, APQ_IOC_CRYPT, &op) != 64)
				die("APQ_IOC_CRYPT");
		c->requests += i;
	}
	return NULL;
}

static uint64_t rate(unsigned int threads, bool one_file, double seconds)
{
	uint64_t start = now_ns(), sum = 0;
	struct caller c[2] = {};
	unsigned int i;

	for (i = 0; i < threads; i++) {
		c[i].fd = i && one_file ? c[0].fd : open_device();
		c[i].session = new_session(c[i].fd);
		c[i].cpu = (int)i;
		c[i].until = start + (uint64_t)(seconds * 1e9);
		if (pthread_create(&c[i].thread, NULL, caller_fn, &c[i]))
			die("thread");
	}
	for (i = 0; i < threads; i++) {
		pthread_join(c[i].thread, NULL);
		sum += c[i].requests;
	}
	return (uint64_t)((double)sum / ((double)(now_ns() - start) / 1e9));
}

int main(int argc, char **argv)
{
	uint64_t value;

	if (argc != 4)
		goto usage;
	if (!strcmp(argv[1], "rate")) {
		value = rate(strcmp(argv[2], "one") ? 2 : 1,
			     !strcmp(argv[2], "file"), atof(argv[3]));
	} else {
		unsigned long len = strtoul(argv[2], NULL, 10);
		unsigned long count = strtoul(argv[3], NULL, 10);

		if (!len || len > MIB || !count)
			goto usage;
		if (!strcmp(argv[1], "oneshot"))
			value = oneshot(len, count);
		else if (!strcmp(argv[1], "batch"))
			value = batch(len, count);
		else
			goto usage;
	}
	printf("%llu\n", (unsigned long long)value);
	return 0;

usage:
	fprintf(stderr, "usage: apq_cost oneshot|batch LENGTH COUNT\n"
		"       apq_cost rate one|file|files SECONDS\n");
	return 2;
}
