// SPDX-License-Identifier: GPL-2.0
/*
 * The service model. A request that goes into the card is given the time at
 * which the modelled card would be ready with it: its engines take requests
 * in the order they come, each works on one at a time. The real card computes
 * the answer meanwhile, as early as it likes; the reply is held until the
 * modelled time. An answer that is computed too late is released when it is
 * there, and counted.
 *
 * The interrupt of the modelled card is a timer in soft interrupt context,
 * where a device's handler would have put its poll. It is set only while the
 * completion mode asks for interrupts. What setting it costs, a real card
 * would do by itself: Documentation/completion.rst has the figure.
 *
 * Context: everything but sysfs runs under the queue's lock, bottom halves
 * off; has_reply without.
 */

#include <linux/ktime.h>
#include <linux/slab.h>
#include "../core/bus.h"
#include "../core/service.h"
#include "preset.h"

unsigned int apq_service_cards;

static struct apq_service *model_of(struct apq_queue *aq)
{
	return aq->card->service;
}

static enum apq_service_kind kind_of(const struct apq_req *req)
{
	bool crt = req->alg == APQ_ALG_RSA_CRT;

	if (!apq_req_is_rsa(req))
		return APQ_SERVICE_SYM;
	return (crt ? APQ_SERVICE_CRT1K : APQ_SERVICE_ME1K) + req->class;
}

/* xorshift32 */
static u32 next_random(struct apq_service *sv)
{
	sv->seed ^= sv->seed << 13;
	sv->seed ^= sv->seed >> 17;
	sv->seed ^= sv->seed << 5;
	return sv->seed;
}

static u64 service_ns(struct apq_service *sv, const struct apq_req *req)
{
	const struct apq_service_times *t = &sv->times;
	enum apq_service_kind kind = kind_of(req);
	u64 ns = t->fixed_ns[kind];
	u32 spread;

	lockdep_assert_held(&sv->lock);
	if (kind == APQ_SERVICE_SYM && t->byte_ps)
		ns += div_u64((u64)apq_req_len(req) * t->byte_ps, 1000);
	if (t->jitter) {
		spread = div_u64(ns * t->jitter, 100);
		ns = ns - spread +
		     (((u64)next_random(sv) * (2 * (u64)spread + 1)) >> 32);
	}
	return ns;
}

/* Without a time, the modelled card does not do the operation. */
static bool is_held(struct apq_service *sv, const struct apq_req *req)
{
	enum apq_service_kind kind = kind_of(req);
	bool held;

	spin_lock(&sv->lock);
	held = sv->times.fixed_ns[kind] ||
	       (kind == APQ_SERVICE_SYM && sv->times.byte_ps);
	spin_unlock(&sv->lock);
	return held;
}

/* Gives the request to the engine that is free first. */
static void book(struct apq_service *sv, const struct apq_req *req,
		 struct apq_service_entry *e)
{
	unsigned int i, first = 0;
	u64 now = ktime_get_ns();

	spin_lock(&sv->lock);
	for (i = 1; i < sv->times.engines; i++)
		if (sv->free_at[i] < sv->free_at[first])
			first = i;
	e->start_ns = max(now, sv->free_at[first]);
	e->due_ns = e->start_ns + service_ns(sv, req);
	sv->free_at[first] = e->due_ns;
	spin_unlock(&sv->lock);
}

static struct apq_service_entry *find(struct apq_service_queue *sq, u64 psmid)
{
	unsigned int i;

	for (i = 0; i < sq->nr; i++)
		if (sq->entry[i].psmid == psmid)
			return &sq->entry[i];
	return NULL;
}

/* After each change: what the readers without lock look at, and the timer. */
static void update(struct apq_queue *aq, unsigned int in_card)
{
	struct apq_service_queue *sq = &aq->service;
	bool computed = false;
	u64 due = U64_MAX;
	unsigned int i;

	lockdep_assert_held(&aq->lock);
	for (i = 0; i < sq->nr; i++) {
		due = min(due, sq->entry[i].due_ns);
		computed |= sq->entry[i].ready;
	}
	WRITE_ONCE(sq->computed, computed);
	/* Pair with the READ_ONCE() of apq_service_has_reply(). */
	WRITE_ONCE(sq->next_due, due);
	WRITE_ONCE(sq->pass, in_card > sq->nr);
	apq_service_arm(aq);
}

