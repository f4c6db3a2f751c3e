/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads that send requests through all doors and compare every answer with
 * OpenSSL's.
 *
 * Context: a thread owns its struct load_thread until it is joined; done and
 * stop are read and written while it runs.
 */
#ifndef APQ_SELFTEST_LOAD_H
#define APQ_SELFTEST_LOAD_H

#include <openssl/bn.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include "afalg.h"
#include "clock.h"
#include "device.h"
#include "note.h"
#include "rsa.h"

#define LOAD_THREADS	4
#define LOAD_INPUTS	16	/* different RSA requests of the short key */
#define LOAD_PINNED	8192	/* bytes, more than are copied */
#define LOAD_COPIED	1008

/* Kinds of requests, a mask; a thread takes those it has in turn. */
enum load_kind {
	LOAD_ME		= 1 << 0,
	LOAD_CRT	= 1 << 1,
	LOAD_AES	= 1 << 2,	/* /dev/apq, copied */
	LOAD_IN_PLACE	= 1 << 3,	/* /dev/apq, pinned */
	LOAD_AFALG	= 1 << 4,
	LOAD_CRT_2048	= 1 << 5,	/* each 32nd request only */
	LOAD_SHORT	= LOAD_ME | LOAD_CRT | LOAD_AES | LOAD_IN_PLACE |
			  LOAD_AFALG,
	LOAD_ALL	= LOAD_SHORT | LOAD_CRT_2048,
};

/* RSA requests with their answers, made once. */
struct load_rsa {
	struct rsa_key key;
	struct rsa_key key_2048;
	uint8_t in[LOAD_INPUTS][64];
	uint8_t out[LOAD_INPUTS][64];
};

struct load_thread {
	pthread_t thread;
	struct load_rsa *rsa;
	unsigned int kinds;
	unsigned int nr;		/* requests, 0 for until stop */
	unsigned int seed;
	atomic_uint done;
	atomic_bool stop;
	unsigned int wrong;		/* answers */
	unsigned int refused;		/* requests that ended with @allowed */
	int allowed;			/* an errno that is no failure */
	int error;			/* first other errno, negative */
	unsigned int error_kind;
	int z90crypt;
	int apq;
	int session;
	int afalg[2];			/* socket of the driver, of the data */
	EVP_CIPHER_CTX *evp;
	uint8_t plain[LOAD_PINNED];
	uint8_t want[LOAD_PINNED];
	uint8_t got[LOAD_PINNED];
};

struct load {
	struct load_rsa rsa;
	struct load_thread *threads[LOAD_THREADS];
};

static const uint8_t load_key[16] = "sixteen key byte";

static inline void load_rsa_init(struct load_rsa *r)
{
	BN_CTX *ctx = BN_CTX_new();
	BIGNUM *n, *d, *in = BN_new();
	unsigned int i;

	rsa_key_load(&r->key, 512);
	rsa_key_load(&r->key_2048, 2048);
	n = BN_bin2bn(r->key.n, r->key.len, NULL);
	d = BN_bin2bn(r->key.d, r->key.len, NULL);
	for (i = 0; i < LOAD_INPUTS; i++) {
		if (!BN_rand_range(in, n) ||
		    BN_bn2binpad(in, r->in[i], 64) < 0 ||
		    !BN_mod_exp(in, in, d, n, ctx) ||
		    BN_bn2binpad(in, r->out[i], 64) < 0)
			abort();
	}
	BN_free(in);
	BN_free(d);
	BN_free(n);
	BN_CTX_free(ctx);
}

static inline int load_run_rsa(struct load_thread *t, unsigned int kind,
			       unsigned int i)
{
	struct load_rsa *r = t->rsa;
	struct rsa_key *k = kind == LOAD_CRT_2048 ? &r->key_2048 : &r->key;
	const uint8_t *in, *want;
	int ret;

	i %= LOAD_INPUTS;
	in = kind == LOAD_CRT_2048 ? k->in : r->in[i];
	want = kind == LOAD_CRT_2048 ? k->out : r->out[i];
	memset(t->got, 0, k->len);
	ret = kind == LOAD_ME ? rsa_me(t->z90crypt, k, in, t->got) :
				rsa_crt(t->z90crypt, k, in, t->got);
	if (!ret && memcmp(t->got, want, k->len))
		ret = -EBADMSG;
	return ret;
}

/* AES-CBC of data and with an IV that no other request has. */
static inline int load_run_aes(struct load_thread *t, unsigned int kind,
			       unsigned int i)
{
	unsigned int len = kind == LOAD_IN_PLACE ? LOAD_PINNED : LOAD_COPIED;
	unsigned int iv[4] = { t->seed, i, kind, 0 };
	bool decrypt = i & 1;
	const uint8_t *from = decrypt ? t->want : t->plain;
	const uint8_t *want = decrypt ? t->plain : t->want;
	int out, ret;

	memcpy(t->plain, iv, sizeof(iv));
	if (!EVP_EncryptInit_ex(t->evp, EVP_aes_128_cbc(), NULL, load_key,
				(const uint8_t *)iv) ||
	    !EVP_CIPHER_CTX_set_padding(t->evp, 0) ||
	    !EVP_EncryptUpdate(t->evp, t->want, &out, t->plain, len))
		abort();
	memset(t->got, 0, len);
	if (kind == LOAD_IN_PLACE) {
		memcpy(t->got, from, len);
		from = t->got;
	}
	if (kind == LOAD_AFALG)
		ret = afalg_crypt(t->afalg[1], decrypt ? ALG_OP_DECRYPT :
				  ALG_OP_ENCRYPT, iv, 16, from, t->got, len);
	else
		ret = op_crypt(t->apq, t->session, decrypt ? APQ_OP_DECRYPT :
			       APQ_OP_ENCRYPT, iv, 16, from, t->got, len);
	if (ret >= 0 && (ret != (int)len || memcmp(t->got, want, len)))
		return -EBADMSG;
	return ret < 0 ? ret : 0;
}

