// SPDX-License-Identifier: GPL-2.0
/* Requests: submit, wait, cancel, finish, and another try elsewhere. */

#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include "bus.h"
#include "plan.h"
#include "trace.h"

/* How often a waiter that may not leave yet looks again, in jiffies. */
#define APQ_CANCEL_INTERVAL	max(1, HZ / 100)

static LIST_HEAD(retry_list);
static DEFINE_SPINLOCK(retry_lock);	/* retry_list, links and state in it */

static void retry_work_fn(struct work_struct *work);
static DECLARE_WORK(retry_work, retry_work_fn);

void apq_req_init(struct apq_req *req, unsigned int alg, unsigned int op,
		  void (*release)(struct apq_req *req))
{
	/* Field by field: operands are the owner's, and most of the bytes. */
	req->alg = alg;
	req->op = op;
	req->in_place = false;
	req->pinned = false;
	req->lab = false;
	req->session = NULL;
	req->complete = NULL;
	req->release = release;
	req->mode = NULL;
	refcount_set(&req->ref, 1);
	req->state = APQ_REQ_IDLE;
	req->tries = 0;
	req->born = jiffies;
	req->started = false;
	req->aq = NULL;
	req->waiter = NULL;
	req->finished = false;
}

/**
 * apq_req_reinit() - make a request that was answered ready for another use
 * @req: request with no reference but the owner's, initialized before
 * @alg: enum apq_alg
 * @op: enum apq_op_code
 *
 * It keeps its reference to the queue, which costs less than to get it anew
 * where the next request goes there, too.
 */
void apq_req_reinit(struct apq_req *req, unsigned int alg, unsigned int op)
{
	struct apq_queue *aq = req->aq;

	apq_req_init(req, alg, op, req->release);
	req->aq = aq;
}

/**
 * apq_req_detach() - let go of the queue
 * @req: request with no reference but the owner's
 */
void apq_req_detach(struct apq_req *req)
{
	if (req->aq)
		apq_queue_put(req->aq);
	req->aq = NULL;
}

void apq_req_put(struct apq_req *req)
{
	struct apq_queue *aq;

	if (!refcount_dec_and_test(&req->ref))
		return;
	aq = req->aq;
	req->aq = NULL;
	if (req->release)
		req->release(req);
	if (aq)
		apq_queue_put(aq);
}

static inline enum apq_class req_class(const struct apq_req *req)
{
	unsigned int len = apq_req_len(req);

	if (apq_req_is_rsa(req))
		return len <= 128 ? APQ_CLASS_SMALL :
		       len <= 256 ? APQ_CLASS_MEDIUM : APQ_CLASS_LARGE;
	return len <= 1024 ? APQ_CLASS_SMALL :
	       len <= 16384 ? APQ_CLASS_MEDIUM : APQ_CLASS_LARGE;
}

/* The mirror of what apq_submit() counts. */
static void leave_flight(struct apq_req *req)
{
	if (req->mode)
		atomic_dec(&req->mode->in_flight);
	apq_dispatch_drop(req->aq, req);
}

/**
 * apq_submit() - give a request to a queue
 * @req: request, its upper part filled
 *
 * Context: any but hard interrupt.
 * Return: 0, and @req->complete will be called once; -ENODEV: no online card
 * can do it, and @req is still the caller's.
 */
int apq_submit(struct apq_req *req)
{
	int ret;

	req->class = req_class(req);
	/*
	 * A queue can leave service between pick and add; the next pick then
	 * no longer finds it, the bound is only a belt.
	 */
	while (req->tries < APQ_MAX_TRIES) {
		struct apq_queue *aq = apq_dispatch_pick(req);

		if (!aq)
			return -ENODEV;
		if (req->mode)
			atomic_inc(&req->mode->in_flight);
		ret = apq_queue_add(aq, req);
		if (!ret)
			return 0;
		leave_flight(req);
		req->tries++;
	}
	return -ENODEV;
}

