/* SPDX-License-Identifier: GPL-2.0 */
/* Trace points of the life of a request, in tracefs under events/apq. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM apq

#if !defined(APQ_CORE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define APQ_CORE_TRACE_H

#include <linux/tracepoint.h>
#include "queue.h"

DECLARE_EVENT_CLASS(apq_req_class,
	TP_PROTO(const struct apq_queue *aq, const struct apq_req *req),
	TP_ARGS(aq, req),
	TP_STRUCT__entry(
		__field(const void *, req)
		__field(u64, psmid)
		__field(unsigned int, card)
		__field(unsigned int, domain)
		__field(unsigned int, alg)
		__field(unsigned int, len)
		__field(unsigned int, tries)
		__field(unsigned int, queued)
		__field(unsigned int, pending)
	),
	TP_fast_assign(
		__entry->req = req;
		__entry->psmid = req->psmid;
		__entry->card = aq->card->id;
		__entry->domain = aq->domain;
		__entry->alg = req->alg;
		__entry->len = apq_req_len(req);
		__entry->tries = req->tries;
		__entry->queued = aq->requestq_count;
		__entry->pending = aq->pendingq_count;
	),
	TP_printk("req=%p psmid=%llu queue=%02x.%04x alg=%u len=%u tries=%u queued=%u pending=%u",
		  __entry->req, __entry->psmid, __entry->card,
		  __entry->domain, __entry->alg, __entry->len,
		  __entry->tries, __entry->queued, __entry->pending)
);

/* A queue took the request. */
DEFINE_EVENT(apq_req_class, apq_submit,
	TP_PROTO(const struct apq_queue *aq, const struct apq_req *req),
	TP_ARGS(aq, req)
);

/* The request went into a slot of the card. */
DEFINE_EVENT(apq_req_class, apq_enqueue,
	TP_PROTO(const struct apq_queue *aq, const struct apq_req *req),
	TP_ARGS(aq, req)
);

/* The card's reply to the request was taken. */
DEFINE_EVENT(apq_req_class, apq_dequeue,
	TP_PROTO(const struct apq_queue *aq, const struct apq_req *req),
	TP_ARGS(aq, req)
);

/* The request goes back to its owner with a result, or for another try. */
TRACE_EVENT(apq_complete,
	TP_PROTO(const struct apq_req *req),
	TP_ARGS(req),
	TP_STRUCT__entry(
		__field(const void *, req)
		__field(u64, psmid)
		__field(int, ret)
		__field(unsigned int, tries)
	),
	TP_fast_assign(
		__entry->req = req;
		__entry->psmid = req->psmid;
		__entry->ret = req->ret;
		__entry->tries = req->tries;
	),
	TP_printk("req=%p psmid=%llu ret=%d tries=%u",
		  __entry->req, __entry->psmid, __entry->ret, __entry->tries)
);

/* The active completion mode changed. */
TRACE_EVENT(apq_mode,
	TP_PROTO(const char *from, const char *to),
	TP_ARGS(from, to),
	TP_STRUCT__entry(
		__array(char, from, 16)
		__array(char, to, 16)
	),
	TP_fast_assign(
		strscpy(__entry->from, from, sizeof(__entry->from));
		strscpy(__entry->to, to, sizeof(__entry->to));
	),
	TP_printk("from=%s to=%s", __entry->from, __entry->to)
);

/* Mode adaptive waits for another reason. */
TRACE_EVENT(apq_plan,
	TP_PROTO(const struct apq_queue *aq, unsigned int from,
		 unsigned int to, u64 look_ns),
	TP_ARGS(aq, from, to, look_ns),
	TP_STRUCT__entry(
		__field(unsigned int, card)
		__field(unsigned int, domain)
		__field(const char *, from)
		__field(const char *, to)
		__field(unsigned int, in_card)
		__field(unsigned int, queued)
		__field(unsigned int, engines)
		__field(u64, look_ns)
	),
	TP_fast_assign(
		__entry->card = aq->card->id;
		__entry->domain = aq->domain;
		__entry->from = apq_plan_names[from];
		__entry->to = apq_plan_names[to];
		__entry->in_card = aq->in_card;
		__entry->queued = aq->requestq_count;
		__entry->engines = aq->card->predictor.engines;
		__entry->look_ns = look_ns;
	),
	TP_printk("queue=%02x.%04x from=%s to=%s in_card=%u queued=%u engines=%u look_ns=%llu",
		  __entry->card, __entry->domain, __entry->from, __entry->to,
		  __entry->in_card, __entry->queued, __entry->engines,
		  __entry->look_ns)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH core
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
