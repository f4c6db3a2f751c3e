// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/apq: batches. What is accepted and what comes back. apq-timeout: 120
 */

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include "kselftest_harness.h"
#include "common/batch.h"

TEST_F(async, batch_in_every_mode)
{
	static const char * const modes[] = {
		"timer", "hrtimer", "thread", "irq", "caller",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		ASSERT_EQ(0, mode_set(modes[i]));
		whole_batch(_metadata, self, SMALL);
		whole_batch(_metadata, self, LARGE);
	}
}

/* The file's mode runs beside the active one. */
TEST_F(async, batch_in_mode_of_file)
{
	static const char * const modes[] = {
		"timer", "hrtimer", "thread", "irq", "caller",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		close(self->fd);
		self->fd = device_open();
		ASSERT_LE(0, self->fd);
		self->ecb = session_create(self->fd, APQ_ALG_AES_ECB,
					   nist_aes_key, 16);
		ASSERT_EQ(0, mode_set(i ? "timer" : "irq"));
		ASSERT_EQ(0, file_mode(self->fd, modes[i]));
		whole_batch(_metadata, self, SMALL);
		whole_batch(_metadata, self, LARGE);
	}
}

TEST_F(async, mode_of_file_once)
{
	struct apq_file_mode m = { .name = "irq", .flags = 1 };

	EXPECT_EQ(-EINVAL, file_mode(self->fd, "none"));
	EXPECT_EQ(-EINVAL, file_mode(self->fd, ""));
	EXPECT_EQ(-EINVAL, file_mode(self->fd, "0123456789abcdef"));
	EXPECT_EQ(-1, ioctl(self->fd, APQ_IOC_SET_MODE, &m));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(0, file_mode(self->fd, "irq"));
	EXPECT_EQ(-EBUSY, file_mode(self->fd, "irq"));
	whole_batch(_metadata, self, SMALL);
}

/* Exactly those before the bad one are done, and it is said why. */
TEST_F(async, partial_acceptance)
{
	unsigned int bad, error = 0;

	for (bad = 1; bad < BATCH; bad += 10) {
		fill(self, SMALL);
		memset(self->dst, 0, BATCH * LARGE);
		self->e[bad].session = 999;
		ASSERT_EQ(bad, submit(self->fd, self->e, BATCH, &error));
		EXPECT_EQ(ENOENT, error);
		ASSERT_EQ(bad, reap(self->fd, self->c, BATCH, BATCH, -1));
		expect_results(_metadata, self, bad, SMALL);
		EXPECT_TRUE(untouched(self, bad));
		EXPECT_TRUE(untouched(self, BATCH - 1));
	}
}

TEST_F(async, first_refused)
{
	struct apq_submit s = {
		.entries = address(self->e),
		.nr = BATCH,
		.entry_size = sizeof(self->e[0]),
		.accepted = 77,
	};

	self->e[0].src_len = 1;
	EXPECT_EQ(-EINVAL, submit(self->fd, self->e, BATCH, NULL));
	self->e[0].src_len = SMALL;
	self->e[0].src = 0;
	EXPECT_EQ(-EFAULT, submit(self->fd, self->e, BATCH, NULL));
	s.entries = address(guard_page());
	EXPECT_EQ(-1, ioctl(self->fd, APQ_IOC_SUBMIT, &s));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(0, s.accepted);
	EXPECT_EQ(0, reap(self->fd, self->c, 1, BATCH, -1));
}

