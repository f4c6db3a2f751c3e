/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sessions: an algorithm with a key, ready on every kind of card.
 */
#ifndef APQ_CORE_SESSION_H
#define APQ_CORE_SESSION_H

#include <linux/kref.h>
#include <linux/workqueue.h>
#include "card.h"

enum apq_kind {
	APQ_KIND_CIPHER,
	APQ_KIND_AEAD,
	APQ_KIND_RSA,
};

/**
 * struct apq_alg_info - properties of an algorithm that has sessions
 * @name: name in the kernel crypto API
 * @kind: enum apq_kind; what follows is for symmetric ones
 * @blocksize: lengths must be a multiple of it, a power of 2
 * @min_len: shortest input
 * @ivsize: bytes of IV
 * @min_key: shortest key in bytes
 * @max_key: longest key in bytes
 * @key_step: lengths between are this many bytes apart
 */
struct apq_alg_info {
	const char *name;
	u8 kind;
	u8 blocksize;
	u8 min_len;
	u8 ivsize;
	u8 min_key;
	u8 max_key;
	u8 key_step;
};

/**
 * struct apq_session - a key
 * @ref: references: its owner, and each request that uses it
 * @free_work: frees it, after RCU readers that found it without a reference
 *	       are gone; the last reference may go in a soft interrupt
 * @alg: enum apq_alg
 * @info: properties of @alg
 * @tag_len: bytes of the tag of an AEAD
 * @mod_len: bytes of the modulus of RSA
 * @rsa_key: operands of RSA as the owner passed them
 * @ctx: key context for each back end, NULL where it cannot do @alg
 */
struct apq_session {
	struct kref ref;
	struct rcu_work free_work;
	unsigned int alg;
	const struct apq_alg_info *info;
	unsigned int tag_len;
	unsigned int mod_len;
	u8 *rsa_key;
	void *ctx[APQ_MAX_BACKENDS];
};

const struct apq_alg_info *apq_alg_info(unsigned int alg);
struct apq_session *apq_session_create(unsigned int alg);
int apq_session_setkey(struct apq_session *s, const u8 *key, unsigned int len);
int apq_session_settag(struct apq_session *s, unsigned int len);
void apq_session_rsa(const struct apq_session *s, struct apq_rsa *rsa);
void apq_session_put(struct apq_session *s);
int apq_session_init(void);
void apq_session_flush(void);
void apq_session_exit(void);

static inline struct apq_session *apq_session_get(struct apq_session *s)
{
	kref_get(&s->ref);
	return s;
}

/* For a session found under RCU. False: its last reference is gone. */
static inline bool apq_session_tryget(struct apq_session *s)
{
	return kref_get_unless_zero(&s->ref);
}

#endif
