/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cards: what a transport gives to core, and what core keeps of a card.
 *
 * A transport is the NQAP/DQAP/TAPQ/RAPQ of this module: it takes requests
 * into slots, answers in any order with the psmid, and does not know who
 * notices the answer.
 */
#ifndef APQ_CORE_CARD_H
#define APQ_CORE_CARD_H

#include <linux/atomic.h>
#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include "plan.h"
#include "req.h"

#define APQ_MAX_CARDS		64	/* ids 0 to 63, as without extended QCI */
#define APQ_MAX_DOMAINS		16	/* queues per card, same source */
#define APQ_MAX_QUEUES		256	/* queues of all cards */
#define APQ_MAX_BACKENDS	16	/* distinct sets of key contexts */
#define APQ_CARD_DEPTH		8	/* as the hardware has */

struct apq_backend;
struct apq_card;
struct apq_queue;
struct apq_service;
struct apq_session;

/* Response codes of a card to a command; numbers of the AP architecture. */
enum apq_response {
	APQ_RESP_OK		= 0x00,
	APQ_RESP_NOT_AVAIL	= 0x01,
	APQ_RESP_RESET		= 0x02,
	APQ_RESP_DECONFIG	= 0x03,
	APQ_RESP_CHECKSTOP	= 0x04,
	APQ_RESP_BUSY		= 0x05,
	APQ_RESP_FULL		= 0x10,	/* enqueue: no slot; dequeue: no reply */
	APQ_RESP_TOO_BIG	= 0x15,
	APQ_RESP_NO_FACILITY	= 0x16,
};

/* Codes inside a reply; numbers of the type-82 message. */
enum apq_reply_code {
	APQ_REPLY_OK		= 0x00,
	APQ_REPLY_MACHINE_FAIL	= 0x10,
	APQ_REPLY_OPERAND	= 0x82,	/* zero or too large operand, bad key */
	APQ_REPLY_OPERAND_SIZE	= 0x84,
	APQ_REPLY_EVEN_MODULUS	= 0x85,
	APQ_REPLY_BAD_TAG	= 0x100,	/* ours: no AP card has AEAD */
};

/* Facility bits of a card; numbers of the AP architecture. */
#define APQ_FUNC_APSC		0x80000000	/* special commands */
#define APQ_FUNC_ME4K		0x40000000	/* modulus-exponent to 4096 bit */
#define APQ_FUNC_CRT4K		0x20000000	/* CRT to 4096 bit */
#define APQ_FUNC_CCA		0x10000000	/* CCA coprocessor */
#define APQ_FUNC_ACCEL		0x08000000	/* accelerator */

/**
 * struct apq_reply - what a card says of one request
 * @psmid: the request's number
 * @code: enum apq_reply_code
 * @start_ns: when the card began to work on it, ktime_get_ns()
 * @done_ns: when the reply was ready
 */
struct apq_reply {
	u64 psmid;
	unsigned int code;
	u64 start_ns;
	u64 done_ns;
};

/**
 * struct apq_card_ops - a transport
 *
 * All but @kick, @run and @destroy are called with the queue's lock held and
 * bottom halves disabled; they must not sleep.
 *
 * @name: kind of card, for sysfs and messages
 * @enqueue: take @req into a slot and a reference to it. APQ_RESP_OK, _FULL,
 *	     _RESET, or a code that fails the request or the queue.
 * @dequeue: fill @reply with one answer, free its slot and drop the
 *	     reference. APQ_RESP_OK, _FULL when there is none, or a code that
 *	     fails the queue.
 * @has_reply: false only if dequeue() would find none; called without lock
 * @cancel: forget the request with this psmid if no work on it has started.
 *	    0: it will still be answered, to nobody; -ENOENT: it will not;
 *	    -EBUSY: it is being worked on and its memory will still be written
 *	    to; -EALREADY: all of the work is over, the reply is ready.
 * @reset: drop all requests. APQ_RESP_OK when the card is empty,
 *	   APQ_RESP_BUSY: some are being worked on or have replies that must be
 *	   dequeued, call again. Any other code: the card is gone and touches
 *	   no request any more.
 * @kick: make the card look at its slots; called without lock, BHs maybe off
 * @run: optional: work on up to @budget requests in the caller's context;
 *	 process context without locks. Returns how many were done.
 * @run_inline: optional: work on @req at once in the caller's context, without
 *		a slot, if the card is idle; process context without locks.
 *		False: it is not, and nothing has happened.
 * @calls_back: it announces replies by a function call that costs nothing, from
 *		a thread of its own
 * @queue_init: allocate @aq->card_priv, may sleep, no lock held
 * @queue_exit: free it; no request is in flight; any context
 * @destroy: free the card's private part; any context
 */