/* A reply has been taken: its place is the last one's now. */
static void drop_entry(struct apq_queue *aq, struct apq_service_entry *e)
{
	struct apq_service_queue *sq = &aq->service;

	*e = sq->entry[--sq->nr];
}

static void arm_at(struct apq_service_queue *sq, u64 when)
{
	sq->armed = when;
	hrtimer_start(&sq->interrupt, ns_to_ktime(when),
		      HRTIMER_MODE_ABS_SOFT);
}

/**
 * apq_service_arm() - set the modelled interrupt if the mode wants one
 * @aq: queue, its lock held
 *
 * A reply that is due and not computed yet will be announced by the real
 * card. A timer for it would find nothing and be set again, in a soft
 * interrupt that may have taken the CPU from the engine: for ever.
 */
void apq_service_arm(struct apq_queue *aq)
{
	struct apq_service_queue *sq = &aq->service;
	u64 due = U64_MAX, now;
	unsigned int i;
	bool computed;

	lockdep_assert_held(&aq->lock);
	if (sq->next_due >= sq->armed || !apq_mode_interrupt(aq))
		return;
	now = ktime_get_ns();
	computed = aq->card->ops->has_reply(aq);
	for (i = 0; i < sq->nr; i++) {
		const struct apq_service_entry *e = &sq->entry[i];

		if (e->due_ns > now || e->ready || computed)
			due = min(due, e->due_ns);
	}
	if (due < sq->armed)
		arm_at(sq, due);
}

/*
 * For what is due later than now. A reply that is due and not computed yet
 * will be announced by the real card.
 */
static void arm_later(struct apq_queue *aq)
{
	struct apq_service_queue *sq = &aq->service;
	u64 due = U64_MAX, now = ktime_get_ns();
	unsigned int i;

	lockdep_assert_held(&aq->lock);
	for (i = 0; i < sq->nr; i++)
		if (sq->entry[i].due_ns > now)
			due = min(due, sq->entry[i].due_ns);
	if (due < sq->armed && apq_mode_interrupt(aq))
		arm_at(sq, due);
}

static enum hrtimer_restart interrupt_fn(struct hrtimer *timer)
{
	struct apq_queue *aq = container_of(timer, struct apq_queue,
					    service.interrupt);

	rcu_read_lock();
	spin_lock(&aq->lock);
	aq->service.armed = U64_MAX;
	spin_unlock(&aq->lock);
	apq_mode_reply(aq);
	spin_lock(&aq->lock);
	arm_later(aq);
	spin_unlock(&aq->lock);
	rcu_read_unlock();
	return HRTIMER_NORESTART;
}

/* Whether a reply that the real card announces is one for the mode. */
bool apq_service_announces(struct apq_queue *aq)
{
	struct apq_service_queue *sq = &aq->service;

	return READ_ONCE(sq->pass) || READ_ONCE(sq->next_due) <= ktime_get_ns();
}

enum apq_response apq_service_enqueue(struct apq_queue *aq,
				      struct apq_req *req)
{
	struct apq_service_queue *sq = &aq->service;
	struct apq_service *sv = model_of(aq);
	struct apq_service_entry *e;
	enum apq_response resp;

	resp = aq->card->ops->enqueue(aq, req);
	if (resp != APQ_RESP_OK)
		return resp;
	/* Pairs with WRITE_ONCE() in set_times(). */
	if (READ_ONCE(sv->on) && is_held(sv, req) &&
	    !WARN_ON_ONCE(sq->nr == APQ_CARD_DEPTH)) {
		e = &sq->entry[sq->nr++];
		e->psmid = req->psmid;
		e->ready = false;
		book(sv, req, e);
	}
	update(aq, aq->in_card + 1);
	return resp;
}

