// SPDX-License-Identifier: GPL-2.0
/*
 * The queue as seen from outside: requests come, are polled for, cancelled,
 * flushed. What happens to them inside is the state machine's, state.c.
 *
 * Whoever takes a request off a list, under the queue's lock, is the one who
 * finishes it. That makes every request finish exactly once, whatever replies
 * a card sends.
 */

#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "bus.h"
#include "model.h"
#include "state.h"
#include "trace.h"

static void finish_list(struct list_head *finished)
{
	struct apq_req *req, *next;

	list_for_each_entry_safe(req, next, finished, list) {
		list_del_init(&req->list);
		apq_req_finish(req);
	}
}

/* Tells the mode what the queue waits for, unless a fault loses that call. */
static void call_mode(struct apq_queue *aq, struct apq_mode *own,
		      enum apq_wait wait)
{
	if (wait == APQ_WAIT_NONE)
		return;
	if (static_branch_unlikely(&apq_fault_key) && apq_fault_mute(aq))
		return;
	apq_mode_kick(own, wait);
}

/*
 * Ends a section under the lock: sees to it that the card works on what went
 * into it, calls for a poll, then hands out results, with which the queue may
 * go.
 */
static void unlock_and_finish(struct apq_queue *aq, enum apq_wait wait)
	__releases(&aq->lock)
{
	bool inside = aq->in_card;
	LIST_HEAD(finished);

	list_splice_init(&aq->finished, &finished);
	spin_unlock_bh(&aq->lock);
	if (inside)
		aq->card->ops->kick(aq);
	call_mode(aq, NULL, wait);
	finish_list(&finished);
}

/* The request's reference to a queue, as apq_dispatch_pick() returned it. */
static void set_queue(struct apq_req *req, struct apq_queue *aq)
{
	struct apq_queue *old = req->aq;

	if (old == aq)
		return;
	/* Pairs with READ_ONCE() in apq_cancel(). */
	WRITE_ONCE(req->aq, aq);
	if (old)
		apq_queue_put(old);
}

static void count_inline(struct apq_queue *aq, const struct apq_req *req,
			 const struct apq_reply *reply)
{
	struct apq_inline_stats *st = &aq->inline_stats;
	unsigned int i = apq_hist_class(reply->done_ns - reply->start_ns);

	atomic64_inc(&st->count[req->alg][req->class]);
	atomic64_inc(&st->service[i]);
	if (reply->code)
		atomic64_inc(&st->errors);
	atomic64_inc(&aq->request_count);
	atomic64_inc(&aq->card->request_count);
}

/**
 * apq_queue_run() - let the caller of a request do its work
 * @aq: queue as apq_dispatch_pick() returned it
 * @req: request with a waiter, the calling task
 *
 * The short way past the lists, for an engine that is idle: nothing is handed
 * over, so nobody need notice a reply.
 *
 * Context: process context, may sleep.
 * Return: whether it is done, with the result in @req->ret.
 */
bool apq_queue_run(struct apq_queue *aq, struct apq_req *req)
{
	const struct apq_card_ops *ops = aq->card->ops;
	struct apq_reply reply;

	if (!ops->run_inline || !apq_queue_usable(aq) ||
	    (apq_service_used() &&
	     READ_ONCE(aq->card->service->on)))
		return false;
	req->submit_ns = 0;
	req->psmid = 0;
	trace_apq_submit(aq, req);
	if (!ops->run_inline(aq, req, &reply))
		return false;
	set_queue(req, aq);
	count_inline(aq, req, &reply);
	req->ret = reply.code ? apq_reply_errno(reply.code) : 0;
	return true;
}

/**
 * apq_queue_add() - append a request and run the queue
 * @aq: queue as apq_dispatch_pick() returned it
 * @req: request
 *
 * Replies that are ready are taken on the way, as z90crypt does.
 *
 * Return: 0 or -ENODEV if the queue takes nothing any more.
 */
