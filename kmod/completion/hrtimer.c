// SPDX-License-Identifier: GPL-2.0
/*
 * Mode hrtimer: replies are noticed by a high-resolution timer of fixed
 * interval, what z90crypt does today.
 *
 * Context: the poll runs in the hrtimer soft interrupt.
 */

#include <linux/hrtimer.h>
#include <linux/rcupdate.h>
#include "../core/bus.h"
#include "switch.h"

static struct hrtimer poll_timer;
static u64 poll_timeout = APQ_POLL_TIMEOUT_DEFAULT;

/*
 * As in mode timer, a timer found queued will still take the queue's lock.
 * One that is queued is left alone: a stream of requests must not push the
 * expiry ahead of itself.
 */
static void hrtimer_kick(void)
{
	if (!hrtimer_is_queued(&poll_timer))
		hrtimer_start(&poll_timer,
			      ns_to_ktime(apq_poll_timeout_get()),
			      HRTIMER_MODE_REL_SOFT);
}

static enum hrtimer_restart poll_fn(struct hrtimer *timer)
{
	apq_bus_poll();
	if (apq_mode_wanted(&apq_mode_hrtimer))
		hrtimer_kick();
	return HRTIMER_NORESTART;
}

static int hrtimer_mode_start(void)
{
	hrtimer_setup(&poll_timer, poll_fn, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_SOFT);
	return 0;
}

static void hrtimer_mode_stop(void)
{
	hrtimer_cancel(&poll_timer);
}

/**
 * apq_poll_timeout_set() - interval of mode hrtimer
 * @ns: nanoseconds, 1 to APQ_POLL_TIMEOUT_MAX; in force at once
 *
 * Return: 0 or -EINVAL.
 */
int apq_poll_timeout_set(u64 ns)
{
	if (!ns || ns > APQ_POLL_TIMEOUT_MAX)
		return -EINVAL;
	/* Pairs with READ_ONCE() in apq_poll_timeout_get(). */
	WRITE_ONCE(poll_timeout, ns);
	/*
	 * Two minutes are too long to wait for the end of an old interval. The
	 * read section keeps the mode from being stopped between the two.
	 */
	rcu_read_lock();
	if (READ_ONCE(apq_mode_hrtimer.users) &&
	    apq_mode_wanted(&apq_mode_hrtimer))
		hrtimer_start(&poll_timer, 0, HRTIMER_MODE_REL_SOFT);
	rcu_read_unlock();
	return 0;
}

u64 apq_poll_timeout_get(void)
{
	return READ_ONCE(poll_timeout);
}

struct apq_mode apq_mode_hrtimer = {
	.name = "hrtimer",
	.start = hrtimer_mode_start,
	.stop = hrtimer_mode_stop,
	.kick = hrtimer_kick,
	.bound_ns = apq_poll_timeout_get,
};
