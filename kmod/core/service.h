/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The service model: a layer over any card that holds a reply until the card
 * that is modelled would have been ready with it. Core calls cards through
 * these wrappers; without a model they cost a branch that is not taken. The
 * model itself is in card/service.c.
 */
#ifndef APQ_CORE_SERVICE_H
#define APQ_CORE_SERVICE_H

#include <linux/hrtimer.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include "card.h"

#define APQ_SERVICE_ENGINES	16	/* at most, per card */

/* Operations that have a time of their own. */
enum apq_service_kind {
	APQ_SERVICE_ME1K,
	APQ_SERVICE_ME2K,
	APQ_SERVICE_ME4K,
	APQ_SERVICE_CRT1K,
	APQ_SERVICE_CRT2K,
	APQ_SERVICE_CRT4K,
	APQ_SERVICE_SYM,	/* symmetric and random; plus time per byte */
	NR_APQ_SERVICE_KINDS
};

/**
 * struct apq_service_times - what a modelled card is
 * @name: preset, or "custom"
 * @engines: requests it works on at once, 1 to APQ_SERVICE_ENGINES
 * @jitter: each time is drawn evenly from so many percent below to above
 * @fixed_ns: time of an operation on one engine, 0: not held
 * @byte_ps: picoseconds per byte, symmetric only
 */
struct apq_service_times {
	char name[16];
	unsigned int engines;
	unsigned int jitter;
	u32 fixed_ns[NR_APQ_SERVICE_KINDS];
	u32 byte_ps;
};

/**
 * struct apq_service - the model of a card
 * @on: replies are held; changed under @lock, read without
 * @used: was on at some time; under apq_bus_lock
 * @lock: inside the queue's lock
 * @times: what is modelled
 * @free_at: when each engine has done what it was given, ktime_get_ns()
 * @seed: of the jitter; the same from every start, so that runs repeat
 * @late: replies that the real engine computed after the modelled time
 */
struct apq_service {
	bool on;
	bool used;
	spinlock_t lock;	/* what follows */
	struct apq_service_times times;
	u64 free_at[APQ_SERVICE_ENGINES];
	u32 seed;
	u64 late;
};

/* A request inside the modelled card. */
struct apq_service_entry {
	u64 psmid;
	u64 start_ns;
	u64 due_ns;
	unsigned int code;
	bool ready;		/* the real card has replied */
};

/**
 * struct apq_service_queue - requests of a queue inside the modelled card
 * @entry: they, under the queue's lock as all of this but:
 * @nr: how many
 * @next_due: when the next can be ready, U64_MAX without one; read without
 * @computed: the real card has replied to one of these; read without
 * @pass: there are requests that the model does not know; read without
 * @interrupt: the modelled card's, armed only for modes that ask for one
 * @armed: when it comes, U64_MAX: it does not
 */
struct apq_service_queue {
	struct apq_service_entry entry[APQ_CARD_DEPTH];
	unsigned int nr;
	u64 next_due;
	bool pass;
	bool computed;
	struct hrtimer interrupt;
	u64 armed;
};

/* Cards that are or were modelled; under apq_bus_lock, read without. */
extern unsigned int apq_service_cards;

static inline bool apq_service_used(void)
{
	return unlikely(READ_ONCE(apq_service_cards));
}

enum apq_response apq_service_enqueue(struct apq_queue *aq,
				      struct apq_req *req);
enum apq_response apq_service_dequeue(struct apq_queue *aq,
				      struct apq_reply *reply);
bool apq_service_has_reply(struct apq_queue *aq);
int apq_service_cancel(struct apq_queue *aq, u64 psmid);
enum apq_response apq_service_reset(struct apq_queue *aq);
bool apq_service_announces(struct apq_queue *aq);
void apq_service_arm(struct apq_queue *aq);
int apq_service_init(struct apq_card *card);
void apq_service_queue_init(struct apq_queue *aq);
void apq_service_queue_stop(struct apq_queue *aq);
void apq_service_stop(struct apq_card *card);
void apq_service_free(struct apq_card *card);

/* sysfs */
ssize_t apq_service_show(struct apq_card *card, char *buf);
int apq_service_store(struct apq_card *card, const char *buf);

#endif