int apq_queue_add(struct apq_queue *aq, struct apq_req *req)
{
	struct apq_mode *mode = req->mode;
	bool caller_runs = req->waiter && apq_mode_caller_runs(mode);
	bool covers = req->waiter && apq_mode_covers(mode) &&
		      !(apq_plan_used() &&
			apq_plan_crowded());
	LIST_HEAD(finished);
	enum apq_wait wait;

	set_queue(req, aq);
	/*
	 * Once the lock is dropped the request, and with it our reference, may
	 * be gone; a queue that is removed waits for RCU readers before its
	 * parts go.
	 */
	rcu_read_lock();
	spin_lock_bh(&aq->lock);
	if (!apq_queue_usable(aq)) {
		spin_unlock_bh(&aq->lock);
		rcu_read_unlock();
		return -ENODEV;
	}
	req->psmid = ++aq->next_psmid;
	req->submit_ns = caller_runs ? 0 : ktime_get_ns();
	list_add_tail(&req->list, &aq->requestq);
	apq_count_queued(aq, req);
	req->covered = covers;
	aq->covered += covers;
	/* Whatever the mode: it may become adaptive while this is inside. */
	req->sent_ns = 0;
	req->due_ns = 0;
	req->engine = 0;
	req->idle_engine = false;
	trace_apq_submit(aq, req);
	wait = apq_sm_run(aq, APQ_SM_POLL);
	list_splice_init(&aq->finished, &finished);
	spin_unlock_bh(&aq->lock);
	/* The request may be finished and gone by now. */
	call_mode(aq, mode, wait);
	if (!caller_runs)
		aq->card->ops->kick(aq);
	finish_list(&finished);
	rcu_read_unlock();
	return 0;
}

/**
 * apq_queue_poll() - take replies, send what waits
 * @aq: queue, kept by an RCU read section or a reference
 *
 * Return: what the queue waits for now.
 */
enum apq_wait apq_queue_poll(struct apq_queue *aq)
{
	enum apq_wait wait;
	u64 replies;

	/*
	 * Without a reply and outside of a reset the lock would be taken for
	 * nothing. A stale state costs one poll more.
	 */
	if (READ_ONCE(aq->sm_state) >= APQ_SM_WORKING &&
	    !apq_card_has_reply(aq)) {
		atomic64_inc(&aq->empty_polls);
		return APQ_WAIT_POLL;
	}
	spin_lock_bh(&aq->lock);
	replies = aq->replies;
	wait = apq_sm_run(aq, APQ_SM_POLL);
	replies = min(aq->replies - replies, (u64)APQ_MAX_BATCH);
	aq->stats.polls++;
	aq->stats.batch[replies]++;
	unlock_and_finish(aq, APQ_WAIT_NONE);
	return wait;
}

/*
 * Looks at which an unnoticed reply becomes a rescue: more than what the mode
 * may take by design, and never at the first.
 */
static unsigned int stale_limit(void)
{
	u64 bound_ms = div_u64(apq_mode_bound_ns(), NSEC_PER_MSEC);

	return 2 + (unsigned int)div_u64(2 * bound_ms, APQ_WATCH_MS);
}

/* The card keeps a request, or a slot of a cancelled one, for too long. */
static bool is_stuck(struct apq_queue *aq, unsigned long limit)
{
	struct apq_req *oldest;

	if (!aq->in_card)
		return false;
	oldest = list_first_entry_or_null(&aq->pendingq, struct apq_req, list);
	return time_after(jiffies, (oldest ? oldest->sent : aq->moved) +
				   limit);
}

/*
 * Fails what still waits after the time of all tries, to which the watchdog's
 * own pace belongs. The list may be long: it is looked through only when
 * somebody's time may be over.
 */
static void expire_queued(struct apq_queue *aq, unsigned int limit_ms)
{
	unsigned long limit = APQ_MAX_TRIES *
			      msecs_to_jiffies(limit_ms + APQ_WATCH_MS);
	unsigned long now = jiffies, eldest = now;
	struct apq_req *req, *next;

	if (list_empty(&aq->requestq) ||
	    time_before_eq(now, aq->eldest + limit))
		return;
	list_for_each_entry_safe(req, next, &aq->requestq, list) {
		if (time_after(now, req->born + limit)) {
			aq->expired++;
			apq_finish_locked(aq, req, -EIO);
		} else if (time_before(req->born, eldest)) {
			eldest = req->born;
		}
	}
	aq->eldest = eldest;
}

/**
 * apq_queue_watch() - look for what nobody noticed
 * @aq: queue, kept by an RCU read section
 * @limit_ms: longest time a request may be inside the card
 *
 * Called every APQ_WATCH_MS while the queue is busy or in a reset. A reply
 * that lay there for longer than the mode takes was lost by the mode: it is
 * taken now and counted. A request that was in the card for too long was lost
 * by the card: the queue is reset, which sends it again. A request that only
 * waits, since the card takes nothing or resets without end, fails after the
 * time of all tries.
 */
