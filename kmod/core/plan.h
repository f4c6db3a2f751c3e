/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What mode adaptive keeps of a card and of a queue. Core tells it what goes
 * into a card and what comes out; without a user of the mode that costs a
 * branch that is not taken. The rest is in completion/predict.c and
 * completion/adaptive.c.
 */
#ifndef APQ_CORE_PLAN_H
#define APQ_CORE_PLAN_H

#include <linux/atomic.h>
#include <linux/hrtimer.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/types.h>

#define APQ_PREDICT_ALGS	33	/* numbers of enum apq_alg and one more */
#define APQ_PREDICT_SIZES	12	/* powers of two from 32 B to 64 KiB */
#define APQ_PREDICT_ENGINES	16
#define APQ_PREDICT_RING	16	/* a queue's depth, twice */

struct apq_queue;
struct apq_reply;
struct apq_req;
struct task_struct;

/**
 * struct apq_predictor - what is known of a card's speed
 * @lock: inside the queue's lock
 * @service_ns: mean time on an engine by algorithm and size, 0: unknown
 * @error_ns: mean error of predictions
 * @start_ns: mean time from a request that is sent to the start of an engine
 *	      that is idle; negative if the clock is read after the start
 * @engines: requests it works on at once, as seen
 * @free_at: when each engine is expected to be free, ktime_get_ns()
 * @start: of the last replies, when an engine began to work on them
 * @done: of the same, when they were ready
 * @next: place of the next in these two
 * @most: most requests worked on at once in this window and the last
 * @most_inside: most requests of a queue inside the card, in the same windows
 * @seen: replies in this window
 */
struct apq_predictor {
	spinlock_t lock;	/* what follows */
	u32 service_ns[APQ_PREDICT_ALGS][APQ_PREDICT_SIZES];
	u32 error_ns;
	s32 start_ns;
	unsigned int engines;
	u64 free_at[APQ_PREDICT_ENGINES];
	u64 start[APQ_PREDICT_RING];
	u64 done[APQ_PREDICT_RING];
	unsigned int next;
	unsigned int most[2];
	unsigned int most_inside[2];
	unsigned int seen;
};

#define APQ_PLAN_LESSONS	8

/* Of a request whose service time is not known yet. */
#define APQ_DUE_UNKNOWN		U64_MAX

/* What a reply teaches, kept until there is time to learn it. */
struct apq_lesson {
	u64 due_ns;		/* predicted, 0: it was not */
	u64 start_ns;
	u64 done_ns;
	u8 alg;
	u8 size;
	u8 engine;
	bool idle_engine;
};

/* Why a reply is waited for in the way it is. */
enum apq_plan_why {
	APQ_PLAN_IDLE,		/* nothing is inside the card */
	APQ_PLAN_LEARN,		/* time unknown: interrupt */
	APQ_PLAN_FREE,		/* being told costs nothing: interrupt */
	APQ_PLAN_FEW,		/* an engine would go idle: interrupt */
	APQ_PLAN_LATE,		/* prediction was too short: interrupt */
	APQ_PLAN_COALESCE,	/* engines stay busy: timer, several replies */
	APQ_PLAN_SPIN,		/* shorter than a sleep: caller polls */
	APQ_PLAN_EARLY,		/* caller sleeps for less, then polls */
	APQ_PLAN_CROWD,		/* woken callers will look: none is made */
	NR_APQ_PLAN_WHYS
};

/**
 * struct apq_plan - when to look at a queue
 * @look_ns: next useful look, U64_MAX: none is known
 * @why: enum apq_plan_why, decided under the queue's lock
 * @interrupt: the card shall announce replies
 * @timer: the look, where no caller is awake to do it
 * @armed: when it comes, U64_MAX: it does not
 * @batch_ns: when @timer came last
 * @net: the look for the case that woken callers do not look
 * @lesson: what replies taught and is not learned yet
 * @nr_lessons: how many
 * @slow: replies are so far off that the exact time does not matter
 * @asleep: covering callers that sleep early; any context
 * @trust: callers in a row that were woken and sent another request
 * @count: decisions by reason; callers' by their own, without lock
 * @changes: how often @why became another
 *
 * All but @look_ns and @count under the queue's lock.
 */
struct apq_plan {
	u64 look_ns;
	u8 why;
	bool interrupt;
	struct hrtimer timer;
	u64 armed;
	u64 batch_ns;
	struct timer_list net;
	struct apq_lesson lesson[APQ_PLAN_LESSONS];
	unsigned int nr_lessons;
	bool slow;
	atomic_t asleep;
	u8 trust;
	u64 count[NR_APQ_PLAN_WHYS];
	u64 changes;
};

/*
 * The mode has a user. No static key: modes change while requests run, and
 * code that is patched again and again costs all CPUs more than this does.
 * QEMU has been seen to hang in such a branch.
 */
extern bool apq_plan_wanted;

static inline bool apq_plan_used(void)
{
	return unlikely(READ_ONCE(apq_plan_wanted));
}

extern const char * const apq_plan_names[NR_APQ_PLAN_WHYS];

/* predict.c */
void apq_predict_init(struct apq_predictor *p);
void apq_predict_pending(struct apq_queue *aq);
u32 apq_predict_service(const struct apq_queue *aq, const struct apq_req *req);
void apq_predict_reply(struct apq_queue *aq, const struct apq_req *req,
		       const struct apq_reply *reply);

/* adaptive.c */
void apq_plan_init(struct apq_queue *aq);
void apq_plan_stop(struct apq_queue *aq);
void apq_plan_make(struct apq_queue *aq);
void apq_plan_commit(struct apq_queue *aq);
bool apq_plan_crowded(void);
unsigned int apq_plan_wake_ns(void);
unsigned int apq_plan_woken(struct task_struct *waiter);
void apq_plan_runs(struct apq_queue *aq, unsigned int woken);

#endif
