// SPDX-License-Identifier: GPL-2.0
/*
 * Mode timer: replies are noticed on the next kernel tick, as the driver did
 * before it had a high-resolution timer. The baseline of every comparison.
 *
 * Context: the poll runs in the timer soft interrupt.
 */

#include <linux/timer.h>
#include "../core/bus.h"
#include "switch.h"

static void tick(struct timer_list *unused);
static DEFINE_TIMER(tick_timer, tick);

/*
 * Expiry now and not one jiffy later: the timer wheel rounds up, so this is
 * the next tick, and jiffies + 1 would be the one after it.
 *
 * A timer found pending has not run yet; its poll takes the queue's lock
 * after our section under it and sees what we are kicking for.
 */
static void timer_kick(void)
{
	if (!timer_pending(&tick_timer))
		mod_timer(&tick_timer, jiffies);
}

static void tick(struct timer_list *unused)
{
	apq_bus_poll();
	if (apq_mode_wanted(&apq_mode_timer))
		timer_kick();
}

static void timer_stop(void)
{
	timer_delete_sync(&tick_timer);
}

struct apq_mode apq_mode_timer = {
	.name = "timer",
	.stop = timer_stop,
	.kick = timer_kick,
};
