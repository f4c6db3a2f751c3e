// SPDX-License-Identifier: GPL-2.0
/*
 * When a reply will come. Engines take requests in the order they went into
 * the card, so a reply is due when the engine that is free first has worked
 * on it for as long as such a request takes. Service time and number of
 * engines are learned from what cards say of each reply: when an engine began
 * with it and when it was ready.
 *
 * Context: the queue's lock is held, bottom halves are off. Several queues
 * share a card, hence the lock of the predictor.
 */

#include <linux/ktime.h>
#include <linux/log2.h>
#include "../core/bus.h"
#include "../core/plan.h"

/* A mean over about so many requests, as a power of two. */
#define MEAN_SHIFT	3

/* Nanoseconds by which an odd reply may change the time to the start. */
#define START_MAX	10000

/* Replies after which what was seen before is forgotten. */
#define WINDOW		32

static unsigned int size_of(const struct apq_req *req)
{
	unsigned int size = ilog2(apq_req_len(req) | 32) - 5;

	return min_t(unsigned int, size, APQ_PREDICT_SIZES - 1);
}

void apq_predict_init(struct apq_predictor *p)
{
	spin_lock_init(&p->lock);
	p->engines = 1;
}

/* How many of the last replies an engine was at work on at this time. */
static unsigned int at_work(const struct apq_predictor *p, u64 when)
{
	unsigned int i, nr = 0;

	for (i = 0; i < APQ_PREDICT_RING; i++)
		nr += p->start[i] <= when && p->done[i] > when;
	return nr;
}

static void learn_engines(struct apq_predictor *p,
			  const struct apq_lesson *reply)
{
	unsigned int nr = 1 + at_work(p, reply->start_ns);

	p->start[p->next] = reply->start_ns;
	p->done[p->next] = reply->done_ns;
	p->next = (p->next + 1) % APQ_PREDICT_RING;
	nr = min_t(unsigned int, nr, APQ_PREDICT_ENGINES);
	p->most[0] = max(p->most[0], nr);
	if (++p->seen == WINDOW) {
		p->seen = 0;
		p->most[1] = p->most[0];
		p->most[0] = nr;
		WRITE_ONCE(p->most_inside[1], p->most_inside[0]);
		WRITE_ONCE(p->most_inside[0], 0);
	}
	/* Pairs with READ_ONCE() in count_slack(). */
	WRITE_ONCE(p->engines, max(p->most[0], p->most[1]));
}

static void learn_service(struct apq_predictor *p,
			  const struct apq_lesson *lesson)
{
	u32 *slot = &p->service_ns[lesson->alg][lesson->size];
	u64 ns = lesson->done_ns - lesson->start_ns;
	s64 old = *slot;

	ns = min_t(u64, max_t(u64, ns, 1), U32_MAX);
	*slot = old ? old + ((s64)ns - old) / (1 << MEAN_SHIFT) : ns;
	if (!*slot)
		*slot = 1;
}

static void learn_error(struct apq_predictor *p, u64 error)
{
	s64 old = p->error_ns;

	error = min_t(u64, error, U32_MAX);
	/* Pairs with READ_ONCE() in is_sharp(). */
	WRITE_ONCE(p->error_ns, old + ((s64)error - old) / (1 << MEAN_SHIFT));
}

/* Of one reply. Returns when its engine was free. */
static u64 learn(struct apq_predictor *p, const struct apq_lesson *lesson)
{
	s64 error = lesson->done_ns - lesson->due_ns;

	learn_engines(p, lesson);
	learn_service(p, lesson);
	if (!lesson->due_ns || lesson->due_ns == APQ_DUE_UNKNOWN)
		return lesson->done_ns;
	learn_error(p, abs(error));
	if (lesson->idle_engine)
		p->start_ns += clamp_t(s64, error, -START_MAX, START_MAX) /
			       (1 << MEAN_SHIFT);
	return lesson->done_ns;
}

/*
 * An engine was free when it was done with its last reply: what it does after
 * that is predicted anew, from there.
 */
