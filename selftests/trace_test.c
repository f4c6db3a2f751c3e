// SPDX-License-Identifier: GPL-2.0
/*
 * Trace points: each fires once for what it stands for, and the numbers of a
 * request agree in all of them. apq-module: hwrng=0
 * apq-timeout: 120
 */

#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/fault.h"
#include "common/load.h"
#include "common/note.h"
#include "common/trace.h"

#define INSTANCE	"apq_trace_test"
#define NR		10		/* requests */
#define MAX_EVENTS	(16 * NR)

enum event_kind { SUBMIT, ENQUEUE, DEQUEUE, COMPLETE, NR_EVENTS };

static const char * const event_names[NR_EVENTS] = {
	"apq_submit", "apq_enqueue", "apq_dequeue", "apq_complete",
};

struct event {
	enum event_kind kind;
	unsigned long long psmid;
	char queue[16];
	unsigned int alg;
	unsigned int len;
	unsigned int tries;
	unsigned int queued;
	unsigned int pending;
	int ret;
};

FIXTURE(trace)
{
	struct load load;
	struct load_thread *t;
	struct event event[MAX_EVENTS];
	unsigned int nr;
};

FIXTURE_SETUP(trace)
{
	unsigned int i;
	int ret;

	load_rsa_init(&self->load.rsa);
	self->t = load_thread_new(&self->load, 0);
	self->t->nr = NR;
	ret = trace_new(INSTANCE);
	if (ret == -ENOENT)
		SKIP(return, "no tracefs");
	ASSERT_EQ(0, ret);
	for (i = 0; i < NR_EVENTS; i++)
		ASSERT_EQ(0, trace_enable(INSTANCE, event_names[i], NULL));
}

FIXTURE_TEARDOWN(trace)
{
	fault_off_all();
	mode_set("hrtimer");
	EXPECT_EQ(0, trace_delete(INSTANCE));
}

/* Where the numbers of the event @name begin, NULL: another event. */
static const char *event_text(const char *line, const char *name)
{
	const char *p = strstr(line, name);

	return p && !strncmp(p + strlen(name), ": ", 2) ? p : NULL;
}

static bool parse(struct event *e, const char *line)
{
	const char *p;

	for (e->kind = 0; e->kind < NR_EVENTS; e->kind++) {
		p = event_text(line, event_names[e->kind]);
		if (p)
			break;
	}
	if (!p)
		return false;
	p = strstr(p, "psmid=");
	if (e->kind == COMPLETE)
		return p && sscanf(p, "psmid=%llu ret=%d tries=%u", &e->psmid,
				   &e->ret, &e->tries) == 3;
	return p && sscanf(p, "psmid=%llu queue=%15s alg=%u len=%u tries=%u queued=%u pending=%u",
			   &e->psmid, e->queue, &e->alg, &e->len, &e->tries,
			   &e->queued, &e->pending) == 7;
}

static void collect(struct __test_metadata *_metadata,
		    struct _test_data_trace *self)
{
	FILE *f = trace_lines(INSTANCE);
	char line[512];

	ASSERT_NE(NULL, f);
	self->nr = 0;
	while (fgets(line, sizeof(line), f)) {
		if (line[0] == '#')
			continue;
		ASSERT_GT(MAX_EVENTS, self->nr);
		ASSERT_TRUE(parse(&self->event[self->nr], line)) {
			TH_LOG("%s", line);
		}
		self->nr++;
	}
	fclose(f);
}

static unsigned int count(const struct _test_data_trace *self,
			  enum event_kind kind)
{
	unsigned int i, nr = 0;

	for (i = 0; i < self->nr; i++)
		nr += self->event[i].kind == kind;
	return nr;
}

static void run(struct __test_metadata *_metadata,
		struct _test_data_trace *self, unsigned int kind)
{
	self->t->kinds = kind;
	load_thread_fn(self->t);
	ASSERT_EQ(0, self->t->error);
	ASSERT_EQ(0, trace_write(INSTANCE, "tracing_on", "0"));
	collect(_metadata, self);
}

