// SPDX-License-Identifier: GPL-2.0
/*
 * The service model: what it takes, that no answer comes before the modelled
 * card would have it, and that nothing is lost when the model changes or the
 * card goes.
 * apq-module: hwrng=0
 * apq-timeout: 400
 */

#include <signal.h>
#include <sys/wait.h>
#include "kselftest_harness.h"
#include "common/crew.h"
#include "common/fault.h"
#include "common/module.h"
#include "common/stats.h"

#define MODEL1		CARD1 "service_model"
#define SLACK_NS	(2 * NSEC_PER_SEC)	/* of a busy emulated machine */
#define LATE		" late="

static const char * const modes[] = {
	"timer", "hrtimer", "thread", "irq", "caller", "hybrid", "adaptive",
};

FIXTURE(model)
{
	struct crew crew;
};

FIXTURE_SETUP(model)
{
	ASSERT_EQ(0, model_set("off"));
	ASSERT_EQ(0, attr_write(CARD0 "request_count", "0"));
	crew_init(&self->crew, 8);
}

FIXTURE_TEARDOWN(model)
{
	fault_off_all();
	attr_write(BUS "request_timeout", "15000");
	attr_write(CARD0 "online", "1");
	attr_write(BUS "card_remove", "1");
	model_set("off");
	mode_set("hrtimer");
}

/* The model as it can be written; what follows LATE into @late. */
static long long model_get(char text[ATTR_LEN])
{
	char *late;

	if (attr_read(MODEL0, text) < 0)
		return -1;
	late = strstr(text, LATE);
	if (!late)
		return -1;
	*late = '\0';
	return atoll(late + strlen(LATE));
}

static bool model_is(const char *want)
{
	char text[ATTR_LEN];

	if (model_get(text) >= 0 && !strcmp(text, want))
		return true;
	note("model: %s", text);
	return false;
}

TEST_F(model, presets)
{
	static const char * const presets[] = {
		"cex4a engines=5 jitter=0 me1k_ns=70000 me2k_ns=95000 me4k_ns=1245000 crt1k_ns=210000 crt2k_ns=1140000 crt4k_ns=7290000 sym_ns=0 sym_byte_ps=0",
		"cex5a engines=5 jitter=0 me1k_ns=40000 me2k_ns=45000 me4k_ns=100000 crt1k_ns=90000 crt2k_ns=330000 crt4k_ns=2290000 sym_ns=0 sym_byte_ps=0",
		"cex6a engines=5 jitter=0 me1k_ns=30000 me2k_ns=45000 me4k_ns=100000 crt1k_ns=85000 crt2k_ns=325000 crt4k_ns=2190000 sym_ns=0 sym_byte_ps=0",
		"cex7a engines=5 jitter=0 me1k_ns=30000 me2k_ns=40000 me4k_ns=85000 crt1k_ns=75000 crt2k_ns=270000 crt4k_ns=1810000 sym_ns=0 sym_byte_ps=0",
	};
	char name[8], text[ATTR_LEN];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(presets); i++) {
		snprintf(name, sizeof(name), "%.5s", presets[i]);
		ASSERT_EQ(0, model_set(name));
		EXPECT_TRUE(model_is(presets[i]));
		/* What was read can be written, and says the same. */
		ASSERT_EQ(0, model_set("cex4a jitter=99"));
		ASSERT_EQ(0, model_set(presets[i]));
		ASSERT_LE(0, model_get(text));
		EXPECT_STREQ(strchr(presets[i], ' '), strchr(text, ' '));
	}
}

/* From the first key on, without symmetric times. */
#define TIMES(engines, jitter, me1k, me2k, me4k, crt1k, crt2k, crt4k)	\
	" engines=" #engines " jitter=" #jitter " me1k_ns=" #me1k	\
	" me2k_ns=" #me2k " me4k_ns=" #me4k " crt1k_ns=" #crt1k		\
	" crt2k_ns=" #crt2k " crt4k_ns=" #crt4k

