// SPDX-License-Identifier: GPL-2.0
/*
 * Threads that encrypt 64 bytes each, again and again, through /dev/apq.
 * Prints the nanoseconds per request; in the lab these are instructions.
 *
 * usage: burst THREADS REQUESTS_PER_THREAD
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <linux/apq.h>

#define LEN		64
#define MAX_THREADS	64

static unsigned long requests;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Each thread has its own file. Returns NULL, or what went wrong. */
static void *run_thread(void *unused)
{
	unsigned char key[16] = "0123456789abcde", in[LEN], out[LEN];
	struct apq_session_create create = {
		.alg = APQ_ALG_AES_CBC,
		.key = (uintptr_t)key,
		.key_len = sizeof(key),
	};
	struct apq_op op = {
		.op = APQ_OP_ENCRYPT,
		.src = (uintptr_t)in,
		.dst = (uintptr_t)out,
		.src_len = LEN,
		.dst_len = LEN,
	};
	int fd = open("/dev/apq", O_RDWR | O_CLOEXEC);
	int session = ioctl(fd, APQ_IOC_SESSION_CREATE, &create);
	unsigned long i;

	(void)unused;
	if (session < 0)
		return "no session";
	memset(in, 1, sizeof(in));
	op.session = (uint32_t)session;
	for (i = 0; i < requests; i++)
		if (ioctl(fd, APQ_IOC_CRYPT, &op) != LEN)
			return "a request failed";
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[MAX_THREADS];
	unsigned long nr, i;
	uint64_t start;
	void *why;

	if (argc != 3) {
		fprintf(stderr, "usage: burst THREADS REQUESTS_PER_THREAD\n");
		return 2;
	}
	nr = strtoul(argv[1], NULL, 10);
	requests = strtoul(argv[2], NULL, 10);
	if (nr < 1 || nr > MAX_THREADS || !requests) {
		fprintf(stderr, "burst: 1 to %d threads, 1 or more requests\n",
			MAX_THREADS);
		return 2;
	}
	start = now_ns();
	for (i = 0; i < nr; i++)
		if (pthread_create(&thread[i], NULL, run_thread, NULL))
			return 1;
	for (i = 0; i < nr; i++) {
		pthread_join(thread[i], &why);
		if (why) {
			fprintf(stderr, "burst: %s\n", (const char *)why);
			return 1;
		}
	}
	printf("%llu\n", (unsigned long long)((now_ns() - start) /
					      (nr * requests)));
	return 0;
}
