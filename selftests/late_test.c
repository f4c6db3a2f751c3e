// SPDX-License-Identifier: GPL-2.0
/*
 * Replies that come after their caller has left: each is dropped, counted and
 * gives its place in the card back.
 * That the module can go afterwards is checked by the runner.
 * apq-module: hwrng=0
 * apq-timeout: 180
 */

#include <signal.h>
#include <sys/wait.h>
#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/fault.h"
#include "common/load.h"
#include "common/stats.h"

#define DELAY_MS	3000	/* of a reply: callers leave before */
#define DEPTH		8	/* places in the card */

FIXTURE(late)
{
	struct load load;
	struct load_thread *t;
};

static void ignore(int signal)
{
	(void)signal;
}

FIXTURE_SETUP(late)
{
	struct sigaction sa = { .sa_handler = ignore };

	if (access(FAULTS, F_OK))
		SKIP(return, "no debugfs");
	ASSERT_EQ(0, sigaction(SIGUSR1, &sa, NULL));
	ASSERT_EQ(0, fault_off_all());
	ASSERT_EQ(0, fault_set("delay", "delay_ms", DELAY_MS));
	load_rsa_init(&self->load.rsa);
	self->t = load_thread_new(&self->load, 0);
	self->t->nr = 1;
	ASSERT_EQ(0, attr_write(CARD0 "request_count", "0"));
}

FIXTURE_TEARDOWN(late)
{
	fault_off_all();
	fault_set("delay", "delay_ms", 50);
	attr_write(BUS "request_timeout", "15000");
	mode_set("hrtimer");
}

static bool queue_empty(void)
{
	return attr_is(QUEUE0 "pendingq_count", "0") &&
	       attr_is(QUEUE0 "requestq_count", "0") &&
	       attr_is(QUEUE0 "load", "0");
}

static bool queue_idle(void)
{
	return wait_for(attr_is(QUEUE0 "states", "OPERATING [IDLE]"), 10);
}

/* All places are free: as many requests as there are go in at once. */
static void all_free(struct __test_metadata *_metadata,
		     struct _test_data_late *self)
{
	EXPECT_TRUE(queue_empty());
	EXPECT_TRUE(queue_idle());
	load_start(&self->load, 3 * DEPTH, LOAD_SHORT, 0);
	EXPECT_TRUE(load_join(&self->load, 30));
	EXPECT_EQ(0, queue_stat(QUEUE0, "timeouts"));
	EXPECT_EQ(0, queue_stat(QUEUE0, "unknown"));
}

/* A child that sends one request whose answer is held back, and is killed. */
static bool killed_child(struct _test_data_late *self, unsigned int kind)
{
	long long held = fault_injected("delay");
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		self->t->kinds = kind;
		load_thread_fn(self->t);
		_exit(0);
	}
	return pid > 0 && wait_for(fault_injected("delay") > held, 10) &&
	       !kill(pid, SIGKILL) && waitpid(pid, &status, 0) == pid &&
	       WIFSIGNALED(status);
}

static void kill_all_kinds(struct __test_metadata *_metadata,
			   struct _test_data_late *self, const char *mode)
{
	static const unsigned int kinds[] = {
		LOAD_ME, LOAD_CRT, LOAD_AES, LOAD_IN_PLACE,
	};
	const unsigned int nr = sizeof(kinds) / sizeof(kinds[0]);
	unsigned int i;

	ASSERT_EQ(0, mode_set(mode));
	ASSERT_EQ(0, fault_on("delay", nr));
	for (i = 0; i < nr; i++)
		ASSERT_TRUE(killed_child(self, kinds[i])) TH_LOG("%u", i);
	/* Nobody waits for them, their places are still taken. */
	EXPECT_TRUE(queue_empty());
	EXPECT_EQ(0, queue_stat(QUEUE0, "dropped"));
	EXPECT_TRUE(wait_for(queue_stat(QUEUE0, "dropped") == nr, 15));
	EXPECT_EQ(0, attr_number(QUEUE0 "request_count"));
	all_free(_metadata, self);
}

