// SPDX-License-Identifier: GPL-2.0
/*
 * The queue: a request list, a list of replies awaited, and a jump table of
 * state and event. Handlers return what to wait for; apq_mode_kick() is the
 * one place that turns this into work for the completion mode.
 *
 * Whoever takes a request off a list, under the queue's lock, is the one who
 * finishes it. That makes every request finish exactly once, whatever replies
 * a card sends.
 */

#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "bus.h"
#include "model.h"

typedef enum apq_wait (sm_func)(struct apq_queue *aq);

/* Takes a request off its list and puts it where the lock's holder looks. */
static void finish_locked(struct apq_queue *aq, struct apq_req *req, int ret)
{
	lockdep_assert_held(&aq->lock);
	if (req->state == APQ_REQ_QUEUED)
		aq->requestq_count--;
	else
		aq->pendingq_count--;
	req->state = APQ_REQ_IDLE;
	req->ret = ret;
	list_move_tail(&req->list, &aq->finished);
}

static void fail_all(struct apq_queue *aq, struct list_head *list, int ret)
{
	struct apq_req *req, *next;

	list_for_each_entry_safe(req, next, list, list)
		finish_locked(aq, req, ret);
}

/* A code that ends the queue: nothing inside the card will be answered. */
static enum apq_wait enter_error(struct apq_queue *aq, unsigned int response)
{
	WRITE_ONCE(aq->dev_state, APQ_DEV_ERROR);
	aq->last_response = response;
	dev_warn_ratelimited(&aq->dev, "response code 0x%02x, queue stopped\n",
			     response);
	fail_all(aq, &aq->requestq, -EAGAIN);
	aq->sm_state = APQ_SM_RESET_START;
	return APQ_WAIT_AGAIN;
}

static void set_working_state(struct apq_queue *aq)
{
	/* A reset goes on while replies still come. */
	if (aq->sm_state < APQ_SM_IDLE)
		return;
	if (!aq->in_card)
		aq->sm_state = APQ_SM_IDLE;
	else if (aq->in_card < aq->card->depth)
		aq->sm_state = APQ_SM_WORKING;
	else
		aq->sm_state = APQ_SM_QUEUE_FULL;
}

static void match_reply(struct apq_queue *aq, const struct apq_reply *reply)
{
	struct apq_req *req;

	list_for_each_entry(req, &aq->pendingq, list) {
		if (req->psmid != reply->psmid)
			continue;
		finish_locked(aq, req, apq_reply_errno(reply->code));
		atomic64_inc(&aq->request_count);
		atomic64_inc(&aq->card->request_count);
		return;
	}
	aq->dropped++;
}

static enum apq_wait sm_read(struct apq_queue *aq)
{
	const struct apq_card_ops *ops = aq->card->ops;
	struct apq_reply reply;
	enum apq_response resp;

	if (!aq->in_card)
		return APQ_WAIT_NONE;
	if (!ops->has_reply(aq))
		return APQ_WAIT_POLL;
	resp = ops->dequeue(aq, &reply);
	switch (resp) {
	case APQ_RESP_OK:
		aq->in_card--;
		match_reply(aq, &reply);
		set_working_state(aq);
		return APQ_WAIT_AGAIN;
	case APQ_RESP_FULL:
		return APQ_WAIT_POLL;
	case APQ_RESP_RESET:
		aq->sm_state = APQ_SM_RESET_WAIT;
		return APQ_WAIT_SLOW;
	default:
		return enter_error(aq, resp);
	}
}

static void read_all(struct apq_queue *aq)
{
	while (sm_read(aq) == APQ_WAIT_AGAIN)
		;
}

static enum apq_wait sm_write(struct apq_queue *aq)
{
	enum apq_response resp;
	struct apq_req *req;

