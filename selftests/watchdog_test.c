// SPDX-License-Identifier: GPL-2.0
/*
 * The net under the completion modes: what a mode was not told of is noticed
 * all the same, within a bounded time, and counted.
 * apq-module: hwrng=0
 * apq-timeout: 120
 */

#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/fault.h"
#include "common/load.h"
#include "common/note.h"
#include "common/stats.h"

/*
 * The watchdog looks each 250 ms and comes to the rescue at its second look;
 * a request arrives at any time before the first. The rest is for a machine
 * that is busy with something else.
 */
#define RESCUE_MIN_NS	(250 * NSEC_PER_MSEC)
#define RESCUE_MAX_NS	(5 * NSEC_PER_SEC)
#define REQUESTS	10

FIXTURE(watchdog)
{
	struct load load;
	struct load_thread *t;
};

FIXTURE_SETUP(watchdog)
{
	if (access(FAULTS, F_OK))
		SKIP(return, "no debugfs");
	ASSERT_EQ(0, fault_off_all());
	load_rsa_init(&self->load.rsa);
	self->t = load_thread_new(&self->load, 0);
	self->t->nr = 1;
	self->t->kinds = LOAD_CRT;
	ASSERT_EQ(0, attr_write(CARD0 "request_count", "0"));
}

FIXTURE_TEARDOWN(watchdog)
{
	fault_off_all();
	attr_write(BUS "poll_timeout", "250000");
	attr_write(BUS "request_timeout", "15000");
	mode_set("hrtimer");
}

/* The mode is never told, neither by the queue nor by the card. */
static void rescue(struct __test_metadata *_metadata,
		   struct _test_data_watchdog *self, const char *mode)
{
	uint64_t start, took;

	ASSERT_EQ(0, mode_set(mode));
	ASSERT_EQ(0, fault_on("mute", -1));
	start = now_ns();
	load_thread_fn(self->t);
	took = now_ns() - start;
	EXPECT_EQ(0, self->t->error);
	EXPECT_LE(RESCUE_MIN_NS, took);
	EXPECT_GT(RESCUE_MAX_NS, took);
	EXPECT_EQ(1, queue_stat(QUEUE0, "rescues"));
	EXPECT_EQ(0, queue_stat(QUEUE0, "timeouts"));
	EXPECT_LE(1, fault_injected("mute"));
	note("mode %s: rescued after %.0f ms", mode, took / 1e6);
}

TEST_F(watchdog, rescues_mode_timer)
{
	rescue(_metadata, self, "timer");
}

TEST_F(watchdog, rescues_mode_hrtimer)
{
	rescue(_metadata, self, "hrtimer");
}

TEST_F(watchdog, rescues_mode_thread)
{
	rescue(_metadata, self, "thread");
}

TEST_F(watchdog, rescues_mode_irq)
{
	rescue(_metadata, self, "irq");
}

/* A caller that does the work itself needs nobody who tells it. */
TEST_F(watchdog, mode_caller_needs_none)
{
	ASSERT_EQ(0, mode_set("caller"));
	ASSERT_EQ(0, fault_on("mute", -1));
	load_thread_fn(self->t);
	EXPECT_EQ(0, self->t->error);
	EXPECT_EQ(0, queue_stat(QUEUE0, "rescues"));
}

/* Requests that have no caller who waits: the crypto API's. */
TEST_F(watchdog, rescues_mode_caller)
{
	uint64_t start = now_ns();

	if (afalg_hides_async())
		SKIP(return, AFALG_HIDES_ASYNC);
	self->t->kinds = LOAD_AFALG;
	ASSERT_EQ(0, mode_set("caller"));
	ASSERT_EQ(0, fault_on("mute", -1));
	load_thread_fn(self->t);
	EXPECT_EQ(0, self->t->error);
	EXPECT_GT(RESCUE_MAX_NS, now_ns() - start);
	EXPECT_EQ(1, queue_stat(QUEUE0, "rescues"));
}

/* Without the fault the same load needs no rescue, in any mode. */
TEST_F_TIMEOUT(watchdog, silent_when_all_is_well, 60)
{
	static const char * const modes[] = {
		"timer", "hrtimer", "thread", "irq", "caller", "hybrid",
		"adaptive",
	};
	unsigned int i;

	self->t->nr = REQUESTS;
	self->t->kinds = LOAD_SHORT & load_doors();
	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		ASSERT_EQ(0, mode_set(modes[i]));
		load_thread_fn(self->t);
		EXPECT_EQ(0, self->t->error) TH_LOG("%s", modes[i]);
		EXPECT_EQ(0, queue_stat(QUEUE0, "rescues")) {
			TH_LOG("%s", modes[i]);
		}
		EXPECT_EQ(0, queue_stat(QUEUE0, "timeouts"));
	}
}