TEST_F(async, fields_reserved)
{
	struct apq_submit s = {
		.entries = address(self->e),
		.nr = 1,
		.entry_size = sizeof(self->e[0]),
	};
	struct apq_submit bad[6] = { s, s, s, s, s, s };
	unsigned int i;

	bad[0].flags = 1;
	bad[1].reserved = 1;
	bad[2].nr = 0;
	bad[3].entry_size = sizeof(self->e[0]) - 1;
	bad[4].entry_size = 4097;
	bad[5].entry_size = 0;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-1, ioctl(self->fd, APQ_IOC_SUBMIT, &bad[i]));
		EXPECT_EQ(EINVAL, errno);
	}
	self->e[0].flags = 0x80;
	self->e[1].reserved = 1;
	self->e[2].reserved2[0] = 1;
	self->e[3].reserved2[1] = 1ULL << 63;
	self->e[4].src_nr = APQ_MAX_IOV + 1;
	self->e[5].dst_nr = 255;
	self->e[6].aad_len = 1;
	self->e[7].op = APQ_OP_RSA;
	self->e[8].op = 0;
	for (i = 0; i < 9; i++) {
		EXPECT_EQ(-EINVAL, submit(self->fd, &self->e[i], 1, NULL)) {
			TH_LOG("entry %u", i);
		}
		EXPECT_EQ(-EINVAL, entry_run(self->fd, &self->e[i])) {
			TH_LOG("entry %u", i);
		}
	}
}

/* An entry of a later version: longer, and zero where we know nothing. */
TEST_F(async, longer_entries)
{
	struct { struct apq_entry e; uint64_t more[2]; } later[2] = {};
	struct apq_submit s = {
		.entries = address(later),
		.nr = 2,
		.entry_size = sizeof(later[0]),
	};

	later[0].e = self->e[0];
	later[1].e = self->e[1];
	ASSERT_EQ(2, ioctl(self->fd, APQ_IOC_SUBMIT, &s));
	ASSERT_EQ(2, reap(self->fd, self->c, 2, 2, -1));
	expect_results(_metadata, self, 2, SMALL);
	later[1].more[1] = 1;
	EXPECT_EQ(1, ioctl(self->fd, APQ_IOC_SUBMIT, &s));
	EXPECT_EQ(E2BIG, s.error);
	EXPECT_EQ(1, reap(self->fd, self->c, 1, 2, -1));
}

TEST_F(async, limit_in_flight)
{
	unsigned int error, nr = 0;

	if (hold_replies())
		SKIP(return, NO_DEBUGFS);
	while (nr < APQ_MAX_IN_FLIGHT - 8)
		nr += submit(self->fd, self->e, nr % BATCH ? 8 : 24, &error);
	ASSERT_EQ(APQ_MAX_IN_FLIGHT - 8, nr);
	EXPECT_EQ(8, submit(self->fd, self->e, BATCH, &error));
	EXPECT_EQ(EAGAIN, error);
	EXPECT_EQ(-EAGAIN, submit(self->fd, self->e, 1, NULL));
	EXPECT_EQ(APQ_MAX_IN_FLIGHT,
		  cancel(self->fd, 0, APQ_CANCEL_ALL));
	/* They count until they are reaped. */
	EXPECT_EQ(-EAGAIN, submit(self->fd, self->e, 1, NULL));
	EXPECT_EQ(1, reap(self->fd, self->c, 1, 1, -1));
	EXPECT_EQ(1, submit(self->fd, self->e, 1, NULL));
	EXPECT_EQ(-EAGAIN, submit(self->fd, self->e, 1, NULL));
}

/* Of a process without the right to lock what it wants. */
static int child_memlock(struct _test_data_async *self)
{
	struct rlimit limit = { 4 * 4096, 4 * 4096 };
	int fd = device_open();

	if (setrlimit(RLIMIT_MEMLOCK, &limit) || setuid(65534))
		return 1;
	self->ecb = session_create(fd, APQ_ALG_AES_ECB, nist_aes_key, 16);
	fill(self, LARGE);
	/* Four pages of input and four of output. */
	if (submit(fd, self->e, 1, NULL) != -ENOBUFS)
		return 2;
	fill(self, LARGE / 4);
	if (submit(fd, self->e, 1, NULL) != 1)
		return 3;
	if (submit(fd, self->e, 3, NULL) != 1)
		return 4;
	if (submit(fd, self->e, 1, NULL) != -ENOBUFS)
		return 5;
	/* Small data is copied, and a reaped request gives its pages back. */
	fill(self, SMALL);
	if (submit(fd, self->e, 1, NULL) != 1)
		return 6;
	if (cancel(fd, 0, APQ_CANCEL_ALL) != 3 ||
	    reap(fd, self->c, 3, 3, -1) != 3)
		return 7;
	fill(self, LARGE / 4);
	return submit(fd, self->e, 1, NULL) == 1 ? 0 : 8;
}