void apq_queue_watch(struct apq_queue *aq, unsigned int limit_ms)
{
	enum apq_sm_event event = APQ_SM_POLL;
	enum apq_wait wait = APQ_WAIT_NONE;

	spin_lock_bh(&aq->lock);
	expire_queued(aq, limit_ms);
	/* Whoever goes on with a reset takes the replies too. */
	if (aq->slow)
		goto unlock;
	if (apq_card_has_reply(aq)) {
		if (++aq->stale < stale_limit())
			goto unlock;
		aq->stale = 0;
		aq->rescues++;
	} else if (is_stuck(aq, msecs_to_jiffies(limit_ms))) {
		aq->timeouts++;
		event = APQ_SM_TIMEOUT;
	} else {
		goto unlock;
	}
	wait = apq_sm_run(aq, event);
unlock:
	unlock_and_finish(aq, wait);
}

/**
 * apq_queue_cancel() - take a request off this queue
 * @aq: queue on which it may be
 * @req: request
 *
 * Return: true if it was there and is now its owner's.
 */
bool apq_queue_cancel(struct apq_queue *aq, struct apq_req *req)
{
	bool found = false;

	spin_lock_bh(&aq->lock);
	if (req->aq != aq)
		goto unlock;
	if (req->state == APQ_REQ_QUEUED) {
		aq->requestq_count--;
		found = true;
	} else if (req->state == APQ_REQ_PENDING) {
		found = apq_card_cancel(aq, req, req->pinned, false);
		if (found)
			aq->pendingq_count--;
	}
	if (found) {
		apq_uncover_locked(aq, req);
		list_del_init(&req->list);
		req->state = APQ_REQ_IDLE;
	}
unlock:
	spin_unlock_bh(&aq->lock);
	return found;
}

static void replan_locked(struct apq_queue *aq)
{
	if (apq_plan_used())
		apq_plan_make(aq);
	if (apq_service_used())
		apq_service_arm(aq);
}

/**
 * apq_queue_replan() - what the mode wants has changed
 * @aq: queue, kept by an RCU read section or a reference
 */
void apq_queue_replan(struct apq_queue *aq)
{
	spin_lock_bh(&aq->lock);
	replan_locked(aq);
	spin_unlock_bh(&aq->lock);
}

/**
 * apq_queue_uncover() - a caller goes to sleep and leaves the rest to others
 * @req: request of the caller, submitted
 */
void apq_queue_uncover(struct apq_req *req)
{
	struct apq_queue *aq = req->aq;

	/* Nobody but the caller covers; a reply that comes now uncovers. */
	if (!READ_ONCE(req->covered))
		return;
	spin_lock_bh(&aq->lock);
	if (req->covered) {
		apq_uncover_locked(aq, req);
		if (apq_plan_used())
			apq_plan_commit(aq);
		else if (apq_service_used())
			apq_service_arm(aq);
	}
	spin_unlock_bh(&aq->lock);
}

/* Sends everything back for another try; what is worked on now comes back. */
static void flush_locked(struct apq_queue *aq)
{
	struct apq_req *req, *next;

	/* What has its reply already need not go around again. */
	apq_read_all(aq);
	apq_fail_queued(aq);
	list_for_each_entry_safe(req, next, &aq->pendingq, list)
		/* A reply may have come since; an input in place is gone. */
		if (apq_card_cancel(aq, req, true, true))
			apq_finish_locked(aq, req, -EAGAIN);
}

/* What a card answers while its queues are blocked for this reason. */
static enum apq_response block_response(enum apq_block why)
{
	switch (why) {
	case APQ_BLOCK_DECONFIG:
		return APQ_RESP_DECONFIG;
	case APQ_BLOCK_CHKSTOP:
		return APQ_RESP_CHECKSTOP;
	default:
		return APQ_RESP_OK;
	}
}

/* The card side of a queue may be used again, after a reset. */
static void restart_locked(struct apq_queue *aq)
{
	if (aq->blocked & (APQ_BLOCK_DECONFIG | APQ_BLOCK_CHKSTOP))
		return;
	WRITE_ONCE(aq->dev_state, APQ_DEV_OPERATING);
	aq->last_response = APQ_RESP_OK;
	aq->sm_state = APQ_SM_RESET_START;
}

/**
 * apq_queue_block() - give or take away a reason not to take requests
 * @aq: queue
 * @why: one reason
 * @block: true flushes the queue: its requests try elsewhere
 */
void apq_queue_block(struct apq_queue *aq, enum apq_block why, bool block)
{
	enum apq_response resp = block_response(why);

	spin_lock_bh(&aq->lock);
	WRITE_ONCE(aq->blocked, block ? aq->blocked | why :
					aq->blocked & ~why);
	/* No longer in the walk: its index may be another queue's by now. */
	if (aq->dev_state == APQ_DEV_SHUTDOWN) {
		spin_unlock_bh(&aq->lock);
		return;
	}
	if (block)
		flush_locked(aq);
	if (block && resp) {
		WRITE_ONCE(aq->dev_state, APQ_DEV_ERROR);
		aq->last_response = resp;
		aq->sm_state = APQ_SM_RESET_START;
	} else if (resp) {
		restart_locked(aq);
	}
	unlock_and_finish(aq, apq_sm_run(aq, APQ_SM_POLL));
}

