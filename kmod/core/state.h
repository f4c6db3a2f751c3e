/* SPDX-License-Identifier: GPL-2.0 */
/* The state machine, for queue.c; all of it under the queue's lock. */
#ifndef APQ_CORE_STATE_H
#define APQ_CORE_STATE_H

#include "queue.h"

enum apq_wait apq_sm_run(struct apq_queue *aq, enum apq_sm_event event);
void apq_read_all(struct apq_queue *aq);
void apq_finish_locked(struct apq_queue *aq, struct apq_req *req, int ret);
void apq_fail_queued(struct apq_queue *aq);
void apq_count_queued(struct apq_queue *aq, struct apq_req *req);
void apq_count_reply(struct apq_queue *aq, const struct apq_req *req,
		     const struct apq_reply *reply);
bool apq_card_has_reply(struct apq_queue *aq);
bool apq_card_cancel(struct apq_queue *aq, struct apq_req *req,
		     bool keep_running, bool keep_done);

void apq_uncover_locked(struct apq_queue *aq, struct apq_req *req);

#endif
