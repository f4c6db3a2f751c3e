// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics of a queue: they count what was submitted, by operation and size,
 * and their sums agree. apq-module: hwrng=0
 * apq-timeout: 120
 */

#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/fault.h"
#include "common/load.h"
#include "common/nist.h"
#include "common/note.h"
#include "common/stats.h"

#define NR	7		/* requests of a kind */

FIXTURE(stats)
{
	struct load load;
	struct load_thread *t;
	char text[STATS_LEN];
};

FIXTURE_SETUP(stats)
{
	load_rsa_init(&self->load.rsa);
	self->t = load_thread_new(&self->load, 0);
	ASSERT_EQ(0, mode_set("hrtimer"));
	ASSERT_EQ(0, attr_write(QUEUE0 "request_count", "0"));
}

FIXTURE_TEARDOWN(stats)
{
	fault_off_all();
	mode_set("hrtimer");
}

static void run(struct __test_metadata *_metadata,
		struct _test_data_stats *self, unsigned int kind,
		unsigned int nr)
{
	self->t->kinds = kind & load_doors();
	self->t->nr = nr;
	load_thread_fn(self->t);
	ASSERT_EQ(0, self->t->error);
}

/* @sizes: lengths at both ends of each size class. */
static void run_sizes(struct __test_metadata *_metadata,
		      struct _test_data_stats *self, unsigned int alg,
		      unsigned int key_len, const unsigned int *sizes,
		      unsigned int nr)
{
	static uint8_t data[APQ_MAX_DATA_LEN];
	int session = session_create(self->t->apq, alg, nist_des3_key,
				     key_len);
	unsigned int i;

	ASSERT_LT(0, session);
	for (i = 0; i < nr; i++)
		ASSERT_EQ((int)sizes[i],
			  op_crypt(self->t->apq, session, APQ_OP_ENCRYPT, NULL,
				   0, data, data, sizes[i]));
	ASSERT_EQ(0, session_destroy(self->t->apq, session));
}

TEST_F(stats, counts_by_operation_and_class)
{
	static const unsigned int sizes[] = {
		16, 1024, 1040, 16384, 16400, APQ_MAX_DATA_LEN,
	};
	static const char * const lines[] = {
		"requests aes-ecb small", "requests aes-ecb medium",
		"requests aes-ecb large", "requests aes-ctr small",
		"requests aes-ctr medium", "requests aes-ctr large",
		"requests des3-cbc small", "requests des3-cbc medium",
	};
	unsigned int i;

	run_sizes(_metadata, self, APQ_ALG_AES_ECB, 16, sizes, 6);
	run_sizes(_metadata, self, APQ_ALG_AES_CTR, 24, sizes, 6);
	run_sizes(_metadata, self, APQ_ALG_DES3_CBC, 24, sizes, 4);
	run(_metadata, self, LOAD_ME, NR);
	run(_metadata, self, LOAD_CRT, NR + 1);
	run(_metadata, self, LOAD_CRT_2048, 3);
	run(_metadata, self, LOAD_AES, NR + 2);
	ASSERT_LT(0, stats_read(QUEUE0, self->text));
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		EXPECT_EQ(2, stats_number(self->text, lines[i])) {
			TH_LOG("line %u", i);
		}
	EXPECT_EQ(NULL, stats_line(self->text, "requests des3-cbc large"));
	EXPECT_EQ(NR, stats_number(self->text, "requests rsa-me small"));
	EXPECT_EQ(NR + 1, stats_number(self->text, "requests rsa-crt small"));
	EXPECT_EQ(3, stats_number(self->text, "requests rsa-crt medium"));
	EXPECT_EQ(NULL, stats_line(self->text, "requests rsa-crt large"));
	EXPECT_EQ(NR + 2, stats_number(self->text, "requests aes-cbc small"));
	EXPECT_EQ(0, stats_number(self->text, "errors"));
	EXPECT_EQ(16 + NR + NR + 1 + 3 + NR + 2,
		  attr_number(QUEUE0 "request_count"));
}

TEST_F(stats, random_counts)
{
	struct apq_op op = {
		.op = APQ_OP_RANDOM,
		.dst = address(self->text),
		.dst_len = 1024,
	};

	ASSERT_EQ(1024, op_run(self->t->apq, &op));
	op.dst_len = 1025;
	ASSERT_EQ(1025, op_run(self->t->apq, &op));
	ASSERT_LT(0, stats_read(QUEUE0, self->text));
	EXPECT_EQ(1, stats_number(self->text, "requests random small"));
	EXPECT_EQ(1, stats_number(self->text, "requests random medium"));
}

/* All that were counted are in each histogram once. */
TEST_F(stats, histograms_sum_up)
{
	load_start(&self->load, NR, LOAD_SHORT, 0);
	ASSERT_TRUE(load_join(&self->load, 30));
	ASSERT_LT(0, stats_read(QUEUE0, self->text));
	EXPECT_EQ(LOAD_THREADS * NR, stats_number(self->text, "timed"));
	EXPECT_EQ(LOAD_THREADS * NR, stats_hist_sum(self->text, "service_ns"));
	EXPECT_EQ(LOAD_THREADS * NR, stats_hist_sum(self->text, "wait_ns"));
	EXPECT_EQ(LOAD_THREADS * NR,
		  stats_hist_sum(self->text, "oversleep_ns"));
}

/* The upper end of the only class that holds something. */
static unsigned long long only_class(const char *text, const char *name)
{
	const char *p = stats_line(text, name);
	unsigned long long bound = 0;

	return p && sscanf(p, " <%llu:", &bound) == 1 ? bound : 0;
}

