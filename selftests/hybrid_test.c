// SPDX-License-Identifier: GPL-2.0
/*
 * Mode hybrid: right answers for any number of callers, a sleep that is
 * learned from single requests, and nobody who waits in vain.
 * apq-module: hwrng=0
 * apq-timeout: 200
 */

#include <signal.h>
#include <sys/wait.h>
#include "kselftest_harness.h"
#include "common/crew.h"
#include "common/stats.h"

FIXTURE(hybrid)
{
	struct crew crew;
};

static void ignore(int signal)
{
	(void)signal;
}

FIXTURE_SETUP(hybrid)
{
	struct sigaction sa = { .sa_handler = ignore };

	ASSERT_EQ(0, sigaction(SIGUSR1, &sa, NULL));
	crew_init(&self->crew, CREW_MAX);
	/* What was learned before is forgotten. */
	ASSERT_EQ(0, mode_set("irq"));
	ASSERT_EQ(0, mode_set("hybrid"));
	ASSERT_EQ(0, attr_write(CARD0 "request_count", "0"));
}

FIXTURE_TEARDOWN(hybrid)
{
	model_set("off");
	mode_set("hrtimer");
}

static void right_answers(struct __test_metadata *_metadata,
			  struct _test_data_hybrid *self)
{
	static const unsigned int callers[] = { 20, 4, 1 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(callers); i++) {
		EXPECT_NE(0, crew_run(&self->crew, callers[i], 15,
				      LOAD_SHORT)) {
			TH_LOG("%u callers", callers[i]);
		}
	}
	EXPECT_EQ(25 * 15, attr_number(CARD0 "request_count"));
	EXPECT_EQ(0, queue_stat(QUEUE0, "rescues"));
	EXPECT_EQ(0, queue_stat(QUEUE0, "timeouts"));
	EXPECT_EQ(0, attr_number(CARD0 "pendingq_count"));
}

TEST_F_TIMEOUT(hybrid, right_answers, 100)
{
	right_answers(_metadata, self);
}

TEST_F_TIMEOUT(hybrid, right_answers_modelled, 100)
{
	ASSERT_EQ(0, model_set("engines=2 all_ns=300000 jitter=50"));
	right_answers(_metadata, self);
}

/* Looks for the reply that found none, in @nr requests. */
static long long empty_polls(struct _test_data_hybrid *self, unsigned int nr)
{
	long long before = queue_stat(QUEUE0, "empty_polls");

	if (!crew_run(&self->crew, 1, nr, LOAD_AES))
		return -1;
	return queue_stat(QUEUE0, "empty_polls") - before;
}

/*
 * The least of several tries: a sleep that was too long once, as on a busy
 * machine, is shortened far below the service time.
 */
static long long least_empty_polls(struct _test_data_hybrid *self)
{
	long long least = empty_polls(self, 3);
	unsigned int i;

	for (i = 0; i < 50; i++) {
		long long polls = empty_polls(self, 3);

		least = polls < least ? polls : least;
	}
	return least;
}

/* The sleep grows to about the service time: less is polled for. */
TEST_F_TIMEOUT(hybrid, learns_to_sleep, 60)
{
	long long first, last;

	ASSERT_EQ(0, model_set("all_ns=9000000"));
	first = empty_polls(self, 3);
	ASSERT_LE(0, empty_polls(self, 50));
	last = least_empty_polls(self);
	note("%lld looks in vain at first, %lld in the end", first, last);
	/* Else he has not polled at first, and this shows nothing. */
	EXPECT_LT(100, first);
	EXPECT_LE(0, last);
	EXPECT_GT(first / 2, last);
}

/* A sleep that was too long is shortened. */
TEST_F_TIMEOUT(hybrid, unlearns, 60)
{
	uint64_t long_wait, short_wait, took;
	unsigned int i;

	ASSERT_EQ(0, model_set("all_ns=20000000"));
	ASSERT_NE(0, crew_run(&self->crew, 1, 60, LOAD_AES));
	ASSERT_EQ(0, model_set("all_ns=100000"));
	long_wait = crew_one(&self->crew, LOAD_AES);
	short_wait = long_wait;
	for (i = 0; i < 60; i++) {
		took = crew_one(&self->crew, LOAD_AES);
		short_wait = took < short_wait ? took : short_wait;
	}
	note("%.2f ms, then %.2f ms", long_wait / 1e6, short_wait / 1e6);
	EXPECT_LE(5 * NSEC_PER_MSEC, long_wait);
	EXPECT_GT(5 * NSEC_PER_MSEC, short_wait);
}

/* Longer than it polls: the interrupt brings the answer. */
TEST_F_TIMEOUT(hybrid, interrupt_after_the_poll, 60)
{
	uint64_t took;

	ASSERT_EQ(0, model_set("all_ns=400000000"));
	took = crew_one(&self->crew, LOAD_AES);
	EXPECT_LE(400 * NSEC_PER_MSEC, took);
	EXPECT_GT(900 * NSEC_PER_MSEC, took);
	/* Nobody polls for these at all. */
	if (load_doors() & LOAD_AFALG) {
		took = crew_one(&self->crew, LOAD_AFALG);
		EXPECT_LE(400 * NSEC_PER_MSEC, took);
		EXPECT_GT(900 * NSEC_PER_MSEC, took);
	}
	EXPECT_EQ(0, queue_stat(QUEUE0, "rescues"));
}

TEST_F_TIMEOUT(hybrid, interrupted, 60)
{
	struct load_thread *t = self->crew.t[0];
	uint64_t start;

	ASSERT_EQ(0, model_set("all_ns=1000000000"));
	crew_start(&self->crew, 1, 1, LOAD_AES, -EINTR);
	ASSERT_TRUE(wait_pending(QUEUE0 "pendingq_count", 1));
	start = now_ns();
	ASSERT_EQ(0, pthread_kill(t->thread, SIGUSR1));
	ASSERT_NE(0, crew_join(&self->crew, 30));
	EXPECT_GT(700 * NSEC_PER_MSEC, now_ns() - start);
	EXPECT_EQ(1, t->refused);
	EXPECT_TRUE(wait_for(queue_stat(QUEUE0, "dropped") == 1, 10));
	EXPECT_EQ(0, queue_stat(QUEUE0, "rescues"));
}

TEST_F_TIMEOUT(hybrid, killed, 60)
{
	int status;
	pid_t pid;

	ASSERT_EQ(0, model_set("all_ns=1000000000"));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		crew_one(&self->crew, LOAD_AES);
		_exit(0);
	}
	ASSERT_TRUE(wait_pending(QUEUE0 "pendingq_count", 1));
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_EQ(0, queue_stat(QUEUE0, "dropped"));
	EXPECT_TRUE(wait_for(queue_stat(QUEUE0, "dropped") == 1, 10));
	EXPECT_EQ(0, queue_stat(QUEUE0, "rescues"));
}

TEST_HARNESS_MAIN
