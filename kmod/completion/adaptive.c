// SPDX-License-Identifier: GPL-2.0
/*
 * Mode adaptive. predict.c says when each reply is due; this file decides who
 * looks for it and when. Let f requests be inside a card of e engines.
 *
 * f <= e: a reply that waits is an engine that idles. A caller that waits
 *	polls if the wait left is shorter than what a sleep costs; sleeps for a
 *	little less than the wait and then polls if the wake-up would be felt;
 *	and otherwise sleeps until the card's interrupt.
 * f > e: f - e replies can wait without an engine going idle. One timer takes
 *	them together just before that would happen.
 * A caller that has been woken and waits for the CPU will look when it submits
 *	again: who polls on that CPU makes room for it, and timers and
 *	interrupts that it would make useless are not set; the next tick looks
 *	in case it does not.
 *
 * Whatever was predicted, the card announces replies, or the timer comes
 * within latency_us, or the tick. These two together are the bound of the mode.
 *
 * Plans are made under the queue's lock, after every change of the queue.
 */

#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/timer.h>
#include "../core/bus.h"
#include "../core/plan.h"
#include "../core/service.h"
#include "../core/trace.h"
#include "switch.h"

/*
 * How late a sleeper wakes, in nanoseconds: learned from each sleep, within
 * limits that keep one odd sleep from spoiling the next.
 */
#define WAKE_FIRST_NS	5000U
#define WAKE_MIN_NS	500U
#define WAKE_MAX_NS	100000U
#define WAKE_MEAN_SHIFT	3

/* Polling costs less than a sleep for a wait of so many halves of that. */
#define SPIN_HALVES	3

/* A wake delay of one in so many is not felt, by preference. */
#define BALANCED_WAKES	20
#define THROUGHPUT_WAKES 100

/*
 * All replies are taken together, engines idle meanwhile, if that loses less
 * than one part in so many of what they could have done.
 */
#define LOSS_SHARE	150

/* Woken callers are done with the CPU within so many wake delays. */
#define CROWD_WAKES	5

/* So many callers must have come back before that is relied on. */
#define TRUST		64

/* Without a request for so long, a woken caller has not come back. */
#define RETURN_NS	500000U

/* Sleeps that teach the wake delay when the mode is started. */
#define FIRST_SLEEPS	8
#define FIRST_SLEEP_NS	50000U

bool apq_plan_wanted;

const char * const apq_plan_names[NR_APQ_PLAN_WHYS] = {
	[APQ_PLAN_IDLE]	    = "idle",
	[APQ_PLAN_LEARN]    = "learn",
	[APQ_PLAN_FREE]	    = "free",
	[APQ_PLAN_FEW]	    = "few",
	[APQ_PLAN_LATE]	    = "late",
	[APQ_PLAN_COALESCE] = "coalesce",
	[APQ_PLAN_SPIN]	    = "spin",
	[APQ_PLAN_EARLY]    = "early",
	[APQ_PLAN_CROWD]    = "crowd",
};

static u64 latency_ns = APQ_LATENCY_US_DEFAULT * (u64)NSEC_PER_USEC;
static unsigned int felt_wakes = BALANCED_WAKES;
static unsigned int wake_ns = WAKE_FIRST_NS;

/* Callers that were woken by us on a CPU and do not run yet. */
static DEFINE_PER_CPU(atomic_t, woken);

/* Counts a waiter that is about to be woken; returns what ends that. */
unsigned int apq_plan_woken(struct task_struct *waiter)
{
	unsigned int cpu = task_cpu(waiter);

	atomic_inc(per_cpu_ptr(&woken, cpu));
	return cpu + 1;
}

/*
 * The waiter runs, as the last one perhaps. If it cannot be trusted to send
 * another request, others must look from now on.
 */