TEST_F_TIMEOUT(late, killed_in_mode_hrtimer, 90)
{
	kill_all_kinds(_metadata, self, "hrtimer");
}

TEST_F_TIMEOUT(late, killed_in_mode_irq, 90)
{
	kill_all_kinds(_metadata, self, "irq");
}

TEST_F_TIMEOUT(late, killed_in_mode_caller, 90)
{
	kill_all_kinds(_metadata, self, "caller");
}

TEST_F_TIMEOUT(late, killed_in_mode_hybrid, 90)
{
	kill_all_kinds(_metadata, self, "hybrid");
}

TEST_F_TIMEOUT(late, killed_in_mode_adaptive, 90)
{
	kill_all_kinds(_metadata, self, "adaptive");
}

/* As many as the card is deep, and one more that finds no place at first. */
TEST_F_TIMEOUT(late, card_full_of_the_dead, 90)
{
	unsigned int i;

	ASSERT_EQ(0, fault_on("delay", DEPTH));
	for (i = 0; i < DEPTH; i++)
		ASSERT_TRUE(killed_child(self, LOAD_CRT));
	EXPECT_TRUE(queue_empty());
	self->t->kinds = LOAD_CRT;
	load_thread_fn(self->t);
	EXPECT_EQ(0, self->t->error);
	/* It got the place of the first whose reply came. */
	EXPECT_LE(1, queue_stat(QUEUE0, "dropped"));
	EXPECT_TRUE(wait_for(queue_stat(QUEUE0, "dropped") == DEPTH, 15));
	all_free(_metadata, self);
}

/* Their replies do not come at all: the watchdog clears the card. */
TEST_F_TIMEOUT(late, dead_and_lost, 90)
{
	unsigned int i;

	ASSERT_EQ(0, attr_write(BUS "request_timeout", "300"));
	ASSERT_EQ(0, fault_set("delay", "delay_ms", 60000));
	ASSERT_EQ(0, fault_on("delay", DEPTH));
	for (i = 0; i < DEPTH; i++)
		ASSERT_TRUE(killed_child(self, LOAD_AES));
	self->t->kinds = LOAD_CRT;
	load_thread_fn(self->t);
	EXPECT_EQ(0, self->t->error);
	EXPECT_LE(1, queue_stat(QUEUE0, "timeouts"));
	EXPECT_EQ(0, queue_stat(QUEUE0, "dropped"));
	EXPECT_TRUE(queue_empty());
	EXPECT_TRUE(queue_idle());
}

/* One signal: EINTR, with the reply dropped when it comes. */
TEST_F_TIMEOUT(late, interrupted, 60)
{
	long long held = fault_injected("delay");

	self->t->kinds = LOAD_CRT;
	ASSERT_EQ(0, fault_on("delay", 1));
	ASSERT_EQ(0, pthread_create(&self->t->thread, NULL, load_thread_fn,
				    self->t));
	ASSERT_TRUE(wait_for(fault_injected("delay") > held, 10));
	pthread_kill(self->t->thread, SIGUSR1);
	ASSERT_EQ(0, pthread_join(self->t->thread, NULL));
	EXPECT_EQ(-EINTR, self->t->error);
	EXPECT_TRUE(queue_empty());
	EXPECT_TRUE(wait_for(queue_stat(QUEUE0, "dropped") == 1, 10));
	all_free(_metadata, self);
}

/* Last: replies of the dead are held back while the module goes. */
TEST_F_TIMEOUT(late, removal, 60)
{
	ASSERT_EQ(0, fault_set("delay", "delay_ms", 60000));
	ASSERT_EQ(0, fault_on("delay", 2));
	ASSERT_TRUE(killed_child(self, LOAD_CRT));
	ASSERT_TRUE(killed_child(self, LOAD_IN_PLACE));
	EXPECT_TRUE(queue_empty());
}

TEST_HARNESS_MAIN
