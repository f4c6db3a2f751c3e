// SPDX-License-Identifier: GPL-2.0
/* The adapter bus: all its queues, and the walk over the busy ones. */

#include <linux/bitmap.h>
#include <linux/rcupdate.h>
#include "bus.h"

/* Cards, queues and their state; see the order of locks in bus.h. */
DEFINE_MUTEX(apq_bus_lock);

/* Queues by index; written under apq_bus_lock, read under RCU. */
static struct apq_queue __rcu *queues[APQ_MAX_QUEUES];

/*
 * Queues with something in the card, on a request list or in a reset. A bit
 * changes under the lock of its queue.
 */
static DECLARE_BITMAP(busy_queues, APQ_MAX_QUEUES);
/* Queues in a reset, which takes its time; same rule. */
static DECLARE_BITMAP(slow_queues, APQ_MAX_QUEUES);

/**
 * apq_bus_add_queue() - give a queue an index and with it a place in the walk
 * @aq: queue
 *
 * Return: 0 or -ENOSPC: APQ_MAX_QUEUES are there.
 */
int apq_bus_add_queue(struct apq_queue *aq)
{
	unsigned int i;

	lockdep_assert_held(&apq_bus_lock);
	for (i = 0; i < APQ_MAX_QUEUES; i++) {
		if (rcu_access_pointer(queues[i]))
			continue;
		aq->index = i;
		rcu_assign_pointer(queues[i], aq);
		return 0;
	}
	return -ENOSPC;
}

/* Takes it out again; the queue is shut down and stays until RCU is through. */
void apq_bus_del_queue(struct apq_queue *aq)
{
	lockdep_assert_held(&apq_bus_lock);
	RCU_INIT_POINTER(queues[aq->index], NULL);
	clear_bit(aq->index, busy_queues);
	clear_bit(aq->index, slow_queues);
}

/* The queue with this index or NULL. */
struct apq_queue *apq_bus_queue(unsigned int index)
{
	return rcu_dereference_protected(queues[index],
					 lockdep_is_held(&apq_bus_lock));
}

/* The same inside an RCU read section. */
struct apq_queue *apq_bus_queue_rcu(unsigned int index)
{
	return rcu_dereference(queues[index]);
}

void apq_bus_mark_busy(struct apq_queue *aq, bool busy, bool slow)
{
	lockdep_assert_held(&aq->lock);
	assign_bit(aq->index, busy_queues, busy);
	assign_bit(aq->index, slow_queues, slow);
	if (busy || slow)
		apq_watchdog_arm(slow);
}

/* Whether somebody must go on calling apq_bus_poll(). */
bool apq_bus_busy(void)
{
	return !bitmap_empty(busy_queues, APQ_MAX_QUEUES);
}

/**
 * apq_bus_poll() - take the replies of all queues
 *
 * A queue that becomes busy after its bit was looked at has called
 * apq_mode_kick() after the change, so the mode comes back for it.
 *
 * Context: any but hard interrupt; concurrent calls are fine.
 * Return: the most urgent wait of all queues.
 */
enum apq_wait apq_bus_poll(void)
{
	enum apq_wait wait = APQ_WAIT_NONE;
	unsigned int i;

	rcu_read_lock();
	for_each_set_bit(i, busy_queues, APQ_MAX_QUEUES) {
		struct apq_queue *aq = rcu_dereference(queues[i]);

		if (aq)
			wait = min(wait, apq_queue_poll(aq));
	}
	rcu_read_unlock();
	return wait;
}

/*
 * After a change of the mode: what it wants to know of the busy queues, and
 * the interrupts that it wants of their cards.
 */
void apq_bus_replan(void)
{
	unsigned int i;

	rcu_read_lock();
	for_each_set_bit(i, busy_queues, APQ_MAX_QUEUES) {
		struct apq_queue *aq = rcu_dereference(queues[i]);

		if (aq)
			apq_queue_replan(aq);
	}
	rcu_read_unlock();
}

/* Whether a queue is in a reset. */
bool apq_bus_slow(void)
{
	return !bitmap_empty(slow_queues, APQ_MAX_QUEUES);
}

/* Goes on with the resets. Context: as apq_bus_poll(). */
void apq_bus_poll_slow(void)
{
	unsigned int i;

	rcu_read_lock();
	for_each_set_bit(i, slow_queues, APQ_MAX_QUEUES) {
		struct apq_queue *aq = rcu_dereference(queues[i]);

		if (aq)
			apq_queue_poll(aq);
	}
	rcu_read_unlock();
}

/**
 * apq_bus_watch() - look for what nobody noticed
 * @limit_ms: longest time a request may be inside a card
 *
 * Context: as apq_bus_poll().
 */
void apq_bus_watch(unsigned int limit_ms)
{
	unsigned int i;

	rcu_read_lock();
	for (i = 0; i < APQ_MAX_QUEUES; i++) {
		struct apq_queue *aq;

		if (!test_bit(i, busy_queues) && !test_bit(i, slow_queues))
			continue;
		aq = rcu_dereference(queues[i]);
		if (aq)
			apq_queue_watch(aq, limit_ms);
	}
	rcu_read_unlock();
}
