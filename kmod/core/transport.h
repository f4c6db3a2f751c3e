/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a card is called: past the layers that may lie over it, faults first,
 * then the service model. Without them a call costs two branches that are
 * not taken.
 */
#ifndef APQ_CORE_TRANSPORT_H
#define APQ_CORE_TRANSPORT_H

#include "fault.h"
#include "queue.h"
#include "service.h"

/* Under the faults: what a fault lets through. */
static inline enum apq_response apq_real_enqueue(struct apq_queue *aq,
						 struct apq_req *req)
{
	if (apq_service_used())
		return apq_service_enqueue(aq, req);
	return aq->card->ops->enqueue(aq, req);
}

static inline enum apq_response apq_real_dequeue(struct apq_queue *aq,
						 struct apq_reply *reply)
{
	if (apq_service_used())
		return apq_service_dequeue(aq, reply);
	return aq->card->ops->dequeue(aq, reply);
}

static inline bool apq_real_has_reply(struct apq_queue *aq)
{
	if (apq_service_used())
		return apq_service_has_reply(aq);
	return aq->card->ops->has_reply(aq);
}

static inline int apq_real_cancel(struct apq_queue *aq, u64 psmid)
{
	if (apq_service_used())
		return apq_service_cancel(aq, psmid);
	return aq->card->ops->cancel(aq, psmid);
}

static inline enum apq_response apq_real_reset(struct apq_queue *aq)
{
	if (apq_service_used())
		return apq_service_reset(aq);
	return aq->card->ops->reset(aq);
}

#endif
