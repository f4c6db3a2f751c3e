// SPDX-License-Identifier: GPL-2.0
/*
 * The state machine of a queue: a jump table of state and event. Handlers
 * return what to wait for; apq_mode_kick() is the one place that turns this
 * into work for the completion mode.
 *
 * Everything here runs under the queue's lock, with bottom halves off.
 */

#include "bus.h"
#include "model.h"
#include "plan.h"
#include "state.h"
#include "trace.h"
#include "transport.h"

/* Pause between two tries of a queue in APQ_DEV_ERROR to come back. */
#define RECOVER_MS	1000

typedef enum apq_wait (sm_func)(struct apq_queue *aq);

bool apq_card_has_reply(struct apq_queue *aq)
{
	if (static_branch_unlikely(&apq_fault_key))
		return apq_fault_has_reply(aq);
	return apq_real_has_reply(aq);
}

static enum apq_response card_enqueue(struct apq_queue *aq,
				      struct apq_req *req)
{
	lockdep_assert_held(&aq->lock);
	if (static_branch_unlikely(&apq_fault_key))
		return apq_fault_enqueue(aq, req);
	return apq_real_enqueue(aq, req);
}

static enum apq_response card_dequeue(struct apq_queue *aq,
				      struct apq_reply *reply)
{
	lockdep_assert_held(&aq->lock);
	if (static_branch_unlikely(&apq_fault_key))
		return apq_fault_dequeue(aq, reply);
	return apq_real_dequeue(aq, reply);
}

static enum apq_response card_reset(struct apq_queue *aq)
{
	lockdep_assert_held(&aq->lock);
	if (static_branch_unlikely(&apq_fault_key))
		return apq_fault_reset(aq);
	return apq_real_reset(aq);
}

/**
 * apq_card_cancel() - make a card forget a pending request
 * @aq: queue
 * @req: request on its list of pending ones
 * @keep_running: do not forget it while it is being worked on
 * @keep_done: do not forget it once it has a reply
 *
 * A forgotten request keeps its slot until the card has answered to nobody.
 *
 * Return: whether the request is forgotten.
 */
bool apq_card_cancel(struct apq_queue *aq, struct apq_req *req,
		     bool keep_running, bool keep_done)
{
	int ret;

	lockdep_assert_held(&aq->lock);
	if (static_branch_unlikely(&apq_fault_key))
		ret = apq_fault_cancel(aq, req->psmid);
	else
		ret = apq_real_cancel(aq, req->psmid);
	if ((ret == -EBUSY && keep_running) || (ret == -EALREADY && keep_done))
		return false;
	if (ret == -ENOENT)
		aq->in_card--;
	else if (!WARN_ON_ONCE(aq->nr_orphans == APQ_CARD_DEPTH))
		aq->orphans[aq->nr_orphans++] = req->psmid;
	return true;
}

/* A request has come to the list of those that wait, at either end. */
void apq_count_queued(struct apq_queue *aq, struct apq_req *req)
{
	lockdep_assert_held(&aq->lock);
	req->state = APQ_REQ_QUEUED;
	if (!aq->requestq_count++ || time_before(req->born, aq->eldest))
		aq->eldest = req->born;
}

/* Its caller looks no more. Whoever calls sees to the plan. */
void apq_uncover_locked(struct apq_queue *aq, struct apq_req *req)
{
	lockdep_assert_held(&aq->lock);
	if (!req->covered)
		return;
	req->covered = false;
	aq->covered--;
}

/* Takes a request off its list and puts it where the lock's holder looks. */
void apq_finish_locked(struct apq_queue *aq, struct apq_req *req, int ret)
{
	lockdep_assert_held(&aq->lock);
	if (req->state == APQ_REQ_QUEUED)
		aq->requestq_count--;
	else
		aq->pendingq_count--;
	apq_uncover_locked(aq, req);
	req->state = APQ_REQ_IDLE;
	req->ret = ret;
	list_move_tail(&req->list, &aq->finished);
}

/* Sends all requests that are not inside the card elsewhere. */
void apq_fail_queued(struct apq_queue *aq)
{
	struct apq_req *req, *next;

	list_for_each_entry_safe(req, next, &aq->requestq, list)
		apq_finish_locked(aq, req, -EAGAIN);
}

