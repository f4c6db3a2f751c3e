// SPDX-License-Identifier: GPL-2.0
/*
 * Each fault of a card alone, under load, in every completion mode: every
 * request gets one answer that is right, or the error that is documented for
 * the case, and the counts say what happened.
 * apq-module: hwrng=0
 * apq-timeout: 600
 */

#include <sched.h>
#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/fault.h"
#include "common/load.h"
#include "common/note.h"
#include "common/stats.h"

#define TIMEOUT		"300"	/* request_timeout where a reply is lost */
#define TIMEOUT_MS	300
#define REQUESTS	40	/* of each thread, more than there are faults */
#define DEADLINE	60	/* seconds, for a busy emulated machine */
/* RSA has no input that could be lost, copied AES has it twice. */
#define REPEATABLE	(LOAD_ME | LOAD_CRT | LOAD_AES)

static const char * const mode_names[] = {
	"timer", "hrtimer", "thread", "irq", "caller", "hybrid", "adaptive",
};

#define NR_MODES	(sizeof(mode_names) / sizeof(mode_names[0]))

FIXTURE(fault)
{
	struct load load;
	struct load_thread *t;		/* for one request at a time */
};

FIXTURE_SETUP(fault)
{
	if (access(FAULTS, F_OK))
		SKIP(return, "no debugfs");
	ASSERT_EQ(0, fault_off_all());
	load_rsa_init(&self->load.rsa);
	self->t = load_thread_new(&self->load, 77);
	self->t->nr = 1;
}

FIXTURE_TEARDOWN(fault)
{
	fault_off_all();
	fault_set("delay", "delay_ms", 50);
	fault_set("status", "code", 0x90);
	attr_write(BUS "request_timeout", "15000");
	attr_write(BUS "card_remove", "1");
	mode_set("hrtimer");
}

static long long stat0(const char *name)
{
	return queue_stat(QUEUE0, name);
}

static bool idle(void)
{
	return wait_for(attr_is(QUEUE0 "pendingq_count", "0") &&
			attr_is(QUEUE0 "requestq_count", "0") &&
			attr_is(QUEUE0 "load", "0") &&
			attr_is(CARD0 "load", "0") &&
			attr_is(QUEUE0 "states", "OPERATING [IDLE]"), 10);
}

/* One request; its errno. */
static int one(struct load_thread *t, unsigned int kind)
{
	t->kinds = kind;
	t->error = 0;
	load_thread_fn(t);
	return t->error;
}

static void threads_free(struct load *l)
{
	unsigned int i;

	for (i = 0; i < LOAD_THREADS; i++) {
		struct load_thread *t = l->threads[i];

		close(t->z90crypt);
		close(t->apq);
		close(t->afalg[1]);
		close(t->afalg[0]);
		EVP_CIPHER_CTX_free(t->evp);
		free(t);
	}
}

/* Requests that ended with the error that the load allows. */
static unsigned int refused(struct load *l)
{
	unsigned int i, sum = 0;

	for (i = 0; i < LOAD_THREADS; i++)
		sum += l->threads[i]->refused;
	return sum;
}

/* Of faults under load; a test that wants another one has its own process. */
static unsigned int probability = FAULT_ALWAYS;

/*
 * @times faults of one kind at the first opportunities of a load, in @mode.
 * Returns how many requests ended with @allowed. The load compares answers.
 */
static unsigned int disturb(struct __test_metadata *_metadata,
			    struct _test_data_fault *self, const char *mode,
			    const char *kind, long times, unsigned int kinds,
			    int allowed)
{
	long long before = fault_injected(kind);
	unsigned int nr;

	ASSERT_EQ(0, mode_set(mode));
	ASSERT_EQ(0, attr_write(CARD0 "request_count", "0"));
	ASSERT_EQ(0, fault_on(kind, times));
	ASSERT_EQ(0, fault_set(kind, "probability", probability));
	load_start(&self->load, REQUESTS, kinds, allowed);
	ASSERT_TRUE(load_join(&self->load, DEADLINE)) {
		TH_LOG("%s in mode %s", kind, mode);
	}
	EXPECT_EQ(LOAD_THREADS * REQUESTS, load_done(&self->load));
	EXPECT_EQ(times, fault_injected(kind) - before) {
		TH_LOG("%s in mode %s", kind, mode);
	}
	EXPECT_EQ(0, fault_get(kind, "times"));
	EXPECT_TRUE(idle()) TH_LOG("%s in mode %s", kind, mode);
	nr = refused(&self->load);
	threads_free(&self->load);
	ASSERT_EQ(0, fault_off(kind));
	return nr;
}