/* A request that lost its input, or was tried often enough, ends with EIO. */
static bool try_again(struct apq_req *req)
{
	bool lost_input = req->in_place && req->started;

	if (!lost_input && ++req->tries < APQ_MAX_TRIES)
		return true;
	req->ret = -EIO;
	return false;
}

/**
 * apq_run() - let the caller do the work of a request, where the mode has it so
 * @req: request, its upper part filled
 *
 * Nothing is handed over and nobody is woken: the cheapest way there is.
 *
 * Context: process context, may sleep.
 * Return: true: done, the result is in @req->ret and @req->complete was not
 * called. False: apq_submit() is the way to go.
 */
bool apq_run(struct apq_req *req)
{
	struct task_struct *waiter = req->waiter;
	struct apq_queue *aq;
	bool done;

	/*
	 * With faults switched on all requests take the long way, where the
	 * faults are. A choice of queue that leads nowhere would also spoil
	 * the rotation: of two cards, always the same would be taken.
	 */
	if (!apq_mode_caller_runs(req->mode) ||
	    static_branch_unlikely(&apq_fault_key))
		return false;
	req->class = req_class(req);
	aq = apq_dispatch_idle(req);
	if (!aq && apq_dispatch_runs())
		aq = apq_dispatch_pick(req);
	if (!aq)
		return false;
	req->waiter = current;
	done = apq_queue_run(aq, req);
	req->waiter = waiter;
	apq_dispatch_drop(aq, req);
	if (!done) {
		if (aq != req->aq)
			apq_queue_put(aq);
		return false;
	}
	trace_apq_complete(req);
	return req->ret != -EAGAIN || !try_again(req);
}

/*
 * Tries again from process context: a request finishes in the poll of some
 * queue, and another queue's work must not nest into that.
 */
static void retry_work_fn(struct work_struct *work)
{
	struct apq_req *req;
	int ret;

	for (;;) {
		spin_lock_bh(&retry_lock);
		req = list_first_entry_or_null(&retry_list, struct apq_req,
					       list);
		if (req) {
			list_del_init(&req->list);
			req->state = APQ_REQ_IDLE;
		}
		spin_unlock_bh(&retry_lock);
		if (!req)
			return;
		ret = apq_submit(req);
		if (ret) {
			req->ret = ret;
			local_bh_disable();
			req->complete(req);
			local_bh_enable();
		}
	}
}

static void retry_add(struct apq_req *req)
{
	spin_lock_bh(&retry_lock);
	req->state = APQ_REQ_RETRY;
	list_add_tail(&req->list, &retry_list);
	spin_unlock_bh(&retry_lock);
	schedule_work(&retry_work);
}

static bool retry_unlink(struct apq_req *req)
{
	bool found = false;

	spin_lock_bh(&retry_lock);
	if (req->state == APQ_REQ_RETRY) {
		list_del_init(&req->list);
		req->state = APQ_REQ_IDLE;
		found = true;
	}
	spin_unlock_bh(&retry_lock);
	return found;
}

/**
 * apq_retry_flush() - wait until no request is between two tries
 */
void apq_retry_flush(void)
{
	flush_work(&retry_work);
}

/**
 * apq_req_finish() - a queue is done with a request
 * @req: request with @req->ret set, on no list
 *
 * -EAGAIN sends it to another queue, everything else to its owner. An owner
 * that waits does this itself, in its own context.
 *
 * Context: BH off or process context, no queue lock held.
 */
void apq_req_finish(struct apq_req *req)
{
	trace_apq_complete(req);
	leave_flight(req);
	if (req->ret == -EAGAIN) {
		if (try_again(req) && !req->waiter) {
			retry_add(req);
			return;
		}
	}
	req->complete(req);
}

/**
 * apq_cancel() - take a request back
 * @req: a submitted request
 *
 * Context: any but hard interrupt.
 * Return: true: @req->complete will not be called, the caller owns @req
 * again, though a card may still hold a reference to it. False: it is
 * completing, or a card writes to its pinned pages at this moment.
 */