TEST_F(async, limit_of_memory)
{
	int status;
	pid_t pid;

	if (hold_replies())
		SKIP(return, NO_DEBUGFS);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(child_memlock(self));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status) TH_LOG("step %d", WEXITSTATUS(status));
}

TEST_F(async, reap_waits_no_longer)
{
	uint64_t start;

	if (hold_replies())
		SKIP(return, NO_DEBUGFS);
	EXPECT_EQ(0, reap(self->fd, self->c, 1, 1, -1));
	ASSERT_EQ(1, submit(self->fd, self->e, 1, NULL));
	EXPECT_EQ(0, reap(self->fd, self->c, 1, 1, 0));
	start = now_ns();
	EXPECT_EQ(0, reap(self->fd, self->c, 1, 1, 50 * NSEC_PER_MSEC));
	EXPECT_LE(50 * NSEC_PER_MSEC, now_ns() - start);
	EXPECT_GT(20 * NSEC_PER_SEC, now_ns() - start);
}

TEST_F(async, reap_refused)
{
	struct apq_reap good = {
		.completions = address(self->c),
		.max = 2,
		.completion_size = sizeof(self->c[0]),
	};
	struct apq_reap bad[7];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		bad[i] = good;
	bad[0].max = 0;
	bad[1].min = 3;
	bad[2].completion_size = 8;
	bad[3].flags = 1;
	bad[4].reserved = 1;
	bad[5].timeout_ns = -2;
	bad[6].timeout_ns = INT64_MIN;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-1, ioctl(self->fd, APQ_IOC_REAP, &bad[i]));
		EXPECT_EQ(EINVAL, errno) TH_LOG("%u", i);
	}
	/* A bad address loses nothing. */
	ASSERT_EQ(4, submit(self->fd, self->e, 4, NULL));
	EXPECT_EQ(-EFAULT, reap(self->fd, (void *)guard_page(), 4, 4, -1));
	EXPECT_EQ(4, reap(self->fd, self->c, 4, 4, -1));
	expect_results(_metadata, self, 4, SMALL);
}

TEST_F(async, poll_and_epoll)
{
	struct pollfd p = { .fd = self->fd, .events = POLLIN | POLLOUT };
	struct epoll_event ev = { .events = EPOLLIN };
	int ep = epoll_create1(0);

	ASSERT_EQ(0, epoll_ctl(ep, EPOLL_CTL_ADD, self->fd, &ev));
	EXPECT_EQ(1, poll(&p, 1, 0));
	EXPECT_EQ(POLLOUT, p.revents);
	EXPECT_EQ(0, epoll_wait(ep, &ev, 1, 0));
	ASSERT_EQ(2, submit(self->fd, self->e, 2, NULL));
	EXPECT_EQ(1, epoll_wait(ep, &ev, 1, 20000));
	EXPECT_EQ(EPOLLIN, ev.events);
	ASSERT_EQ(2, reap(self->fd, self->c, 2, 2, -1));
	EXPECT_EQ(1, poll(&p, 1, 0));
	EXPECT_EQ(POLLOUT, p.revents);
	close(ep);
}

TEST_F(async, poll_when_full)
{
	struct pollfd p = { .fd = self->fd, .events = POLLIN | POLLOUT };
	unsigned int nr = 0;

	if (hold_replies())
		SKIP(return, NO_DEBUGFS);
	while (nr < APQ_MAX_IN_FLIGHT)
		nr += submit(self->fd, self->e, BATCH, NULL);
	EXPECT_EQ(0, poll(&p, 1, 0));
	ASSERT_EQ(APQ_MAX_IN_FLIGHT, cancel(self->fd, 0, APQ_CANCEL_ALL));
	EXPECT_EQ(1, poll(&p, 1, 0));
	EXPECT_EQ(POLLIN, p.revents);
}