	req = list_first_entry_or_null(&aq->requestq, struct apq_req, list);
	if (!req)
		return aq->in_card ? APQ_WAIT_POLL : APQ_WAIT_NONE;
	if (aq->in_card >= aq->card->depth) {
		aq->sm_state = APQ_SM_QUEUE_FULL;
		return APQ_WAIT_POLL;
	}
	resp = aq->card->ops->enqueue(aq, req);
	switch (resp) {
	case APQ_RESP_OK:
		req->state = APQ_REQ_PENDING;
		list_move_tail(&req->list, &aq->pendingq);
		aq->requestq_count--;
		aq->pendingq_count++;
		aq->in_card++;
		set_working_state(aq);
		return aq->requestq_count ? APQ_WAIT_AGAIN : APQ_WAIT_POLL;
	case APQ_RESP_FULL:
		aq->sm_state = APQ_SM_QUEUE_FULL;
		return APQ_WAIT_POLL;
	case APQ_RESP_RESET:
		aq->sm_state = APQ_SM_RESET_WAIT;
		return APQ_WAIT_SLOW;
	case APQ_RESP_TOO_BIG:
	case APQ_RESP_NO_FACILITY:
		finish_locked(aq, req, -EINVAL);
		return APQ_WAIT_AGAIN;
	default:
		return enter_error(aq, resp);
	}
}

static enum apq_wait sm_read_write(struct apq_queue *aq)
{
	return min(sm_read(aq), sm_write(aq));
}

/*
 * The card has forgotten everything. What was inside goes to the front of the
 * request list again, unless its input is gone.
 */
static enum apq_wait reset_done(struct apq_queue *aq)
{
	struct apq_req *req, *prev;

	aq->in_card = 0;
	list_for_each_entry_safe_reverse(req, prev, &aq->pendingq, list) {
		if (aq->dev_state != APQ_DEV_OPERATING ||
		    (req->in_place && req->started)) {
			finish_locked(aq, req, -EAGAIN);
			continue;
		}
		req->state = APQ_REQ_QUEUED;
		list_move(&req->list, &aq->requestq);
		aq->pendingq_count--;
		aq->requestq_count++;
	}
	aq->sm_state = APQ_SM_IDLE;
	return aq->requestq_count ? APQ_WAIT_AGAIN : APQ_WAIT_NONE;
}

static enum apq_wait sm_reset(struct apq_queue *aq)
{
	enum apq_response resp;

	read_all(aq);
	resp = aq->card->ops->reset(aq);
	switch (resp) {
	case APQ_RESP_OK:
		return reset_done(aq);
	case APQ_RESP_BUSY:
	case APQ_RESP_RESET:
		aq->sm_state = APQ_SM_RESET_WAIT;
		return APQ_WAIT_SLOW;
	default:
		/* A card that is gone holds nothing either. */
		WRITE_ONCE(aq->dev_state, APQ_DEV_ERROR);
		aq->last_response = resp;
		return reset_done(aq);
	}
}

static enum apq_wait sm_timeout(struct apq_queue *aq)
{
	aq->sm_state = APQ_SM_RESET_START;
	return APQ_WAIT_AGAIN;
}

static enum apq_wait sm_nop(struct apq_queue *aq)
{
	return APQ_WAIT_SLOW;
}

static sm_func * const jump_table[NR_APQ_SM_STATES][NR_APQ_SM_EVENTS] = {
	[APQ_SM_RESET_START] = {
		[APQ_SM_POLL]	 = sm_reset,
		[APQ_SM_TIMEOUT] = sm_nop,
	},
	[APQ_SM_RESET_WAIT] = {
		[APQ_SM_POLL]	 = sm_reset,
		[APQ_SM_TIMEOUT] = sm_nop,
	},
	[APQ_SM_IDLE] = {
		[APQ_SM_POLL]	 = sm_write,
		[APQ_SM_TIMEOUT] = sm_nop,
	},
	[APQ_SM_WORKING] = {
		[APQ_SM_POLL]	 = sm_read_write,
		[APQ_SM_TIMEOUT] = sm_timeout,
	},
	[APQ_SM_QUEUE_FULL] = {
		[APQ_SM_POLL]	 = sm_read,
		[APQ_SM_TIMEOUT] = sm_timeout,
	},
};

/* Runs the table until it waits for something outside of it. */
static enum apq_wait sm_run(struct apq_queue *aq, enum apq_sm_event event)
{
	enum apq_wait wait;
	bool busy;

	lockdep_assert_held(&aq->lock);
	do {
		wait = jump_table[aq->sm_state][event](aq);
		event = APQ_SM_POLL;
	} while (wait == APQ_WAIT_AGAIN);

	busy = aq->in_card || aq->requestq_count || wait == APQ_WAIT_SLOW;
	if (busy != aq->busy) {
		aq->busy = busy;
		apq_bus_mark_busy(aq, busy);
	}
	return wait;
}