void apq_plan_runs(struct apq_queue *aq, unsigned int woken_on)
{
	if (atomic_dec_and_test(per_cpu_ptr(&woken, woken_on - 1)) &&
	    READ_ONCE(aq->plan.trust) < TRUST &&
	    READ_ONCE(aq->plan.why) == APQ_PLAN_CROWD)
		apq_queue_replan(aq);
}

/**
 * apq_plan_crowded() - whether callers that were woken wait for this CPU
 *
 * They will look when they submit again, so nobody polls, and no timer or
 * interrupt is set, in their way.
 */
bool apq_plan_crowded(void)
{
	return atomic_read(raw_cpu_ptr(&woken)) > 0;
}

/* How late a sleeper wakes. */
unsigned int apq_plan_wake_ns(void)
{
	return READ_ONCE(wake_ns);
}

static unsigned int spin_ns(void)
{
	return apq_plan_wake_ns() * SPIN_HALVES / 2;
}

static void learn_wake(s64 late)
{
	s64 old = apq_plan_wake_ns();

	late = clamp_t(s64, late, WAKE_MIN_NS, WAKE_MAX_NS);
	/* Pairs with READ_ONCE() in apq_plan_wake_ns(); a race loses a lesson. */
	WRITE_ONCE(wake_ns, old + (late - old) / (1 << WAKE_MEAN_SHIFT));
}

/*
 * Times at which replies are due, in order; what was not predicted is taken
 * to be due now. Returns how many, 0: a service time is unknown.
 */
static unsigned int collect_dues(const struct apq_queue *aq, u64 now, u64 *due)
{
	const struct apq_req *req;
	unsigned int i, nr = 0;

	list_for_each_entry(req, &aq->pendingq, list) {
		u64 d = req->due_ns ?: now;

		if (d == APQ_DUE_UNKNOWN || nr == APQ_CARD_DEPTH)
			return 0;
		for (i = nr++; i && due[i - 1] > d; i--)
			due[i] = due[i - 1];
		due[i] = d;
	}
	return nr;
}

/* What engines lose if all @nr replies are taken when the last is due. */
static bool all_is_cheap(const struct apq_queue *aq, const u64 *due,
			 unsigned int nr, unsigned int engines, u64 refill)
{
	u64 last = due[nr - 1], idle = engines * refill;
	unsigned int i;

	for (i = nr - engines; i < nr; i++)
		idle += last - due[i];
	return last > aq->plan.batch_ns &&
	       idle * LOSS_SHARE < engines * (last - aq->plan.batch_ns);
}

/*
 * With batches of @max some of @nr requests wait for one look more than
 * others. A smaller batch, down to half of that, by which the longest wait is
 * within a tenth of the mean is better.
 */
static unsigned int even_batch(unsigned int nr, unsigned int max)
{
	unsigned int k;

	for (k = max; 2 * k > max; k--)
		if (10 * DIV_ROUND_UP(nr, k) * k <= 11 * nr)
			return k;
	return max;
}

/*
 * How many replies to take at once: as late as no engine goes idle, or
 * hardly any. A card of @engines has nothing to do for one of them when one
 * reply more is due than there is slack; what comes next must be inside by
 * then.
 */
static unsigned int batch_size(const struct apq_queue *aq, const u64 *due,
			       unsigned int nr, unsigned int engines)
{
	unsigned int slack = nr - engines;
	/* From the look to a caller that runs, and to what it sends. */
	u64 refill = (aq->requestq_count ? 1 : 2) * apq_plan_wake_ns();

	if (all_is_cheap(aq, due, nr, engines, refill)) {
		slack = nr;
	} else {
		while (slack > 1 && due[slack - 1] + refill > due[nr - engines])
			slack--;
	}
	return even_batch(nr + aq->requestq_count, slack);
}

static bool calls_back(const struct apq_queue *aq)
{
	return aq->card->ops->calls_back &&
	       !(apq_service_used() &&
		 READ_ONCE(aq->card->service->on));
}

