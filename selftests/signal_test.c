// SPDX-License-Identifier: GPL-2.0
/*
 * Callers that leave while their request is in flight: by a signal, by their
 * limit of time, by being killed. The answers come late, since nobody looks
 * for a hundred seconds; they must find nobody and harm nothing. That the module can
 * be removed afterwards is checked by the runner. apq-timeout: 120
 */

#include <signal.h>
#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/guard.h"
#include "common/load.h"
#include "common/nist.h"

#define LATE		"100000000000"
#define LATE_NS		(100 * NSEC_PER_SEC)
#define SOON		"250000"
#define MIB		(1U << 20)
#define DEPTH		8
#define CHILDREN	20		/* more than the card has room for */
#define LONG_CHILDREN	2		/* of them with requests of 4096 bits */

FIXTURE(leaver)
{
	struct load load;
	struct load_thread *t;
	int des3;			/* a session that takes its time */
};

static void ignore(int signal)
{
	(void)signal;
}

FIXTURE_SETUP(leaver)
{
	struct sigaction sa = { .sa_handler = ignore };

	ASSERT_EQ(0, sigaction(SIGUSR1, &sa, NULL));
	load_rsa_init(&self->load.rsa);
	self->t = load_thread_new(&self->load, 0);
	self->t->nr = 1;
	self->des3 = session_create(self->t->apq, APQ_ALG_DES3_CBC,
				    nist_des3_key, 24);
	ASSERT_LT(0, self->des3);
	ASSERT_EQ(0, attr_write(BUS "poll_timeout", LATE));
}

FIXTURE_TEARDOWN(leaver)
{
	attr_write(BUS "poll_timeout", SOON);
}

static long long in_flight(void)
{
	return attr_number(CARD0 "pendingq_count") +
	       attr_number(CARD0 "requestq_count");
}

/* No request is left, and the next ones of all kinds get their own answers. */
static void all_well(struct __test_metadata *_metadata,
		     struct _test_data_leaver *self)
{
	EXPECT_TRUE(wait_for(in_flight() == 0, 5));
	EXPECT_TRUE(wait_for(attr_is(CARD0 "load", "0"), 5));
	ASSERT_EQ(0, attr_write(BUS "poll_timeout", SOON));
	load_start(&self->load, 20, LOAD_SHORT, 0);
	EXPECT_TRUE(load_join(&self->load, 20));
}

/* Sends a signal to the thread as soon as its request is in flight. */
static bool interrupt(struct load_thread *t)
{
	if (pthread_create(&t->thread, NULL, load_thread_fn, t))
		return false;
	if (!wait_for(in_flight() == 1, 10))
		return false;
	pthread_kill(t->thread, SIGUSR1);
	return true;
}

static void interrupted(struct __test_metadata *_metadata,
			struct _test_data_leaver *self, unsigned int kind)
{
	uint64_t start = now_ns();

	self->t->kinds = kind;
	ASSERT_TRUE(interrupt(self->t));
	ASSERT_EQ(0, pthread_join(self->t->thread, NULL));
	EXPECT_EQ(-EINTR, self->t->error);
	EXPECT_GT(LATE_NS, now_ns() - start);
	all_well(_metadata, self);
}

TEST_F(leaver, rsa_interrupted)
{
	interrupted(_metadata, self, LOAD_CRT);
}

/* Its engine is still working on it when the caller is gone. */
TEST_F(leaver, long_rsa_interrupted)
{
	interrupted(_metadata, self, LOAD_CRT_2048);
}

TEST_F(leaver, copied_aes_interrupted)
{
	interrupted(_metadata, self, LOAD_AES);
}

TEST_F(leaver, pinned_aes_interrupted)
{
	interrupted(_metadata, self, LOAD_IN_PLACE);
}

/* With SA_RESTART the request starts anew and nobody notices. */
TEST_F(leaver, restarted)
{
	struct sigaction sa = { .sa_handler = ignore, .sa_flags = SA_RESTART };

	ASSERT_EQ(0, sigaction(SIGUSR1, &sa, NULL));
	self->t->kinds = LOAD_CRT;
	ASSERT_TRUE(interrupt(self->t));
	ASSERT_TRUE(wait_for(in_flight() == 1, 10));
	ASSERT_EQ(0, attr_write(BUS "poll_timeout", SOON));
	ASSERT_EQ(0, pthread_join(self->t->thread, NULL));
	EXPECT_EQ(0, self->t->error);
	all_well(_metadata, self);
}

/* The limit of the request itself, for copied and for pinned data. */
TEST_F(leaver, timed_out)
{
	static const unsigned int lens[] = { 64, 4 * 4096 };
	uint8_t *data = map_pages(4);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		struct apq_op op = op_init(self->des3, APQ_OP_ENCRYPT, data,
					   data, lens[i]);
		uint64_t start = now_ns();

		op.timeout_ms = 300;
		EXPECT_EQ(-ETIMEDOUT, op_run(self->t->apq, &op));
		EXPECT_LE(300 * NSEC_PER_MSEC, now_ns() - start);
		EXPECT_GT(LATE_NS, now_ns() - start);
	}
	all_well(_metadata, self);
}

/*
 * The late reply of a request that is gone must not become the answer of the
 * next one: both were sent to the same queue.
 */
TEST_F(leaver, late_reply_is_nobodys)
{
	self->t->kinds = LOAD_CRT;
	ASSERT_TRUE(interrupt(self->t));
	ASSERT_EQ(0, pthread_join(self->t->thread, NULL));
	ASSERT_EQ(-EINTR, self->t->error);
	self->t->error = 0;
	self->t->kinds = LOAD_ME;
	ASSERT_EQ(0, attr_write(BUS "poll_timeout", SOON));
	load_thread_fn(self->t);
	EXPECT_EQ(0, self->t->error);
}