/* The watchdog resets the queue, which sends what was lost again. */
TEST_F_TIMEOUT(fault, lose, 300)
{
	const long times = 6;
	unsigned int i;

	ASSERT_EQ(0, attr_write(BUS "request_timeout", TIMEOUT));
	for (i = 0; i < NR_MODES; i++) {
		EXPECT_EQ(0, disturb(_metadata, self, mode_names[i], "lose",
				     times, REPEATABLE, 0));
		EXPECT_LE(1, stat0("timeouts"));
		EXPECT_GE(times, stat0("timeouts"));
		EXPECT_EQ(0, stat0("unknown"));
		EXPECT_EQ(0, stat0("errors"));
	}
}

/* Not before request_timeout, and at the third look of the watchdog after. */
TEST_F_TIMEOUT(fault, lost_reply_takes_request_timeout, 60)
{
	uint64_t start;

	ASSERT_EQ(0, attr_write(BUS "request_timeout", TIMEOUT));
	ASSERT_EQ(0, fault_on("lose", 1));
	start = now_ns();
	ASSERT_EQ(0, one(self->t, LOAD_CRT));
	EXPECT_LE(TIMEOUT_MS * NSEC_PER_MSEC, now_ns() - start);
	EXPECT_GT(5 * NSEC_PER_SEC, now_ns() - start);
}

/* The output is there already, where the input was: it cannot be repeated. */
TEST_F_TIMEOUT(fault, lose_in_place, 120)
{
	const long times = 3;

	ASSERT_EQ(0, attr_write(BUS "request_timeout", TIMEOUT));
	EXPECT_EQ(times, disturb(_metadata, self, "hrtimer", "lose", times,
				 LOAD_IN_PLACE, -EIO));
	EXPECT_LE(1, stat0("timeouts"));
}

TEST_F_TIMEOUT(fault, delay, 300)
{
	unsigned int i;

	ASSERT_EQ(0, fault_set("delay", "delay_ms", 30));
	for (i = 0; i < NR_MODES; i++) {
		EXPECT_EQ(0, disturb(_metadata, self, mode_names[i], "delay",
				     20, LOAD_SHORT, 0));
		EXPECT_EQ(0, stat0("timeouts"));
		EXPECT_EQ(0, stat0("unknown"));
	}
}

TEST_F_TIMEOUT(fault, delayed_reply_is_late, 60)
{
	long long before = fault_injected("delay");
	uint64_t start;

	ASSERT_EQ(0, fault_set("delay", "delay_ms", 200));
	ASSERT_EQ(0, fault_on("delay", 1));
	start = now_ns();
	ASSERT_EQ(0, one(self->t, LOAD_IN_PLACE));
	/* One jiffy less, since that is how it is counted. */
	EXPECT_LE(190 * NSEC_PER_MSEC, now_ns() - start);
	EXPECT_EQ(before + 1, fault_injected("delay"));
}

/* The second reply to a request finds nobody, now or with a later poll. */
TEST_F_TIMEOUT(fault, duplicate, 300)
{
	const long times = 20;
	unsigned int i;

	for (i = 0; i < NR_MODES; i++) {
		EXPECT_EQ(0, disturb(_metadata, self, mode_names[i],
				     "duplicate", times, LOAD_SHORT, 0));
		/* Two that follow take the last one, wherever it hangs. */
		EXPECT_EQ(0, one(self->t, LOAD_CRT));
		EXPECT_EQ(0, one(self->t, LOAD_CRT));
		EXPECT_EQ(times, stat0("unknown"));
		EXPECT_EQ(0, stat0("timeouts"));
		EXPECT_EQ(LOAD_THREADS * REQUESTS + 2,
			  attr_number(QUEUE0 "request_count"));
	}
}

TEST_F_TIMEOUT(fault, reorder, 300)
{
	unsigned int i;

	for (i = 0; i < NR_MODES; i++) {
		EXPECT_EQ(0, disturb(_metadata, self, mode_names[i], "reorder",
				     20, LOAD_SHORT, 0));
		EXPECT_EQ(0, stat0("timeouts"));
		EXPECT_EQ(0, stat0("unknown"));
		EXPECT_EQ(0, stat0("dropped"));
	}
}