/* When to look and why then; U64_MAX where the interrupt is enough. */
static enum apq_plan_why decide(const struct apq_queue *aq, u64 now, u64 *look)
{
	unsigned int nr, engines = READ_ONCE(aq->card->predictor.engines);
	u64 due[APQ_CARD_DEPTH];
	enum apq_plan_why why = APQ_PLAN_FEW;
	unsigned int batch;

	*look = U64_MAX;
	nr = collect_dues(aq, now, due);
	if (!nr)
		return APQ_PLAN_LEARN;
	*look = due[0];
	if (calls_back(aq))
		return APQ_PLAN_FREE;
	batch = nr > engines ? batch_size(aq, due, nr, engines) : 1;
	if (batch > 1) {
		*look = due[batch - 1] + apq_plan_wake_ns() / 4;
		why = APQ_PLAN_COALESCE;
	}
	return now > *look + spin_ns() ? APQ_PLAN_LATE : why;
}

static void arm(struct apq_plan *plan, u64 when)
{
	if (plan->armed == when)
		return;
	plan->armed = when;
	hrtimer_start(&plan->timer, ns_to_ktime(when), HRTIMER_MODE_ABS_SOFT);
}

static void set_why(struct apq_queue *aq, enum apq_plan_why why, u64 look)
{
	struct apq_plan *plan = &aq->plan;

	plan->count[why]++;
	if (why == plan->why)
		return;
	trace_apq_plan(aq, plan->why, why, look);
	/* Pairs with READ_ONCE() in watch(). */
	WRITE_ONCE(plan->why, why);
	plan->changes++;
}

/* Nobody looks but those who were woken; at the next tick, somebody does. */
static void leave_to_crowd(struct apq_queue *aq)
{
	struct apq_plan *plan = &aq->plan;

	plan->interrupt = false;
	if (plan->trust < TRUST)
		plan->trust++;
	set_why(aq, APQ_PLAN_CROWD, 0);
	if (!timer_pending(&plan->net))
		mod_timer(&plan->net, jiffies);
}

/* A caller that is awake looks, or commits when it goes to sleep. */
static void leave_to_caller(struct apq_queue *aq)
{
	struct apq_plan *plan = &aq->plan;

	plan->interrupt = false;
	if (!timer_pending(&plan->net))
		mod_timer(&plan->net, jiffies);
}

/**
 * apq_plan_commit() - see to it that somebody looks as it was decided
 * @aq: queue, its lock held; its requests have no caller that looks
 */
void apq_plan_commit(struct apq_queue *aq)
{
	struct apq_plan *plan = &aq->plan;

	lockdep_assert_held(&aq->lock);
	if (!aq->pendingq_count)
		return;
	if (apq_plan_crowded()) {
		leave_to_crowd(aq);
		return;
	}
	plan->interrupt = plan->why != APQ_PLAN_COALESCE;
	if (!plan->interrupt) {
		/* Would come before it, and perhaps wake an idle CPU. */
		if (timer_pending(&plan->net) &&
		    plan->look_ns > ktime_get_ns() + TICK_NSEC / 2)
			timer_delete(&plan->net);
		arm(plan, plan->look_ns);
		return;
	}
	/* The bound holds for a card, too, that does not announce a reply. */
	if (!timer_pending(&plan->net))
		mod_timer(&plan->net, jiffies +
			  nsecs_to_jiffies(READ_ONCE(latency_ns)));
	/*
	 * A reply that was there before is found by the look at the card that
	 * follows; pairs with the barrier in adaptive_reply().
	 */
	smp_mb();
	if (apq_service_used())
		apq_service_arm(aq);
}

/* Whether callers have just got replies and are about to be woken. */
static bool wakes_others(const struct apq_queue *aq)
{
	const struct apq_req *req;

	list_for_each_entry(req, &aq->finished, list)
		if (req->waiter && (req->waiter != current || !in_task()))
			return true;
	return false;
}

