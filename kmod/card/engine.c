// SPDX-License-Identifier: GPL-2.0
/*
 * The engine of a software card. Every queue has eight slots, as the hardware
 * has; one thread per card works on them in the order they were filled. A
 * caller that waits can do its own work instead, in a lane without a slot,
 * side by side with other callers.
 *
 * Who may touch the memory of a request: the engine, while its slot is
 * SLOT_RUNNING, and nobody else then. Cancelling and resetting therefore
 * answer "busy" for such a slot.
 */

#include <linux/cpu.h>
#include <linux/kthread.h>
#include <linux/slab.h>
#include "engine.h"

/* Takes the oldest slot and the right to work; NULL if there is none. */
static struct engine_slot *begin_work(struct engine *engine)
{
	struct engine_slot *slot = NULL;

	spin_lock_irq(&engine->lock);
	if (!engine->working)
		slot = list_first_entry_or_null(&engine->todo,
						struct engine_slot, list);
	if (slot) {
		engine->working = true;
		list_del_init(&slot->list);
		slot->state = SLOT_RUNNING;
		slot->req->started = true;
	}
	spin_unlock_irq(&engine->lock);
	return slot;
}

/*
 * Gives the right to work back: whoever fills the list and finds the engine at
 * work relies on the look at the list that follows.
 */
static void end_work(struct engine *engine)
{
	/* What was done is seen by who gets the right; pairs with its cmpxchg. */
	smp_store_release(&engine->working, false);
	/* Before the look at the list; pairs with the wait of the thread. */
	smp_mb();
}

/* Works on up to @budget slots and returns how many it were. */
static unsigned int work_on(struct engine *engine, unsigned int budget)
{
	unsigned int nr = 0;

	while (nr < budget) {
		struct engine_slot *slot = begin_work(engine);

		if (!slot)
			break;
		slot->start_ns = ktime_get_ns();
		engine->work(slot);
		end_work(engine);
		nr++;
	}
	return nr;
}

static void wake_thread(struct engine *engine)
{
	/*
	 * wq_has_sleeper() orders the list, filled before, against the look
	 * at the wait queue; the thread queues itself before it looks.
	 */
	if (wq_has_sleeper(&engine->wait))
		wake_up(&engine->wait);
}

/* Work that nobody is at; whoever ends his own calls the thread for it. */
static bool has_work(struct engine *engine)
{
	return !list_empty_careful(&engine->todo) &&
	       !READ_ONCE(engine->working);
}

static int engine_fn(void *data)
{
	struct engine *engine = data;

	while (!kthread_should_stop()) {
		wait_event_interruptible(engine->wait, has_work(engine) ||
					 kthread_should_stop());
		while (work_on(engine, 1))
			cond_resched();
	}
	return 0;
}

/**
 * engine_run() - do the work of an idle engine in the caller's context
 * @aq: queue of the caller's request
 * @budget: how many requests at the most, whoever they belong to
 *
 * Return: how many were done; 0 if the engine is at work or has none.
 */
unsigned int engine_run(struct apq_queue *aq, unsigned int budget)
{
	struct engine_queue *eq = aq->card_priv;
	unsigned int nr = work_on(eq->engine, budget);

	if (nr && has_work(eq->engine))
		wake_thread(eq->engine);
	return nr;
}

/* The work on an inline slot can end in the callback of a driver. */
static void wait_inline(struct engine_slot *slot)
{
	for (;;) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		/* Pairs with the release in engine_slot_done(). */
		if (smp_load_acquire(&slot->state) == SLOT_DONE)
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
}

/* A free lane, that of this CPU if possible: its memory is warm. */
static struct engine_lane *take_lane(struct engine *engine)
{
	unsigned int i, cpu = raw_smp_processor_id();

	for (i = 0; i < engine->nr_lanes; i++) {
		struct engine_lane *lane;

		lane = &engine->lane[(cpu + i) % engine->nr_lanes];
		if (!test_and_set_bit_lock(0, &lane->busy))
			return lane;
	}
	return NULL;
}

/* Whether a caller works on a request of this queue. */
static bool runs_inline(const struct engine_queue *eq)
{
	unsigned int i;

	for (i = 0; i < eq->engine->nr_lanes; i++) {
		const struct engine_slot *slot = &eq->engine->lane[i].slot;

		/* Pairs with the release in engine_run_inline(). */
		if (smp_load_acquire(&slot->state) != SLOT_FREE &&
		    READ_ONCE(slot->equeue) == eq)
			return true;
	}
	return false;
}

/**
 * engine_run_inline() - let a caller do its own work if none waits
 * @aq: queue that the request belongs to
 * @req: request with a waiter, in no slot
 * @reply: filled if it was done
 *
 * Return: whether it was done.
 */
bool engine_run_inline(struct apq_queue *aq, struct apq_req *req,
		       struct apq_reply *reply)
{
	struct engine_queue *eq = aq->card_priv;
	struct engine_lane *lane;
	struct engine_slot *slot;

