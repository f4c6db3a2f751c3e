// SPDX-License-Identifier: GPL-2.0
/*
 * Mode adaptive: right answers for any number of callers; no reply waits for
 * longer than the bound, however wrong the prediction; counters and trace say
 * why it waits as it does.
 * apq-module: hwrng=0
 * apq-timeout: 300
 */

#include <signal.h>
#include <sys/wait.h>
#include "kselftest_harness.h"
#include "common/crew.h"
#include "common/stats.h"
#include "common/trace.h"

#define TRACE		"apq_adaptive_test"
#define MODEL1		CARD1 "service_model"
#define LATENCY		"8000"		/* us, at load */
#define LONG_NS		(400 * NSEC_PER_MSEC)
/*
 * What the bound and a busy emulated machine may take together; far below
 * LONG_NS, by which a prediction is wrong here.
 */
#define SOON_NS		(200 * NSEC_PER_MSEC)

FIXTURE(adaptive)
{
	struct crew crew;
};

static void ignore(int signal)
{
	(void)signal;
}

FIXTURE_SETUP(adaptive)
{
	struct sigaction sa = { .sa_handler = ignore };

	ASSERT_EQ(0, sigaction(SIGUSR1, &sa, NULL));
	crew_init(&self->crew, CREW_MAX);
	ASSERT_EQ(0, mode_set("adaptive"));
	ASSERT_EQ(0, attr_write(CARD0 "request_count", "0"));
}

FIXTURE_TEARDOWN(adaptive)
{
	trace_delete(TRACE);
	attr_write(CARD0 "online", "1");
	attr_write(BUS "latency_us", LATENCY);
	attr_write(BUS "preference", "balanced");
	attr_write(BUS "card_remove", "1");
	model_set("off");
	mode_set("hrtimer");
}

/* The number behind @name in the line @line of a queue's stats. */
static long long fact(const char *queue, const char *line, const char *name)
{
	char text[STATS_LEN], word[32];
	const char *p, *end;

	if (stats_read(queue, text) < 0)
		return -1;
	p = stats_line(text, line);
	end = p ? strchr(p, '\n') : NULL;
	snprintf(word, sizeof(word), " %s ", name);
	p = p ? strstr(p, word) : NULL;
	return p && p < end ? atoll(p + strlen(word)) : -1;
}

static long long why(const char *name)
{
	return fact(QUEUE1, "adaptive", name);
}

static void note_why(const char *queue)
{
	char text[STATS_LEN];
	const char *p;

	if (stats_read(queue, text) < 0)
		return;
	p = stats_line(text, "predictor");
	note("predictor%.*s", p ? (int)strcspn(p, "\n") : 0, p);
	p = stats_line(text, "adaptive");
	note("adaptive%.*s", p ? (int)strcspn(p, "\n") : 0, p);
}

static void right_answers(struct __test_metadata *_metadata,
			  struct _test_data_adaptive *self)
{
	static const unsigned int callers[] = { 20, 4, 1 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(callers); i++) {
		EXPECT_NE(0, crew_run(&self->crew, callers[i], 15,
				      LOAD_SHORT)) {
			TH_LOG("%u callers", callers[i]);
		}
	}
	note_why(QUEUE0);
	EXPECT_EQ(25 * 15, attr_number(CARD0 "request_count"));
	EXPECT_EQ(0, queue_stat(QUEUE0, "rescues"));
	EXPECT_EQ(0, queue_stat(QUEUE0, "timeouts"));
	EXPECT_EQ(0, attr_number(CARD0 "pendingq_count"));
}

TEST_F_TIMEOUT(adaptive, right_answers, 100)
{
	right_answers(_metadata, self);
}

TEST_F_TIMEOUT(adaptive, right_answers_modelled, 100)
{
	ASSERT_EQ(0, model_set("engines=2 all_ns=300000 jitter=50"));
	right_answers(_metadata, self);
}

TEST_F_TIMEOUT(adaptive, right_answers_preferring_throughput, 100)
{
	ASSERT_EQ(0, attr_write(BUS "preference", "throughput"));
	ASSERT_EQ(0, model_set("engines=5 all_ns=100000"));
	right_answers(_metadata, self);
}

/* From here on all goes to a card of which nothing is known yet. */
static void new_card(struct __test_metadata *_metadata, const char *model)
{
	attr_write(BUS "card_remove", "1");
	ASSERT_EQ(0, attr_write(BUS "card_add", "1"));
	ASSERT_EQ(0, attr_write(MODEL1, model));
	ASSERT_EQ(0, attr_write(CARD0 "online", "0"));
}