/* Whether a wake-up by interrupt would cost the caller throughput. */
static bool is_felt(u64 left)
{
	return left < (u64)READ_ONCE(felt_wakes) * apq_plan_wake_ns();
}

/* Whether there has lately been one request at a time. */
static bool is_alone(const struct apq_queue *aq)
{
	const struct apq_predictor *p = &aq->card->predictor;

	return READ_ONCE(p->most_inside[0]) <= 1 &&
	       READ_ONCE(p->most_inside[1]) <= 1;
}

/*
 * Whether a caller that wakes early is cheaper than an interrupt: predictions
 * are so good that polling to the end is short, and no other caller wants the
 * CPU meanwhile.
 */
static bool is_sharp(const struct apq_queue *aq)
{
	return is_alone(aq) &&
	       READ_ONCE(aq->card->predictor.error_ns) < apq_plan_wake_ns() / 2;
}

/* A decision, with nobody told yet. */
static void make(struct apq_queue *aq)
{
	struct apq_plan *plan = &aq->plan;
	enum apq_plan_why why;
	u64 look, now;

	/* The same again, and without an exact time: do not ask for it. */
	if (plan->slow && plan->nr_lessons < APQ_PLAN_LESSONS &&
	    aq->pendingq_count <= READ_ONCE(aq->card->predictor.engines)) {
		WRITE_ONCE(plan->look_ns, U64_MAX);
		plan->interrupt = true;
		set_why(aq, APQ_PLAN_FEW, U64_MAX);
		return;
	}
	apq_predict_pending(aq);
	now = ktime_get_ns();
	why = decide(aq, now, &look);
	plan->slow = why == APQ_PLAN_FEW && look > now &&
		     !is_felt(look - now) && !is_alone(aq);
	if (why == APQ_PLAN_COALESCE)
		look = min(look, now + READ_ONCE(latency_ns));
	set_why(aq, why, look);
	/* Pairs with READ_ONCE() in watch(). */
	WRITE_ONCE(plan->look_ns, look);
	plan->interrupt = why != APQ_PLAN_COALESCE;
}

/**
 * apq_plan_make() - decide anew who looks at a queue and when
 * @aq: queue, its lock held, after a change
 */
void apq_plan_make(struct apq_queue *aq)
{
	struct apq_plan *plan = &aq->plan;

	lockdep_assert_held(&aq->lock);
	if (!aq->pendingq_count) {
		/* Replies that nobody waits for still keep their places. */
		plan->interrupt = aq->in_card;
		WRITE_ONCE(plan->why, APQ_PLAN_IDLE);
		if (aq->in_card && apq_service_used())
			apq_service_arm(aq);
		return;
	}
	if (apq_plan_crowded() || wakes_others(aq)) {
		leave_to_crowd(aq);
		return;
	}
	make(aq);
	if (!apq_mode_uncovered(aq))
		return;
	if (aq->covered > atomic_read(&plan->asleep))
		leave_to_caller(aq);
	else
		apq_plan_commit(aq);
}

/* Those who were to look have gone: the caller does. */
static void plan_again(struct apq_queue *aq)
{
	spin_lock_bh(&aq->lock);
	if (aq->pendingq_count)
		make(aq);
	spin_unlock_bh(&aq->lock);
}

/* Also the end of @net: the two differ in their clocks only. */
static void look(struct apq_queue *aq)
{
	rcu_read_lock();
	if (apq_queue_poll(aq) == APQ_WAIT_POLL)
		apq_queue_replan(aq);
	rcu_read_unlock();
}

static enum hrtimer_restart look_fn(struct hrtimer *timer)
{
	struct apq_queue *aq = container_of(timer, struct apq_queue,
					    plan.timer);

	spin_lock(&aq->lock);
	aq->plan.armed = U64_MAX;
	aq->plan.batch_ns = ktime_get_ns();
	spin_unlock(&aq->lock);
	look(aq);
	return HRTIMER_NORESTART;
}