TEST_F(model, keys)
{
	ASSERT_EQ(0, model_set("engines=16 jitter=100 sym_ns=1 "
			       "sym_byte_ps=1000000 me1k_ns=1000000000\n"));
	EXPECT_TRUE(model_is("custom" TIMES(16, 100, 1000000000, 0, 0, 0, 0, 0)
			     " sym_ns=1 sym_byte_ps=1000000"));
	/* What is not named is not kept; later words win; any base. */
	ASSERT_EQ(0, model_set(" all_ns=0x10  crt4k_ns=5\tcrt4k_ns=7"));
	EXPECT_TRUE(model_is("custom" TIMES(1, 0, 16, 16, 16, 16, 16, 7)
			     " sym_ns=16 sym_byte_ps=0"));
	ASSERT_EQ(0, model_set("cex7a engines=1"));
	EXPECT_TRUE(model_is("custom" TIMES(1, 0, 30000, 40000, 85000, 75000,
					    270000, 1810000)
			     " sym_ns=0 sym_byte_ps=0"));
	ASSERT_EQ(0, model_set("off\n"));
	EXPECT_TRUE(attr_is(MODEL0, "off"));
}

TEST_F(model, refused)
{
	static const char * const bad[] = {
		"cex3a", "CEX4A", "cex4", "cex4a cex5a", "engines=2 cex4a",
		"cex4a off", "off cex4a", "engines", "engines=", "=5", "1",
		"engines=0", "engines=17", "engines=-1", "engines=2x",
		"engines=4294967297", "jitter=101", "jitter=-1",
		"sym_byte_ps=1000001", "all_ns=1000000001",
		"sym_ns=1000000001", "me1k_ns=1000000001",
		"crt4k_ns=18446744073709551616", "me3k_ns=1", "late=0",
		"sym_ns=5 bogus=1", "\n", " ",
	};
	char before[ATTR_LEN], after[ATTR_LEN], longest[300];
	unsigned int i;

	ASSERT_EQ(0, model_set("cex5a engines=3"));
	ASSERT_LT(0, attr_read(MODEL0, before));
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, model_set(bad[i])) TH_LOG("%s", bad[i]);
		attr_read(MODEL0, after);
		EXPECT_STREQ(before, after);
	}
	memset(longest, ' ', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	memcpy(longest, "cex4a", 5);
	EXPECT_EQ(-EINVAL, model_set(longest));
	longest[255] = '\0';
	EXPECT_EQ(0, model_set(longest));
}

TEST_F(model, engine_says_modelled)
{
	char text[ATTR_LEN];

	attr_read(CARD0 "engine", text);
	EXPECT_EQ(NULL, strstr(text, "modelled"));
	ASSERT_EQ(0, model_set("cex4a"));
	attr_read(CARD0 "engine", text);
	EXPECT_NE(NULL, strstr(text, " (modelled)")) TH_LOG("%s", text);
	ASSERT_EQ(0, model_set("off"));
	attr_read(CARD0 "engine", text);
	EXPECT_EQ(NULL, strstr(text, "modelled"));
}

/* Requests with and without a caller that waits, copied and pinned. */
TEST_F_TIMEOUT(model, never_early, 100)
{
	static const unsigned int kinds[] = {
		LOAD_AES, LOAD_IN_PLACE, LOAD_ME, LOAD_CRT, LOAD_AFALG,
	};
	unsigned int doors = load_doors();
	uint64_t took, most = 0;
	unsigned int i, n;

	ASSERT_EQ(0, model_set("all_ns=20000000"));
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		ASSERT_EQ(0, mode_set(modes[i]));
		for (n = 0; n < 3 * ARRAY_SIZE(kinds); n++) {
			unsigned int kind = kinds[n % ARRAY_SIZE(kinds)];

			if (!(kind & doors))
				continue;
			took = crew_one(&self->crew, kind);
			EXPECT_LE(20 * NSEC_PER_MSEC, took) {
				TH_LOG("%s, kind 0x%x", modes[i], kind);
			}
			EXPECT_GT(20 * NSEC_PER_MSEC + SLACK_NS, took) {
				TH_LOG("%s, kind 0x%x", modes[i], kind);
			}
			most = took > most ? took : most;
		}
		EXPECT_EQ(0, queue_stat(QUEUE0, "rescues")) {
			TH_LOG("%s", modes[i]);
		}
	}
	note("20 ms took %.1f ms at the most", most / 1e6);
}

