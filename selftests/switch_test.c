// SPDX-License-Identifier: GPL-2.0
/*
 * Completion modes change while requests are in flight: none is lost, none
 * waits for the interval of a mode that is gone.
 * apq-timeout: 240
 * apq-module: hwrng=0
 */

#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/load.h"
#include "common/note.h"
#include "common/straggler.h"

#define MAX_MODES	16
#define REQUESTS	1000		/* of each thread */
#define SWITCH_NS	(10 * NSEC_PER_MSEC)
#define DEADLINE	180		/* seconds, for a busy emulated machine */
#define LONG_INTERVAL	"120000000000"

FIXTURE(modes)
{
	char text[ATTR_LEN];
	char *name[MAX_MODES];
	unsigned int nr;
	struct load load;
};

FIXTURE_SETUP(modes)
{
	char *word, *save;

	ASSERT_LT(0, attr_read(BUS "completion", self->text));
	for (word = strtok_r(self->text, " []", &save); word;
	     word = strtok_r(NULL, " []", &save)) {
		ASSERT_GT(MAX_MODES, self->nr);
		self->name[self->nr++] = word;
	}
	ASSERT_LE(7, self->nr);
}

FIXTURE_TEARDOWN(modes)
{
	attr_write(BUS "poll_timeout", "250000");
	mode_set("hrtimer");
}

TEST_F_TIMEOUT(modes, nothing_lost_under_load, DEADLINE + 30)
{
	unsigned int switches = 0, total = LOAD_THREADS * REQUESTS;
	uint64_t start = now_ns(), next = start;

	ASSERT_EQ(0, attr_write(CARD0 "request_count", "0"));
	load_start(&self->load, REQUESTS, LOAD_ALL, 0);
	while (load_done(&self->load) < total &&
	       now_ns() < start + DEADLINE * NSEC_PER_SEC) {
		const char *name = self->name[switches % self->nr];

		ASSERT_EQ(0, mode_set(name));
		ASSERT_TRUE(mode_is(name));
		switches++;
		next += SWITCH_NS;
		if (now_ns() < next)
			pause_ns(next - now_ns());
		else
			next = now_ns();
	}
	EXPECT_TRUE(load_join(&self->load, 1));
	EXPECT_EQ(total, load_done(&self->load));
	EXPECT_EQ(total, attr_number(CARD0 "request_count"));
	EXPECT_EQ(0, attr_number(CARD0 "pendingq_count"));
	EXPECT_EQ(0, attr_number(CARD0 "requestq_count"));
	/* Without them this test would show nothing. */
	EXPECT_LE(10 * self->nr, switches);
	note("%u requests, %u switches among %u modes in %.1f s", total,
	     switches, self->nr, (now_ns() - start) / 1e9);
}

/*
 * Intervals from far shorter to longer than a caller takes to fall asleep: the
 * reply comes at every moment of that, on every CPU, and still wakes it.
 */
TEST_F_TIMEOUT(modes, no_wakeup_lost, 90)
{
	static const uint8_t key[16];
	int fd = device_open();
	int session = session_create(fd, APQ_ALG_AES_ECB, key, 16);
	unsigned int us, i;

	ASSERT_LT(0, session);
	ASSERT_EQ(0, mode_set("hrtimer"));
	for (us = 1; us < 1000; us += us / 8 + 1) {
		char text[32];

		snprintf(text, sizeof(text), "%u000", us);
		ASSERT_EQ(0, attr_write(BUS "poll_timeout", text));
		for (i = 0; i < 50; i++) {
			uint8_t data[16] = {};
			struct apq_op op = op_init(session, APQ_OP_ENCRYPT,
						   data, data, 16);

			op.timeout_ms = 10000;
			ASSERT_EQ(16, op_run(fd, &op)) TH_LOG("%u us", us);
		}
	}
}

/* From the slowest timer to every other mode. */
TEST_F_TIMEOUT(modes, switch_brings_what_is_in_flight, 100)
{
	unsigned int i;

	ASSERT_EQ(0, attr_write(BUS "poll_timeout", LONG_INTERVAL));
	for (i = 0; i < self->nr; i++) {
		struct straggler s;

		if (!strcmp(self->name[i], "hrtimer"))
			continue;
		ASSERT_EQ(0, mode_set("hrtimer"));
		ASSERT_TRUE(straggler_start(&s, 512) && straggler_computed(&s));
		ASSERT_EQ(0, mode_set(self->name[i]));
		ASSERT_TRUE(straggler_came(&s)) TH_LOG("%s", self->name[i]);
	}
}

TEST_F(modes, shorter_interval_counts_at_once)
{
	struct straggler s;

	ASSERT_EQ(0, mode_set("hrtimer"));
	ASSERT_EQ(0, attr_write(BUS "poll_timeout", LONG_INTERVAL));
	ASSERT_TRUE(straggler_start(&s, 512) && straggler_computed(&s));
	ASSERT_EQ(0, attr_write(BUS "poll_timeout", "1000000"));
	EXPECT_TRUE(straggler_came(&s));
}

/* The mode that is active already: nothing changes, nothing is lost. */
TEST_F(modes, switch_to_the_same)
{
	struct straggler s;

	ASSERT_EQ(0, mode_set("hrtimer"));
	ASSERT_EQ(0, attr_write(BUS "poll_timeout", "300000000"));
	ASSERT_TRUE(straggler_start(&s, 512) && straggler_computed(&s));
	ASSERT_EQ(0, mode_set("hrtimer"));
	EXPECT_TRUE(straggler_came(&s));
}

TEST_HARNESS_MAIN
