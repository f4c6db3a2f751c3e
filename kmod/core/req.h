/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A request: what a door hands to the queues and gets back exactly once.
 *
 * Context and lifetime: the door allocates the request (alone or inside a
 * structure of its own), fills the upper part and calls apq_submit(). From
 * then on the lower part belongs to core until @complete has been called or
 * apq_cancel() has returned true. Reference holders are the owner and, while
 * the request lies in a slot of a card, that card; a cancelled request is
 * therefore freed by a card that was still working on it, never under it.
 */
#ifndef APQ_CORE_REQ_H
#define APQ_CORE_REQ_H

#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <uapi/linux/apq.h>

struct apq_mode;
struct apq_queue;
struct apq_session;
struct scatterlist;
struct task_struct;

/*
 * Attempts on different queues before a request fails with EIO. One that only
 * waits for a card has the time that so many attempts may take.
 */
#define APQ_MAX_TRIES		10

/* Size classes of statistics and ratings, bounds as zcrypt has for RSA. */
enum apq_class {
	APQ_CLASS_SMALL,	/* modulus to 1024 bit, data to 1 KiB */
	APQ_CLASS_MEDIUM,	/* modulus to 2048 bit, data to 16 KiB */
	APQ_CLASS_LARGE,
	NR_APQ_CLASSES
};

/**
 * struct apq_rsa - operands of a raw RSA operation, big endian, in one buffer
 * @len: bytes of the modulus, of @in and of @out
 * @part_len: bytes of each prime and of what belongs to it, (len + 1) / 2
 * @in: input
 * @out: result
 * @exp: exponent (APQ_ALG_RSA_ME)
 * @mod: modulus (APQ_ALG_RSA_ME)
 * @p: prime p, larger than @q, and the other values (APQ_ALG_RSA_CRT)
 * @q: prime q
 * @dp: d mod (p - 1)
 * @dq: d mod (q - 1)
 * @qinv: q^-1 mod p
 */
struct apq_rsa {
	unsigned int len;
	unsigned int part_len;
	const u8 *in;
	u8 *out;
	union {
		struct {
			const u8 *exp;
			const u8 *mod;
		};
		struct {
			const u8 *p;
			const u8 *q;
			const u8 *dp;
			const u8 *dq;
			const u8 *qinv;
		};
	};
};

/**
 * struct apq_cipher - operands of a symmetric operation
 * @src: input
 * @dst: output, may be @src
 * @len: bytes; the tag of an AEAD included where it is input
 * @aad_len: bytes of additional data before @src, and of room before @dst
 * @iv: IV; stays as it is, so that the request can be tried again
 * @iv_out: IV that would continue the message
 */
struct apq_cipher {
	struct scatterlist *src;
	struct scatterlist *dst;
	unsigned int len;
	unsigned int aad_len;
	u8 iv[APQ_IV_LEN];
	u8 iv_out[APQ_IV_LEN];
};

/**
 * struct apq_random - operands of a request for random bytes
 * @out: where they go, memory of the kernel
 * @len: how many
 */
struct apq_random {
	u8 *out;
	unsigned int len;
};

enum apq_req_state {
	APQ_REQ_IDLE,		/* with its owner */
	APQ_REQ_QUEUED,		/* on a request list */
	APQ_REQ_PENDING,	/* inside the card, reply awaited */
	APQ_REQ_RETRY,		/* waits for another try elsewhere */
};