static inline unsigned int load_next_kind(const struct load_thread *t,
					  unsigned int i)
{
	unsigned int kinds = t->kinds & LOAD_SHORT, nth;

	if ((t->kinds & LOAD_CRT_2048) && (i % 32 == 31 || !kinds))
		return LOAD_CRT_2048;
	for (nth = i % __builtin_popcount(kinds); nth; nth--)
		kinds &= kinds - 1;
	return kinds & -kinds;
}

static inline void *load_thread_fn(void *data)
{
	struct load_thread *t = data;
	unsigned int i;

	for (i = 0; !t->nr || i < t->nr; i++) {
		unsigned int kind = load_next_kind(t, i);
		int ret;

		if (atomic_load(&t->stop))
			break;
		if (kind & (LOAD_ME | LOAD_CRT | LOAD_CRT_2048))
			ret = load_run_rsa(t, kind, i);
		else
			ret = load_run_aes(t, kind, i);
		if (ret == -EBADMSG)
			t->wrong++;
		if (ret && ret == t->allowed) {
			t->refused++;
			/* A refusal takes no time: do not use up nr at once. */
			pause_ns(NSEC_PER_MSEC);
		} else if (ret && !t->error) {
			t->error = ret;
			t->error_kind = kind;
		}
		atomic_fetch_add(&t->done, 1);
	}
	return NULL;
}

/* The kinds that this kernel has a door for. */
static inline unsigned int load_doors(void)
{
	if (!afalg_hides_async())
		return LOAD_ALL;
	note("without AF_ALG: " AFALG_HIDES_ASYNC);
	return LOAD_ALL & ~LOAD_AFALG;
}

static inline struct load_thread *load_thread_new(struct load *l,
						  unsigned int seed)
{
	struct load_thread *t = calloc(1, sizeof(*t));

	t->rsa = &l->rsa;
	t->seed = seed;
	t->evp = EVP_CIPHER_CTX_new();
	t->z90crypt = z90crypt_open();
	t->apq = device_open();
	t->session = session_create(t->apq, APQ_ALG_AES_CBC, load_key, 16);
	t->afalg[0] = afalg_bind("cbc-aes-apq");
	t->afalg[1] = afalg_accept(t->afalg[0], load_key, 16);
	return t;
}

/*
 * Starts the threads: @nr requests each, or until load_stop() if that is 0.
 * Without one of the doors a thread's first request fails.
 */
static inline void load_start(struct load *l, unsigned int nr,
			      unsigned int kinds, int allowed)
{
	unsigned int doors = load_doors();
	unsigned int i;

	load_rsa_init(&l->rsa);
	for (i = 0; i < LOAD_THREADS; i++) {
		struct load_thread *t = load_thread_new(l, i);

		t->nr = nr;
		t->kinds = kinds & doors;
		t->allowed = allowed;
		l->threads[i] = t;
		if (pthread_create(&t->thread, NULL, load_thread_fn, t))
			abort();
	}
}

static inline unsigned int load_done(struct load *l)
{
	unsigned int i, sum = 0;

	for (i = 0; i < LOAD_THREADS; i++)
		sum += atomic_load(&l->threads[i]->done);
	return sum;
}

static inline void load_stop(struct load *l)
{
	unsigned int i;

	for (i = 0; i < LOAD_THREADS; i++)
		atomic_store(&l->threads[i]->stop, true);
}

/*
 * Waits for the threads and prints what went wrong. False: one of them did
 * not come back in time, had a wrong answer or a failed request.
 */
static inline bool load_join(struct load *l, unsigned int seconds)
{
	uint64_t end = now_ns() + seconds * NSEC_PER_SEC;
	struct timespec ts = {
		.tv_sec = end / NSEC_PER_SEC,
		.tv_nsec = end % NSEC_PER_SEC,
	};
	bool good = true;
	unsigned int i;

	for (i = 0; i < LOAD_THREADS; i++) {
		struct load_thread *t = l->threads[i];

		if (pthread_clockjoin_np(t->thread, NULL, CLOCK_MONOTONIC,
					 &ts)) {
			note("thread %u: an answer is missing after request %u",
			     i, atomic_load(&t->done));
			return false;
		}
		if (!t->error)
			continue;
		note("thread %u: %u wrong answers, first error %s of kind 0x%x",
		     i, t->wrong, strerror(-t->error), t->error_kind);
		good = false;
	}
	return good;
}

#endif
