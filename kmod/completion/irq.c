// SPDX-License-Identifier: GPL-2.0
/*
 * Mode irq: the card's own callback or interrupt delivers the reply. Costs
 * nothing while nothing comes, and one interruption for each reply.
 *
 * Context: the poll runs where the card calls back: in the soft interrupt of
 * a device, or in the thread of a software engine.
 */

#include <linux/hrtimer.h>
#include <linux/preempt.h>
#include "../core/bus.h"
#include "switch.h"

/* Takes a callback out of hard interrupt, where no queue can be locked. */
static struct hrtimer defer_timer;

static enum hrtimer_restart defer_fn(struct hrtimer *timer)
{
	apq_bus_poll();
	return HRTIMER_NORESTART;
}

/* Also the callback of the modes that fall back on interrupts. */
void apq_irq_reply(struct apq_queue *aq)
{
	if (in_hardirq() || irqs_disabled())
		hrtimer_start(&defer_timer, 0, HRTIMER_MODE_REL_SOFT);
	else
		apq_queue_poll(aq);
}

void apq_irq_init(void)
{
	hrtimer_setup(&defer_timer, defer_fn, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_SOFT);
}

/* No card is left that could call back. */
void apq_irq_exit(void)
{
	hrtimer_cancel(&defer_timer);
}

struct apq_mode apq_mode_irq = {
	.name = "irq",
	.reply = apq_irq_reply,
};