TEST_F(async, eventfd)
{
	int efd = eventfd(0, EFD_NONBLOCK);
	struct pollfd p = { .fd = efd, .events = POLLIN };
	struct pollfd in = { .fd = self->fd, .events = POLLIN };
	uint64_t count;

	EXPECT_EQ(-1, ioctl(self->fd, APQ_IOC_EVENTFD, (long)self->fd));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, ioctl(self->fd, APQ_IOC_EVENTFD, 1000L));
	EXPECT_EQ(EBADF, errno);
	ASSERT_EQ(0, ioctl(self->fd, APQ_IOC_EVENTFD, (long)efd));
	EXPECT_EQ(0, poll(&p, 1, 0));
	ASSERT_EQ(1, submit(self->fd, self->e, 1, NULL));
	EXPECT_EQ(1, poll(&p, 1, 20000));
	EXPECT_EQ(8, read(efd, &count, 8));
	EXPECT_EQ(1, reap(self->fd, self->c, 1, 1, -1));
	ASSERT_EQ(0, ioctl(self->fd, APQ_IOC_EVENTFD, -1L));
	ASSERT_EQ(1, submit(self->fd, self->e, 1, NULL));
	EXPECT_EQ(1, reap(self->fd, self->c, 1, 1, -1));
	EXPECT_EQ(0, poll(&p, 1, 0));
	/* Results that are there before it are told, too. */
	ASSERT_EQ(1, submit(self->fd, self->e, 1, NULL));
	EXPECT_TRUE(wait_for(poll(&in, 1, 0), 20));
	ASSERT_EQ(0, ioctl(self->fd, APQ_IOC_EVENTFD, (long)efd));
	EXPECT_EQ(1, poll(&p, 1, 0));
	close(efd);
}

TEST_F(async, cancel_by_user_data)
{
	struct apq_cancel bad = { .flags = 2 };

	if (hold_replies())
		SKIP(return, NO_DEBUGFS);
	self->e[2].user_data = self->e[1].user_data;
	ASSERT_EQ(4, submit(self->fd, self->e, 4, NULL));
	EXPECT_EQ(-ENOENT, cancel(self->fd, 4711, 0));
	EXPECT_EQ(-EINVAL, cancel(self->fd, 1, APQ_CANCEL_ALL));
	EXPECT_EQ(-1, ioctl(self->fd, APQ_IOC_CANCEL, &bad));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(2, cancel(self->fd, self->e[1].user_data, 0));
	EXPECT_EQ(-ENOENT, cancel(self->fd, self->e[1].user_data, 0));
	ASSERT_EQ(2, reap(self->fd, self->c, 2, 4, -1));
	EXPECT_EQ(-ECANCELED, self->c[0].result);
	EXPECT_EQ(-ECANCELED, self->c[1].result);
	EXPECT_EQ(self->e[1].user_data, self->c[1].user_data);
	EXPECT_TRUE(untouched(self, 1));
	EXPECT_EQ(2, cancel(self->fd, 0, APQ_CANCEL_ALL));
}

/* So long a card works on it that somebody can come in between. */
#define LONG		APQ_MAX_DATA_LEN

/* Cancels once a card writes to the pages of the request. */
TEST_F(async, cancel_while_worked_on)
{
	uint64_t end = now_ns() + 60 * NSEC_PER_SEC;
	int des3, ret, wait_us = 1000;
	uint8_t *out = map_pages(2 * LONG / page_size());
	struct apq_entry e;

	des3 = session_create(self->fd, APQ_ALG_DES3_CBC, nist_aes_key, 24);
	ASSERT_LT(0, des3);
	e = entry_init(des3, APQ_OP_ENCRYPT, out + LONG, out, LONG);
	do {
		ASSERT_EQ(1, submit(self->fd, &e, 1, NULL));
		usleep(wait_us);
		ret = cancel(self->fd, 0, APQ_CANCEL_ALL);
		ASSERT_EQ(1, reap(self->fd, self->c, 1, 1, -1));
		/* Too early. */
		if (ret == 1)
			EXPECT_EQ(-ECANCELED, self->c[0].result);
		wait_us = wait_us % 100000 * 2;
	} while (ret != -EALREADY && now_ns() < end);
	ASSERT_EQ(-EALREADY, ret);
	EXPECT_EQ(LONG, (unsigned int)self->c[0].result);
	EXPECT_NE(0, memcmp(out, out + LONG, LONG));
	munmap(out, 2 * LONG);
}