	/* Who waits in a slot was first. */
	if (!list_empty(&eq->engine->todo))
		return false;
	lane = take_lane(eq->engine);
	if (!lane)
		return false;
	slot = &lane->slot;
	WRITE_ONCE(slot->equeue, eq);
	slot->req = req;
	/* Pairs with the acquire in runs_inline(). */
	smp_store_release(&slot->state, SLOT_RUNNING);
	req->started = true;
	slot->start_ns = ktime_get_ns();
	eq->engine->work(slot);
	if (slot->state != SLOT_DONE)
		wait_inline(slot);
	reply->code = slot->code;
	reply->start_ns = slot->start_ns;
	reply->done_ns = slot->done_ns;
	/* Pairs with the acquire in runs_inline(). */
	smp_store_release(&slot->state, SLOT_FREE);
	clear_bit_unlock(0, &lane->busy);
	return true;
}

/**
 * engine_slot_done() - the work on a slot is over
 * @slot: slot in SLOT_RUNNING
 * @code: enum apq_reply_code
 *
 * Context: any.
 */
void engine_slot_done(struct engine_slot *slot, unsigned int code)
{
	struct engine_queue *eq = slot->equeue;
	struct engine *engine = eq->engine;
	unsigned long flags;

	slot->done_ns = ktime_get_ns();
	atomic64_add(slot->done_ns - slot->start_ns,
		     &engine->card->service_ns);
	if (slot->is_lane) {
		struct task_struct *waiter = slot->req->waiter;

		slot->code = code;
		/* Pairs with the acquire in wait_inline(). */
		smp_store_release(&slot->state, SLOT_DONE);
		/* See complete_waiter(): current may be the waiter, asleep. */
		if (waiter != current || !in_task())
			wake_up_process(waiter);
		return;
	}
	/* The queue may go as soon as the reply is on the list. */
	rcu_read_lock();
	spin_lock_irqsave(&engine->lock, flags);
	slot->code = code;
	slot->state = SLOT_DONE;
	list_add_tail(&slot->list, &eq->done);
	spin_unlock_irqrestore(&engine->lock, flags);
	apq_mode_reply(eq->aq);
	rcu_read_unlock();
}

/* Takes the request out of a slot, whose reference the caller then puts. */
static struct apq_req *empty_slot(struct engine_slot *slot, u8 state,
				  struct list_head *list)
{
	struct apq_req *req = slot->req;

	lockdep_assert_held(&slot->equeue->engine->lock);
	slot->req = NULL;
	slot->state = state;
	/* Free slots are used last in, first out: their memory is warm. */
	if (state == SLOT_FREE)
		list_move(&slot->list, list);
	else
		list_move_tail(&slot->list, list);
	return req;
}

enum apq_response engine_enqueue(struct apq_queue *aq, struct apq_req *req)
{
	struct engine_queue *eq = aq->card_priv;
	struct engine *engine = eq->engine;
	struct engine_slot *slot;
	unsigned long flags;

	spin_lock_irqsave(&engine->lock, flags);
	slot = list_first_entry_or_null(&eq->free, struct engine_slot, list);
	if (slot) {
		apq_req_get(req);
		slot->req = req;
		slot->psmid = req->psmid;
		slot->state = SLOT_TODO;
		list_move_tail(&slot->list, &engine->todo);
	}
	spin_unlock_irqrestore(&engine->lock, flags);
	return slot ? APQ_RESP_OK : APQ_RESP_FULL;
}

enum apq_response engine_dequeue(struct apq_queue *aq, struct apq_reply *reply)
{
	struct engine_queue *eq = aq->card_priv;
	struct apq_req *req = NULL;
	struct engine_slot *slot;
	unsigned long flags;

	spin_lock_irqsave(&eq->engine->lock, flags);
	slot = list_first_entry_or_null(&eq->done, struct engine_slot, list);
	if (slot) {
		reply->psmid = slot->psmid;
		reply->code = slot->code;
		reply->start_ns = slot->start_ns;
		reply->done_ns = slot->done_ns;
		req = empty_slot(slot, SLOT_FREE, &eq->free);
	}
	spin_unlock_irqrestore(&eq->engine->lock, flags);
	if (req)
		apq_req_put(req);
	return slot ? APQ_RESP_OK : APQ_RESP_FULL;
}

bool engine_has_reply(struct apq_queue *aq)
{
	struct engine_queue *eq = aq->card_priv;

	/* list_empty() reads once; a reply missed now is seen by a later poll */
	return !list_empty(&eq->done);
}