/* The answer is computed while it is held, not when it is wanted. */
TEST_F_TIMEOUT(model, computed_early, 60)
{
	char text[ATTR_LEN];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		ASSERT_EQ(0, mode_set(modes[i]));
		ASSERT_EQ(0, model_set("all_ns=20000000"));
		ASSERT_NE(0, crew_run(&self->crew, 1, 20, LOAD_AES));
		/* The machine may have been away once or twice. */
		EXPECT_GE(4, model_get(text)) {
			TH_LOG("%s: %lld of 20 late", modes[i],
			       model_get(text));
		}
	}
}

TEST_F(model, counts_what_is_late)
{
	char text[ATTR_LEN];

	ASSERT_EQ(0, model_set("all_ns=1"));
	ASSERT_NE(0, crew_run(&self->crew, 1, 10, LOAD_CRT));
	EXPECT_EQ(10, model_get(text));
	ASSERT_EQ(0, model_set("all_ns=1"));
	EXPECT_EQ(0, model_get(text));
}

/* An operation without a time is not the modelled card's. */
TEST_F(model, not_held_without_a_time)
{
	ASSERT_EQ(0, model_set("me1k_ns=1000000000"));
	EXPECT_GT(NSEC_PER_SEC, crew_one(&self->crew, LOAD_AES));
	EXPECT_LE(NSEC_PER_SEC, crew_one(&self->crew, LOAD_ME));
	/* Both at once: neither is taken for the other. */
	crew_start(&self->crew, 4, 4, LOAD_AES | LOAD_ME, 0);
	EXPECT_LE(8 * NSEC_PER_SEC, crew_join(&self->crew, 30));
}

TEST_F(model, time_per_byte)
{
	ASSERT_EQ(0, model_set("sym_byte_ps=1000000 me1k_ns=1"));
	EXPECT_LE(LOAD_PINNED * 1000ULL, crew_one(&self->crew, LOAD_IN_PLACE));
	ASSERT_EQ(0, model_set("sym_ns=50000000 sym_byte_ps=1000000"));
	EXPECT_LE(50 * NSEC_PER_MSEC + LOAD_PINNED * 1000ULL,
		  crew_one(&self->crew, LOAD_IN_PLACE));
}

TEST_F_TIMEOUT(model, engines_work_at_once, 60)
{
	unsigned int i;
	uint64_t took;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		ASSERT_EQ(0, mode_set(modes[i]));
		ASSERT_EQ(0, model_set("engines=2 all_ns=1000000000"));
		took = crew_run(&self->crew, 2, 1, LOAD_AES);
		EXPECT_LE(NSEC_PER_SEC, took) TH_LOG("%s", modes[i]);
		EXPECT_GT(2 * NSEC_PER_SEC, took) TH_LOG("%s", modes[i]);
		ASSERT_EQ(0, model_set("engines=1 all_ns=1000000000"));
		took = crew_run(&self->crew, 2, 1, LOAD_AES);
		EXPECT_LE(2 * NSEC_PER_SEC, took) TH_LOG("%s", modes[i]);
		EXPECT_GT(2 * NSEC_PER_SEC + SLACK_NS, took) {
			TH_LOG("%s", modes[i]);
		}
	}
}

/* Eight answers, one each second; @text comes when all are inside. */
static void change_in_flight(struct __test_metadata *_metadata,
			     struct _test_data_model *self, const char *text)
{
	unsigned int i;
	uint64_t took;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		ASSERT_EQ(0, mode_set(modes[i]));
		ASSERT_EQ(0, model_set("all_ns=1000000000"));
		crew_start(&self->crew, 8, 1, LOAD_AES | LOAD_IN_PLACE, 0);
		ASSERT_TRUE(wait_pending(CARD0 "pendingq_count", 8));
		ASSERT_EQ(0, model_set(text));
		took = crew_join(&self->crew, 30);
		EXPECT_LT(0, took) TH_LOG("%s", modes[i]);
		EXPECT_GT(4 * NSEC_PER_SEC, took) {
			TH_LOG("%s: %.1f s", modes[i], took / 1e9);
		}
		EXPECT_EQ(0, queue_stat(QUEUE0, "rescues")) {
			TH_LOG("%s", modes[i]);
		}
	}
	EXPECT_EQ(8 * ARRAY_SIZE(modes), attr_number(CARD0 "request_count"));
}