TEST_F(async, deadline)
{
	uint64_t start = now_ns();

	self->e[0].deadline_ns = 1;
	EXPECT_EQ(-ETIMEDOUT, entry_run(self->fd, &self->e[0]));
	ASSERT_EQ(1, submit(self->fd, self->e, 1, NULL));
	ASSERT_EQ(1, reap(self->fd, self->c, 1, 1, -1));
	EXPECT_EQ(-ETIMEDOUT, self->c[0].result);
	EXPECT_TRUE(untouched(self, 0));
	if (hold_replies())
		SKIP(return, NO_DEBUGFS);
	self->e[1].deadline_ns = start + 20 * NSEC_PER_SEC;
	self->e[2].deadline_ns = start + NSEC_PER_SEC / 5;
	ASSERT_EQ(2, submit(self->fd, self->e + 1, 2, NULL));
	ASSERT_EQ(1, reap(self->fd, self->c, 1, 2, -1));
	EXPECT_EQ(-ETIMEDOUT, self->c[0].result);
	EXPECT_EQ(self->e[2].user_data, self->c[0].user_data);
	EXPECT_LE(NSEC_PER_SEC / 5, now_ns() - start);
	EXPECT_GT(10 * NSEC_PER_SEC, now_ns() - start);
}

static void on_alarm(int sig)
{
	(void)sig;
}

TEST_F(async, signal_ends_reap)
{
	struct sigaction action = { .sa_handler = on_alarm };
	struct itimerval timer = { .it_value.tv_usec = 50000 };

	if (hold_replies())
		SKIP(return, NO_DEBUGFS);
	ASSERT_EQ(1, submit(self->fd, self->e, 1, NULL));
	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &timer, NULL));
	EXPECT_EQ(-EINTR, reap(self->fd, self->c, 1, 1, 20 * NSEC_PER_SEC));
}

/* Data in pieces, with offsets that fit neither blocks nor pages. */
static unsigned int cut(struct apq_iovec *iov, uint8_t *at, unsigned int len,
			unsigned int seed)
{
	unsigned int nr = 0;

	while (len) {
		unsigned int part = (seed = seed * 1103515245 + 12345) >> 8;

		part = 1 + part % 3001;
		if (part > len || nr == APQ_MAX_IOV - 1)
			part = len;
		iov[nr].base = address(at);
		iov[nr++].len = part;
		at += part;
		len -= part;
	}
	return nr;
}

TEST_F(async, iovecs)
{
	struct apq_iovec src[APQ_MAX_IOV], dst[APQ_MAX_IOV];
	static const unsigned int lens[] = { 16, 512, 1040, 4096, LARGE };
	unsigned int i, l;

	for (l = 0; l < ARRAY_SIZE(lens); l++) {
		for (i = 0; i < 8; i++) {
			struct apq_entry *e = &self->e[i];
			uint8_t *to = self->dst + i * LARGE;

			memset(to, 0, LARGE);
			*e = entry_init(self->ecb, APQ_OP_ENCRYPT, src, dst,
					lens[l]);
			e->src_nr = cut(src, self->src, lens[l], i);
			e->dst_nr = cut(dst, to, lens[l], i + 100);
			EXPECT_EQ((int)lens[l], entry_run(self->fd, e));
			EXPECT_TRUE(nist_is_cipher(to, lens[l])) {
				TH_LOG("length %u, cut %u", lens[l], i);
			}
			/* In place, and asynchronously. */
			nist_fill_plain(to, lens[l]);
			e->src = e->dst;
			e->src_nr = e->dst_nr;
			EXPECT_EQ(1, submit(self->fd, e, 1, NULL));
			EXPECT_EQ(1, reap(self->fd, self->c, 1, 1, -1));
			EXPECT_EQ((int)lens[l], self->c[0].result);
			EXPECT_TRUE(nist_is_cipher(to, lens[l]));
		}
	}
}

