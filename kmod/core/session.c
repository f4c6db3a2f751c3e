// SPDX-License-Identifier: GPL-2.0
/* Sessions: keys, ready on every kind of card that can do the algorithm. */

#include <linux/err.h>
#include <linux/slab.h>
#include "session.h"
#include "bus.h"

/* Set at load, before the first session, and emptied after the last one. */
static struct apq_backend *backends[APQ_MAX_BACKENDS];
static DEFINE_MUTEX(backends_lock);	/* backends[] */

static const struct apq_alg_info alg_infos[] = {
	[APQ_ALG_AES_ECB]  = { "ecb(aes)", 16, 0, 16, 32, 8 },
	[APQ_ALG_AES_CBC]  = { "cbc(aes)", 16, 16, 16, 32, 8 },
	[APQ_ALG_AES_CTR]  = { "ctr(aes)", 1, 16, 16, 32, 8 },
	[APQ_ALG_DES3_CBC] = { "cbc(des3_ede)", 8, 8, 24, 24, 8 },
};

/* Properties of a symmetric algorithm, NULL if it is none. */
const struct apq_alg_info *apq_alg_info(unsigned int alg)
{
	if (alg >= ARRAY_SIZE(alg_infos) || !alg_infos[alg].name)
		return NULL;
	return &alg_infos[alg];
}

/**
 * apq_backend_register() - give a set of engines its place in sessions
 * @be: back end
 *
 * Return: 0 or -ENOSPC: there are APQ_MAX_BACKENDS of them.
 */
int apq_backend_register(struct apq_backend *be)
{
	unsigned int i;
	int ret = -ENOSPC;

	mutex_lock(&backends_lock);
	for (i = 0; i < APQ_MAX_BACKENDS; i++) {
		if (backends[i])
			continue;
		be->index = i;
		backends[i] = be;
		ret = 0;
		break;
	}
	mutex_unlock(&backends_lock);
	return ret;
}

/* No card of the back end is left, and no session. */
void apq_backend_unregister(struct apq_backend *be)
{
	mutex_lock(&backends_lock);
	backends[be->index] = NULL;
	mutex_unlock(&backends_lock);
}

/* Frees sessions; flushed before the back ends go. */
static struct workqueue_struct *session_wq;

int apq_session_init(void)
{
	session_wq = alloc_workqueue("apq_session", WQ_UNBOUND, 0);
	return session_wq ? 0 : -ENOMEM;
}

void apq_session_exit(void)
{
	destroy_workqueue(session_wq);
}

/* Waits until the sessions that have no user any more are freed. Sleeps. */
void apq_session_flush(void)
{
	rcu_barrier();
	flush_workqueue(session_wq);
}

static void session_free(struct work_struct *work)
{
	struct apq_session *s = container_of(to_rcu_work(work),
					     struct apq_session, free_work);
	unsigned int i;

	for (i = 0; i < APQ_MAX_BACKENDS; i++)
		if (s->ctx[i])
			backends[i]->key_exit(s->ctx[i]);
	kfree(s);
}

static void session_release(struct kref *ref)
{
	struct apq_session *s = container_of(ref, struct apq_session, ref);

	queue_rcu_work(session_wq, &s->free_work);
}

/**
 * apq_session_create() - make a session without a key
 * @alg: enum apq_alg, symmetric
 *
 * Context: may sleep.
 * Return: the session; ERR_PTR: -EINVAL no such algorithm, -ENODEV no back
 * end can do it, -ENOMEM.
 */
struct apq_session *apq_session_create(unsigned int alg)
{
	const struct apq_alg_info *info = apq_alg_info(alg);
	struct apq_session *s;
	unsigned int i, found = 0;
	int ret = -ENODEV;

	if (!info)
		return ERR_PTR(-EINVAL);
	s = kzalloc(sizeof(*s), GFP_KERNEL);
	if (!s)
		return ERR_PTR(-ENOMEM);
	kref_init(&s->ref);
	INIT_RCU_WORK(&s->free_work, session_free);
	s->alg = alg;
	s->info = info;
	mutex_lock(&backends_lock);
	for (i = 0; i < APQ_MAX_BACKENDS; i++) {
		void *ctx;

		if (!backends[i] || !(backends[i]->algs & BIT_ULL(alg)))
			continue;
		ctx = backends[i]->key_init(backends[i], alg);
		if (IS_ERR(ctx)) {
			ret = PTR_ERR(ctx);
			continue;
		}
		s->ctx[i] = ctx;
		found++;
	}
	mutex_unlock(&backends_lock);
	if (!found) {
		kfree(s);
		return ERR_PTR(ret);
	}
	return s;
}

/**
 * apq_session_setkey() - load a key
 * @s: session with no request in flight
 * @key: key
 * @len: its bytes
 *
 * Context: may sleep.
 * Return: 0; -EINVAL: the algorithm has no such key length; -ENOKEY: the
 * algorithm refuses this key; -ENOMEM.
 */
int apq_session_setkey(struct apq_session *s, const u8 *key, unsigned int len)
{
	const struct apq_alg_info *info = s->info;
	unsigned int i;
	int ret;

	if (len < info->min_key || len > info->max_key ||
	    (len - info->min_key) % info->key_step)
		return -EINVAL;
	for (i = 0; i < APQ_MAX_BACKENDS; i++) {
		if (!s->ctx[i])
			continue;
		ret = backends[i]->key_set(s->ctx[i], key, len);
		if (ret)
			return ret == -ENOMEM ? ret : -ENOKEY;
	}
	return 0;
}

/* Context: any. */
void apq_session_put(struct apq_session *s)
{
	kref_put(&s->ref, session_release);
}
