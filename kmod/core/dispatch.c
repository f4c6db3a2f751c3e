// SPDX-License-Identifier: GPL-2.0
/*
 * The dispatcher: which card and queue a request goes to.
 *
 * Weighted least-loaded, as zcrypt: a request adds the rating of its
 * operation and size to the load of its card and queue while it is in flight,
 * and goes where load plus rating is lowest. The usable queues stand in a
 * table that readers walk under RCU; up to SCAN_ALL queues all of them are
 * compared, of more a few that rotate, which keeps the cost of a request
 * independent of the number of queues.
 */

#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "bus.h"
#include "service.h"
#include "session.h"

/* Compared per request; four random choices are near the exact minimum. */
#define SCAN_ALL		4

/* Handicap of the queue that just failed a request, as zcrypt has it. */
#define RETRY_PENALTY		10000

struct apq_table {
	struct rcu_head rcu;
	u64 algs[2];		/* without and with lab cards */
	bool runs;		/* some card lets callers do its work */
	unsigned int nr;
	struct apq_queue *queue[];
};

static struct apq_table __rcu *table;
static DEFINE_PER_CPU(unsigned int, scan_start);

/* Whether callers can do the work of the card: not behind a model. */
static bool lets_run(const struct apq_card *card)
{
	return card->ops->run_inline &&
	       !(apq_service_used() &&
		 READ_ONCE(card->service->on));
}

/**
 * apq_dispatch_rebuild() - make the table anew after a change
 *
 * Cannot fail: the table is 2 KiB, and a card that could not
 * be taken out of it could not be removed.
 *
 * Context: apq_bus_lock held, may sleep.
 */
void apq_dispatch_rebuild(void)
{
	struct apq_table *new, *old;
	unsigned int i;

	lockdep_assert_held(&apq_bus_lock);
	new = kzalloc(struct_size(new, queue, APQ_MAX_QUEUES),
		      GFP_KERNEL | __GFP_NOFAIL);
	for (i = 0; i < APQ_MAX_QUEUES; i++) {
		struct apq_queue *aq = apq_bus_queue(i);

		if (!aq || aq->blocked || !apq_card_usable(aq->card))
			continue;
		new->queue[new->nr++] = aq;
		new->runs |= lets_run(aq->card);
		new->algs[true] |= aq->card->algs;
		if (!aq->card->lab)
			new->algs[false] |= aq->card->algs;
	}
	old = rcu_replace_pointer(table, new, lockdep_is_held(&apq_bus_lock));
	if (old)
		kfree_rcu(old, rcu);
}

/* Frees the table at unload, when no request can come any more. */
void apq_dispatch_exit(void)
{
	kfree(rcu_dereference_protected(table, true));
}

/**
 * apq_dispatch_algs() - the algorithms that some online card can do
 * @lab: count cards that exist for the lab only
 *
 * Return: a bit for each, by enum apq_alg.
 */
u64 apq_dispatch_algs(bool lab)
{
	struct apq_table *t;
	u64 algs = 0;

	rcu_read_lock();
	t = rcu_dereference(table);
	if (t)
		algs = t->algs[lab];
	rcu_read_unlock();
	return algs;
}

/* Whether apq_queue_run() can be worth a try. */
bool apq_dispatch_runs(void)
{
	struct apq_table *t;
	bool runs;

	rcu_read_lock();
	t = rcu_dereference(table);
	runs = t && t->runs;
	rcu_read_unlock();
	return runs;
}

static inline bool can_do(const struct apq_card *card, const struct apq_req *req)
{
	if (!(card->algs & BIT_ULL(req->alg)) || (card->lab && !req->lab))
		return false;
	if (req->session && !apq_req_is_rsa(req))
		return req->session->ctx[card->backend->index];
	return !apq_req_is_rsa(req) || req->rsa.len <= card->max_mod_len;
}

static u32 rating(const struct apq_card *card, const struct apq_req *req)
{
	return card->rating[apq_req_is_rsa(req)][req->class];
}

/* Load plus rating of a queue for this request, U32_MAX if it cannot. */
static u32 cost(struct apq_queue *aq, const struct apq_req *req)
{
	u32 sum;

	if (!apq_queue_usable(aq) || !can_do(aq->card, req))
		return U32_MAX;
	sum = rating(aq->card, req) + atomic_read(&aq->card->load) +
	      atomic_read(&aq->load);
	/* Without a try before, its queue is only one it had in another life. */
	if (aq == req->aq && req->tries)
		sum += RETRY_PENALTY;
	return sum;
}

static struct apq_queue *scan(struct apq_table *t, const struct apq_req *req,
			      unsigned int start, unsigned int nr)
{
	struct apq_queue *best = NULL;
	u32 best_cost = U32_MAX;

	for (; nr; nr--) {
		u32 c = cost(t->queue[start], req);

		if (c < best_cost) {
			best_cost = c;
			best = t->queue[start];
		}
		if (++start == t->nr)
			start = 0;
	}
	return best;
}

/* The weight of a request on a queue that it goes to. */
static inline void add_load(struct apq_queue *aq, struct apq_req *req)
{
	req->weight = rating(aq->card, req);
	atomic_add(req->weight, &aq->load);
	atomic_add(req->weight, &aq->card->load);
}

/**
 * apq_dispatch_pick() - choose a queue and add the request to its load
 * @req: request; @req->aq is the queue that failed it before, if it was tried
 *
 * Return: a queue with a reference for the caller, unless it is @req->aq, to
 * which @req has one; NULL if none can do it.
 */
struct apq_queue *apq_dispatch_pick(struct apq_req *req)
{
	struct apq_queue *best = NULL;
	struct apq_table *t;

	rcu_read_lock();
	t = rcu_dereference(table);
	if (t && t->nr == 1) {
		if (apq_queue_usable(t->queue[0]) &&
		    can_do(t->queue[0]->card, req))
			best = t->queue[0];
	} else if (t && t->nr) {
		unsigned int start;

		start = this_cpu_inc_return(scan_start) % t->nr;
		best = scan(t, req, start, min_t(unsigned int, t->nr, SCAN_ALL));
		/* The few may be of the wrong kind where cards differ. */
		if (!best && t->nr > SCAN_ALL)
			best = scan(t, req, start, t->nr);
	}
	if (best) {
		if (best != req->aq)
			apq_queue_get(best);
		add_load(best, req);
	}
	rcu_read_unlock();
	return best;
}

/**
 * apq_dispatch_idle() - go to the queue of the request before, if it is idle
 * @req: request; @req->aq is the queue that its memory was used for before, to
 *	 which it has a reference, or NULL
 *
 * No other queue has less to do, so that there is no need to compare. Only for
 * cards whose work callers can do.
 *
 * Return: that queue, with the request added to its load, or NULL.
 */
struct apq_queue *apq_dispatch_idle(struct apq_req *req)
{
	struct apq_queue *aq = req->aq;

	if (!aq || req->tries || !lets_run(aq->card) ||
	    !apq_queue_usable(aq) ||
	    atomic_read(&aq->card->load) || !can_do(aq->card, req))
		return NULL;
	add_load(aq, req);
	return aq;
}

/* Takes the request off the load of the queue; the reference stays. */
void apq_dispatch_drop(struct apq_queue *aq, struct apq_req *req)
{
	atomic_sub(req->weight, &aq->load);
	atomic_sub(req->weight, &aq->card->load);
}
