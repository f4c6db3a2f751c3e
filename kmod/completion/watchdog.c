// SPDX-License-Identifier: GPL-2.0
/*
 * The watchdog: a net under all completion modes. While anything is in flight
 * it looks every APQ_WATCH_MS for replies that the mode did not notice and
 * for requests that a card does not answer. It also goes on with resets, 25
 * times a second, whatever the mode.
 *
 * Context: the timer soft interrupt.
 */

#include <linux/timer.h>
#include "../core/bus.h"
#include "watchdog.h"

/* Pace of resets, as the AP bus has it. */
#define SLOW_MS		40

static unsigned int request_timeout = APQ_REQUEST_TIMEOUT_DEFAULT;
static unsigned long last_watch;	/* jiffies; only the timer uses it */

static void watch(struct timer_list *unused);
static DEFINE_TIMER(watchdog, watch);

/**
 * apq_watchdog_arm() - something is in flight or a reset goes on
 * @slow: it is a reset
 *
 * Context: any but hard interrupt.
 */
void apq_watchdog_arm(bool slow)
{
	if (slow)
		timer_reduce(&watchdog, jiffies + msecs_to_jiffies(SLOW_MS));
	else if (!timer_pending(&watchdog))
		timer_reduce(&watchdog,
			     jiffies + msecs_to_jiffies(APQ_WATCH_MS));
}

static void watch(struct timer_list *unused)
{
	if (apq_bus_slow())
		apq_bus_poll_slow();
	/*
	 * A difference, not time_after(): whatever jiffies are when the first
	 * one comes, or after an idle time of half their range, it is large.
	 */
	if (jiffies - last_watch >= msecs_to_jiffies(APQ_WATCH_MS)) {
		last_watch = jiffies;
		apq_bus_watch(apq_request_timeout_get());
	}
	if (apq_bus_slow())
		apq_watchdog_arm(true);
	else if (apq_bus_busy())
		apq_watchdog_arm(false);
}

/**
 * apq_request_timeout_set() - longest stay of a request inside a card
 * @ms: milliseconds, APQ_REQUEST_TIMEOUT_MIN to _MAX; then its queue is reset
 *	and the request sent again
 *
 * Return: 0 or -EINVAL.
 */
int apq_request_timeout_set(unsigned int ms)
{
	if (ms < APQ_REQUEST_TIMEOUT_MIN || ms > APQ_REQUEST_TIMEOUT_MAX)
		return -EINVAL;
	/* Pairs with READ_ONCE() in apq_request_timeout_get(). */
	WRITE_ONCE(request_timeout, ms);
	return 0;
}

unsigned int apq_request_timeout_get(void)
{
	return READ_ONCE(request_timeout);
}

/* All cards are gone, so nothing arms it any more. */
void apq_watchdog_exit(void)
{
	timer_delete_sync(&watchdog);
}