/* A code that is worth another try, and few enough of them. */
TEST_F_TIMEOUT(fault, status, 300)
{
	const long times = 9;
	unsigned int i;

	for (i = 0; i < NR_MODES; i++) {
		EXPECT_EQ(0, disturb(_metadata, self, mode_names[i], "status",
				     times, REPEATABLE, 0));
		EXPECT_EQ(times, stat0("errors"));
		EXPECT_EQ(LOAD_THREADS * REQUESTS + times,
			  attr_number(QUEUE0 "request_count"));
	}
}

/* Nine failures are survived, ten are EIO, for waiters and for callbacks. */
TEST_F_TIMEOUT(fault, ten_tries, 60)
{
	static const unsigned int kinds[] = { LOAD_CRT, LOAD_AES, LOAD_AFALG };
	unsigned int doors = load_doors(), i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!(kinds[i] & doors))
			continue;
		ASSERT_EQ(0, attr_write(CARD0 "request_count", "0"));
		ASSERT_EQ(0, fault_on("status", 9));
		EXPECT_EQ(0, one(self->t, kinds[i])) TH_LOG("%u", i);
		EXPECT_EQ(9, stat0("errors"));
		ASSERT_EQ(0, fault_on("status", 10));
		EXPECT_EQ(-EIO, one(self->t, kinds[i])) TH_LOG("%u", i);
		EXPECT_EQ(0, fault_get("status", "times"));
		EXPECT_EQ(19, stat0("errors"));
		EXPECT_TRUE(idle());
	}
}

/* The first failure after the work is the end of it. */
TEST_F_TIMEOUT(fault, status_in_place, 60)
{
	ASSERT_EQ(0, fault_on("status", 1));
	EXPECT_EQ(-EIO, one(self->t, LOAD_IN_PLACE));
	EXPECT_EQ(0, one(self->t, LOAD_IN_PLACE));
	EXPECT_TRUE(idle());
}

/* A code that says that the request is bad: no other try. */
TEST_F_TIMEOUT(fault, status_of_a_bad_request, 60)
{
	ASSERT_EQ(0, fault_set("status", "code", 0x82));
	ASSERT_EQ(0, fault_on("status", 1));
	EXPECT_EQ(-EINVAL, one(self->t, LOAD_CRT));
	EXPECT_EQ(0, one(self->t, LOAD_CRT));
	EXPECT_TRUE(idle());
}

TEST_F_TIMEOUT(fault, full, 300)
{
	unsigned int i;

	for (i = 0; i < NR_MODES; i++) {
		EXPECT_EQ(0, disturb(_metadata, self, mode_names[i], "full", 20,
				     LOAD_SHORT, 0));
		EXPECT_EQ(0, stat0("timeouts"));
		EXPECT_EQ(0, stat0("errors"));
	}
}

/*
 * What was inside is answered or sent again; fewer times than ten tries. The
 * first ones must find their way in for that.
 */
TEST_F_TIMEOUT(fault, reset, 300)
{
	unsigned int i;

	probability = 200;
	for (i = 0; i < NR_MODES; i++) {
		EXPECT_EQ(0, disturb(_metadata, self, mode_names[i], "reset", 8,
				     LOAD_SHORT, 0));
		EXPECT_EQ(0, stat0("timeouts"));
		EXPECT_EQ(0, stat0("unknown"));
		EXPECT_EQ(0, stat0("errors"));
	}
}

/* An empty card that is full or in a reset is asked again each 40 ms. */
TEST_F_TIMEOUT(fault, card_takes_its_time, 60)
{
	static const char * const kinds[] = { "full", "reset" };
	unsigned int i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		uint64_t start;

		ASSERT_EQ(0, fault_on(kinds[i], 5));
		start = now_ns();
		EXPECT_EQ(0, one(self->t, LOAD_CRT)) TH_LOG("%s", kinds[i]);
		/* The first time may come one tick early. */
		EXPECT_LE(5 * 36 * NSEC_PER_MSEC, now_ns() - start);
		EXPECT_EQ(0, fault_get(kinds[i], "times"));
	}
}

