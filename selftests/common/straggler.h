/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A request that is in flight while something else happens.
 *
 * Context: the thread owns the structure until @done is set.
 */
#ifndef APQ_SELFTEST_STRAGGLER_H
#define APQ_SELFTEST_STRAGGLER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include "attribute.h"
#include "clock.h"
#include "rsa.h"

struct straggler {
	pthread_t thread;
	struct rsa_key key;
	uint8_t out[RSA_MAX_LEN];
	long long service;		/* of the card, before */
	int ret;
	atomic_bool done;
};

static inline void *straggler_fn(void *data)
{
	struct straggler *s = data;

	s->ret = rsa_me(z90crypt_open(), &s->key, s->key.in, s->out);
	atomic_store(&s->done, true);
	return NULL;
}

/* Sends a request of @bits; 4096 of them keep a card busy for a while. */
static inline bool straggler_start(struct straggler *s, unsigned int bits)
{
	memset(s, 0, sizeof(*s));
	rsa_key_load(&s->key, bits);
	s->service = attr_number(CARD0 "service_ns");
	return !pthread_create(&s->thread, NULL, straggler_fn, s);
}

/*
 * The engine is done when its service time has grown: from then on nothing
 * but a completion mode can bring the answer.
 */
static inline bool straggler_computed(struct straggler *s)
{
	return wait_for(attr_number(CARD0 "service_ns") > s->service, 10) &&
	       !atomic_load(&s->done);
}

/* The right answer has come, soon enough. */
static inline bool straggler_came(struct straggler *s)
{
	return wait_for(atomic_load(&s->done), 10) && !s->ret &&
	       !memcmp(s->out, s->key.out, s->key.len);
}

#endif