/* One request that keeps the engine busy while others are sent. */
static int long_request(struct _test_data_leaver *self)
{
	static struct rsa_key key;
	uint8_t out[RSA_MAX_LEN];

	rsa_key_load(&key, 4096);
	return rsa_me(self->t->z90crypt, &key, key.in, out);
}

static int short_request(struct _test_data_leaver *self, unsigned int i)
{
	static const unsigned int kinds[] = {
		LOAD_CRT, LOAD_AES, LOAD_IN_PLACE, LOAD_ME,
	};

	self->t->kinds = kinds[i % ARRAY_SIZE(kinds)];
	load_thread_fn(self->t);
	return self->t->error;
}

/*
 * Children that each have one request in flight, the long ones first: a
 * request that is sent when a reply is ready takes that reply along, so all
 * must be sent before the first is ready. False: not all are in flight.
 */
static bool start_children(struct _test_data_leaver *self, pid_t *pids)
{
	atomic_bool *go = mmap(NULL, page_size(), PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned int i;
	int ret;

	for (i = 0; i < CHILDREN; i++) {
		pids[i] = fork();
		if (pids[i])
			continue;
		if (!wait_for(atomic_load(go), 20))
			_exit(1);
		/* The long ones are first in the list, and first in time. */
		if (i >= LONG_CHILDREN &&
		    !wait_for(in_flight() >= LONG_CHILDREN, 10))
			_exit(1);
		ret = i < LONG_CHILDREN ? long_request(self) :
					  short_request(self, i);
		_exit(!!ret);
	}
	atomic_store(go, true);
	return wait_for(in_flight() == CHILDREN, 14);
}

/* The card holds as many as it is deep, the others wait in the queue. */
TEST_F(leaver, killed)
{
	pid_t pids[CHILDREN];
	uint64_t start;
	unsigned int i;
	int status;

	EXPECT_TRUE(start_children(self, pids));
	EXPECT_EQ(DEPTH, attr_number(CARD0 "pendingq_count"));
	EXPECT_EQ(CHILDREN - DEPTH, attr_number(CARD0 "requestq_count"));
	start = now_ns();
	for (i = 0; i < CHILDREN; i++)
		ASSERT_EQ(0, kill(pids[i], SIGKILL));
	for (i = 0; i < CHILDREN; i++) {
		ASSERT_EQ(pids[i], waitpid(pids[i], &status, 0));
		EXPECT_TRUE(WIFSIGNALED(status));
	}
	EXPECT_GT(LATE_NS, now_ns() - start);
	all_well(_metadata, self);
}

/* More than the card is deep, and nobody leaves: all of them are answered. */
TEST_F(leaver, queue_longer_than_the_card)
{
	pid_t pids[CHILDREN];
	unsigned int i;
	int status;

	EXPECT_TRUE(start_children(self, pids));
	ASSERT_EQ(0, attr_write(BUS "poll_timeout", SOON));
	for (i = 0; i < CHILDREN; i++) {
		ASSERT_EQ(pids[i], waitpid(pids[i], &status, 0));
		EXPECT_EQ(0, status);
	}
	all_well(_metadata, self);
}

static bool same(const uint8_t *shared, const uint8_t *copy)
{
	return !memcmp(shared, copy, MIB);
}

/*
 * Pinned memory of a caller that was killed in the middle of the work: once
 * the caller is gone nobody writes to it any more. Others may share it, as
 * this test does, or get its pages.
 */
TEST_F(leaver, memory_is_left_alone_after_a_kill)
{
	uint8_t *shared = mmap(NULL, MIB, PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	static uint8_t copy[MIB];
	long long service;
	int status;
	pid_t pid;

	ASSERT_NE(MAP_FAILED, (void *)shared);
	service = attr_number(CARD0 "service_ns");
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		op_crypt(self->t->apq, self->des3, APQ_OP_ENCRYPT, NULL, 0,
			 shared, shared, MIB);
		_exit(0);
	}
	/* The first block changes as soon as the work has begun. */
	ASSERT_TRUE(wait_for(*(volatile uint64_t *)shared, 10));
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	memcpy(copy, shared, MIB);
	/* The engine is through, now or later. */
	ASSERT_TRUE(wait_for(attr_number(CARD0 "service_ns") > service, 10));
	EXPECT_FALSE(wait_for(!same(shared, copy), 1));
	all_well(_metadata, self);
}

/* Its only open file is closed by the kill, with the key in use. */
TEST_F(leaver, session_of_a_killed_caller)
{
	int status;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct load_thread *own = load_thread_new(&self->load, 1);

		own->nr = 1;
		own->kinds = LOAD_AES;
		load_thread_fn(own);
		_exit(0);
	}
	ASSERT_TRUE(wait_for(in_flight() == 1, 10));
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	all_well(_metadata, self);
}

/* Last: leave requests of dead callers inside the card for the removal. */
TEST_F(leaver, removal_with_late_replies)
{
	pid_t pids[CHILDREN];
	unsigned int i;
	int status;

	EXPECT_TRUE(start_children(self, pids));
	for (i = 0; i < CHILDREN; i++) {
		ASSERT_EQ(0, kill(pids[i], SIGKILL));
		ASSERT_EQ(pids[i], waitpid(pids[i], &status, 0));
	}
	EXPECT_TRUE(wait_for(in_flight() == 0, 5));
}

TEST_HARNESS_MAIN
