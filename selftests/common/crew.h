/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Any number of callers, each with one request at a time, every answer
 * compared with OpenSSL's; and the model of card 0's speed.
 *
 * Context: the callers own their struct load_thread until crew_join().
 */
#ifndef APQ_SELFTEST_CREW_H
#define APQ_SELFTEST_CREW_H

#include "attribute.h"
#include "load.h"

#define CREW_MAX	20
#define MODEL0		CARD0 "service_model"

struct crew {
	struct load load;
	struct load_thread *t[CREW_MAX];
	unsigned int made;
	unsigned int nr;		/* of these, at work */
	uint64_t start;
};

/* Opens the doors; keys and RSA answers are made once. */
static inline void crew_init(struct crew *c, unsigned int nr)
{
	memset(c, 0, sizeof(*c));
	load_rsa_init(&c->load.rsa);
	for (c->made = 0; c->made < nr; c->made++)
		c->t[c->made] = load_thread_new(&c->load, c->made);
}

/* So that the module can go. */
static inline void crew_close(struct crew *c)
{
	while (c->made) {
		struct load_thread *t = c->t[--c->made];

		close(t->apq);
		close(t->z90crypt);
		close(t->afalg[1]);
		close(t->afalg[0]);
	}
}

/* The first @nr callers send @requests each of @kinds in turn. */
static inline void crew_start(struct crew *c, unsigned int nr,
			      unsigned int requests, unsigned int kinds,
			      int allowed)
{
	unsigned int i;

	kinds &= load_doors();
	if (nr > c->made || !kinds)
		abort();
	c->nr = nr;
	c->start = now_ns();
	for (i = 0; i < nr; i++) {
		struct load_thread *t = c->t[i];

		t->nr = requests;
		t->kinds = kinds;
		t->allowed = allowed;
		t->error = 0;
		t->wrong = 0;
		t->refused = 0;
		atomic_store(&t->done, 0);
		if (pthread_create(&t->thread, NULL, load_thread_fn, t))
			abort();
	}
}

static inline unsigned int crew_done(struct crew *c)
{
	unsigned int i, sum = 0;

	for (i = 0; i < c->nr; i++)
		sum += atomic_load(&c->t[i]->done);
	return sum;
}

static inline unsigned int crew_refused(const struct crew *c)
{
	unsigned int i, sum = 0;

	for (i = 0; i < c->nr; i++)
		sum += c->t[i]->refused;
	return sum;
}

/* Nanoseconds since the start; 0: see what is printed. */
static inline uint64_t crew_join(struct crew *c, unsigned int seconds)
{
	uint64_t end = now_ns() + seconds * NSEC_PER_SEC;
	struct timespec ts = {
		.tv_sec = end / NSEC_PER_SEC,
		.tv_nsec = end % NSEC_PER_SEC,
	};
	bool good = true;
	unsigned int i;

	for (i = 0; i < c->nr; i++) {
		struct load_thread *t = c->t[i];

		if (pthread_clockjoin_np(t->thread, NULL, CLOCK_MONOTONIC,
					 &ts)) {
			note("caller %u: an answer is missing after request %u",
			     i, atomic_load(&t->done));
			return 0;
		}
		if (!t->error)
			continue;
		note("caller %u: %u wrong answers, first error %s of kind 0x%x",
		     i, t->wrong, strerror(-t->error), t->error_kind);
		good = false;
	}
	return good ? now_ns() - c->start : 0;
}

/* As crew_start() and crew_join(). */
static inline uint64_t crew_run(struct crew *c, unsigned int nr,
				unsigned int requests, unsigned int kinds)
{
	crew_start(c, nr, requests, kinds, 0);
	return crew_join(c, 100);
}

/* One request of one caller: how long it took; 0: see what is printed. */
static inline uint64_t crew_one(struct crew *c, unsigned int kind)
{
	struct load_thread *t = c->t[0];
	uint64_t start = now_ns();

	t->nr = 1;
	t->kinds = kind;
	t->error = 0;
	load_thread_fn(t);
	if (t->error)
		note("kind 0x%x: %s", kind, strerror(-t->error));
	return t->error ? 0 : now_ns() - start;
}

static inline int model_set(const char *text)
{
	return attr_write(MODEL0, text);
}

/* Waits until so many requests are inside the card at @queue. */
static inline bool wait_pending(const char *count, long long nr)
{
	return wait_for(attr_number(count) == nr, 20);
}

#endif