/**
 * struct apq_req - one request
 * @alg: enum apq_alg
 * @op: enum apq_op_code, for symmetric algorithms
 * @in_place: the input is overwritten by the output, so that a second try is
 *	      possible only before a card has started on it
 * @pinned: operands lie in pages of a user; cancelling must wait for a card
 *	    that writes to them
 * @lab: a lab card may answer it; see &struct apq_card
 * @session: key, NULL for RSA requests that bring theirs
 * @rsa: operands
 * @cipher: operands
 * @random: operands
 * @complete: called once with @ret set, from any context that has bottom
 *	      halves disabled or may sleep; must not sleep. The request is the
 *	      owner's again when it is called.
 * @release: frees the memory when the last reference is gone, may be NULL
 * @priv: the owner's
 * @mode: completion mode that the owner chose, NULL for the active one
 * @ref: references, see the top of this file
 * @ret: result, 0 or -errno
 * @state: enum apq_req_state, under the lock of @aq or, for retries, of the
 *	   retry list
 * @tries: queues tried so far
 * @started: set by a card before it writes output; read by the next try
 * @covered: its caller looks for the reply; under the lock of @aq
 * @idle_engine: the prediction is that it need not wait for an engine
 * @class: enum apq_class
 * @engine: of the card, that is predicted to work on it; 0 until then
 * @weight: what this request adds to the load of its card and queue
 * @psmid: number by which the card's reply names this request
 * @aq: queue of the current or last try; the request holds a reference to it
 * @list: link in a request, pending, finished or retry list
 * @waiter: task inside apq_submit_wait(), NULL for owners that do not wait
 * @finished: the answer is there for @waiter; set with release, read with
 *	      acquire semantics
 * @submit_ns: when a queue took it, 0 where the caller does the work
 * @sent_ns: when it went into the card, for predictions; 0: not known
 * @due_ns: when its reply is expected, 0: not predicted; APQ_DUE_UNKNOWN;
 *	    written under the lock of @aq, also read without
 * @sent: jiffies when it went into the card, for the watchdog
 * @born: jiffies of apq_req_init(), for the same
 * @woken: CPU plus one on which @waiter was woken for @finished, 0: it was not
 */
struct apq_req {
	u8 alg;
	u8 op;
	bool in_place;
	bool pinned;
	bool lab;
	struct apq_session *session;
	union {
		struct apq_rsa rsa;
		struct apq_cipher cipher;
		struct apq_random random;
	};
	void (*complete)(struct apq_req *req);
	void (*release)(struct apq_req *req);
	void *priv;
	struct apq_mode *mode;

	refcount_t ref;
	int ret;
	u8 state;
	u8 tries;
	bool started;
	bool covered;
	bool idle_engine;
	u8 class;
	u8 engine;
	u32 weight;
	u64 psmid;
	struct apq_queue *aq;
	struct list_head list;
	struct task_struct *waiter;
	bool finished;
	u64 submit_ns;
	u64 sent_ns;
	u64 due_ns;
	unsigned long sent;
	unsigned long born;
	unsigned int woken;
};

void apq_req_init(struct apq_req *req, unsigned int alg, unsigned int op,
		  void (*release)(struct apq_req *req));
void apq_req_put(struct apq_req *req);
void apq_req_reinit(struct apq_req *req, unsigned int alg, unsigned int op);
void apq_req_detach(struct apq_req *req);
void apq_req_finish(struct apq_req *req);
int apq_submit(struct apq_req *req);
bool apq_run(struct apq_req *req);
bool apq_cancel(struct apq_req *req);
int apq_submit_wait(struct apq_req *req, unsigned int timeout_ms);

static inline void apq_req_get(struct apq_req *req)
{
	refcount_inc(&req->ref);
}

/* Whether the answer that a waiter waits for is there. */
static inline bool apq_req_finished(const struct apq_req *req)
{
	/* Pairs with the release in complete_waiter(). */
	return smp_load_acquire(&req->finished);
}

static inline bool apq_req_is_rsa(const struct apq_req *req)
{
	return req->alg == APQ_ALG_RSA_ME || req->alg == APQ_ALG_RSA_CRT;
}

/* Bytes that decide about the size class and the speed rating. */
static inline unsigned int apq_req_len(const struct apq_req *req)
{
	switch (req->alg) {
	case APQ_ALG_RSA_ME:
	case APQ_ALG_RSA_CRT:
		return req->rsa.len;
	case APQ_ALG_RANDOM:
		return req->random.len;
	default:
		return req->cipher.len;
	}
}

#endif
