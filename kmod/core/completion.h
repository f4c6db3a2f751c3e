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

#include <linux/types.h>

struct apq_queue;

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
 * @interrupt: the card announces replies by itself
 * @start: get ready; may sleep; under apq_mode_lock
 * @stop: no @kick runs or comes any more; leave nothing behind; may sleep
 * @kick: something is in flight: see to it that apq_bus_poll() is called.
 *	  Any context but hard interrupt, inside an RCU read section; must be
 *	  cheap when it is already so.
 */
struct apq_mode {
	const char *name;
	bool interrupt;
	int (*start)(void);
	void (*stop)(void);
	void (*kick)(void);
};

extern const struct apq_mode apq_mode_timer;
extern const struct apq_mode apq_mode_hrtimer;
extern const struct apq_mode apq_mode_thread;

void apq_mode_kick(enum apq_wait wait);
bool apq_mode_interrupts(void);

#endif