/* Takes what the real card has; a reply that the model does not know passes. */
static enum apq_response take_real(struct apq_queue *aq,
				   struct apq_reply *reply, bool *passes)
{
	struct apq_service *sv = model_of(aq);
	struct apq_service_entry *e;
	enum apq_response resp;

	*passes = false;
	while (aq->card->ops->has_reply(aq)) {
		resp = aq->card->ops->dequeue(aq, reply);
		if (resp != APQ_RESP_OK)
			return resp;
		e = find(&aq->service, reply->psmid);
		if (!e) {
			*passes = true;
			return resp;
		}
		e->code = reply->code;
		e->ready = true;
		WRITE_ONCE(aq->service.computed, true);
		if (reply->done_ns > e->due_ns && READ_ONCE(sv->on)) {
			sv->late++;
			/* As long as modelled, but later. */
			e->start_ns += reply->done_ns - e->due_ns;
			e->due_ns = reply->done_ns;
		}
	}
	return APQ_RESP_FULL;
}

static struct apq_service_entry *first_due(struct apq_queue *aq)
{
	struct apq_service_queue *sq = &aq->service;
	struct apq_service_entry *e = NULL;
	u64 now = ktime_get_ns();
	unsigned int i;

	for (i = 0; i < sq->nr; i++) {
		struct apq_service_entry *f = &sq->entry[i];

		if (f->ready && f->due_ns <= now &&
		    (!e || f->due_ns < e->due_ns))
			e = f;
	}
	return e;
}

enum apq_response apq_service_dequeue(struct apq_queue *aq,
				      struct apq_reply *reply)
{
	struct apq_service_entry *e;
	enum apq_response resp;
	bool passes;

	resp = take_real(aq, reply, &passes);
	if (passes) {
		update(aq, aq->in_card - 1);
		return resp;
	}
	if (resp != APQ_RESP_FULL)
		return resp;
	e = first_due(aq);
	if (!e)
		return APQ_RESP_FULL;
	reply->psmid = e->psmid;
	reply->code = e->code;
	reply->start_ns = e->start_ns;
	reply->done_ns = e->due_ns;
	drop_entry(aq, e);
	update(aq, aq->in_card - 1);
	return APQ_RESP_OK;
}

bool apq_service_has_reply(struct apq_queue *aq)
{
	struct apq_service_queue *sq = &aq->service;
	u64 due = READ_ONCE(sq->next_due);

	if (due != U64_MAX && due <= ktime_get_ns() && READ_ONCE(sq->computed))
		return true;
	return (due != U64_MAX || READ_ONCE(sq->pass)) &&
	       aq->card->ops->has_reply(aq) &&
	       (READ_ONCE(sq->pass) || due <= ktime_get_ns());
}

int apq_service_cancel(struct apq_queue *aq, u64 psmid)
{
	struct apq_service_entry *e = find(&aq->service, psmid);
	int ret;

	if (e && e->ready)
		return -EALREADY;
	ret = aq->card->ops->cancel(aq, psmid);
	if (ret == -ENOENT && e) {
		drop_entry(aq, e);
		update(aq, aq->in_card - 1);
	}
	return ret;
}

/*
 * What is computed is answered, at once; what the real card has dropped is
 * forgotten here too, and all of it if that card is gone.
 */
enum apq_response apq_service_reset(struct apq_queue *aq)
{
	struct apq_service_queue *sq = &aq->service;
	enum apq_response resp = aq->card->ops->reset(aq);
	bool going_on = resp == APQ_RESP_BUSY || resp == APQ_RESP_RESET;
	bool answers = going_on || resp == APQ_RESP_OK;
	unsigned int i = 0;

	while (i < sq->nr) {
		struct apq_service_entry *e = &sq->entry[i];

		if (e->ready && answers) {
			e->due_ns = 0;
			going_on = true;
		} else if (!e->ready && going_on) {
			e->due_ns = 0;
		} else {
			drop_entry(aq, e);
			continue;
		}
		i++;
	}
	update(aq, aq->in_card);
	return answers && going_on ? APQ_RESP_BUSY : resp;
}

