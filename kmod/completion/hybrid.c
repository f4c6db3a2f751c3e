// SPDX-License-Identifier: GPL-2.0
/*
 * Mode hybrid: the caller sleeps for a while and then polls. How long, each
 * request teaches by one bit: the caller woke too early or too late. The idea
 * is PAS, of "DPAS: A Prompt, Accurate and Safe I/O Completion Method for
 * SSDs" (USENIX FAST '26): there are no averages, so a sleep that was too
 * long does not lengthen the next one. It is what mode adaptive is compared
 * with, so it knows nothing that a block device would not know either: the
 * operation and the size.
 *
 * Requests without a caller that waits are left to the card's interrupt.
 *
 * Context: process context of the caller.
 */

#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/sched/signal.h>
#include "../core/bus.h"
#include "../core/plan.h"
#include "switch.h"

/*
 * A sleep is multiplied by a factor that grows while it is too short and
 * shrinks, ten times as fast, while it is too long. In thousandths.
 */
#define FACTOR_ONE	1000
#define FACTOR_UP	10
#define FACTOR_DOWN	100
#define FACTOR_MIN	100
#define FACTOR_MAX	2000

#define SLEEP_MIN_NS	100U		/* the first one, too */
#define SLEEP_MAX_NS	100000000U

/* Longest poll after the sleep; then the card's interrupt takes over. */
#define SPIN_MAX_NS	10000000U

/* Of one kind of request. Races only lose a lesson. */
struct lesson {
	u32 sleep_ns;
	u16 factor;
	bool too_late;		/* what the last request taught */
};

static struct lesson lessons[APQ_PREDICT_ALGS][APQ_PREDICT_SIZES];

static struct lesson *lesson_of(const struct apq_req *req)
{
	unsigned int size = ilog2(apq_req_len(req) | 32) - 5;

	return &lessons[req->alg][min_t(unsigned int, size,
					APQ_PREDICT_SIZES - 1)];
}

static void learn(struct lesson *l, bool too_late)
{
	int factor = READ_ONCE(l->factor);
	u64 ns;

	if (too_late != READ_ONCE(l->too_late))
		factor = FACTOR_ONE;
	factor += too_late ? -FACTOR_DOWN : FACTOR_UP;
	factor = clamp(factor, FACTOR_MIN, FACTOR_MAX);
	ns = div_u64((u64)READ_ONCE(l->sleep_ns) * factor, FACTOR_ONE);
	WRITE_ONCE(l->factor, factor);
	WRITE_ONCE(l->too_late, too_late);
	/* A step of one, so that the shortest sleep can grow at all. */
	ns += !too_late;
	WRITE_ONCE(l->sleep_ns, clamp_t(u64, ns, SLEEP_MIN_NS, SLEEP_MAX_NS));
}

/**
 * apq_caller_sleep() - sleep for a time or until the answer is there
 * @req: request of the caller
 * @until: ktime_get_ns() to wake at
 *
 * Return: whether the answer came first; a signal ends the sleep too.
 */
bool apq_caller_sleep(struct apq_req *req, u64 until)
{
	ktime_t expires = ns_to_ktime(until);

	set_current_state(TASK_INTERRUPTIBLE);
	if (!apq_req_finished(req) && !signal_pending(current))
		schedule_hrtimeout(&expires, HRTIMER_MODE_ABS);
	__set_current_state(TASK_RUNNING);
	return apq_req_finished(req);
}

static void hybrid_wait(struct apq_req *req)
{
	struct apq_queue *aq = req->aq;
	struct lesson *l = lesson_of(req);
	u32 ns = max(READ_ONCE(l->sleep_ns), SLEEP_MIN_NS);

	if (apq_req_finished(req))
		return;
	/* Woken by another's poll: that the sleep was too long nobody knows. */
	if (apq_caller_sleep(req, ktime_get_ns() + ns))
		return;
	apq_queue_poll(aq);
	learn(l, apq_req_finished(req));
	if (apq_caller_spin(req, SPIN_MAX_NS))
		return;
	apq_queue_uncover(req);
	/*
	 * A reply that came after the last poll was left to us. Either we see
	 * it now or hybrid_reply() sees that we look no more; pairs with the
	 * barrier there.
	 */
	smp_mb();
	apq_queue_poll(aq);
}

static void hybrid_reply(struct apq_queue *aq)
{
	/* The reply is there before we look; pairs with hybrid_wait(). */
	smp_mb();
	/* Of a software engine; a caller that polls will find it. */
	if (apq_mode_uncovered(aq))
		apq_irq_reply(aq);
}

static int hybrid_start(void)
{
	unsigned int alg, size;

	for (alg = 0; alg < APQ_PREDICT_ALGS; alg++)
		for (size = 0; size < APQ_PREDICT_SIZES; size++)
			lessons[alg][size] = (struct lesson){
				.sleep_ns = SLEEP_MIN_NS,
				.factor = FACTOR_ONE,
			};
	return 0;
}

struct apq_mode apq_mode_hybrid = {
	.name = "hybrid",
	.covers = true,
	.start = hybrid_start,
	.reply = hybrid_reply,
	.interrupt = apq_mode_uncovered,
	.wait = hybrid_wait,
};