static void net_fn(struct timer_list *timer)
{
	struct apq_queue *aq = container_of(timer, struct apq_queue, plan.net);
	struct apq_req *last;

	spin_lock(&aq->lock);
	if (!list_empty(&aq->pendingq)) {
		last = list_last_entry(&aq->pendingq, struct apq_req, list);
		if (aq->plan.why == APQ_PLAN_CROWD &&
		    ktime_get_ns() - last->sent_ns > RETURN_NS)
			aq->plan.trust = 0;
	}
	spin_unlock(&aq->lock);
	look(aq);
}

void apq_plan_init(struct apq_queue *aq)
{
	struct apq_plan *plan = &aq->plan;

	plan->look_ns = U64_MAX;
	plan->armed = U64_MAX;
	hrtimer_setup(&plan->timer, look_fn, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
	timer_setup(&plan->net, net_fn, 0);
}

/*
 * Nothing is inside the card any more. A timer that is still set after the
 * mode was left makes one look too many; here it ends at the latest.
 */
void apq_plan_stop(struct apq_queue *aq)
{
	hrtimer_cancel(&aq->plan.timer);
	timer_delete_sync(&aq->plan.net);
}

static void adaptive_reply(struct apq_queue *aq)
{
	/* The reply is there before we look; see apq_plan_commit(). */
	smp_mb();
	if (READ_ONCE(aq->plan.interrupt) || calls_back(aq))
		apq_irq_reply(aq);
}

static bool adaptive_interrupt(struct apq_queue *aq)
{
	return aq->plan.interrupt && apq_mode_uncovered(aq);
}

/* Polls while that pays. Returns why it does no longer. */
static enum apq_plan_why watch(struct apq_req *req)
{
	struct apq_queue *aq = req->aq;

	for (;;) {
		u64 look, now, spin = spin_ns();

		if (apq_plan_crowded() || need_resched() ||
		    signal_pending(current))
			return APQ_PLAN_CROWD;
		if (READ_ONCE(aq->plan.why) == APQ_PLAN_CROWD)
			plan_again(aq);
		now = ktime_get_ns();
		look = READ_ONCE(aq->plan.look_ns);
		if (now + spin < look)
			return READ_ONCE(aq->plan.why);
		if (now > look + spin)
			return APQ_PLAN_LATE;
		apq_queue_poll(aq);
		if (apq_req_finished(req))
			return APQ_PLAN_SPIN;
		cpu_relax();
	}
}

/* For those without a caller that looks. */
static void commit(struct apq_queue *aq)
{
	spin_lock_bh(&aq->lock);
	if (aq->covered <= atomic_read(&aq->plan.asleep))
		apq_plan_commit(aq);
	spin_unlock_bh(&aq->lock);
}

/* Sleeps until shortly before the reply is due; false if that is no use. */
static bool sleep_early(struct apq_req *req)
{
	u64 now = ktime_get_ns(), due = READ_ONCE(req->due_ns), wake;
	struct apq_plan *plan = &req->aq->plan;
	u64 until;

	wake = apq_plan_wake_ns();
	if (!due || due == APQ_DUE_UNKNOWN || due < now + spin_ns() ||
	    !(is_felt(due - now) || is_sharp(req->aq)))
		return false;
	until = due - wake;
	/* Who gives nothing away for CPU time rather wakes too early. */
	if (apq_preference_get())
		until -= wake / 4;
	until = min(until, now + READ_ONCE(latency_ns));
	atomic_inc(&plan->asleep);
	if (apq_mode_uncovered(req->aq))
		commit(req->aq);
	if (!apq_caller_sleep(req, until) && !signal_pending(current))
		learn_wake(ktime_get_ns() - until);
	atomic_dec(&plan->asleep);
	return true;
}

/*
 * Others want the CPU now, but will be done with it long before the reply is
 * due, and its caller would feel a wake-up by interrupt.
 */
static bool outlasts_crowd(struct apq_req *req)
{
	struct apq_queue *aq = req->aq;
	u64 ns = apq_predict_service(aq, req);

	return ns > CROWD_WAKES * apq_plan_wake_ns() && is_felt(ns) &&
	       READ_ONCE(aq->pendingq_count) <=
	       READ_ONCE(aq->card->predictor.engines);
}

/* A race loses a count. */
static void count(struct apq_queue *aq, enum apq_plan_why why)
{
	aq->plan.count[why]++;
}

/* Polls and sleeps as long as the caller is better at it than others. */
static void look_oneself(struct apq_req *req)
{
	struct apq_queue *aq = req->aq;
	enum apq_plan_why why;

	while (!apq_req_finished(req)) {
		why = watch(req);
		if (why == APQ_PLAN_SPIN) {
			count(aq, why);
			return;
		}
		if (why == APQ_PLAN_CROWD && outlasts_crowd(req)) {
			plan_again(aq);
			why = APQ_PLAN_FEW;
		}
		if (why != APQ_PLAN_FEW || !sleep_early(req))
			return;
		count(aq, APQ_PLAN_EARLY);
		/*
		 * The bound may have ended the sleep and not the prediction,
		 * which would then hide a reply that came sooner.
		 */
		apq_queue_poll(aq);
	}
}

static void adaptive_wait(struct apq_req *req)
{
	struct apq_queue *aq = req->aq;

	if (aq->card->ops->run && calls_back(aq))
		while (!apq_req_finished(req) && aq->card->ops->run(aq, 1))
			;
	else if (aq->card->ops->run)
		/* Behind a model the engine is to compute while we sleep. */
		aq->card->ops->kick(aq);
	look_oneself(req);
	if (!apq_req_finished(req))
		apq_queue_uncover(req);
}

/**
 * apq_latency_us_set() - longest time that a reply may wait in mode adaptive
 * @us: microseconds, 1 to APQ_LATENCY_US_MAX
 *
 * Return: 0 or -EINVAL.
 */
int apq_latency_us_set(unsigned int us)
{
	if (us < 1 || us > APQ_LATENCY_US_MAX)
		return -EINVAL;
	/* Pairs with the READ_ONCE() of its readers. */
	WRITE_ONCE(latency_ns, us * (u64)NSEC_PER_USEC);
	return 0;
}

unsigned int apq_latency_us_get(void)
{
	return div_u64(READ_ONCE(latency_ns), NSEC_PER_USEC);
}

/**
 * apq_preference_set() - what mode adaptive prefers
 * @throughput: true: the shortest wait, as long as polling is short; false:
 *		balanced, a twentieth of throughput may be given for CPU time
 */
void apq_preference_set(bool throughput)
{
	WRITE_ONCE(felt_wakes, throughput ? THROUGHPUT_WAKES : BALANCED_WAKES);
}

bool apq_preference_get(void)
{
	return READ_ONCE(felt_wakes) == THROUGHPUT_WAKES;
}

static u64 adaptive_bound_ns(void)
{
	return READ_ONCE(latency_ns) + NSEC_PER_SEC / HZ;
}

/* An idle machine's delay is the shortest; load teaches the rest. */
static int adaptive_start(void)
{
	unsigned int i;

	for (i = 0; i < FIRST_SLEEPS; i++) {
		u64 until = ktime_get_ns() + FIRST_SLEEP_NS;
		ktime_t expires = ns_to_ktime(until);

		set_current_state(TASK_UNINTERRUPTIBLE);
		schedule_hrtimeout(&expires, HRTIMER_MODE_ABS);
		learn_wake(ktime_get_ns() - until);
	}
	return 0;
}

struct apq_mode apq_mode_adaptive = {
	.name = "adaptive",
	.caller_runs = true,
	.covers = true,
	.plans = true,
	.start = adaptive_start,
	.reply = adaptive_reply,
	.interrupt = adaptive_interrupt,
	.wait = adaptive_wait,
	.bound_ns = adaptive_bound_ns,
};
