// SPDX-License-Identifier: GPL-2.0
/*
 * Mode thread: a kernel thread of nice 19 that polls without pause while
 * anything is in flight and sleeps otherwise. Unlike the thread of z90crypt
 * since Linux 5.15 it is woken by the next request.
 */

#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include "../core/bus.h"
#include "switch.h"

static struct task_struct *thread;
static DECLARE_WAIT_QUEUE_HEAD(thread_wait);

static int poll_loop(void *unused)
{
	set_user_nice(current, MAX_NICE);
	while (!kthread_should_stop()) {
		wait_event_interruptible(thread_wait,
					 apq_mode_wanted(&apq_mode_thread) ||
					 kthread_should_stop());
		while (apq_mode_wanted(&apq_mode_thread) &&
		       !kthread_should_stop()) {
			apq_bus_poll();
			cpu_relax();
			cond_resched();
		}
	}
	return 0;
}

/*
 * wq_has_sleeper() orders the busy bit, set before, against the look at the
 * wait queue; the thread queues itself before it looks at the bit.
 */
static void thread_kick(void)
{
	if (wq_has_sleeper(&thread_wait))
		wake_up(&thread_wait);
}

static int thread_start(void)
{
	struct task_struct *task = kthread_run(poll_loop, NULL, "appoll");

	if (IS_ERR(task))
		return PTR_ERR(task);
	thread = task;
	return 0;
}

static void thread_stop(void)
{
	kthread_stop(thread);
	thread = NULL;
}

struct apq_mode apq_mode_thread = {
	.name = "thread",
	.start = thread_start,
	.stop = thread_stop,
	.kick = thread_kick,
};
