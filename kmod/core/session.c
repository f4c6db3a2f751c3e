// SPDX-License-Identifier: GPL-2.0
/* Sessions: keys, ready on every kind of card that can do the algorithm. */

#include <linux/err.h>
#include <linux/slab.h>
#include "session.h"
#include "bus.h"

/* Set at load, before the first session, and emptied after the last one. */
static struct apq_backend *backends[APQ_MAX_BACKENDS];
static DEFINE_MUTEX(backends_lock);	/* backends[] */

#define AES_INFO(_name, _kind, _block, _min, _iv) \
	{ _name, _kind, _block, _min, _iv, 16, 32, 8 }

static const struct apq_alg_info alg_infos[] = {
	[APQ_ALG_AES_ECB]  = AES_INFO("ecb(aes)", APQ_KIND_CIPHER, 16, 16, 0),
	[APQ_ALG_AES_CBC]  = AES_INFO("cbc(aes)", APQ_KIND_CIPHER, 16, 16, 16),
	[APQ_ALG_AES_CTR]  = AES_INFO("ctr(aes)", APQ_KIND_CIPHER, 1, 1, 16),
	[APQ_ALG_AES_XTS]  = { "xts(aes)", APQ_KIND_CIPHER, 1, 16, 16, 32, 64, 16 },
	[APQ_ALG_AES_GCM]  = AES_INFO("gcm(aes)", APQ_KIND_AEAD, 1, 0, 12),
	[APQ_ALG_DES3_CBC] = { "cbc(des3_ede)", APQ_KIND_CIPHER, 8, 8, 8, 24, 24, 8 },
	[APQ_ALG_RC4]	   = { "arc4", APQ_KIND_CIPHER, 1, 1, 0, 5, 64, 1 },
	[APQ_ALG_RSA_ME]   = { "rsa", APQ_KIND_RSA },
	[APQ_ALG_RSA_CRT]  = { "rsa", APQ_KIND_RSA },
};

/* Properties of an algorithm, NULL if it has no sessions. */
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
	kfree_sensitive(s->rsa_key);
	kfree(s);
}

static void session_release(struct kref *ref)
{
	struct apq_session *s = container_of(ref, struct apq_session, ref);

	queue_rcu_work(session_wq, &s->free_work);
}

/* Makes key contexts on all back ends that can do it; how many, or -errno. */
static int init_contexts(struct apq_session *s)
{
	int ret = -ENODEV, found = 0;
	unsigned int i;

	mutex_lock(&backends_lock);
	for (i = 0; i < APQ_MAX_BACKENDS; i++) {
		void *ctx;

		if (!backends[i] || !(backends[i]->algs & BIT_ULL(s->alg)))
			continue;
		ctx = backends[i]->key_init(backends[i], s->alg);
		if (IS_ERR(ctx)) {
			ret = PTR_ERR(ctx);
			continue;
		}
		s->ctx[i] = ctx;
		found++;
	}
	mutex_unlock(&backends_lock);
	return found ?: ret;
}

/**
 * apq_session_create() - make a session without a key
 * @alg: enum apq_alg
 *
 * Context: may sleep.
 * Return: the session; ERR_PTR: -EINVAL no such algorithm, -ENODEV no back
 * end can do it, -ENOMEM.
 */
struct apq_session *apq_session_create(unsigned int alg)
{
	const struct apq_alg_info *info = apq_alg_info(alg);
	struct apq_session *s;
	int ret;

	if (!info)
		return ERR_PTR(-EINVAL);
	s = kzalloc(sizeof(*s), GFP_KERNEL);
	if (!s)
		return ERR_PTR(-ENOMEM);
	kref_init(&s->ref);
	INIT_RCU_WORK(&s->free_work, session_free);
	s->alg = alg;
	s->info = info;
	if (info->kind == APQ_KIND_AEAD)
		s->tag_len = APQ_TAG_LEN;
	/* Cards of all kinds get the operands of RSA with each request. */
	if (info->kind == APQ_KIND_RSA)
		return s;
	ret = init_contexts(s);
	if (ret < 0) {
		kfree(s);
		return ERR_PTR(ret);
	}
	return s;
}

/**
 * apq_session_settag() - choose the length of the tag of an AEAD
 * @s: session with no request in flight
 * @len: bytes
 *
 * Context: may sleep.
 * Return: 0; -EINVAL: no AEAD, or it has no such tag.
 */
int apq_session_settag(struct apq_session *s, unsigned int len)
{
	unsigned int i;
	int ret;

	if (s->info->kind != APQ_KIND_AEAD)
		return -EINVAL;
	for (i = 0; i < APQ_MAX_BACKENDS; i++) {
		if (!s->ctx[i])
			continue;
		ret = backends[i]->tag_set(s->ctx[i], len);
		if (ret)
			return ret;
	}
	s->tag_len = len;
	return 0;
}

/* Bytes of each value of an RSA key. */
static unsigned int rsa_part(const struct apq_session *s)
{
	return s->alg == APQ_ALG_RSA_CRT ? (s->mod_len + 1) / 2 : s->mod_len;
}

static int set_rsa_key(struct apq_session *s, const u8 *key, unsigned int len)
{
	unsigned int nr = s->alg == APQ_ALG_RSA_CRT ? 5 : 2;
	u8 *copy;

	if (!s->mod_len || s->mod_len > APQ_MAX_MOD_LEN ||
	    len != nr * rsa_part(s))
		return -EINVAL;
	copy = kmemdup(key, len, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	kfree_sensitive(s->rsa_key);
	s->rsa_key = copy;
	return 0;
}

/**
 * apq_session_rsa() - fill in the operands that come from the key
 * @s: session of RSA with a key
 * @rsa: operands; input and output are the caller's
 */
void apq_session_rsa(const struct apq_session *s, struct apq_rsa *rsa)
{
	const u8 *key = s->rsa_key;
	unsigned int part = rsa_part(s);

	rsa->len = s->mod_len;
	rsa->part_len = (s->mod_len + 1) / 2;
	if (s->alg == APQ_ALG_RSA_ME) {
		rsa->exp = key;
		rsa->mod = key + part;
		return;
	}
	rsa->p = key;
	rsa->q = key + part;
	rsa->dp = key + 2 * part;
	rsa->dq = key + 3 * part;
	rsa->qinv = key + 4 * part;
}

/**
 * apq_session_setkey() - load a key
 * @s: session with no request in flight; RSA: with @mod_len
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

	if (info->kind == APQ_KIND_RSA)
		return set_rsa_key(s, key, len);
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
