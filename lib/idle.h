/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * Things that belong to one call at a time, kept for the next call
 *
 * A call owns what it swapped NULL in for. The acquire of that pairs with the
 * release of the call that put it there. Only atomic accesses.
 */
#ifndef APQ_IDLE_H
#define APQ_IDLE_H

#include <stddef.h>

#define APQ_MAX_IDLE	16

struct apq_idle {
	void *slots[APQ_MAX_IDLE];
};

/* One that no call is using, or NULL */
static inline void *apq_idle_take(struct apq_idle *idle)
{
	void *p;
	int i;

	for (i = 0; i < APQ_MAX_IDLE; i++) {
		/* looks before it swaps: empty slots stay shared cache lines */
		if (!__atomic_load_n(&idle->slots[i], __ATOMIC_RELAXED))
			continue;
		p = __atomic_exchange_n(&idle->slots[i], NULL,
					__ATOMIC_ACQUIRE);
		if (p)
			return p;
	}
	return NULL;
}

/* Returns 0 if there is no room: the caller gets rid of it. */
static inline int apq_idle_put(struct apq_idle *idle, void *p)
{
	int i;

	for (i = 0; i < APQ_MAX_IDLE; i++) {
		void *empty = NULL;

		if (__atomic_compare_exchange_n(&idle->slots[i], &empty, p, 0,
						__ATOMIC_RELEASE,
						__ATOMIC_RELAXED))
			return 1;
	}
	return 0;
}

#endif /* APQ_IDLE_H */