/* Ends a section under the lock: hands out results, then calls for a poll. */
static void unlock_and_finish(struct apq_queue *aq, enum apq_wait wait)
	__releases(&aq->lock)
{
	struct apq_req *req, *next;
	LIST_HEAD(finished);

	list_splice_init(&aq->finished, &finished);
	spin_unlock_bh(&aq->lock);

	if (wait != APQ_WAIT_NONE)
		apq_mode_kick(wait);
	list_for_each_entry_safe(req, next, &finished, list) {
		list_del_init(&req->list);
		apq_req_finish(req);
	}
}

/*
 * Whether the queue takes requests. Only a hint without the lock: the add
 * that follows checks again. READ_ONCE() pairs with the WRITE_ONCE() of each
 * change of the two fields in this file.
 */
bool apq_queue_usable(struct apq_queue *aq)
{
	return !READ_ONCE(aq->blocked) &&
	       READ_ONCE(aq->dev_state) == APQ_DEV_OPERATING;
}

/**
 * apq_queue_add() - append a request and run the queue
 * @aq: queue; the caller's reference to it becomes the request's
 * @req: request
 *
 * Replies that are ready are taken on the way, as z90crypt does.
 *
 * Return: 0 or -ENODEV if the queue takes nothing any more.
 */
int apq_queue_add(struct apq_queue *aq, struct apq_req *req)
{
	struct apq_queue *old = req->aq;
	enum apq_wait wait;

	/* Pairs with READ_ONCE() in apq_cancel(). */
	WRITE_ONCE(req->aq, aq);
	if (old)
		apq_queue_put(old);

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
	req->state = APQ_REQ_QUEUED;
	list_add_tail(&req->list, &aq->requestq);
	aq->requestq_count++;
	wait = sm_run(aq, APQ_SM_POLL);
	unlock_and_finish(aq, wait);
	aq->card->ops->kick(aq);
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
	bool more;

	/*
	 * Without a reply and outside of a reset the lock would be taken for
	 * nothing. A stale state costs one poll more.
	 */
	if (READ_ONCE(aq->sm_state) >= APQ_SM_WORKING &&
	    !aq->card->ops->has_reply(aq)) {
		atomic64_inc(&aq->empty_polls);
		return APQ_WAIT_POLL;
	}
	spin_lock_bh(&aq->lock);
	wait = sm_run(aq, APQ_SM_POLL);
	more = aq->in_card;
	unlock_and_finish(aq, APQ_WAIT_NONE);
	if (more)
		aq->card->ops->kick(aq);
	return wait;
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
		int ret = aq->card->ops->cancel(aq, req->psmid);

		found = !ret || !req->pinned;
		if (found)
			aq->pendingq_count--;
	}
	if (found) {
		list_del_init(&req->list);
		req->state = APQ_REQ_IDLE;
	}
unlock:
	spin_unlock_bh(&aq->lock);
	return found;
}

/* Sends everything back for another try; what is worked on now comes back. */
static void flush_locked(struct apq_queue *aq)
{
	struct apq_req *req, *next;

	/* What has its reply already need not go around again. */
	read_all(aq);
	fail_all(aq, &aq->requestq, -EAGAIN);
	list_for_each_entry_safe(req, next, &aq->pendingq, list)
		if (!aq->card->ops->cancel(aq, req->psmid))
			finish_locked(aq, req, -EAGAIN);
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
	unlock_and_finish(aq, sm_run(aq, APQ_SM_POLL));
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
	unlock_and_finish(aq, sm_run(aq, APQ_SM_POLL));
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
	unlock_and_finish(aq, sm_run(aq, APQ_SM_POLL));
	for (;;) {
		spin_lock_bh(&aq->lock);
		busy = sm_run(aq, APQ_SM_POLL) == APQ_WAIT_SLOW;
		unlock_and_finish(aq, APQ_WAIT_NONE);
		if (!busy)
			return;
		schedule_timeout_uninterruptible(1);
	}
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
	default:
		return -EAGAIN;
	}
}

static void queue_release(struct device *dev)
{
	struct apq_queue *aq = to_apq_queue(dev);
	struct apq_card *card = aq->card;

	if (card->ops->queue_exit)
		card->ops->queue_exit(aq);
	put_device(&card->dev);
	kfree_rcu(aq, rcu);
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
