// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * apq_random(): what it hands out, what is left in memory, fork and signals
 *
 * This program defines the functions of libc that the library calls, and a
 * shared library uses the definitions of the program first. So it knows where
 * the pools are, and @hook can do in the middle of a call what a signal handler
 * might.
 */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libapq.h"
#include "tap.h"

#define PAGE		4096
#define HEAD		8	/* bytes of a pool before the random ones */
#define NR_THREADS	8
#define DRAWS		2000
#define DEADLINE	20	/* s */

static __thread unsigned char *pool;
static __thread unsigned int asked;	/* calls of getrandom() */
static __thread void (*hook)(void);
static int fail_getrandom, fail_madvise, fail_mmap, short_reads, eintr_first;
static int dirty_unmaps, unmaps, kept_from_dumps, waits;

static void run_hook(void)
{
	void (*f)(void) = hook;

	hook = NULL;
	if (f)
		f();
}

ssize_t getrandom(void *buf, size_t len, unsigned int flags)
{
	asked++;
	if (!(flags & GRND_NONBLOCK))
		waits = 1;
	if (fail_getrandom) {
		errno = fail_getrandom;
		return -1;
	}
	if (eintr_first) {
		eintr_first = 0;
		errno = EINTR;
		return -1;
	}
	if (short_reads && len > 7)
		len = 7;
	len = syscall(SYS_getrandom, buf, len, flags);
	run_hook();
	return len;
}

void explicit_bzero(void *p, size_t len)
{
	run_hook();
	memset(p, 0, len);
	__asm__ volatile("" : : "r"(p) : "memory");
}

/* What explicit_bzero() becomes with _FORTIFY_SOURCE */
void __explicit_bzero_chk(void *p, size_t len, size_t room);
void __explicit_bzero_chk(void *p, size_t len, size_t room)
{
	(void)room;
	explicit_bzero(p, len);
}

void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t off)
{
	if (fail_mmap) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	addr = (void *)syscall(SYS_mmap, addr, len, prot, flags, fd, off);
	if (len == PAGE)
		pool = addr;
	return addr;
}

int madvise(void *addr, size_t len, int advice)
{
	if (fail_madvise && advice == MADV_WIPEONFORK) {
		errno = EINVAL;
		return -1;
	}
	kept_from_dumps |= advice == MADV_DONTDUMP;
	return syscall(SYS_madvise, addr, len, advice);
}

static int is_zero(const unsigned char *p, size_t len)
{
	while (len && !*p) {
		p++;
		len--;
	}
	return !len;
}

int munmap(void *addr, size_t len)
{
	if (len == PAGE) {
		__atomic_fetch_add(&unmaps, 1, __ATOMIC_RELAXED);
		if (!is_zero(addr, len))
			__atomic_fetch_add(&dirty_unmaps, 1, __ATOMIC_RELAXED);
	}
	return syscall(SYS_munmap, addr, len);
}

static void draw(void *buf, size_t len)
{
	int ret = apq_random(buf, len);

	if (ret)
		tap_bail("apq_random(%zu): %s", len, strerror(-ret));
}

static void in_thread(void *(*f)(void *arg), void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, f, arg) ||
	    pthread_join(thread, NULL))
		tap_bail("no thread");
}

static void test_arguments(void)
{
	unsigned char byte = 0x55;

	errno = 1234;
	tap_is(apq_random(NULL, 0), 0, "0 bytes to NULL");
	tap_is(apq_random(&byte, 0), 0, "0 bytes");
	tap_is(byte, 0x55, "0 bytes write nothing");
	tap_is(apq_random(NULL, 1), -EINVAL, "NULL");
	draw(&byte, 1);
	tap_is(errno, 1234, "errno is not touched");
}

/* Four draws leave no byte 0 each time; nothing behind the buffer changes. */
static int length_good(unsigned char *buf, size_t len)
{
	unsigned char *any = calloc(1, len);
	size_t i;
	int round, good;

	for (round = 0; round < 8; round++) {
		memset(buf, 0, len);
		memset(buf + len, 0x55, 8);
		draw(buf, len);
		for (i = 0; i < len; i++)
			any[i] |= buf[i];
		if (memcmp(buf + len, "UUUUUUUU", 8))
			break;
	}
	good = round == 8 && !memchr(any, 0, len);
	free(any);
	return good;
}

static void test_lengths(void)
{
	static const size_t big[] = { 65536, 1 << 20, (3 << 20) + 5 };
	unsigned char *buf = malloc((4 << 20) + 8);
	size_t len, i;
	int good = 1;

	for (len = 1; len <= 1100; len += len < 70 ? 1 : 37)
		good &= length_good(buf, len);
	for (len = 4080; len <= 4100; len++)
		good &= length_good(buf, len);
	tap_ok(good, "1 to 4100 bytes");
	for (i = 0, good = 1; i < 3; i++)
		good &= length_good(buf, big[i]);
	tap_ok(good, "64 KiB to 3 MiB");
	free(buf);
}