/* Teaches it that each request takes so long; then it is different. */
static void teach(struct __test_metadata *_metadata,
		  struct _test_data_adaptive *self, const char *model,
		  const char *then)
{
	new_card(_metadata, model);
	ASSERT_NE(0, crew_run(&self->crew, 1, 4, LOAD_AES));
	ASSERT_EQ(0, attr_write(MODEL1, then));
}

/* One caller, who sleeps early if he trusts in the prediction. */
TEST_F_TIMEOUT(adaptive, bound_of_an_early_sleep, 100)
{
	long long early = 0;
	unsigned int round;
	uint64_t took;

	/* On a noisy machine predictions may not be sharp at once. */
	for (round = 0; round < 15 && !early; round++) {
		teach(_metadata, self, "all_ns=400000000", "all_ns=1000000");
		early = why("early");
		took = crew_one(&self->crew, LOAD_AES);
		early = why("early") - early;
		note("1 ms took %.1f ms, predicted 400", took / 1e6);
		EXPECT_LE(NSEC_PER_MSEC, took);
		EXPECT_GT(SOON_NS, took);
	}
	note_why(QUEUE1);
	if (!early)
		SKIP(return, "predictions are never sharp on this machine");
}

/* Several callers, for whom a timer takes replies together. */
TEST_F_TIMEOUT(adaptive, bound_of_a_batch, 100)
{
	uint64_t took;

	teach(_metadata, self, "all_ns=400000000", "all_ns=1000000");
	took = crew_run(&self->crew, 4, 1, LOAD_AES);
	note("4 x 1 ms took %.1f ms, predicted 1600", took / 1e6);
	note_why(QUEUE1);
	EXPECT_LT(0, took);
	EXPECT_GT(SOON_NS, took);
	EXPECT_EQ(0, queue_stat(QUEUE1, "rescues"));
}

/* It is this knob that bounds the wait. */
TEST_F_TIMEOUT(adaptive, latency_us_is_the_bound, 100)
{
	uint64_t took = 0;
	unsigned int round;

	ASSERT_EQ(0, attr_write(BUS "latency_us", "1000000"));
	/* On a noisy machine a reply may come before all are inside. */
	for (round = 0; round < 10 && took < SOON_NS; round++) {
		teach(_metadata, self, "all_ns=400000000", "all_ns=1000000");
		took = crew_run(&self->crew, 4, 1, LOAD_AES);
		ASSERT_NE(0, took);
		note("4 x 1 ms took %.1f ms, predicted 1600", took / 1e6);
		EXPECT_GT(3 * NSEC_PER_SEC, took);
	}
	note_why(QUEUE1);
	EXPECT_LE(SOON_NS, took);
	EXPECT_LT(0, why("coalesce") + why("early"));
}

/* The other way round: the reply comes when nobody polls any more. */
TEST_F_TIMEOUT(adaptive, bound_when_it_takes_longer, 100)
{
	uint64_t took;

	teach(_metadata, self, "all_ns=1000000", "all_ns=400000000");
	took = crew_one(&self->crew, LOAD_AES);
	EXPECT_LE(LONG_NS, took);
	EXPECT_GT(LONG_NS + SOON_NS, took);
	teach(_metadata, self, "all_ns=1000000", "all_ns=100000000");
	took = crew_run(&self->crew, 4, 1, LOAD_AES);
	EXPECT_LE(LONG_NS, took);
	EXPECT_GT(LONG_NS + SOON_NS, took);
	EXPECT_EQ(0, queue_stat(QUEUE1, "rescues"));
	note_why(QUEUE1);
}

/* The model changes while they sleep. */
TEST_F_TIMEOUT(adaptive, bound_when_it_changes_in_flight, 100)
{
	static const unsigned int callers[] = { 1, 4 };
	uint64_t start;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(callers); i++) {
		teach(_metadata, self, "all_ns=900000000", "all_ns=900000000");
		crew_start(&self->crew, callers[i], 1, LOAD_AES, 0);
		ASSERT_TRUE(wait_pending(QUEUE1 "pendingq_count", callers[i]));
		start = now_ns();
		ASSERT_EQ(0, attr_write(MODEL1, "all_ns=1000000"));
		EXPECT_NE(0, crew_join(&self->crew, 30));
		EXPECT_GT(SOON_NS, now_ns() - start) {
			TH_LOG("%u callers", callers[i]);
		}
	}
}

/* Requests without a caller who waits; a callback of the card is free. */
TEST_F_TIMEOUT(adaptive, reason_free, 60)
{
	if (!(load_doors() & LOAD_AFALG))
		SKIP(return, AFALG_HIDES_ASYNC);
	new_card(_metadata, "off");
	ASSERT_NE(0, crew_run(&self->crew, 1, 20, LOAD_AFALG));
	note_why(QUEUE1);
	EXPECT_LT(0, why("free"));
	EXPECT_EQ(0, why("few"));
	EXPECT_EQ(0, why("coalesce"));
}