void apq_service_queue_init(struct apq_queue *aq)
{
	struct apq_service_queue *sq = &aq->service;

	sq->next_due = U64_MAX;
	sq->armed = U64_MAX;
	hrtimer_setup(&sq->interrupt, interrupt_fn, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
}

/* Nothing is inside the card any more. Context: may sleep. */
void apq_service_queue_stop(struct apq_queue *aq)
{
	hrtimer_cancel(&aq->service.interrupt);
}

int apq_service_init(struct apq_card *card)
{
	card->service = kzalloc(sizeof(*card->service), GFP_KERNEL);
	if (!card->service)
		return -ENOMEM;
	spin_lock_init(&card->service->lock);
	return 0;
}

/* All queues of the card are shut down. Context: may sleep. */
void apq_service_stop(struct apq_card *card)
{
	struct apq_service *sv = card->service;

	lockdep_assert_held(&apq_bus_lock);
	WRITE_ONCE(sv->on, false);
	if (sv->used)
		WRITE_ONCE(apq_service_cards, apq_service_cards - 1);
	sv->used = false;
}

/* Context: any. */
void apq_service_free(struct apq_card *card)
{
	kfree(card->service);
}

/* Everything inside the modelled card is ready now. */
static void release_all(struct apq_queue *aq)
{
	struct apq_service_queue *sq = &aq->service;
	unsigned int i;

	spin_lock_bh(&aq->lock);
	for (i = 0; i < sq->nr; i++)
		sq->entry[i].due_ns = 0;
	update(aq, aq->in_card);
	spin_unlock_bh(&aq->lock);
	apq_queue_poll(aq);
}

static void set_times(struct apq_card *card,
		      const struct apq_service_times *times)
{
	struct apq_service *sv = card->service;
	unsigned int i;

	lockdep_assert_held(&apq_bus_lock);
	if (times && !sv->used) {
		sv->used = true;
		WRITE_ONCE(apq_service_cards, apq_service_cards + 1);
	}
	spin_lock_bh(&sv->lock);
	if (times)
		sv->times = *times;
	memset(sv->free_at, 0, sizeof(sv->free_at));
	sv->seed = 2463534242U;
	sv->late = 0;
	/* Pairs with READ_ONCE() in apq_service_enqueue(). */
	WRITE_ONCE(sv->on, times);
	spin_unlock_bh(&sv->lock);
	for (i = 0; i < APQ_MAX_DOMAINS; i++)
		if (card->queues[i])
			release_all(card->queues[i]);
}

/* The model as text, "off" without one. */
ssize_t apq_service_show(struct apq_card *card, char *buf)
{
	struct apq_service *sv = card->service;
	struct apq_service_times times;
	u64 late;
	int len;

	if (!READ_ONCE(sv->on))
		return sysfs_emit(buf, "off\n");
	spin_lock_bh(&sv->lock);
	times = sv->times;
	late = sv->late;
	spin_unlock_bh(&sv->lock);
	len = apq_preset_emit(&times, buf);
	return len + sysfs_emit_at(buf, len, " late=%llu\n", late);
}

/**
 * apq_service_store() - model another card, or none
 * @card: card
 * @buf: "off", or what apq_preset_parse() takes
 *
 * What is inside the card of the old model is answered at once.
 *
 * Return: 0; -EINVAL with a message; -ENODEV: the card is being removed.
 */
int apq_service_store(struct apq_card *card, const char *buf)
{
	struct apq_service_times times;
	bool off = sysfs_streq(buf, "off");
	int ret = 0;

	if (!off)
		ret = apq_preset_parse(&times, buf);
	if (ret)
		return ret;
	mutex_lock(&apq_bus_lock);
	if (card->gone)
		ret = -ENODEV;
	else
		set_times(card, off ? NULL : &times);
	/* Callers can do the work of cards without a model themselves. */
	apq_dispatch_rebuild();
	mutex_unlock(&apq_bus_lock);
	return ret;
}