TEST_F_TIMEOUT(model, turned_off_in_flight, 100)
{
	change_in_flight(_metadata, self, "off");
}

TEST_F_TIMEOUT(model, changed_in_flight, 100)
{
	change_in_flight(_metadata, self, "all_ns=1000");
}

TEST_F_TIMEOUT(model, card_removed, 60)
{
	uint64_t start;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		ASSERT_EQ(0, mode_set(modes[i]));
		ASSERT_EQ(0, attr_write(BUS "card_add", "1"));
		ASSERT_EQ(0, attr_write(MODEL1, "all_ns=1000000000"));
		ASSERT_EQ(0, attr_write(CARD0 "online", "0"));
		crew_start(&self->crew, 8, 1, LOAD_AES, 0);
		ASSERT_TRUE(wait_pending(CARD1 "pendingq_count", 8));
		ASSERT_EQ(0, attr_write(CARD0 "online", "1"));
		start = now_ns();
		ASSERT_EQ(0, attr_write(BUS "card_remove", "1"));
		EXPECT_GT(3 * NSEC_PER_SEC, now_ns() - start);
		EXPECT_NE(0, crew_join(&self->crew, 30)) TH_LOG("%s", modes[i]);
		EXPECT_GT(4 * NSEC_PER_SEC, now_ns() - self->crew.start);
	}
}

/* What is computed is answered, what is not has no other card. */
static void go_and_come(struct __test_metadata *_metadata,
			struct _test_data_model *self, const char *file,
			const char *go, const char *come)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		ASSERT_EQ(0, mode_set(modes[i]));
		ASSERT_EQ(0, model_set("engines=8 all_ns=1000000000"));
		crew_start(&self->crew, 8, 1, LOAD_AES | LOAD_ME, -ENODEV);
		ASSERT_TRUE(wait_pending(CARD0 "pendingq_count", 8));
		ASSERT_EQ(0, attr_write(file, go));
		EXPECT_NE(0, crew_join(&self->crew, 30)) TH_LOG("%s", modes[i]);
		ASSERT_EQ(0, attr_write(file, come));
		EXPECT_LE(NSEC_PER_SEC, crew_one(&self->crew, LOAD_AES));
		EXPECT_TRUE(wait_for(attr_is(QUEUE0 "states",
					     "OPERATING [IDLE]"), 10));
		EXPECT_EQ(0, attr_number(QUEUE0 "pendingq_count"));
	}
}

TEST_F_TIMEOUT(model, card_offline, 100)
{
	go_and_come(_metadata, self, CARD0 "online", "0", "1");
}

TEST_F_TIMEOUT(model, card_deconfigured, 100)
{
	go_and_come(_metadata, self, CARD0 "config", "0", "1");
}

/* Written twice: into a queue with requests, into one without. */
TEST_F_TIMEOUT(model, queue_reset, 100)
{
	go_and_come(_metadata, self, QUEUE0 "reset", "1", "1");
	EXPECT_EQ(0, crew_refused(&self->crew));
}

/* Its caller is dead, its reply held: the module still goes, and soon. */
TEST_F_TIMEOUT(model, module_removed, 60)
{
	uint64_t start;
	unsigned int i;
	int status;
	pid_t pid;

	crew_close(&self->crew);
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		ASSERT_EQ(0, mode_set(modes[i]));
		ASSERT_EQ(0, model_set("all_ns=1000000000"));
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid) {
			self->crew.t[0] = load_thread_new(&self->crew.load, 0);
			crew_one(&self->crew, LOAD_AES);
			_exit(0);
		}
		ASSERT_TRUE(wait_pending(CARD0 "pendingq_count", 1));
		ASSERT_EQ(0, kill(pid, SIGKILL));
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_TRUE(WIFSIGNALED(status));
		start = now_ns();
		/* Files of a task that was killed may be closed late. */
		EXPECT_TRUE(wait_for(!module_remove(), 10)) {
			TH_LOG("%s", modes[i]);
		}
		EXPECT_GT(3 * NSEC_PER_SEC, now_ns() - start);
		ASSERT_EQ(0, module_load("hwrng=0"));
	}
}

