// SPDX-License-Identifier: GPL-2.0
/*
 * Mode caller: the caller that waits polls for its own reply, for a bounded
 * time, and then sleeps until the card calls back. Where the card is a
 * software engine that is idle, the caller does the work itself: the cheapest
 * way of all, with nothing to hand over and nobody to wake.
 *
 * Context: process context of the caller.
 */

#include <linux/ktime.h>
#include <linux/sched/signal.h>
#include "../core/bus.h"
#include "switch.h"

static unsigned int spin_ns = APQ_SPIN_NS_DEFAULT;

/**
 * apq_caller_spin() - poll for the answer of a request
 * @req: request of the caller
 * @ns: longest time in nanoseconds
 *
 * Ends early for a signal or for a task that wants the CPU.
 *
 * Return: whether the answer is there.
 */
bool apq_caller_spin(struct apq_req *req, u64 ns)
{
	struct apq_queue *aq = req->aq;
	u64 end = ktime_get_ns() + ns;

	while (!apq_req_finished(req)) {
		apq_queue_poll(aq);
		if (apq_req_finished(req))
			break;
		cpu_relax();
		if (need_resched() || signal_pending(current) ||
		    ktime_get_ns() >= end)
			return false;
	}
	return true;
}

static void caller_wait(struct apq_req *req)
{
	/* Only the waiter itself sends a request elsewhere. */
	struct apq_queue *aq = req->aq;

	if (aq->card->ops->run)
		while (!apq_req_finished(req) && aq->card->ops->run(aq, 1))
			;
	if (!apq_req_finished(req) &&
	    !apq_caller_spin(req, READ_ONCE(spin_ns)))
		apq_queue_uncover(req);
}

/**
 * apq_mode_uncovered() - whether requests are in flight that no caller polls for
 * @aq: queue; without its lock only a hint
 */
bool apq_mode_uncovered(struct apq_queue *aq)
{
	return READ_ONCE(aq->in_card) + READ_ONCE(aq->requestq_count) >
	       READ_ONCE(aq->covered);
}

/**
 * apq_spin_ns_set() - how long a caller polls before it sleeps
 * @ns: nanoseconds, 0 to APQ_SPIN_NS_MAX
 *
 * Return: 0 or -EINVAL.
 */
int apq_spin_ns_set(unsigned int ns)
{
	if (ns > APQ_SPIN_NS_MAX)
		return -EINVAL;
	/* Pairs with the READ_ONCE() of its readers. */
	WRITE_ONCE(spin_ns, ns);
	return 0;
}

unsigned int apq_spin_ns_get(void)
{
	return READ_ONCE(spin_ns);
}

struct apq_mode apq_mode_caller = {
	.name = "caller",
	.caller_runs = true,
	.covers = true,
	.interrupt = apq_mode_uncovered,
	.reply = apq_irq_reply,
	.wait = caller_wait,
};
