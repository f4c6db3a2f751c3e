/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The engine of a software card: slots, and a thread that works on them.
 */
#ifndef APQ_CARD_ENGINE_H
#define APQ_CARD_ENGINE_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include "../core/queue.h"

enum engine_slot_state {
	SLOT_FREE,
	SLOT_TODO,		/* on the engine's list */
	SLOT_RUNNING,		/* worked on; its request is written to */
	SLOT_DONE,		/* on the queue's list of replies */
};

/**
 * struct engine_slot - room for one request inside the card
 * @list: link in the list of free slots, of the engine's work or of replies
 * @equeue: whose slot
 * @req: request, a reference; NULL once cancelled
 * @psmid: its number
 * @code: enum apq_reply_code
 * @state: enum engine_slot_state
 * @is_lane: it is one of a lane; in no list
 * @start_ns: when the work began
 * @done_ns: when it was over
 * @mem: memory for a request of the kernel crypto API
 * @mem_size: its bytes
 */
struct engine_slot {
	struct list_head list;
	struct engine_queue *equeue;
	struct apq_req *req;
	u64 psmid;
	unsigned int code;
	u8 state;
	bool is_lane;
	u64 start_ns;
	u64 done_ns;
	void *mem;
	unsigned int mem_size;
};

struct engine_queue {
	struct apq_queue *aq;
	struct engine *engine;
	struct list_head free;
	struct list_head done;
	struct engine_slot slot[APQ_CARD_DEPTH];
};

/**
 * struct engine_lane - room for one request that its caller works on
 * @busy: taken, by whoever set it
 * @slot: the room
 */
struct engine_lane {
	unsigned long busy;
	struct engine_slot slot;
} ____cacheline_aligned_in_smp;

/**
 * struct engine - the worker of a card
 * @lock: inside the queue's lock; taken in hard interrupt by drivers that
 *	  call back there
 * @todo: slots to work on, oldest first
 * @lane: slots of requests that their own callers work on, without @lock
 * @nr_lanes: as many as there are CPUs, so that callers do not wait for each
 *	      other
 * @working: the thread, or a caller in its place, works on the list
 * @wait: where the thread sleeps
 * @thread: the worker
 * @card: whose engine
 * @work: works on one slot; process context
 */
struct engine {
	spinlock_t lock;	/* all slots and lists of the card */
	struct list_head todo;
	struct engine_lane *lane;
	unsigned int nr_lanes;
	bool working;
	wait_queue_head_t wait;
	struct task_struct *thread;
	struct apq_card *card;
	void (*work)(struct engine_slot *slot);
};

bool engine_run_inline(struct apq_queue *aq, struct apq_req *req,
		       struct apq_reply *reply);
struct engine *engine_create(struct apq_card *card, int cpu,
			     void (*work)(struct engine_slot *slot));
void engine_stop(struct engine *engine);
void engine_free(struct engine *engine);
void engine_slot_done(struct engine_slot *slot, unsigned int code);

enum apq_response engine_enqueue(struct apq_queue *aq, struct apq_req *req);
enum apq_response engine_dequeue(struct apq_queue *aq,
				 struct apq_reply *reply);
bool engine_has_reply(struct apq_queue *aq);
int engine_cancel(struct apq_queue *aq, u64 psmid);
enum apq_response engine_reset(struct apq_queue *aq);
void engine_kick(struct apq_queue *aq);
unsigned int engine_run(struct apq_queue *aq, unsigned int budget);
int engine_queue_init(struct apq_queue *aq);
void engine_queue_exit(struct apq_queue *aq);

#endif