/* The only card goes and comes back: nothing is usable in between. */
TEST_F_TIMEOUT(fault, vanish, 300)
{
	unsigned int i;

	ASSERT_EQ(0, fault_set("vanish", "duration_ms", 300));
	for (i = 0; i < NR_MODES; i++) {
		EXPECT_LE(1, disturb(_metadata, self, mode_names[i], "vanish",
				     1, REPEATABLE, -ENODEV));
		EXPECT_EQ(0, one(self->t, LOAD_CRT));
	}
}

TEST_F_TIMEOUT(fault, vanished_card_says_so, 60)
{
	ASSERT_EQ(0, fault_set("vanish", "duration_ms", 500));
	ASSERT_EQ(0, fault_on("vanish", 1));
	EXPECT_EQ(-ENODEV, one(self->t, LOAD_CRT));
	EXPECT_TRUE(attr_is(QUEUE0 "last_err_rc", "Q_NOT_AVAIL"));
	EXPECT_EQ(-ENODEV, one(self->t, LOAD_CRT));
	EXPECT_TRUE(idle());
	EXPECT_EQ(0, one(self->t, LOAD_CRT));
}

/* With another card nobody notices. */
TEST_F_TIMEOUT(fault, vanish_beside_another_card, 300)
{
	unsigned int i;

	ASSERT_EQ(0, attr_write(BUS "card_add", "1"));
	ASSERT_EQ(0, fault_set("vanish", "duration_ms", 300));
	ASSERT_EQ(0, fault_set("vanish", "card", 0));
	for (i = 0; i < NR_MODES; i++) {
		EXPECT_EQ(0, disturb(_metadata, self, mode_names[i], "vanish",
				     1, REPEATABLE, 0));
		EXPECT_TRUE(attr_is(QUEUE1 "states", "OPERATING [IDLE]"));
	}
}

/* With faults switched on too, idle cards are taken in turn. */
TEST_F_TIMEOUT(fault, cards_in_turn, 60)
{
	unsigned int i;
	cpu_set_t cpu;

	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(cpu), &cpu));
	ASSERT_EQ(0, attr_write(BUS "card_add", "1"));
	ASSERT_EQ(0, mode_set("caller"));
	ASSERT_EQ(0, fault_on("lose", 0));
	ASSERT_EQ(0, attr_write(CARD0 "request_count", "0"));
	ASSERT_EQ(0, attr_write(CARD1 "request_count", "0"));
	for (i = 0; i < 10; i++)
		ASSERT_EQ(0, one(self->t, LOAD_CRT));
	EXPECT_EQ(5, attr_number(CARD0 "request_count"));
	EXPECT_EQ(5, attr_number(CARD1 "request_count"));
}

/* A fault for one card leaves the others alone. */
TEST_F_TIMEOUT(fault, of_one_card, 60)
{
	ASSERT_EQ(0, attr_write(BUS "card_add", "1"));
	ASSERT_EQ(0, attr_write(CARD0 "online", "0"));
	ASSERT_EQ(0, fault_set("status", "card", 0));
	ASSERT_EQ(0, fault_on("status", -1));
	EXPECT_EQ(0, one(self->t, LOAD_CRT));
	ASSERT_EQ(0, attr_write(CARD0 "online", "1"));
	ASSERT_EQ(0, attr_write(CARD1 "online", "0"));
	EXPECT_EQ(-EIO, one(self->t, LOAD_CRT));
}

/* Every file refuses what is out of range and keeps what it had. */
TEST_F(fault, ranges)
{
	unsigned int i;

	for (i = 0; i < NR_FAULT_KINDS; i++) {
		EXPECT_EQ(-EINVAL, fault_set(fault_kinds[i], "probability",
					     1001));
		EXPECT_EQ(0, fault_get(fault_kinds[i], "probability"));
		EXPECT_EQ(-EINVAL, fault_set(fault_kinds[i], "card", 64));
		EXPECT_EQ(-EINVAL, fault_set(fault_kinds[i], "card", -2));
		EXPECT_EQ(-1, fault_get(fault_kinds[i], "card"));
		EXPECT_EQ(0, fault_set(fault_kinds[i], "card", 63));
	}
	EXPECT_EQ(-EINVAL, fault_set("delay", "delay_ms", 60001));
	EXPECT_EQ(-EINVAL, fault_set("status", "code", 256));
	EXPECT_EQ(-EINVAL, fault_set("vanish", "duration_ms", 60001));
}

TEST_HARNESS_MAIN