/* Faults lie over the model. */
TEST_F_TIMEOUT(model, with_faults, 100)
{
	static const char * const kinds[] = {
		"lose", "delay", "duplicate", "reorder", "full", "reset",
	};
	unsigned int i, n;

	if (access(FAULTS, F_OK))
		SKIP(return, "no debugfs");
	ASSERT_EQ(0, attr_write(BUS "request_timeout", "300"));
	ASSERT_EQ(0, model_set("engines=2 all_ns=3000000"));
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		ASSERT_EQ(0, mode_set(modes[i]));
		for (n = 0; n < ARRAY_SIZE(kinds); n++) {
			ASSERT_EQ(0, fault_on(kinds[n], 2));
			EXPECT_NE(0, crew_run(&self->crew, 4, 10,
					      LOAD_ME | LOAD_CRT | LOAD_AES)) {
				TH_LOG("%s, %s", modes[i], kinds[n]);
			}
			ASSERT_EQ(0, fault_off(kinds[n]));
		}
	}
	for (n = 0; n < ARRAY_SIZE(kinds); n++)
		EXPECT_LE(2 * ARRAY_SIZE(modes),
			  (unsigned long)fault_injected(kinds[n]));
	EXPECT_TRUE(wait_for(attr_is(QUEUE0 "states", "OPERATING [IDLE]"), 10));
}

/* Counts below 1, 2 and 4 times 2^24 ns and above, of service_ns. */
static void service_hist(unsigned long count[4])
{
	char text[STATS_LEN];
	const char *p;

	memset(count, 0, 4 * sizeof(*count));
	if (stats_read(QUEUE0, text) < 0)
		return;
	for (p = stats_line(text, "service_ns"); p && *p != '\n'; p++) {
		unsigned long long end;
		unsigned long nr;

		if (sscanf(p, "<%llu:%lu", &end, &nr) == 2)
			count[end <= 1 << 24 ? 0 : end == 1 << 25 ? 1 :
			      end == 1 << 26 ? 2 : 3] += nr;
	}
}

/* From half to one and a half of 32 Mi ns, and the same from each start. */
TEST_F_TIMEOUT(model, jitter_in_range, 60)
{
	unsigned long first[4], second[4];
	char text[ATTR_LEN];
	long long late;

	ASSERT_EQ(0, mode_set("irq"));
	ASSERT_EQ(0, model_set("sym_ns=33554433"));
	ASSERT_NE(0, crew_run(&self->crew, 1, 50, LOAD_AES));
	service_hist(first);
	/* Without jitter all are the same. */
	EXPECT_LE(40, first[2]);
	ASSERT_EQ(0, attr_write(CARD0 "request_count", "0"));
	ASSERT_EQ(0, model_set("sym_ns=33554433 jitter=49"));
	ASSERT_NE(0, crew_run(&self->crew, 1, 100, LOAD_AES));
	service_hist(first);
	late = model_get(text);
	note("%lu, %lu, %lu, %lu; %lld late", first[0], first[1], first[2],
	     first[3], late);
	EXPECT_EQ(0, first[0]);
	EXPECT_LE(25, first[1]);
	EXPECT_LE(25, first[2]);
	EXPECT_GE((unsigned long)late, first[3]);
	ASSERT_EQ(0, attr_write(CARD0 "request_count", "0"));
	ASSERT_EQ(0, model_set("sym_ns=33554433 jitter=49"));
	ASSERT_NE(0, crew_run(&self->crew, 1, 100, LOAD_AES));
	service_hist(second);
	late += model_get(text);
	EXPECT_GE(late, labs((long)(first[1] - second[1])));
}

/* More callers than the card has places. */
TEST_F_TIMEOUT(model, many_callers, 100)
{
	unsigned int i;

	ASSERT_EQ(0, model_set("engines=3 all_ns=500000 jitter=100"));
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		ASSERT_EQ(0, mode_set(modes[i]));
		EXPECT_NE(0, crew_run(&self->crew, 8, 20, LOAD_SHORT)) {
			TH_LOG("%s", modes[i]);
		}
	}
	EXPECT_EQ(0, queue_stat(QUEUE0, "rescues"));
	EXPECT_EQ(0, queue_stat(QUEUE0, "timeouts"));
	EXPECT_EQ(0, attr_number(QUEUE0 "pendingq_count"));
}

TEST_HARNESS_MAIN