TEST_F_TIMEOUT(adaptive, reason_learn, 60)
{
	int64_t seen;

	new_card(_metadata, "all_ns=20000000");
	EXPECT_NE(0, crew_one(&self->crew, LOAD_AES));
	/* The net under the mode may have decided the same once more. */
	seen = why("learn");
	EXPECT_LE(1, seen);
	EXPECT_EQ(0, why("few"));
	/* Once it has been seen, its time is known; that of others is not. */
	EXPECT_NE(0, crew_one(&self->crew, LOAD_AES));
	EXPECT_EQ(seen, why("learn"));
	EXPECT_LT(0, why("few"));
	EXPECT_NE(0, crew_one(&self->crew, LOAD_IN_PLACE));
	EXPECT_LT(seen, why("learn"));
}

/* As many requests as engines: none may wait. */
TEST_F_TIMEOUT(adaptive, reason_few, 60)
{
	new_card(_metadata, "all_ns=20000000");
	ASSERT_NE(0, crew_run(&self->crew, 1, 50, LOAD_AES));
	note_why(QUEUE1);
	EXPECT_EQ(1, fact(QUEUE1, "predictor", "engines"));
	EXPECT_LE(45, why("few"));
	EXPECT_EQ(0, why("coalesce"));
}

/* More requests than engines: some can. */
TEST_F_TIMEOUT(adaptive, reason_coalesce, 60)
{
	new_card(_metadata, "engines=2 all_ns=20000000");
	ASSERT_NE(0, crew_run(&self->crew, 8, 20, LOAD_AES));
	note_why(QUEUE1);
	EXPECT_EQ(2, fact(QUEUE1, "predictor", "engines"));
	EXPECT_LT(0, why("coalesce"));
	EXPECT_EQ(0, queue_stat(QUEUE1, "rescues"));
}

/* A caller who sleeps first and polls in the end. */
TEST_F_TIMEOUT(adaptive, reason_spin, 60)
{
	unsigned int i;

	ASSERT_EQ(0, attr_write(BUS "preference", "throughput"));
	new_card(_metadata, "all_ns=300000");
	ASSERT_NE(0, crew_run(&self->crew, 1, 200, LOAD_AES));
	note_why(QUEUE1);
	EXPECT_LT(0, why("early"));
	/* Sooner than a sleep could end. */
	ASSERT_EQ(0, attr_write(MODEL1, "all_ns=50000"));
	for (i = 0; i < 20 && !why("spin"); i++)
		ASSERT_NE(0, crew_run(&self->crew, 1, 50, LOAD_AES));
	note_why(QUEUE1);
	EXPECT_LT(0, why("spin"));
}

/* Callers who are woken together look for each other. */
TEST_F_TIMEOUT(adaptive, reason_crowd, 60)
{
	new_card(_metadata, "engines=4 all_ns=500000");
	ASSERT_NE(0, crew_run(&self->crew, CREW_MAX, 20, LOAD_AES));
	note_why(QUEUE1);
	EXPECT_LT(0, why("crowd"));
	EXPECT_EQ(0, queue_stat(QUEUE1, "rescues"));
}

static const char * const reasons[] = {
	"idle", "learn", "free", "few", "late", "coalesce", "spin", "early",
	"crowd",
};

static bool is_reason(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(reasons); i++)
		if (!strcmp(name, reasons[i]))
			return true;
	return false;
}

/* Each change of the reason is traced, with its name. */
TEST_F_TIMEOUT(adaptive, trace_names_the_reason, 60)
{
	unsigned int nr = 0, engines, inside, queued;
	char line[256], from[16], to[16], queue[16];
	int fields;
	FILE *f;

	if (access(INSTANCES, F_OK))
		SKIP(return, "no tracefs");
	new_card(_metadata, "engines=2 all_ns=5000000");
	ASSERT_EQ(0, trace_new(TRACE));
	ASSERT_EQ(0, trace_enable(TRACE, "apq_plan", NULL));
	ASSERT_NE(0, crew_run(&self->crew, 8, 20, LOAD_AES));
	EXPECT_LT(0, why("changes"));
	EXPECT_EQ(why("changes"), trace_count(TRACE));
	f = trace_lines(TRACE);
	ASSERT_NE(NULL, f);
	while (fgets(line, sizeof(line), f)) {
		char *at = strstr(line, "apq_plan: ");

		if (!at)
			continue;
		fields = sscanf(at, "apq_plan: queue=%15s from=%15s to=%15s in_card=%u queued=%u engines=%u",
				queue, from, to, &inside, &queued, &engines);
		ASSERT_EQ(6, fields) TH_LOG("%s", at);
		EXPECT_STREQ("01.0000", queue);
		EXPECT_TRUE(is_reason(from)) TH_LOG("%s", from);
		EXPECT_TRUE(is_reason(to)) TH_LOG("%s", to);
		EXPECT_STRNE(from, to);
		/* What is decided follows from what is in the line. */
		if (!strcmp(to, "coalesce"))
			EXPECT_LT(engines, inside) TH_LOG("%s", at);
		nr++;
	}
	fclose(f);
	EXPECT_LT(0, nr);
}