/* 2^23 fair coins: 6 sigma are 6 * sqrt(2^23) / 2. */
static void test_bits(void)
{
	static unsigned char buf[1 << 20];
	long ones = 0, expected = 1 << 22;
	size_t i;

	for (i = 0; i < sizeof(buf); i += 64)
		draw(buf + i, 64);
	for (i = 0; i < sizeof(buf); i++)
		ones += __builtin_popcount(buf[i]);
	tap_ok(labs(ones - expected) < 8689, "half of the bits are set");
}

static void test_pool_used(void)
{
	unsigned char buf[64];
	unsigned int i;

	asked = 0;
	for (i = 0; i < 640; i++)
		draw(buf, sizeof(buf));
	/* 40960 bytes out of pages of 4088 */
	tap_ok(asked >= 10 && asked <= 11, "40960 bytes: %u system calls", asked);
	asked = 0;
	for (i = 0; i < 2; i++) {
		unsigned char big[1025];

		draw(big, sizeof(big));
	}
	tap_is(asked, 2, "more than 1024 bytes: one system call each");
}

static void *fresh_thread_wipes(void *arg)
{
	unsigned char buf[100];
	int *good = arg;

	draw(buf, sizeof(buf));
	*good = pool && is_zero(pool + HEAD, sizeof(buf)) &&
		!is_zero(pool + HEAD + sizeof(buf), 16) &&
		!memmem(pool, PAGE, buf, 16);
	draw(buf, 28);
	*good &= is_zero(pool + HEAD, 128) && !is_zero(pool + HEAD + 128, 16);
	return NULL;
}

static void test_wiping(void)
{
	int good = 0;

	unmaps = 0;
	dirty_unmaps = 0;
	in_thread(fresh_thread_wipes, &good);
	tap_ok(good, "what was handed out is wiped, and nothing else");
	tap_ok(kept_from_dumps, "a page stays out of core dumps");
	tap_ok(unmaps == 1 && !dirty_unmaps,
	       "a thread that ends gives its page back, wiped");
}

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, 16);
}

struct worker {
	pthread_t thread;
	unsigned char (*out)[16];
};

static void *draw_many(void *arg)
{
	struct worker *w = arg;
	int i;

	for (i = 0; i < DRAWS; i++)
		draw(w->out[i], 16);
	return NULL;
}

static void test_threads(void)
{
	static unsigned char out[NR_THREADS * DRAWS][16];
	struct worker w[NR_THREADS];
	int i, same = 0;

	for (i = 0; i < NR_THREADS; i++) {
		w[i].out = &out[i * DRAWS];
		if (pthread_create(&w[i].thread, NULL, draw_many, &w[i]))
			tap_bail("no thread");
	}
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(w[i].thread, NULL);
	qsort(out, NR_THREADS * DRAWS, 16, compare);
	for (i = 1; i < NR_THREADS * DRAWS; i++)
		same += !memcmp(out[i - 1], out[i], 16);
	tap_is(same, 0, "%d threads draw nothing twice", NR_THREADS);
}

/* One thread is stopped inside its system call; the other must not care. */
static pthread_barrier_t stopped, go_on;

static void stop_here(void)
{
	pthread_barrier_wait(&stopped);
	pthread_barrier_wait(&go_on);
}

static void *draw_stopped(void *arg)
{
	unsigned char buf[64];

	(void)arg;
	hook = stop_here;
	draw(buf, sizeof(buf));
	return NULL;
}

static void *draw_pages(void *arg)
{
	unsigned char buf[64];
	int i;

	(void)arg;
	for (i = 0; i < 1000; i++)
		draw(buf, sizeof(buf));
	return NULL;
}

static void test_no_lock(void)
{
	struct timespec until;
	pthread_t one, other;
	int ret;

	pthread_barrier_init(&stopped, NULL, 2);
	pthread_barrier_init(&go_on, NULL, 2);
	pthread_create(&one, NULL, draw_stopped, NULL);
	pthread_barrier_wait(&stopped);
	pthread_create(&other, NULL, draw_pages, NULL);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += DEADLINE;
	ret = pthread_timedjoin_np(other, NULL, &until);
	tap_is(ret, 0, "a stopped thread stops no other");
	pthread_barrier_wait(&go_on);
	pthread_join(one, NULL);
	if (ret)
		pthread_join(other, NULL);
}

/* What a child of fork() says over a pipe, 64 bytes and a verdict */
struct word {
	unsigned char bytes[64];
	int good;
};

static int pipe_fds[2];

static void listen_to(pid_t child, struct word *said)
{
	int status;

	if (read(pipe_fds[0], said, sizeof(*said)) != sizeof(*said))
		tap_bail("a child said nothing");
	if (waitpid(child, &status, 0) != child || status)
		tap_bail("a child died");
}

__attribute__((noreturn))
static void say(const struct word *said)
{
	_exit(write(pipe_fds[1], said, sizeof(*said)) != sizeof(*said));
}