struct apq_card_ops {
	const char *name;
	enum apq_response (*enqueue)(struct apq_queue *aq, struct apq_req *req);
	enum apq_response (*dequeue)(struct apq_queue *aq,
				     struct apq_reply *reply);
	bool (*has_reply)(struct apq_queue *aq);
	int (*cancel)(struct apq_queue *aq, u64 psmid);
	enum apq_response (*reset)(struct apq_queue *aq);
	void (*kick)(struct apq_queue *aq);
	unsigned int (*run)(struct apq_queue *aq, unsigned int budget);
	bool calls_back;
	bool (*run_inline)(struct apq_queue *aq, struct apq_req *req,
			   struct apq_reply *reply);
	int (*queue_init)(struct apq_queue *aq);
	void (*queue_exit)(struct apq_queue *aq);
	void (*destroy)(struct apq_card *card);
};

/**
 * struct apq_backend - a set of engines that share key contexts
 * @name: for messages
 * @index: slot in &struct apq_session.ctx, set by apq_backend_register()
 * @algs: bit (1 << enum apq_alg) for each algorithm it can do
 * @key_init: make a context for an algorithm; ERR_PTR on failure; may sleep
 * @key_set: load a key into it; may sleep
 * @tag_set: choose the length of the tag of an AEAD; -EINVAL: it has no such
 * @key_exit: free it and wipe the key; may sleep
 */
struct apq_backend {
	const char *name;
	unsigned int index;
	u64 algs;
	void *(*key_init)(struct apq_backend *be, unsigned int alg);
	int (*key_set)(void *ctx, const u8 *key, unsigned int len);
	int (*tag_set)(void *ctx, unsigned int len);
	void (*key_exit)(void *ctx);
};

int apq_backend_register(struct apq_backend *be);
void apq_backend_unregister(struct apq_backend *be);

/**
 * struct apq_card - a card
 * @dev: cardXX on bus ap, embedded
 * @id: XX
 * @ops: its transport
 * @backend: where sessions keep the key contexts of this card
 * @engine: names of what really computes, for every place that prints a card
 * @priv: the transport's
 * @service: model of another card that lies over this one
 * @predictor: what mode adaptive has learned of it
 * @hwtype: AP hardware type that is shown, 14 for CEX8
 * @functions: AP facility bits that are shown, bits as lszcrypt reads them
 * @depth: requests each queue holds at once
 * @algs: bit (1 << enum apq_alg) for each algorithm it can do
 * @max_mod_len: longest modulus in bytes
 * @rating: time units of a request, by algorithm kind and size class
 * @load: sum of the weights of requests in flight
 * @request_count: answered requests since load or since it was zeroed
 * @service_ns: time the engine spent computing, written by the transport
 * @online: takes requests; under apq_bus_lock, read without it by sysfs
 * @config: configured; same lock
 * @chkstop: broken for good; same lock
 * @gone: being removed, takes nothing any more; same lock
 * @lab: does not compute; takes only requests whose owner knows that
 * @queues: by domain; changed under apq_hotplug_lock and the same lock, read
 *	    under either
 */
struct apq_card {
	struct device dev;
	unsigned int id;
	const struct apq_card_ops *ops;
	struct apq_backend *backend;
	const char *engine;
	void *priv;
	struct apq_service *service;
	struct apq_predictor predictor;
	int hwtype;
	u32 functions;
	unsigned int depth;
	u64 algs;
	unsigned int max_mod_len;
	u32 rating[2][NR_APQ_CLASSES];
	atomic_t load;
	atomic64_t request_count;
	atomic64_t service_ns;
	bool online;
	bool config;
	bool chkstop;
	bool gone;
	bool lab;
	struct apq_queue *queues[APQ_MAX_DOMAINS];
};

#define to_apq_card(d) container_of(d, struct apq_card, dev)

/**
 * struct apq_card_factory - makes and unmakes cards at run time
 * @add: make a card with this id and so many queues and register it
 * @remove: unregister it and free what belongs to it
 *
 * Both are called with apq_hotplug_lock held, in process context.
 */
struct apq_card_factory {
	int (*add)(unsigned int id, unsigned int domains);
	void (*remove)(struct apq_card *card);
};

extern struct mutex apq_hotplug_lock;

struct apq_card *apq_card_alloc(unsigned int id,
				const struct apq_card_ops *ops);
int apq_card_register(struct apq_card *card, unsigned int domains);
void apq_card_unregister(struct apq_card *card);
struct apq_card *apq_card_find(unsigned int id);
unsigned int apq_card_count(void);
int apq_card_add_queue(struct apq_card *card, unsigned int domain);
int apq_card_remove_queue(struct apq_card *card, unsigned int domain);
int apq_card_set_online(struct apq_card *card, bool online);
int apq_queue_set_online(struct apq_queue *aq, bool online);
void apq_card_set_config(struct apq_card *card, bool config);
void apq_card_set_chkstop(struct apq_card *card, bool chkstop);
void apq_card_factory_set(const struct apq_card_factory *factory);

/* Under apq_bus_lock. */
static inline bool apq_card_usable(const struct apq_card *card)
{
	return card->online && card->config && !card->chkstop && !card->gone;
}

#endif