bool apq_cancel(struct apq_req *req)
{
	struct apq_queue *aq;
	bool found;

	if (retry_unlink(req))
		return true;
	/*
	 * A retry may change req->aq under us. The memory of the old queue
	 * stays until RCU readers are gone, and apq_queue_cancel() checks
	 * under the lock that the request is still there.
	 * Pairs with WRITE_ONCE() in apq_queue_add().
	 */
	rcu_read_lock();
	aq = READ_ONCE(req->aq);
	found = aq && apq_queue_cancel(aq, req);
	rcu_read_unlock();
	if (found)
		leave_flight(req);
	return found;
}

/*
 * Wakes the waiter. The request may be gone as soon as @finished is set, so
 * the task is looked up before; the read section keeps its memory if it exits
 * at once. A waiter that has not gone to sleep yet gets a spurious wake-up at
 * the most.
 */
static void complete_waiter(struct apq_req *req)
{
	struct task_struct *waiter = req->waiter;

	rcu_read_lock();
	if (apq_plan_used() && waiter != current)
		req->woken = apq_plan_woken(waiter);
	/* Pairs with the acquire in apq_req_finished(). */
	smp_store_release(&req->finished, true);
	/*
	 * In a soft interrupt the current task may well be the waiter, caught
	 * between its last look and its sleep.
	 */
	if (waiter != current || !in_task())
		wake_up_process(waiter);
	rcu_read_unlock();
}

/*
 * Sleeps until the answer is there, at most @left jiffies. Returns what is
 * left, 0 when the time is over, -ERESTARTSYS for a signal.
 */
static long sleep_for_answer(struct apq_req *req, long left, int state)
{
	for (;;) {
		set_current_state(state);
		if (apq_req_finished(req) || !left)
			break;
		if (signal_pending_state(state, current)) {
			left = -ERESTARTSYS;
			break;
		}
		left = schedule_timeout(left);
	}
	__set_current_state(TASK_RUNNING);
	return left;
}

/* One try. Returns the answer's code or why there is none. */
static int try_and_wait(struct apq_req *req, long *left)
{
	int ret;

	req->finished = false;
	req->woken = 0;
	ret = apq_submit(req);
	if (ret)
		return ret;
	apq_mode_wait(req);
	if (apq_req_finished(req))
		goto out_finished;
	/* We may have meant to do the work ourselves and then could not. */
	req->aq->card->ops->kick(req->aq);
	*left = sleep_for_answer(req, *left, TASK_INTERRUPTIBLE);
	while (!apq_req_finished(req)) {
		if (apq_cancel(req))
			return *left ? -ERESTARTSYS : -ETIMEDOUT;
		/* A card writes to our pages, or the answer is on its way. */
		sleep_for_answer(req, APQ_CANCEL_INTERVAL,
				 TASK_UNINTERRUPTIBLE);
	}
out_finished:
	/* Visible since the acquire that saw @finished. */
	if (req->woken)
		apq_plan_runs(req->aq, req->woken);
	return req->ret;
}

/**
 * apq_submit_wait() - give a request to a queue and wait for the answer
 * @req: request, its upper part but @req->complete filled
 * @timeout_ms: longest wait in milliseconds, 0 for no limit but a signal
 *
 * Context: process context, may sleep.
 * Return: the answer's code; -ENODEV; -EIO: APQ_MAX_TRIES queues failed;
 * -ETIMEDOUT; -ERESTARTSYS if a signal came first. @req is the caller's again
 * in every case.
 */
int apq_submit_wait(struct apq_req *req, unsigned int timeout_ms)
{
	long left = timeout_ms ? msecs_to_jiffies(timeout_ms) :
				 MAX_SCHEDULE_TIMEOUT;
	int ret;

	if (apq_run(req))
		return req->ret;
	req->complete = complete_waiter;
	req->waiter = current;
	do {
		ret = try_and_wait(req, &left);
	} while (ret == -EAGAIN && left > 0);
	if (ret == -EAGAIN)
		return left ? -ERESTARTSYS : -ETIMEDOUT;
	return ret;
}