/**
 * apq_queue_reset() - flush a queue and reset its side of the card
 * @aq: queue
 */
void apq_queue_reset(struct apq_queue *aq)
{
	spin_lock_bh(&aq->lock);
	if (aq->dev_state == APQ_DEV_SHUTDOWN) {
		spin_unlock_bh(&aq->lock);
		return;
	}
	flush_locked(aq);
	aq->sm_state = APQ_SM_RESET_START;
	if (aq->dev_state == APQ_DEV_ERROR)
		restart_locked(aq);
	unlock_and_finish(aq, apq_sm_run(aq, APQ_SM_POLL));
}

/**
 * apq_queue_shutdown() - end service for good
 * @aq: queue
 *
 * Waits until the card is not working on any request of this queue. Requests
 * that come back try elsewhere.
 *
 * Context: process context, may sleep.
 */
void apq_queue_shutdown(struct apq_queue *aq)
{
	bool busy;

	spin_lock_bh(&aq->lock);
	WRITE_ONCE(aq->dev_state, APQ_DEV_SHUTDOWN);
	flush_locked(aq);
	aq->sm_state = APQ_SM_RESET_START;
	unlock_and_finish(aq, apq_sm_run(aq, APQ_SM_POLL));
	for (;;) {
		spin_lock_bh(&aq->lock);
		busy = apq_sm_run(aq, APQ_SM_POLL) == APQ_WAIT_SLOW;
		unlock_and_finish(aq, APQ_WAIT_NONE);
		if (!busy)
			break;
		schedule_timeout_uninterruptible(1);
	}
	apq_service_queue_stop(aq);
	apq_plan_stop(aq);
}

/* errno of the code in a reply; what is not listed is worth another try. */
int apq_reply_errno(unsigned int code)
{
	switch (code) {
	case APQ_REPLY_OK:
		return 0;
	case 0x22: case 0x23: case 0x24: case 0x29: case 0x34:
	case 0x40: case 0x41: case 0x80:
	case APQ_REPLY_OPERAND:
	case APQ_REPLY_OPERAND_SIZE:
	case APQ_REPLY_EVEN_MODULUS:
	case 0x8a: case 0x8b: case 0xa0:
		return -EINVAL;
	case APQ_REPLY_BAD_TAG:
		return -EBADMSG;
	default:
		return -EAGAIN;
	}
}

static void queue_free(struct rcu_head *rcu)
{
	struct apq_queue *aq = container_of(rcu, struct apq_queue, rcu);
	struct apq_card *card = aq->card;

	card->ops->queue_exit(aq);
	kfree(aq);
	put_device(&card->dev);
}

/* The walk over the queues and callbacks of the card run under RCU. */
static void queue_release(struct device *dev)
{
	call_rcu(&to_apq_queue(dev)->rcu, queue_free);
}

/**
 * apq_queue_create() - make a queue of a card, not yet visible
 * @card: card; the queue holds a reference to it
 * @domain: domain, below APQ_MAX_DOMAINS
 *
 * Return: the queue or ERR_PTR.
 */
struct apq_queue *apq_queue_create(struct apq_card *card, unsigned int domain)
{
	struct apq_queue *aq;
	int ret;

	aq = kzalloc(sizeof(*aq), GFP_KERNEL);
	if (!aq)
		return ERR_PTR(-ENOMEM);
	aq->card = card;
	aq->domain = domain;
	/* Until a driver binds; see core/driver.c. */
	aq->blocked = APQ_BLOCK_UNBOUND;
	aq->sm_state = APQ_SM_IDLE;
	spin_lock_init(&aq->lock);
	INIT_LIST_HEAD(&aq->requestq);
	INIT_LIST_HEAD(&aq->pendingq);
	INIT_LIST_HEAD(&aq->finished);
	apq_service_queue_init(aq);
	apq_plan_init(aq);
	ret = card->ops->queue_init(aq);
	if (ret) {
		kfree(aq);
		return ERR_PTR(ret);
	}
	get_device(&card->dev);
	device_initialize(&aq->dev);
	aq->dev.parent = &card->dev;
	aq->dev.bus = &apq_bus_type;
	aq->dev.type = &apq_queue_type;
	aq->dev.release = queue_release;
	ret = dev_set_name(&aq->dev, "%02x.%04x", card->id, domain);
	if (ret) {
		put_device(&aq->dev);
		return ERR_PTR(ret);
	}
	return aq;
}