static void test_fork(void)
{
	struct word child = { .good = 0 };
	unsigned char buf[64];
	pid_t pid;

	draw(buf, sizeof(buf));
	pid = fork();
	if (!pid) {
		child.good = is_zero(pool, PAGE);
		draw(child.bytes, sizeof(child.bytes));
		say(&child);
	}
	listen_to(pid, &child);
	draw(buf, sizeof(buf));
	tap_ok(child.good, "a child finds the page wiped");
	tap_ok(memcmp(buf, child.bytes, 64) && !is_zero(child.bytes, 16),
	       "a child draws other bytes than its parent");
}

static pid_t forked;

static void fork_here(void)
{
	forked = fork();
}

/*
 * A handler forks in the middle of a call, which then returns twice. @used is
 * drawn before, so that the call does or does not have to fill the pool.
 */
static void fork_inside(size_t used, size_t len, const char *what)
{
	unsigned char buf[1024], rest[PAGE];
	struct word child;

	/* to the end of the page */
	while (!is_zero(pool + HEAD, PAGE - HEAD))
		draw(rest, 1);
	draw(rest, used);
	memset(buf, 0, sizeof(buf));
	hook = fork_here;
	draw(buf, len);
	if (!forked) {
		memcpy(child.bytes, buf, 64);
		/* every byte is 0 with a probability of 2^-8 */
		child.good = !is_zero(buf, 16) && !is_zero(buf + len - 16, 16);
		say(&child);
	}
	listen_to(forked, &child);
	tap_ok(child.good && memcmp(child.bytes, buf, 64), "%s", what);
}

static unsigned char nested[64];

static void draw_here(void)
{
	draw(nested, sizeof(nested));
}

static void test_handler(void)
{
	unsigned char buf[64];

	fork_inside(1, 64, "fork while the bytes are wiped");
	fork_inside(1, 1024, "fork in a call of 1024 bytes");
	fork_inside(PAGE - HEAD, 64, "fork while the page is filled");
	fork_inside(PAGE - HEAD - 32, 1024, "fork in a call over two pages");

	draw(buf, 1);
	hook = draw_here;
	draw(buf, sizeof(buf));
	tap_ok(memcmp(buf, nested, 64) && !is_zero(nested, 64) &&
	       !is_zero(buf, 64), "a call in the middle of another");
	hook = draw_here;
	draw(buf, 1);
	asked = 0;
	draw(buf, 64);
	tap_is(asked, 0, "and the pool is used again after it");
}

static void *failures_in_thread(void *arg)
{
	unsigned char buf[2000];

	(void)arg;
	errno = 1234;
	fail_getrandom = EAGAIN;
	tap_is(apq_random(buf, 64), -EAGAIN, "no entropy yet");
	tap_is(apq_random(buf, 2000), -EAGAIN, "no entropy yet, 2000 bytes");
	fail_getrandom = EPERM;
	tap_is(apq_random(buf, 64), -EPERM, "no getrandom() by a filter");
	fail_getrandom = 0;
	tap_is(errno, 1234, "errno is not touched by failures");
	tap_is(apq_random(buf, 64), 0, "and again with it");
	return NULL;
}

static void test_failures(void)
{
	unsigned char *buf = malloc(PAGE);
	int good = 1;

	in_thread(failures_in_thread, NULL);
	short_reads = 1;
	good &= length_good(buf, 64) & length_good(buf, 1024) &
		length_good(buf, 2000);
	tap_ok(good, "a kernel that gives 7 bytes at a time");
	short_reads = 0;
	eintr_first = 1;
	tap_ok(!apq_random(buf, 2000) && !eintr_first,
	       "a call that a signal interrupts goes on");
	free(buf);
	tap_ok(!waits, "the kernel was never told to wait");
}

static void *count_calls(void *arg)
{
	unsigned char buf[64];
	int i;

	asked = 0;
	for (i = 0; i < 10; i++)
		draw(buf, sizeof(buf));
	*(int *)arg = asked;
	return NULL;
}

/* Last: the library remembers that this kernel does not wipe. */
static void test_no_pools(void)
{
	int calls;

	fail_mmap = 1;
	in_thread(count_calls, &calls);
	fail_mmap = 0;
	tap_is(calls, 10, "without memory each call goes to the kernel");
	in_thread(count_calls, &calls);
	tap_is(calls, 1, "and with memory only the first");
	fail_madvise = 1;
	in_thread(count_calls, &calls);
	fail_madvise = 0;
	tap_is(calls, 10, "without MADV_WIPEONFORK each goes to the kernel");
}

int main(void)
{
	if (pipe(pipe_fds))
		tap_bail("no pipe");
	tap_plan(34);
	test_arguments();
	test_lengths();
	test_bits();
	test_pool_used();
	test_wiping();
	test_threads();
	test_no_lock();
	test_fork();
	test_handler();
	test_failures();
	test_no_pools();
	return tap_exit();
}
