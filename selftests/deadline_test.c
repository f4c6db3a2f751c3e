// SPDX-License-Identifier: GPL-2.0
/*
 * No caller waits for ever: a card that takes nothing, or resets without end,
 * keeps requests for the time of ten tries, whatever door they came through;
 * then they fail and are counted.
 * apq-module: hwrng=0
 * apq-timeout: 240
 */

#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/fault.h"
#include "common/load.h"
#include "common/note.h"
#include "common/stats.h"

/*
 * Ten times request_timeout and the watchdog's pace, 100 and 250 ms, in ticks
 * that may have begun before.
 */
#define LIMIT_NS	(3450 * NSEC_PER_MSEC)
/* The rest is for a machine that is busy with something else. */
#define LATEST_NS	(15 * NSEC_PER_SEC)
#define DEADLINE	30

/* The doors whose callers set no limit of their own. */
static const unsigned int kinds[] = { LOAD_CRT, LOAD_ME, LOAD_AFALG };

#define NR_KINDS	(sizeof(kinds) / sizeof(kinds[0]))

struct caller {
	struct load_thread *t;
	uint64_t took;
};

FIXTURE(deadline)
{
	struct load load;
	struct caller caller[NR_KINDS];
	unsigned int nr;
};

FIXTURE_VARIANT(deadline)
{
	const char *fault;
	const char *mode;
};

FIXTURE_VARIANT_ADD(deadline, full_hrtimer)
{
	.fault = "full",
	.mode = "hrtimer",
};

FIXTURE_VARIANT_ADD(deadline, full_thread)
{
	.fault = "full",
	.mode = "thread",
};

FIXTURE_VARIANT_ADD(deadline, reset_irq)
{
	.fault = "reset",
	.mode = "irq",
};

FIXTURE_VARIANT_ADD(deadline, reset_caller)
{
	.fault = "reset",
	.mode = "caller",
};

FIXTURE_SETUP(deadline)
{
	unsigned int doors = load_doors(), i;

	if (access(FAULTS, F_OK))
		SKIP(return, "no debugfs");
	ASSERT_EQ(0, fault_off_all());
	load_rsa_init(&self->load.rsa);
	for (i = 0; i < NR_KINDS; i++) {
		struct load_thread *t;

		if (!(kinds[i] & doors))
			continue;
		t = load_thread_new(&self->load, i);
		t->nr = 1;
		t->kinds = kinds[i];
		self->caller[self->nr++].t = t;
	}
	ASSERT_EQ(0, mode_set(variant->mode));
	ASSERT_EQ(0, attr_write(CARD0 "request_count", "0"));
	ASSERT_EQ(0, attr_write(BUS "request_timeout", "100"));
}

FIXTURE_TEARDOWN(deadline)
{
	fault_off_all();
	attr_write(BUS "request_timeout", "15000");
	mode_set("hrtimer");
}

static void *caller_fn(void *data)
{
	struct caller *c = data;
	uint64_t start = now_ns();

	load_thread_fn(c->t);
	c->took = now_ns() - start;
	return NULL;
}

static bool join(pthread_t thread)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	ts.tv_sec += DEADLINE;
	return !pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &ts);
}

TEST_F_TIMEOUT(deadline, waiting_ends, 3 * DEADLINE)
{
	pthread_t thread[NR_KINDS];
	unsigned int i;

	ASSERT_EQ(0, fault_on(variant->fault, -1));
	for (i = 0; i < self->nr; i++) {
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, caller_fn,
					    &self->caller[i]));
	}
	for (i = 0; i < self->nr; i++) {
		const struct caller *c = &self->caller[i];

		ASSERT_TRUE(join(thread[i])) TH_LOG("kind 0x%x", c->t->kinds);
		EXPECT_EQ(-EIO, c->t->error) TH_LOG("kind 0x%x", c->t->kinds);
		EXPECT_LE(LIMIT_NS, c->took);
		EXPECT_GE(LATEST_NS, c->took);
	}
	EXPECT_EQ(self->nr, queue_stat(QUEUE0, "expired"));
	EXPECT_EQ(0, queue_stat(QUEUE0, "timeouts"));
	EXPECT_EQ(0, attr_number(QUEUE0 "request_count"));
	EXPECT_TRUE(wait_for(attr_is(QUEUE0 "requestq_count", "0") &&
			     attr_is(QUEUE0 "load", "0"), 5));

	/* The queue itself has not suffered. */
	ASSERT_EQ(0, fault_off(variant->fault));
	self->caller[0].t->error = 0;
	load_thread_fn(self->caller[0].t);
	EXPECT_EQ(0, self->caller[0].t->error);
	EXPECT_EQ(self->nr, queue_stat(QUEUE0, "expired"));
}

TEST_HARNESS_MAIN