TEST_F(async, iovecs_refused)
{
	struct apq_iovec iov[2] = {
		{ address(self->src), 32 }, { address(self->src + 32), 32 },
	};
	struct apq_entry e = entry_init(self->ecb, APQ_OP_ENCRYPT, iov,
					self->dst, 64);

	e.src_nr = 2;
	EXPECT_EQ(64, entry_run(self->fd, &e));
	iov[1].len = 31;
	EXPECT_EQ(-EINVAL, entry_run(self->fd, &e));
	iov[1].len = 33;
	EXPECT_EQ(-EINVAL, entry_run(self->fd, &e));
	iov[1].len = 0;
	EXPECT_EQ(-EINVAL, entry_run(self->fd, &e));
	iov[1].len = UINT64_MAX - 31;
	EXPECT_EQ(-EINVAL, entry_run(self->fd, &e));
	iov[1].len = 32;
	iov[1].base = address(guard_page());
	EXPECT_EQ(-EFAULT, entry_run(self->fd, &e));
	e.src = address(guard_page());
	EXPECT_EQ(-EFAULT, entry_run(self->fd, &e));
}

/* Two threads on one file and one session never mix IVs or results. */
struct pair {
	int fd;
	int cbc;
	uint8_t iv[16];
	uint8_t src[SMALL];
	uint8_t want[SMALL];
	unsigned int rounds;
	bool good;
};

static void *pair_fn(void *data)
{
	struct pair *p = data;
	unsigned int i;

	p->good = true;
	for (i = 0; i < p->rounds && p->good; i++) {
		uint8_t out[4][SMALL] = {};
		struct apq_entry e = entry_init(p->cbc, APQ_OP_ENCRYPT, p->src,
						out[0], SMALL);

		memcpy(e.iv, p->iv, 16);
		p->good = entry_run(p->fd, &e) == SMALL &&
			  !memcmp(out[0], p->want, SMALL);
	}
	return NULL;
}

TEST_F(async, threads_keep_their_iv)
{
	struct pair p[2] = {};
	pthread_t t[2];
	unsigned int i;

	ASSERT_EQ(0, mode_set("caller"));
	for (i = 0; i < 2; i++) {
		p[i].fd = self->fd;
		p[i].cbc = i ? p[0].cbc : session_create(self->fd,
				APQ_ALG_AES_CBC, nist_aes_key, 16);
		memset(p[i].iv, i + 1, 16);
		memset(p[i].src, 7, SMALL);
		p[i].rounds = 500;
		ASSERT_EQ(SMALL, op_crypt(self->fd, p[i].cbc, APQ_OP_ENCRYPT,
					  p[i].iv, 16, p[i].src, p[i].want,
					  SMALL));
	}
	EXPECT_NE(0, memcmp(p[0].want, p[1].want, SMALL));
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, pthread_create(&t[i], NULL, pair_fn, &p[i]));
	for (i = 0; i < 2; i++) {
		pthread_join(t[i], NULL);
		EXPECT_TRUE(p[i].good);
	}
}

/* Threads that submit and reap on one file lose nothing and get nothing twice. */
static void *mix_fn(void *data)
{
	struct _test_data_async *self = data;
	struct apq_completion c[8];
	long got = 0;
	unsigned int i;

	for (i = 0; i < 100; i++) {
		if (submit(self->fd, self->e, 8, NULL) != 8)
			return (void *)-1L;
		got += reap(self->fd, c, 4, 8, -1);
	}
	return (void *)got;
}

TEST_F(async, threads_share_results)
{
	long sum = 0, ret;
	pthread_t t[2];
	unsigned int i;

	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, pthread_create(&t[i], NULL, mix_fn, self));
	for (i = 0; i < 2; i++) {
		pthread_join(t[i], (void **)&ret);
		ASSERT_LT(0, ret);
		sum += ret;
	}
	while ((ret = reap(self->fd, self->c, 1, BATCH, -1)) > 0)
		sum += ret;
	EXPECT_EQ(0, ret);
	EXPECT_EQ(1600, sum);
}

TEST_HARNESS_MAIN
