// SPDX-License-Identifier: GPL-2.0
/*
 * Mode thread: the kernel thread sleeps when nothing is in flight, and a
 * request really wakes it. No timer can help it: the only one is set to two
 * minutes. apq-module: poll_thread=1 poll_timeout=120000000000
 */

#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/load.h"
#include "common/note.h"
#include "common/process.h"

/* Far more than a request takes, far less than the timer. */
#define SOON_NS		NSEC_PER_SEC

FIXTURE(thread)
{
	struct load load;
};

FIXTURE_SETUP(thread)
{
	ASSERT_EQ(0, attr_write(BUS "poll_thread", "1"));
}

FIXTURE_TEARDOWN(thread)
{
	attr_write(BUS "completion", "hrtimer");
	attr_write(BUS "poll_thread", "1");
}

/* First of all: what the module parameters did. */
TEST(parameters)
{
	EXPECT_TRUE(mode_is("thread"));
	EXPECT_TRUE(attr_is(BUS "poll_thread", "1"));
	EXPECT_TRUE(attr_is(BUS "poll_timeout", "120000000000"));
}

TEST_F(thread, nice_19)
{
	struct process p;

	ASSERT_TRUE(process_find("appoll", &p));
	EXPECT_EQ(19, p.nice);
}

/* The kinds of requests one by one, each by a thread that slept before. */
TEST_F(thread, woken_by_a_request)
{
	static const unsigned int kinds[] = {
		LOAD_ME, LOAD_CRT, LOAD_AES, LOAD_IN_PLACE, LOAD_AFALG,
	};
	struct load_thread *t;
	unsigned int i;

	load_rsa_init(&self->load.rsa);
	t = load_thread_new(&self->load, 0);
	t->nr = 1;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		uint64_t start;

		if (!(kinds[i] & load_doors()))
			continue;
		ASSERT_TRUE(wait_for(process_sleeps("appoll"), 5));
		t->kinds = kinds[i];
		start = now_ns();
		load_thread_fn(t);
		EXPECT_EQ(0, t->error) {
			TH_LOG("kind 0x%x: %s", kinds[i], strerror(-t->error));
		}
		EXPECT_GT(SOON_NS, now_ns() - start) {
			TH_LOG("kind 0x%x", kinds[i]);
		}
	}
}

/* The measure of the next test is one that moves. */
TEST_F(thread, runs_while_something_is_in_flight)
{
	unsigned long long before;
	uint8_t out[RSA_MAX_LEN];
	struct rsa_key key;
	struct process p;

	ASSERT_TRUE(wait_for(process_sleeps("appoll"), 5));
	ASSERT_TRUE(process_find("appoll", &p));
	before = p.run_ns;
	rsa_key_load(&key, 4096);
	ASSERT_EQ(0, rsa_me(z90crypt_open(), &key, key.in, out));
	ASSERT_TRUE(wait_for(process_sleeps("appoll"), 5));
	ASSERT_TRUE(process_find("appoll", &p));
	EXPECT_LT(before, p.run_ns);
	note("%.3f ms of run time during one request",
	     (p.run_ns - before) / 1e6);
}

/* Not a tick, and not a nanosecond either. */
TEST_F(thread, idle_costs_nothing)
{
	struct process before, after;

	load_start(&self->load, 50, LOAD_SHORT, 0);
	ASSERT_TRUE(load_join(&self->load, 20));
	ASSERT_TRUE(wait_for(process_sleeps("appoll"), 5));
	ASSERT_TRUE(process_find("appoll", &before));
	/* The second in which it must not run is what is measured here. */
	pause_ns(NSEC_PER_SEC);
	ASSERT_TRUE(process_find("appoll", &after));
	EXPECT_EQ(before.pid, after.pid);
	EXPECT_EQ(before.ticks, after.ticks);
	EXPECT_EQ(before.run_ns, after.run_ns);
}

TEST_F(thread, knob_goes_back_to_the_mode_before)
{
	static const char * const modes[] = { "timer", "hrtimer" };
	struct process p;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		ASSERT_EQ(0, mode_set(modes[i]));
		EXPECT_TRUE(attr_is(BUS "poll_thread", "0"));
		EXPECT_FALSE(process_find("appoll", &p));
		ASSERT_EQ(0, attr_write(BUS "poll_thread", "1"));
		EXPECT_TRUE(mode_is("thread"));
		EXPECT_TRUE(attr_is(BUS "poll_thread", "1"));
		EXPECT_TRUE(process_find("appoll", &p));
		ASSERT_EQ(0, attr_write(BUS "poll_thread", "0"));
		EXPECT_TRUE(mode_is(modes[i]));
		EXPECT_FALSE(process_find("appoll", &p));
	}
}

TEST_F(thread, knob_off_leaves_other_modes_alone)
{
	ASSERT_EQ(0, mode_set("timer"));
	ASSERT_EQ(0, attr_write(BUS "poll_thread", "0"));
	EXPECT_TRUE(mode_is("timer"));
}

TEST_F(thread, knob_on_twice_makes_one_thread)
{
	ASSERT_EQ(0, attr_write(BUS "poll_thread", "1"));
	ASSERT_EQ(0, attr_write(BUS "poll_thread", "1"));
	EXPECT_EQ(1, process_count("appoll"));
}

TEST_HARNESS_MAIN
