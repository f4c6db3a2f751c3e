// SPDX-License-Identifier: GPL-2.0
/*
 * Card null: answers without computing, so that the cost of the path can be
 * counted alone. For the lab only: it exists if a module parameter says so,
 * takes requests of /dev/apq only, and is shown as "null" wherever a card is
 * shown. Copied output is zeroes, output in pages of the caller stays as it
 * is.
 *
 * Context: under the queue's lock but where card.h says otherwise.
 */

#include <linux/scatterlist.h>
#include <linux/slab.h>
#include "../core/bus.h"
#include "../core/session.h"
#include "null.h"

#define NULL_FUNCTIONS	(APQ_FUNC_APSC | APQ_FUNC_ME4K | APQ_FUNC_CRT4K | \
			 APQ_FUNC_ACCEL)
#define NULL_HWTYPE	14	/* as card capi */
#define NULL_MOD_LEN	512

/* Replies by psmid, a ring. */
struct null_queue {
	u64 psmid[APQ_CARD_DEPTH];
	u64 when[APQ_CARD_DEPTH];
	unsigned int first;
	unsigned int nr;
};

static const u32 ratings[2][NR_APQ_CLASSES] = {
	{ 1, 10, 100 },
	{ 100, 600, 4000 },
};

/* A key that nothing is computed with. */
static char no_key;

static void *null_key_init(struct apq_backend *be, unsigned int alg)
{
	return &no_key;
}

static int null_key_set(void *ctx, const u8 *key, unsigned int len)
{
	return 0;
}

static void null_key_exit(void *ctx)
{
}

static struct apq_backend backend = {
	.name = "null",
	.key_init = null_key_init,
	.key_set = null_key_set,
	.key_exit = null_key_exit,
};

static void answer(struct apq_req *req)
{
	if (apq_req_is_rsa(req))
		memset(req->rsa.out, 0, req->rsa.len);
	else if (req->alg == APQ_ALG_RANDOM)
		memset(req->random.out, 0, req->random.len);
	else if (!req->pinned)
		memset(sg_virt(req->cipher.dst), 0, req->cipher.len);
}

static enum apq_response null_enqueue(struct apq_queue *aq,
				      struct apq_req *req)
{
	struct null_queue *nq = aq->card_priv;
	unsigned int i;

	if (nq->nr == APQ_CARD_DEPTH)
		return APQ_RESP_FULL;
	answer(req);
	i = (nq->first + nq->nr) % APQ_CARD_DEPTH;
	nq->psmid[i] = req->psmid;
	nq->when[i] = ktime_get_ns();
	/* Pairs with READ_ONCE() in null_has_reply(). */
	WRITE_ONCE(nq->nr, nq->nr + 1);
	return APQ_RESP_OK;
}

static enum apq_response null_dequeue(struct apq_queue *aq,
				      struct apq_reply *reply)
{
	struct null_queue *nq = aq->card_priv;

	if (!nq->nr)
		return APQ_RESP_FULL;
	reply->psmid = nq->psmid[nq->first];
	reply->code = APQ_REPLY_OK;
	reply->start_ns = nq->when[nq->first];
	reply->done_ns = reply->start_ns;
	nq->first = (nq->first + 1) % APQ_CARD_DEPTH;
	WRITE_ONCE(nq->nr, nq->nr - 1);
	return APQ_RESP_OK;
}

static bool null_has_reply(struct apq_queue *aq)
{
	struct null_queue *nq = aq->card_priv;

	return READ_ONCE(nq->nr);
}

static int null_cancel(struct apq_queue *aq, u64 psmid)
{
	struct null_queue *nq = aq->card_priv;
	unsigned int i;

	for (i = 0; i < nq->nr; i++)
		if (nq->psmid[(nq->first + i) % APQ_CARD_DEPTH] == psmid)
			return -EALREADY;
	return -ENOENT;
}

static enum apq_response null_reset(struct apq_queue *aq)
{
	struct null_queue *nq = aq->card_priv;

	return nq->nr ? APQ_RESP_BUSY : APQ_RESP_OK;
}

/* The interrupt of a card that is ready at once. */
static void null_kick(struct apq_queue *aq)
{
	if (null_has_reply(aq))
		apq_mode_reply(aq);
}

static int null_queue_init(struct apq_queue *aq)
{
	struct null_queue *nq = kzalloc(sizeof(*nq), GFP_KERNEL);

	aq->card_priv = nq;
	return nq ? 0 : -ENOMEM;
}

static void null_queue_exit(struct apq_queue *aq)
{
	kfree(aq->card_priv);
}

static const struct apq_card_ops null_ops = {
	.name = "null",
	.enqueue = null_enqueue,
	.dequeue = null_dequeue,
	.has_reply = null_has_reply,
	.cancel = null_cancel,
	.reset = null_reset,
	.kick = null_kick,
	.queue_init = null_queue_init,
	.queue_exit = null_queue_exit,
};

static struct apq_card *card;
static bool registered;

static u64 all_algs(void)
{
	u64 algs = 0;
	unsigned int alg;

	for (alg = 0; alg < APQ_NR_ALGS; alg++)
		if (apq_alg_info(alg))
			algs |= BIT_ULL(alg);
	return algs;
}

static int add_card(unsigned int id, unsigned int domains)
{
	int ret;

	card = apq_card_alloc(id, &null_ops);
	if (IS_ERR(card)) {
		ret = PTR_ERR(card);
		card = NULL;
		return ret;
	}
	card->lab = true;
	card->backend = &backend;
	card->engine = "null, nothing is computed";
	card->hwtype = NULL_HWTYPE;
	card->functions = NULL_FUNCTIONS;
	card->max_mod_len = NULL_MOD_LEN;
	card->algs = backend.algs | BIT_ULL(APQ_ALG_RSA_ME) |
		     BIT_ULL(APQ_ALG_RSA_CRT) | BIT_ULL(APQ_ALG_RANDOM);
	memcpy(card->rating, ratings, sizeof(ratings));
	mutex_lock(&apq_hotplug_lock);
	ret = apq_card_register(card, domains);
	mutex_unlock(&apq_hotplug_lock);
	if (ret) {
		put_device(&card->dev);
		card = NULL;
	}
	return ret;
}

/**
 * apq_null_init() - make the null card
 * @id: its id, behind those of real cards
 * @domains: queues, 1 to APQ_MAX_DOMAINS
 *
 * Return: 0; -EINVAL with a message; -errno.
 */
int apq_null_init(unsigned int id, unsigned int domains)
{
	int ret;

	if (id >= APQ_MAX_CARDS) {
		pr_err("null=1: there is no id for it, cards must be below %u\n",
		       APQ_MAX_CARDS);
		return -EINVAL;
	}
	ret = apq_backend_register(&backend);
	if (ret)
		return ret;
	backend.algs = all_algs();
	registered = true;
	ret = add_card(id, domains);
	if (ret)
		apq_null_exit();
	return ret;
}

void apq_null_exit(void)
{
	if (card) {
		mutex_lock(&apq_hotplug_lock);
		apq_card_unregister(card);
		mutex_unlock(&apq_hotplug_lock);
		card = NULL;
	}
	if (!registered)
		return;
	apq_session_flush();
	apq_backend_unregister(&backend);
	registered = false;
}