/* Nobody looks for 100 ms: that is what the histogram must say. */
TEST_F(stats, oversleep_is_what_the_mode_takes)
{
	unsigned long long bound;

	ASSERT_EQ(0, attr_write(BUS "poll_timeout", "100000000"));
	run(_metadata, self, LOAD_ME, 1);
	ASSERT_EQ(0, attr_write(BUS "poll_timeout", "250000"));
	ASSERT_LT(0, stats_read(QUEUE0, self->text));
	bound = only_class(self->text, "oversleep_ns");
	EXPECT_LE(1ULL << 26, bound);
	EXPECT_GE(1ULL << 30, bound);
	EXPECT_GT(bound, only_class(self->text, "service_ns"));
}

/* Where the caller does the work there is nothing to wait for. */
TEST_F(stats, caller_is_not_timed)
{
	ASSERT_EQ(0, mode_set("caller"));
	run(_metadata, self, LOAD_ME, NR);
	ASSERT_LT(0, stats_read(QUEUE0, self->text));
	EXPECT_EQ(NR, stats_number(self->text, "requests rsa-me small"));
	EXPECT_EQ(NR, stats_hist_sum(self->text, "service_ns"));
	EXPECT_EQ(0, stats_number(self->text, "timed"));
	EXPECT_EQ(0, stats_hist_sum(self->text, "wait_ns"));
}

/* Replies taken by polls, and how many polls took any. */
static void replies_per_poll(const char *text, long long *replies,
			     long long *polls)
{
	const char *p = stats_line(text, "replies_per_poll");
	char *end = NULL;
	unsigned int i;

	*replies = 0;
	*polls = 0;
	for (i = 1; p; i++) {
		long long nr = strtoll(p, &end, 10);

		if (end == p || *p == '\n')
			break;
		*replies += i * nr;
		*polls += nr;
		p = end;
	}
}

/* One at a time: each reply is taken by a poll of its own. */
TEST_F(stats, polls_of_single_requests)
{
	long long replies, polls;

	run(_metadata, self, LOAD_CRT, 4 * NR);
	ASSERT_LT(0, stats_read(QUEUE0, self->text));
	replies_per_poll(self->text, &replies, &polls);
	EXPECT_EQ(4 * NR, replies);
	EXPECT_EQ(4 * NR, polls);
	EXPECT_EQ(stats_number(self->text, "polls"),
		  stats_number(self->text, "empty_polls") + polls);
	EXPECT_EQ(attr_number(QUEUE0 "empty_polls"),
		  stats_number(self->text, "empty_polls"));
}

/* Four callers and a look each 100 ms: it finds more than one reply. */
TEST_F(stats, polls_of_many_requests)
{
	long long replies, polls;

	ASSERT_EQ(0, attr_write(BUS "poll_timeout", "100000000"));
	load_start(&self->load, NR, LOAD_ME, 0);
	ASSERT_TRUE(load_join(&self->load, 30));
	ASSERT_EQ(0, attr_write(BUS "poll_timeout", "250000"));
	ASSERT_LT(0, stats_read(QUEUE0, self->text));
	replies_per_poll(self->text, &replies, &polls);
	/* The submitter takes some too. */
	EXPECT_GE(LOAD_THREADS * NR, replies);
	EXPECT_LT(polls, replies);
}

TEST_F(stats, error_counts)
{
	if (access(FAULTS, F_OK))
		SKIP(return, "no debugfs");
	ASSERT_EQ(0, fault_on("status", 2));
	run(_metadata, self, LOAD_CRT, 1);
	ASSERT_LT(0, stats_read(QUEUE0, self->text));
	EXPECT_EQ(2, stats_number(self->text, "errors"));
	EXPECT_EQ(3, stats_number(self->text, "requests rsa-crt small"));
}

static const char zeroed[] =
	"errors 0\ndropped 0\nunknown 0\nrescues 0\ntimeouts 0\nexpired 0\ntimed 0\n"
	"polls 0\nempty_polls 0\nreplies_per_poll 0 0 0 0 0 0 0 0\n"
	/* What was learned stays; here nothing was, 5000 is where it starts. */
	"predictor engines 1 error_ns 0 wake_ns 5000\n"
	"adaptive changes 0 idle 0 learn 0 free 0 few 0 late 0 coalesce 0"
	" spin 0 early 0 crowd 0\n"
	"service_ns\nwait_ns\noversleep_ns\n";

TEST_F(stats, queue_write_zeroes)
{
	run(_metadata, self, LOAD_SHORT, NR);
	ASSERT_EQ(NR, attr_number(QUEUE0 "request_count"));
	ASSERT_EQ(0, attr_write(QUEUE0 "request_count", "whatever"));
	ASSERT_LT(0, stats_read(QUEUE0, self->text));
	EXPECT_STREQ(zeroed, self->text);
	EXPECT_EQ(0, attr_number(QUEUE0 "request_count"));
}

TEST_F(stats, card_write_zeroes)
{
	run(_metadata, self, LOAD_SHORT, NR);
	ASSERT_LE(NR, attr_number(CARD0 "request_count"));
	ASSERT_EQ(0, attr_write(CARD0 "request_count", "0"));
	ASSERT_LT(0, stats_read(QUEUE0, self->text));
	EXPECT_STREQ(zeroed, self->text);
	EXPECT_EQ(0, attr_number(CARD0 "request_count"));
	EXPECT_EQ(0, attr_number(QUEUE0 "request_count"));
}

TEST_F(stats, read_only)
{
	EXPECT_GT(0, attr_write(QUEUE0 "stats", "0"));
}

TEST_HARNESS_MAIN
