// SPDX-License-Identifier: GPL-2.0
/*
 * Cards and queues go offline, come back and are reset while four threads
 * send requests: all of them are answered, and rightly.
 * apq-timeout: 240
 * apq-module: cards=2 poll_timeout=100000
 */

#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/load.h"
#include "common/note.h"
#include "common/process.h"
#include "common/straggler.h"

#define REQUESTS	300		/* of each thread */
#define DEADLINE	100		/* seconds, for a busy emulated machine */

FIXTURE(cards)
{
	struct load load;
	unsigned int total;
};

FIXTURE_VARIANT(cards)
{
	const char *mode;
};

FIXTURE_VARIANT_ADD(cards, hrtimer)
{
	.mode = "hrtimer",
};

FIXTURE_VARIANT_ADD(cards, thread)
{
	.mode = "thread",
};

FIXTURE_SETUP(cards)
{
	ASSERT_EQ(0, mode_set(variant->mode));
	self->total = LOAD_THREADS * REQUESTS;
}

FIXTURE_TEARDOWN(cards)
{
	attr_write(CARD0 "online", "1");
	attr_write(CARD1 "online", "1");
}

static void nothing_left(struct __test_metadata *_metadata)
{
	EXPECT_EQ(0, attr_number(CARD0 "pendingq_count"));
	EXPECT_EQ(0, attr_number(CARD0 "requestq_count"));
	EXPECT_EQ(0, attr_number(CARD1 "pendingq_count"));
	EXPECT_EQ(0, attr_number(CARD1 "requestq_count"));
	EXPECT_EQ(0, attr_number(CARD0 "load"));
	EXPECT_EQ(0, attr_number(CARD1 "load"));
}

/*
 * Writes to the files in turn, one every @ns, until the load is through.
 * Returns how often, or -errno of a write.
 */
static int disturb(struct _test_data_cards *self, const char * const *paths,
		   const char * const *texts, unsigned int nr, uint64_t ns)
{
	uint64_t end = now_ns() + DEADLINE * NSEC_PER_SEC;
	int times = 0;

	while (load_done(&self->load) < self->total && now_ns() < end) {
		unsigned int i = times++ % nr;
		int ret = attr_write(paths[i], texts[i]);

		if (ret)
			return ret;
		pause_ns(ns);
	}
	return times;
}

/*
 * A request fails after ten queues in turn have sent it back, so the pauses
 * here and below are longer than what may be in front of it takes.
 */
TEST_F_TIMEOUT(cards, one_of_two_goes_and_comes, DEADLINE + 20)
{
	static const char * const paths[] = {
		CARD0 "online", CARD0 "online", CARD1 "online", CARD1 "online",
	};
	static const char * const texts[] = { "0", "1", "0", "1" };
	int times;

	load_start(&self->load, REQUESTS, LOAD_SHORT, 0);
	times = disturb(self, paths, texts, 4, 10 * NSEC_PER_MSEC);
	EXPECT_TRUE(load_join(&self->load, 10));
	EXPECT_EQ(self->total, load_done(&self->load));
	nothing_left(_metadata);
	EXPECT_LT(20, times);
	note("%d changes during %u requests", times, self->total);
}

TEST_F_TIMEOUT(cards, reset_under_load, DEADLINE + 20)
{
	static const char * const paths[] = { QUEUE0 "reset", QUEUE1 "reset" };
	static const char * const texts[] = { "1", "1" };
	int times;

	load_start(&self->load, REQUESTS, LOAD_SHORT, 0);
	times = disturb(self, paths, texts, 2, 20 * NSEC_PER_MSEC);
	EXPECT_TRUE(load_join(&self->load, 10));
	EXPECT_EQ(self->total, load_done(&self->load));
	nothing_left(_metadata);
	EXPECT_LT(5, times);
	note("%d resets during %u requests", times, self->total);
}

/* What waits for a card when the last one goes gets ENODEV and no silence. */
TEST_F_TIMEOUT(cards, none_left_and_back, DEADLINE + 20)
{
	static const char * const paths[] = {
		CARD0 "online", CARD1 "online", CARD0 "online", CARD1 "online",
	};
	static const char * const texts[] = { "0", "0", "1", "1" };
	unsigned int i, refused = 0;

	load_start(&self->load, REQUESTS, LOAD_ALL, -ENODEV);
	EXPECT_LT(10, disturb(self, paths, texts, 4, 5 * NSEC_PER_MSEC));
	EXPECT_TRUE(load_join(&self->load, 10));
	EXPECT_EQ(self->total, load_done(&self->load));
	for (i = 0; i < LOAD_THREADS; i++)
		refused += self->load.threads[i]->refused;
	EXPECT_LT(0, refused);
	EXPECT_GT(self->total, refused);
	nothing_left(_metadata);
	note("%u of %u requests refused with ENODEV", refused, self->total);
}

/* What the engine of card 0 has had of a CPU. */
static unsigned long long engine_ns(void)
{
	struct process p;

	return process_find("apq_engine/00", &p) ? p.run_ns : 0;
}

/* What a card works on when it goes offline is still answered by it. */
TEST_F_TIMEOUT(cards, work_that_has_begun_is_finished, 60)
{
	long long before = attr_number(CARD0 "request_count");
	unsigned long long idle = engine_ns();
	struct straggler s;

	ASSERT_LT(0, idle);
	ASSERT_EQ(0, attr_write(CARD1 "online", "0"));
	ASSERT_TRUE(straggler_start(&s, 4096));
	ASSERT_TRUE(wait_for(attr_is(CARD0 "pendingq_count", "1"), 10));
	/* Longer than it takes to see that there is work. */
	ASSERT_TRUE(wait_for(engine_ns() > idle + NSEC_PER_MSEC, 10));
	ASSERT_EQ(0, attr_write(CARD1 "online", "1"));
	ASSERT_EQ(0, attr_write(CARD0 "online", "0"));
	EXPECT_TRUE(straggler_came(&s));
	EXPECT_EQ(before + 1, attr_number(CARD0 "request_count"));
	nothing_left(_metadata);
}

TEST_HARNESS_MAIN