static void rebase(struct apq_queue *aq, struct apq_predictor *p,
		   const u64 *free)
{
	struct apq_req *req;
	unsigned int i;

	for (i = 0; i < APQ_PREDICT_ENGINES; i++)
		if (free[i])
			p->free_at[i] = free[i];
	list_for_each_entry(req, &aq->pendingq, list) {
		if (!req->due_ns || req->due_ns == APQ_DUE_UNKNOWN ||
		    !free[req->engine])
			continue;
		p->free_at[req->engine] +=
			p->service_ns[req->alg][size_of(req)];
		WRITE_ONCE(req->due_ns, p->free_at[req->engine]);
	}
}

/* Learns what replies taught since the last time. */
static void digest(struct apq_queue *aq, struct apq_predictor *p)
{
	struct apq_plan *plan = &aq->plan;
	u64 free[APQ_PREDICT_ENGINES] = { };
	unsigned int i;

	if (!plan->nr_lessons)
		return;
	for (i = 0; i < min_t(unsigned int, plan->nr_lessons,
			      APQ_PLAN_LESSONS); i++) {
		const struct apq_lesson *lesson = &plan->lesson[i];

		free[lesson->engine] = max(free[lesson->engine],
					   learn(p, lesson));
	}
	plan->nr_lessons = 0;
	rebase(aq, p, free);
}

/* How long an engine works on such a request; 0: unknown. A hint. */
u32 apq_predict_service(const struct apq_queue *aq, const struct apq_req *req)
{
	const struct apq_predictor *p = &aq->card->predictor;

	return READ_ONCE(p->service_ns[req->alg][size_of(req)]);
}

/* The engine that is free first takes it. */
static void predict(struct apq_predictor *p, struct apq_req *req)
{
	u32 ns = p->service_ns[req->alg][size_of(req)];
	unsigned int i, first = 0;
	u64 due;

	for (i = 1; i < p->engines; i++)
		if (p->free_at[i] < p->free_at[first])
			first = i;
	req->idle_engine = req->sent_ns >= p->free_at[first];
	if (req->idle_engine)
		due = req->sent_ns + p->start_ns + ns;
	else
		due = p->free_at[first] + ns;
	p->free_at[first] = due;
	req->engine = first;
	/* Pairs with the READ_ONCE() of a caller that waits. */
	WRITE_ONCE(req->due_ns, ns ? due : APQ_DUE_UNKNOWN);
}

/**
 * apq_predict_reply() - a reply has been taken
 * @aq: queue, its lock held
 * @req: request that it answers
 * @reply: the reply
 *
 * Its caller waits, so learning is put off until the next request is inside
 * the card: that time is a wait anyway.
 */
void apq_predict_reply(struct apq_queue *aq, const struct apq_req *req,
		       const struct apq_reply *reply)
{
	struct apq_plan *plan = &aq->plan;
	struct apq_lesson *lesson;

	/* The oldest are forgotten. */
	lesson = &plan->lesson[plan->nr_lessons++ % APQ_PLAN_LESSONS];
	lesson->due_ns = req->due_ns;
	lesson->start_ns = reply->start_ns;
	lesson->done_ns = reply->done_ns;
	lesson->alg = req->alg;
	lesson->size = size_of(req);
	lesson->engine = req->engine;
	lesson->idle_engine = req->idle_engine;
}

/**
 * apq_predict_pending() - predict what was sent since the last time
 * @aq: queue, its lock held
 *
 * Not done when a request is sent: while callers wait for the CPU nobody
 * waits for a card, and no prediction is needed.
 */
void apq_predict_pending(struct apq_queue *aq)
{
	struct apq_predictor *p = &aq->card->predictor;
	struct apq_req *req;

	lockdep_assert_held(&aq->lock);
	spin_lock(&p->lock);
	digest(aq, p);
	/* Pairs with READ_ONCE() in is_sharp(). */
	WRITE_ONCE(p->most_inside[0],
		   max(p->most_inside[0], aq->pendingq_count));
	list_for_each_entry(req, &aq->pendingq, list)
		if (!req->due_ns)
			predict(p, req);
	spin_unlock(&p->lock);
}