/* A code that ends the queue: nothing inside the card will be answered. */
static enum apq_wait enter_error(struct apq_queue *aq, unsigned int response)
{
	if (aq->dev_state == APQ_DEV_OPERATING) {
		WRITE_ONCE(aq->dev_state, APQ_DEV_ERROR);
		dev_warn_ratelimited(&aq->dev,
				     "response code 0x%02x, queue stopped\n",
				     response);
	}
	aq->last_response = response;
	aq->recover_at = jiffies;
	apq_fail_queued(aq);
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

/**
 * apq_count_reply() - count an answered request
 * @aq: queue, its lock held
 * @req: request
 * @reply: its reply
 */
void apq_count_reply(struct apq_queue *aq, const struct apq_req *req,
		     const struct apq_reply *reply)
{
	struct apq_stats *st = &aq->stats;

	lockdep_assert_held(&aq->lock);
	st->count[req->alg][req->class]++;
	if (reply->code)
		st->errors++;
	apq_hist_add(st->service, reply->done_ns - reply->start_ns);
	if (req->submit_ns) {
		st->timed++;
		apq_hist_add(st->wait, reply->start_ns - req->submit_ns);
		apq_hist_add(st->oversleep, ktime_get_ns() - reply->done_ns);
	}
	atomic64_inc(&aq->request_count);
	atomic64_inc(&aq->card->request_count);
}

static bool match_orphan(struct apq_queue *aq, u64 psmid)
{
	unsigned int i;

	for (i = 0; i < aq->nr_orphans; i++) {
		if (aq->orphans[i] != psmid)
			continue;
		aq->orphans[i] = aq->orphans[--aq->nr_orphans];
		return true;
	}
	return false;
}

/* Gives a reply to its request, if there is one that waits for it. */
static void match_reply(struct apq_queue *aq, const struct apq_reply *reply)
{
	struct apq_req *req;

	list_for_each_entry(req, &aq->pendingq, list) {
		if (req->psmid != reply->psmid)
			continue;
		aq->in_card--;
		trace_apq_dequeue(aq, req);
		if (apq_plan_used())
			apq_predict_reply(aq, req, reply);
		apq_count_reply(aq, req, reply);
		apq_finish_locked(aq, req, apq_reply_errno(reply->code));
		return;
	}
	if (match_orphan(aq, reply->psmid)) {
		aq->in_card--;
		aq->dropped++;
	} else {
		aq->unknown++;
	}
}

static enum apq_response take_reply(struct apq_queue *aq)
{
	enum apq_response resp;
	struct apq_reply reply;

	if (!apq_card_has_reply(aq))
		return APQ_RESP_FULL;
	resp = card_dequeue(aq, &reply);
	if (resp == APQ_RESP_OK) {
		aq->moved = jiffies;
		aq->stale = 0;
		aq->replies++;
		match_reply(aq, &reply);
		set_working_state(aq);
	}
	return resp;
}

/* Takes the replies that are there, whatever the state. */
void apq_read_all(struct apq_queue *aq)
{
	lockdep_assert_held(&aq->lock);
	while (take_reply(aq) == APQ_RESP_OK)
		;
}

static enum apq_wait sm_read(struct apq_queue *aq)
{
	enum apq_response resp;