int engine_cancel(struct apq_queue *aq, u64 psmid)
{
	struct engine_queue *eq = aq->card_priv;
	struct apq_req *req = NULL;
	unsigned long flags;
	unsigned int i;
	int ret = -ENOENT;

	spin_lock_irqsave(&eq->engine->lock, flags);
	for (i = 0; i < APQ_CARD_DEPTH; i++) {
		struct engine_slot *slot = &eq->slot[i];

		if (!slot->req || slot->psmid != psmid)
			continue;
		if (slot->state == SLOT_RUNNING) {
			ret = -EBUSY;
		} else if (slot->state == SLOT_DONE) {
			ret = -EALREADY;
		} else {
			/* Its place is given back by the dequeue. */
			req = empty_slot(slot, SLOT_DONE, &eq->done);
			ret = 0;
		}
		break;
	}
	spin_unlock_irqrestore(&eq->engine->lock, flags);
	if (req)
		apq_req_put(req);
	return ret;
}

/*
 * Work that has begun goes on to its end and is answered, since nothing can
 * stop it; everything else is dropped.
 */
enum apq_response engine_reset(struct apq_queue *aq)
{
	struct engine_queue *eq = aq->card_priv;
	struct apq_req *drop[APQ_CARD_DEPTH];
	enum apq_response resp = APQ_RESP_OK;
	unsigned int i, nr = 0;
	unsigned long flags;

	spin_lock_irqsave(&eq->engine->lock, flags);
	if (runs_inline(eq))
		resp = APQ_RESP_BUSY;
	for (i = 0; i < APQ_CARD_DEPTH; i++) {
		struct engine_slot *slot = &eq->slot[i];

		if (slot->state == SLOT_TODO)
			drop[nr++] = empty_slot(slot, SLOT_FREE, &eq->free);
		else if (slot->state != SLOT_FREE)
			resp = APQ_RESP_BUSY;
	}
	spin_unlock_irqrestore(&eq->engine->lock, flags);
	while (nr--)
		apq_req_put(drop[nr]);
	return resp;
}

void engine_kick(struct apq_queue *aq)
{
	struct engine_queue *eq = aq->card_priv;

	wake_thread(eq->engine);
}

int engine_queue_init(struct apq_queue *aq)
{
	struct engine_queue *eq;
	unsigned int i;

	eq = kzalloc(sizeof(*eq), GFP_KERNEL);
	if (!eq)
		return -ENOMEM;
	eq->aq = aq;
	eq->engine = aq->card->priv;
	INIT_LIST_HEAD(&eq->free);
	INIT_LIST_HEAD(&eq->done);
	for (i = 0; i < APQ_CARD_DEPTH; i++) {
		eq->slot[i].equeue = eq;
		list_add_tail(&eq->slot[i].list, &eq->free);
	}
	aq->card_priv = eq;
	return 0;
}

void engine_queue_exit(struct apq_queue *aq)
{
	struct engine_queue *eq = aq->card_priv;
	unsigned int i;

	for (i = 0; i < APQ_CARD_DEPTH; i++)
		kfree_sensitive(eq->slot[i].mem);
	kfree(eq);
}

static int make_lanes(struct engine *engine)
{
	unsigned int i;

	engine->nr_lanes = num_possible_cpus();
	engine->lane = kcalloc(engine->nr_lanes, sizeof(*engine->lane),
			       GFP_KERNEL);
	if (!engine->lane)
		return -ENOMEM;
	for (i = 0; i < engine->nr_lanes; i++)
		engine->lane[i].slot.is_lane = true;
	return 0;
}

/**
 * engine_create() - start the engine of a card
 * @card: card
 * @cpu: CPU the thread is bound to, -1 for any
 * @work: works on one slot and calls engine_slot_done(), at once or later
 *
 * Return: the engine or ERR_PTR.
 */
struct engine *engine_create(struct apq_card *card, int cpu,
			     void (*work)(struct engine_slot *slot))
{
	struct engine *engine;

	engine = kzalloc(sizeof(*engine), GFP_KERNEL);
	if (!engine)
		return ERR_PTR(-ENOMEM);
	if (make_lanes(engine)) {
		kfree(engine);
		return ERR_PTR(-ENOMEM);
	}
	spin_lock_init(&engine->lock);
	INIT_LIST_HEAD(&engine->todo);
	init_waitqueue_head(&engine->wait);
	engine->card = card;
	engine->work = work;
	engine->thread = kthread_create(engine_fn, engine, "apq_engine/%02x",
					card->id);
	if (IS_ERR(engine->thread)) {
		void *err = ERR_CAST(engine->thread);

		engine_free(engine);
		return err;
	}
	if (cpu >= 0)
		kthread_bind(engine->thread, cpu);
	wake_up_process(engine->thread);
	return engine;
}

/* No request is in any queue of the card. */
void engine_stop(struct engine *engine)
{
	kthread_stop(engine->thread);
}

void engine_free(struct engine *engine)
{
	unsigned int i;

	if (!engine)
		return;
	for (i = 0; i < engine->nr_lanes; i++)
		kfree_sensitive(engine->lane[i].slot.mem);
	kfree(engine->lane);
	kfree(engine);
}