TEST_F(adaptive, knobs)
{
	static const char * const bad_us[] = {
		"0", "1000001", "-1", "5000000000", "soon", "8000us",
	};
	static const char * const bad_preference[] = {
		"latency", "Balanced", "balanced throughput", "[balanced]", "1",
	};
	unsigned int i;

	EXPECT_TRUE(attr_is(BUS "latency_us", LATENCY));
	EXPECT_EQ(0, attr_write(BUS "latency_us", "1"));
	EXPECT_TRUE(attr_is(BUS "latency_us", "1"));
	EXPECT_EQ(0, attr_write(BUS "latency_us", "0xf4240\n"));
	for (i = 0; i < ARRAY_SIZE(bad_us); i++) {
		EXPECT_EQ(-EINVAL, attr_write(BUS "latency_us", bad_us[i])) {
			TH_LOG("%s", bad_us[i]);
		}
	}
	EXPECT_TRUE(attr_is(BUS "latency_us", "1000000"));
	EXPECT_TRUE(attr_is(BUS "preference", "[balanced] throughput"));
	EXPECT_EQ(0, attr_write(BUS "preference", "throughput\n"));
	for (i = 0; i < ARRAY_SIZE(bad_preference); i++) {
		EXPECT_EQ(-EINVAL, attr_write(BUS "preference",
					      bad_preference[i])) {
			TH_LOG("%s", bad_preference[i]);
		}
	}
	EXPECT_TRUE(attr_is(BUS "preference", "balanced [throughput]"));
	EXPECT_EQ(0, attr_write(BUS "preference", "balanced"));
}

TEST_F_TIMEOUT(adaptive, interrupted, 60)
{
	struct load_thread *t = self->crew.t[0];
	uint64_t start;

	/* So that he sleeps early. */
	teach(_metadata, self, "all_ns=1000000000", "all_ns=1000000000");
	crew_start(&self->crew, 1, 1, LOAD_AES, -EINTR);
	ASSERT_TRUE(wait_pending(QUEUE1 "pendingq_count", 1));
	start = now_ns();
	ASSERT_EQ(0, pthread_kill(t->thread, SIGUSR1));
	ASSERT_NE(0, crew_join(&self->crew, 30));
	EXPECT_GT(700 * NSEC_PER_MSEC, now_ns() - start);
	EXPECT_EQ(1, t->refused);
	EXPECT_TRUE(wait_for(queue_stat(QUEUE1, "dropped") == 1, 10));
	EXPECT_EQ(0, queue_stat(QUEUE1, "rescues"));
}

/* A child that sends one request, and is killed when it is inside. */
static void kill_child(struct __test_metadata *_metadata,
		       struct _test_data_adaptive *self, unsigned int kind)
{
	int status;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		crew_one(&self->crew, kind);
		_exit(0);
	}
	ASSERT_TRUE(wait_pending(QUEUE1 "pendingq_count", 1));
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_EQ(0, queue_stat(QUEUE1, "dropped"));
}

TEST_F_TIMEOUT(adaptive, killed, 60)
{
	teach(_metadata, self, "all_ns=1000000000", "all_ns=1000000000");
	kill_child(_metadata, self, LOAD_AES);
	EXPECT_TRUE(wait_for(queue_stat(QUEUE1, "dropped") == 1, 10));
	EXPECT_EQ(0, queue_stat(QUEUE1, "rescues"));
	EXPECT_EQ(4, attr_number(QUEUE1 "request_count"));
}

/* The last reply is one that nobody waits for: its place is given back. */
TEST_F_TIMEOUT(adaptive, killed_beside_others, 60)
{
	new_card(_metadata, "engines=2 sym_ns=1000000 me1k_ns=1000000000");
	kill_child(_metadata, self, LOAD_ME);
	EXPECT_NE(0, crew_one(&self->crew, LOAD_AES));
	EXPECT_EQ(0, queue_stat(QUEUE1, "dropped"));
	EXPECT_TRUE(wait_for(queue_stat(QUEUE1, "dropped") == 1, 10));
	EXPECT_EQ(0, queue_stat(QUEUE1, "rescues"));
}

TEST_HARNESS_MAIN