/* An interval that the user chose is no fault, however long. */
TEST_F_TIMEOUT(watchdog, patient_with_long_intervals, 60)
{
	uint64_t start, took;

	ASSERT_EQ(0, attr_write(BUS "request_timeout", "100"));
	ASSERT_EQ(0, mode_set("hrtimer"));
	ASSERT_EQ(0, attr_write(BUS "poll_timeout", "10000000000"));
	start = now_ns();
	load_thread_fn(self->t);
	took = now_ns() - start;
	EXPECT_EQ(0, self->t->error);
	EXPECT_LE(9900 * NSEC_PER_MSEC, took);
	EXPECT_EQ(0, queue_stat(QUEUE0, "rescues"));
	EXPECT_EQ(0, queue_stat(QUEUE0, "timeouts"));
}

/* A card that answers nothing at all: ten tries, then EIO. */
TEST_F_TIMEOUT(watchdog, gives_up_in_the_end, 60)
{
	long long before = fault_injected("lose");
	uint64_t start;

	ASSERT_EQ(0, attr_write(BUS "request_timeout", "100"));
	ASSERT_EQ(0, fault_on("lose", -1));
	start = now_ns();
	load_thread_fn(self->t);
	EXPECT_EQ(-EIO, self->t->error);
	EXPECT_LE(1000 * NSEC_PER_MSEC, now_ns() - start);
	EXPECT_EQ(10, queue_stat(QUEUE0, "timeouts"));
	EXPECT_EQ(before + 10, fault_injected("lose"));
}

/* The limit of the request itself comes first where it is shorter. */
TEST_F_TIMEOUT(watchdog, caller_gives_up_first, 60)
{
	uint8_t data[64] = {};
	struct apq_op op = op_init(self->t->session, APQ_OP_ENCRYPT, data,
				   data, sizeof(data));

	ASSERT_EQ(0, fault_on("lose", 1));
	op.timeout_ms = 200;
	EXPECT_EQ(-ETIMEDOUT, op_run(self->t->apq, &op));
	EXPECT_EQ(0, queue_stat(QUEUE0, "timeouts"));
	EXPECT_TRUE(attr_is(QUEUE0 "pendingq_count", "0"));
	EXPECT_TRUE(attr_is(QUEUE0 "load", "0"));
	load_thread_fn(self->t);
	EXPECT_EQ(0, self->t->error);
}

TEST_F(watchdog, knobs)
{
	EXPECT_TRUE(attr_is(BUS "request_timeout", "15000"));
	EXPECT_EQ(0, attr_write(BUS "request_timeout", "100"));
	EXPECT_EQ(0, attr_write(BUS "request_timeout", "900000\n"));
	EXPECT_EQ(-EINVAL, attr_write(BUS "request_timeout", "99"));
	EXPECT_EQ(-EINVAL, attr_write(BUS "request_timeout", "900001"));
	EXPECT_EQ(-EINVAL, attr_write(BUS "request_timeout", "-1"));
	EXPECT_EQ(-EINVAL, attr_write(BUS "request_timeout", "5000000000"));
	EXPECT_EQ(-EINVAL, attr_write(BUS "request_timeout", "soon"));
	EXPECT_TRUE(attr_is(BUS "request_timeout", "900000"));
	EXPECT_TRUE(attr_is(BUS "spin_ns", "20000"));
	EXPECT_EQ(0, attr_write(BUS "spin_ns", "0"));
	EXPECT_TRUE(attr_is(BUS "spin_ns", "0"));
	EXPECT_EQ(0, attr_write(BUS "spin_ns", "10000000"));
	EXPECT_EQ(-EINVAL, attr_write(BUS "spin_ns", "10000001"));
	EXPECT_EQ(-EINVAL, attr_write(BUS "spin_ns", "-1"));
	EXPECT_TRUE(attr_is(BUS "spin_ns", "10000000"));
	EXPECT_EQ(0, attr_write(BUS "spin_ns", "20000"));
}

TEST_HARNESS_MAIN