	if (!aq->in_card)
		return APQ_WAIT_NONE;
	resp = take_reply(aq);
	switch (resp) {
	case APQ_RESP_OK:
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

static enum apq_wait sent(struct apq_queue *aq, struct apq_req *req)
{
	req->state = APQ_REQ_PENDING;
	req->sent = jiffies;
	aq->moved = req->sent;
	trace_apq_enqueue(aq, req);
	list_move_tail(&req->list, &aq->pendingq);
	aq->requestq_count--;
	aq->pendingq_count++;
	aq->in_card++;
	if (apq_plan_used()) {
		req->sent_ns = ktime_get_ns();
		req->due_ns = 0;
	}
	set_working_state(aq);
	return aq->requestq_count ? APQ_WAIT_AGAIN : APQ_WAIT_POLL;
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
	resp = card_enqueue(aq, req);
	switch (resp) {
	case APQ_RESP_OK:
		return sent(aq, req);
	case APQ_RESP_FULL:
		/* No reply will tell when a card that is empty has room. */
		if (!aq->in_card)
			return APQ_WAIT_SLOW;
		aq->sm_state = APQ_SM_QUEUE_FULL;
		return APQ_WAIT_POLL;
	case APQ_RESP_RESET:
		aq->sm_state = APQ_SM_RESET_WAIT;
		return APQ_WAIT_SLOW;
	case APQ_RESP_TOO_BIG:
	case APQ_RESP_NO_FACILITY:
		apq_finish_locked(aq, req, -EINVAL);
		return APQ_WAIT_AGAIN;
	default:
		return enter_error(aq, resp);
	}
}

static enum apq_wait sm_read_write(struct apq_queue *aq)
{
	enum apq_wait wait = sm_read(aq);

	/* The state may be another one by now. */
	if (wait == APQ_WAIT_AGAIN || wait == APQ_WAIT_SLOW)
		return wait;
	return min(wait, sm_write(aq));
}

/* What was inside the card: again to the front of the list, or elsewhere. */
static void resubmit_pending(struct apq_queue *aq)
{
	struct apq_req *req, *prev;

	list_for_each_entry_safe_reverse(req, prev, &aq->pendingq, list) {
		/* Without its input, or this queue, it cannot be sent again. */
		if (aq->dev_state != APQ_DEV_OPERATING ||
		    (req->in_place && req->started)) {
			apq_finish_locked(aq, req, -EAGAIN);
			continue;
		}
		if (++req->tries >= APQ_MAX_TRIES) {
			apq_finish_locked(aq, req, -EIO);
			continue;
		}
		list_move(&req->list, &aq->requestq);
		aq->pendingq_count--;
		apq_count_queued(aq, req);
	}
}

/* The card has forgotten everything; @alive: and takes requests again. */
static enum apq_wait reset_done(struct apq_queue *aq, bool alive)
{
	aq->in_card = 0;
	aq->nr_orphans = 0;
	aq->held.nr = 0;
	resubmit_pending(aq);
	aq->sm_state = APQ_SM_IDLE;
	/* Stays in error until the reason is taken away, which resets it. */
	if (aq->blocked & (APQ_BLOCK_DECONFIG | APQ_BLOCK_CHKSTOP)) {
		aq->sm_state = APQ_SM_RESET_START;
		return APQ_WAIT_NONE;
	}
	if (aq->dev_state == APQ_DEV_ERROR) {
		if (!alive) {
			aq->sm_state = APQ_SM_RESET_START;
			aq->recover_at = jiffies +
					 msecs_to_jiffies(RECOVER_MS);
			return APQ_WAIT_SLOW;
		}
		WRITE_ONCE(aq->dev_state, APQ_DEV_OPERATING);
	}
	return aq->requestq_count ? APQ_WAIT_AGAIN : APQ_WAIT_NONE;
}

static enum apq_wait sm_reset(struct apq_queue *aq)
{
	enum apq_response resp;

	if (aq->dev_state == APQ_DEV_ERROR && !aq->blocked &&
	    time_before(jiffies, aq->recover_at))
		return APQ_WAIT_SLOW;
	apq_read_all(aq);
	resp = card_reset(aq);
	switch (resp) {
	case APQ_RESP_OK:
		return reset_done(aq, true);
	case APQ_RESP_BUSY:
	case APQ_RESP_RESET:
		aq->sm_state = APQ_SM_RESET_WAIT;
		return APQ_WAIT_SLOW;
	default:
		/* A card that is gone holds nothing either. */
		if (aq->dev_state == APQ_DEV_OPERATING)
			WRITE_ONCE(aq->dev_state, APQ_DEV_ERROR);
		aq->last_response = resp;
		apq_fail_queued(aq);
		return reset_done(aq, false);
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

/**
 * apq_sm_run() - run the table until it waits for something outside of it
 * @aq: queue
 * @event: what happened; then it goes on with polling
 *
 * Context: @aq->lock held.
 * Return: what the queue waits for.
 */
enum apq_wait apq_sm_run(struct apq_queue *aq, enum apq_sm_event event)
{
	enum apq_wait wait;
	bool busy, slow;

	lockdep_assert_held(&aq->lock);
	do {
		wait = jump_table[aq->sm_state][event](aq);
		event = APQ_SM_POLL;
	} while (wait == APQ_WAIT_AGAIN);

	/* A reset is looked after by the watchdog, not by a mode. */
	slow = wait == APQ_WAIT_SLOW;
	busy = !slow && (aq->in_card || aq->requestq_count);
	if (busy != aq->busy || slow != aq->slow) {
		aq->busy = busy;
		aq->slow = slow;
		apq_bus_mark_busy(aq, busy, slow);
	}
	if (apq_plan_used())
		apq_plan_make(aq);
	return wait;
}
