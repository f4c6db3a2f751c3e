/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Faults between a queue and its card, for tests. Core calls cards through
 * these wrappers; without faults they cost a branch that is never taken.
 * The faults themselves are in card/fault.c.
 */
#ifndef APQ_CORE_FAULT_H
#define APQ_CORE_FAULT_H

#include <linux/jump_label.h>
#include "card.h"
#include "req.h"

/* Replies held back per queue: as many as are inside, twice. */
#define APQ_MAX_HELD	(2 * APQ_CARD_DEPTH)

/**
 * struct apq_held - replies that a fault holds back, under the queue's lock
 * @reply: the replies
 * @due: jiffies at which each may go
 * @nr: how many
 */
struct apq_held {
	struct apq_reply reply[APQ_MAX_HELD];
	unsigned long due[APQ_MAX_HELD];
	unsigned int nr;
};

DECLARE_STATIC_KEY_FALSE(apq_fault_key);

enum apq_response apq_fault_enqueue(struct apq_queue *aq, struct apq_req *req);
enum apq_response apq_fault_dequeue(struct apq_queue *aq,
				    struct apq_reply *reply);
bool apq_fault_has_reply(struct apq_queue *aq);
bool apq_fault_mute(struct apq_queue *aq);
int apq_fault_cancel(struct apq_queue *aq, u64 psmid);
enum apq_response apq_fault_reset(struct apq_queue *aq);

#endif