/* One request after the other: four events each, in this order. */
static void expect_lives(struct __test_metadata *_metadata,
			 struct _test_data_trace *self, unsigned int alg,
			 unsigned int len)
{
	unsigned int i;

	ASSERT_EQ(NR_EVENTS * NR, self->nr);
	for (i = 0; i < self->nr; i++) {
		const struct event *e = &self->event[i];

		EXPECT_EQ(i % NR_EVENTS, e->kind);
		EXPECT_EQ(self->event[0].psmid + i / NR_EVENTS, e->psmid);
		EXPECT_EQ(0, e->tries);
		if (e->kind == COMPLETE) {
			EXPECT_EQ(0, e->ret);
			continue;
		}
		EXPECT_STREQ("00.0000", e->queue);
		EXPECT_EQ(alg, e->alg);
		EXPECT_EQ(len, e->len);
		/* Each is told before it moves on. */
		EXPECT_EQ(e->kind != DEQUEUE, e->queued);
		EXPECT_EQ(e->kind == DEQUEUE, e->pending);
	}
}

TEST_F(trace, life_of_rsa)
{
	run(_metadata, self, LOAD_CRT);
	expect_lives(_metadata, self, APQ_ALG_RSA_CRT, 64);
}

TEST_F(trace, life_of_aes)
{
	run(_metadata, self, LOAD_IN_PLACE);
	expect_lives(_metadata, self, APQ_ALG_AES_CBC, LOAD_PINNED);
}

/* The crypto API's go the same way. */
TEST_F(trace, life_without_a_waiter)
{
	if (afalg_hides_async())
		SKIP(return, AFALG_HIDES_ASYNC);
	run(_metadata, self, LOAD_AFALG);
	expect_lives(_metadata, self, APQ_ALG_AES_CBC, LOAD_COPIED);
}

/* A failed try is seen as one, and so is the next. */
TEST_F(trace, another_try)
{
	if (access(FAULTS, F_OK))
		SKIP(return, "no debugfs");
	self->t->nr = 1;
	ASSERT_EQ(0, fault_on("status", 1));
	run(_metadata, self, LOAD_CRT);
	ASSERT_EQ(2 * NR_EVENTS, self->nr);
	EXPECT_EQ(2, count(self, SUBMIT));
	EXPECT_EQ(2, count(self, COMPLETE));
	EXPECT_EQ(-EAGAIN, self->event[COMPLETE].ret);
	EXPECT_EQ(1, self->event[NR_EVENTS].tries);
	EXPECT_EQ(0, self->event[NR_EVENTS + COMPLETE].ret);
}

/* Threads at once: as many of each as there were requests. */
TEST_F_TIMEOUT(trace, as_many_as_requests, 90)
{
	const unsigned int nr = 100;
	unsigned int i;

	load_start(&self->load, nr, LOAD_SHORT, 0);
	ASSERT_TRUE(load_join(&self->load, 80));
	EXPECT_EQ(NR_EVENTS * LOAD_THREADS * nr, trace_count(INSTANCE));
	for (i = 0; i < NR_EVENTS; i++)
		ASSERT_EQ(0, trace_write(INSTANCE, "events/apq/enable", "0"));
}

TEST_F(trace, mode_switch)
{
	char line[512] = "";
	unsigned int nr = 0;
	FILE *f;

	ASSERT_EQ(0, trace_enable(INSTANCE, "apq_mode", NULL));
	ASSERT_EQ(0, mode_set("hrtimer"));	/* no change, no event */
	ASSERT_EQ(0, mode_set("irq"));
	f = trace_lines(INSTANCE);
	ASSERT_NE(NULL, f);
	while (fgets(line, sizeof(line), f))
		if (event_text(line, "apq_mode")) {
			EXPECT_NE(NULL, strstr(line, "from=hrtimer to=irq"));
			nr++;
		}
	fclose(f);
	EXPECT_EQ(1, nr);
}

TEST_HARNESS_MAIN
