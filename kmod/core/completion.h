/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Completion modes: who notices that a card has replied.
 *
 * Core says what it waits for (enum apq_wait); the active mode decides when
 * somebody calls apq_bus_poll(). Only files in completion/ own a timer, a
 * thread or a callback.
 */
#ifndef APQ_CORE_COMPLETION_H
#define APQ_CORE_COMPLETION_H

#include <linux/atomic.h>
#include <linux/types.h>

struct apq_queue;
struct apq_req;

/* What a queue waits for; smaller is more urgent. */
enum apq_wait {
	APQ_WAIT_AGAIN,		/* run the state machine again at once */
	APQ_WAIT_POLL,		/* a reply will come */
	APQ_WAIT_SLOW,		/* a reset is going on, look now and then */
	APQ_WAIT_NONE,
};

/**
 * struct apq_mode - a completion mode
 * @name: what the user writes
 * @caller_runs: a caller that waits does the work of an idle software engine
 *		 itself; the engine's thread is not woken for it
 * @covers: a caller that waits looks for its reply itself, so that the card
 *	    need not announce it, until apq_queue_uncover()
 * @plans: wants apq_plan_make() after each change of a queue
 * @users: files that chose it, plus one if it is the active one; under
 *	   apq_mode_lock
 * @in_flight: requests of files that chose it
 * @start: get ready; may sleep; under apq_mode_lock
 * @bound_ns: longest time from a card's reply to the poll that takes it, by
 *	      design of the mode; NULL: below one interval of the watchdog
 * @stop: no other function runs or comes any more; leave nothing behind; may
 *	  sleep
 * @kick: something is in flight: see to it that apq_bus_poll() is called.
 *	  Any context but hard interrupt, inside an RCU read section; must be
 *	  cheap when it is already so. NULL: @reply is enough.
 * @reply: a card has a reply for this queue. Any context, inside an RCU read
 *	   section. NULL: @kick is enough.
 * @interrupt: whether the card shall announce the replies of this queue. Under
 *	       its lock. NULL: always, if there is a @reply.
 * @wait: called by a caller that waits, before it sleeps: look for the reply
 *	  as long as that pays. Process context, may sleep, and may go on
 *	  after @stop, so it uses nothing that @stop frees. NULL: sleep at
 *	  once.
 */
struct apq_mode {
	const char *name;
	bool caller_runs;
	bool covers;
	bool plans;
	unsigned int users;
	atomic_t in_flight;
	int (*start)(void);
	void (*stop)(void);
	u64 (*bound_ns)(void);
	void (*kick)(void);
	void (*reply)(struct apq_queue *aq);
	bool (*interrupt)(struct apq_queue *aq);
	void (*wait)(struct apq_req *req);
};

extern struct apq_mode apq_mode_timer;
extern struct apq_mode apq_mode_hrtimer;
extern struct apq_mode apq_mode_thread;
extern struct apq_mode apq_mode_irq;
extern struct apq_mode apq_mode_caller;
extern struct apq_mode apq_mode_hybrid;
extern struct apq_mode apq_mode_adaptive;

void apq_mode_kick(struct apq_mode *own, enum apq_wait wait);
bool apq_mode_caller_runs(struct apq_mode *own);
bool apq_mode_covers(struct apq_mode *own);
bool apq_mode_interrupt(struct apq_queue *aq);
void apq_mode_reply(struct apq_queue *aq);
void apq_mode_wait(struct apq_req *req);
u64 apq_mode_bound_ns(void);
struct apq_mode *apq_mode_use(const char *name);
void apq_mode_unuse(struct apq_mode *mode);

/* Interval of the watchdog in milliseconds. */
#define APQ_WATCH_MS		250

/* The net under all modes, watchdog.c: lost replies and slow resets. */
void apq_watchdog_arm(bool slow);
bool apq_mode_interrupts(void);
/* Longest stay of a request inside a card, in milliseconds. */
unsigned int apq_request_timeout_get(void);

#endif
