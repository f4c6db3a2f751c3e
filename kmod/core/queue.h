/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Queues: request list, replies awaited, and the state machine between them.
 */
#ifndef APQ_CORE_QUEUE_H
#define APQ_CORE_QUEUE_H

#include <linux/atomic.h>
#include <linux/device.h>
#include <linux/spinlock.h>
#include "card.h"
#include "completion.h"
#include "fault.h"
#include "plan.h"
#include "req.h"
#include "service.h"
#include "stats.h"

enum apq_sm_state {
	APQ_SM_RESET_START,	/* a reset must be sent */
	APQ_SM_RESET_WAIT,	/* the card is resetting */
	APQ_SM_IDLE,		/* nothing inside the card */
	APQ_SM_WORKING,
	APQ_SM_QUEUE_FULL,	/* all slots taken */
	NR_APQ_SM_STATES
};

enum apq_sm_event {
	APQ_SM_POLL,		/* look what there is to do */
	APQ_SM_TIMEOUT,		/* the oldest request waits too long */
	NR_APQ_SM_EVENTS
};

enum apq_dev_state {
	APQ_DEV_OPERATING,
	APQ_DEV_SHUTDOWN,	/* going away, takes nothing more */
	APQ_DEV_ERROR,		/* the card answered with a code that ends it */
};

/* Why a queue takes no requests, one bit for each reason. */
enum apq_block {
	APQ_BLOCK_OFFLINE	= 1 << 0,	/* the administrator's wish */
	APQ_BLOCK_DECONFIG	= 1 << 1,	/* its card is deconfigured */
	APQ_BLOCK_CHKSTOP	= 1 << 2,	/* its card is broken */
	APQ_BLOCK_UNBOUND	= 1 << 3,	/* no driver: new, or masked */
};

/**
 * struct apq_queue - one queue (card and domain)
 * @dev: XX.YYYY on bus ap, embedded
 * @card: its card, which outlives it
 * @domain: YYYY
 * @index: bit in the map of busy queues
 * @card_priv: the transport's
 * @load: sum of the weights of requests in flight
 * @rcu: the memory outlives RCU readers of the tables that name it
 * @lock: protects what follows; the order of locks is in bus.h
 * @busy: marked in the map of busy queues
 * @slow: marked in the map of queues in a reset
 * @blocked: enum apq_block; takes requests only while none is set
 * @dev_state: enum apq_dev_state
 * @sm_state: enum apq_sm_state
 * @last_response: code that led to APQ_DEV_ERROR
 * @requestq: requests that wait for a slot, oldest first
 * @pendingq: requests inside the card, oldest first
 * @finished: requests with a result that the lock's holder must finish
 * @requestq_count: requests on @requestq
 * @eldest: no request on @requestq was born before, while there are any
 * @pendingq_count: requests on @pendingq
 * @in_card: slots taken, for requests on @pendingq and for @orphans
 * @orphans: numbers of cancelled requests that the card will still answer
 * @nr_orphans: how many
 * @covered: requests whose caller looks for the reply, see &struct apq_mode
 * @plan: of mode adaptive
 * @moved: jiffies of the last request sent or reply taken
 * @recover_at: jiffies of the next try to leave APQ_DEV_ERROR
 * @held: replies that an injected fault holds back
 * @service: requests inside the modelled card
 * @next_psmid: number of the next request
 * @request_count: answered requests
 * @dropped: replies to requests that were cancelled before
 * @unknown: replies to requests that never were, or were answered before
 * @replies: replies taken, matched or not
 * @stale: looks of the watchdog since a reply was taken, with one there
 * @rescues: replies that only the watchdog noticed
 * @timeouts: resets because a request was inside the card for too long
 * @expired: requests that waited for too long, and failed
 * @stats: counts by kind
 * @inline_stats: the same of requests that callers worked on, without lock
 * @empty_polls: polls that found no reply, without lock
 */
struct apq_queue {
	struct device dev;
	struct apq_card *card;
	unsigned int domain;
	unsigned int index;
	void *card_priv;
	atomic_t load;
	struct rcu_head rcu;

	/* the fields below */
	spinlock_t lock ____cacheline_aligned_in_smp;
	bool busy;
	bool slow;
	u8 blocked;
	u8 dev_state;
	u8 sm_state;
	u8 last_response;
	struct list_head requestq;
	struct list_head pendingq;
	struct list_head finished;
	unsigned int requestq_count;
	unsigned long eldest;
	unsigned int pendingq_count;
	unsigned int in_card;
	u64 orphans[APQ_CARD_DEPTH];
	unsigned int nr_orphans;
	unsigned int covered;
	struct apq_plan plan;
	unsigned long moved;
	unsigned long recover_at;
	struct apq_held held;
	struct apq_service_queue service;
	u64 next_psmid;
	atomic64_t request_count;
	u64 dropped;
	u64 unknown;
	u64 replies;
	unsigned int stale;
	u64 rescues;
	u64 timeouts;
	u64 expired;
	struct apq_stats stats;
	struct apq_inline_stats inline_stats;
	atomic64_t empty_polls;
};

#define to_apq_queue(d) container_of(d, struct apq_queue, dev)

struct apq_queue *apq_queue_create(struct apq_card *card, unsigned int domain);
void apq_queue_destroy(struct apq_queue *aq);
int apq_queue_add(struct apq_queue *aq, struct apq_req *req);
bool apq_queue_run(struct apq_queue *aq, struct apq_req *req);
void apq_queue_shutdown(struct apq_queue *aq);
bool apq_queue_cancel(struct apq_queue *aq, struct apq_req *req);
enum apq_wait apq_queue_poll(struct apq_queue *aq);
void apq_queue_watch(struct apq_queue *aq, unsigned int limit_ms);
void apq_queue_block(struct apq_queue *aq, enum apq_block why, bool block);
void apq_queue_reset(struct apq_queue *aq);
void apq_queue_uncover(struct apq_req *req);
void apq_queue_replan(struct apq_queue *aq);

int apq_reply_errno(unsigned int code);

/*
 * Whether the queue takes requests. Only a hint without the lock: the add
 * that follows checks again. READ_ONCE() pairs with the WRITE_ONCE() of each
 * change of the two fields in queue.c.
 */
static inline bool apq_queue_usable(const struct apq_queue *aq)
{
	return !READ_ONCE(aq->blocked) &&
	       READ_ONCE(aq->dev_state) == APQ_DEV_OPERATING;
}

static inline struct apq_queue *apq_queue_get(struct apq_queue *aq)
{
	get_device(&aq->dev);
	return aq;
}

static inline void apq_queue_put(struct apq_queue *aq)
{
	put_device(&aq->dev);
}

#endif
