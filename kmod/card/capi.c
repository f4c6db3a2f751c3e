// SPDX-License-Identifier: GPL-2.0
/* Card capi: algorithm drivers of the kernel crypto API. */

#include <linux/cpumask.h>
#include <linux/random.h>
#include <linux/slab.h>
#include "../core/bus.h"
#include "../core/session.h"
#include "capi.h"
#include "cipher.h"
#include "engine.h"
#include "rsa.h"

#define CAPI_FUNCTIONS		(APQ_FUNC_APSC | APQ_FUNC_ME4K | \
				 APQ_FUNC_CRT4K | APQ_FUNC_ACCEL)
#define CAPI_HWTYPE		14	/* shown as CEX8A */
#define CAPI_MAX_MOD_LEN	512

static char engine_text[256];
static int cpu = -1;		/* of the engines of all cards */

/* Time units by kind and size class; the ratio of classes is what matters. */
static const u32 ratings[2][NR_APQ_CLASSES] = {
	{ 1, 10, 100 },		/* symmetric */
	{ 100, 600, 4000 },	/* RSA */
};

static void work(struct engine_slot *slot)
{
	struct apq_req *req = slot->req;

	switch (req->alg) {
	case APQ_ALG_RSA_ME:
	case APQ_ALG_RSA_CRT:
		engine_slot_done(slot, apq_rsa_run(req->alg, &req->rsa));
		break;
	case APQ_ALG_RANDOM:
		/* The kernel's own generator: no source of entropy. */
		get_random_bytes(req->random.out, req->random.len);
		engine_slot_done(slot, APQ_REPLY_OK);
		break;
	default:
		apq_cipher_work(slot);
	}
}

static void capi_destroy(struct apq_card *card)
{
	engine_free(card->priv);
}

static const struct apq_card_ops capi_ops = {
	.name = "capi",
	.calls_back = true,
	.enqueue = engine_enqueue,
	.dequeue = engine_dequeue,
	.has_reply = engine_has_reply,
	.cancel = engine_cancel,
	.reset = engine_reset,
	.kick = engine_kick,
	.run = engine_run,
	.run_inline = engine_run_inline,
	.queue_init = engine_queue_init,
	.queue_exit = engine_queue_exit,
	.destroy = capi_destroy,
};

static int add_card(unsigned int id, unsigned int domains)
{
	struct engine *engine;
	struct apq_card *card;
	int ret;

	card = apq_card_alloc(id, &capi_ops);
	if (IS_ERR(card))
		return PTR_ERR(card);
	engine = engine_create(card, cpu, work);
	if (IS_ERR(engine)) {
		put_device(&card->dev);
		return PTR_ERR(engine);
	}
	card->priv = engine;
	card->backend = &apq_cipher_backend;
	card->engine = engine_text;
	card->hwtype = CAPI_HWTYPE;
	card->functions = CAPI_FUNCTIONS;
	card->max_mod_len = CAPI_MAX_MOD_LEN;
	card->algs = apq_cipher_backend.algs | BIT_ULL(APQ_ALG_RSA_ME) |
		     BIT_ULL(APQ_ALG_RSA_CRT) | BIT_ULL(APQ_ALG_RANDOM);
	memcpy(card->rating, ratings, sizeof(ratings));
	ret = apq_card_register(card, domains);
	if (ret) {
		engine_stop(engine);
		put_device(&card->dev);
	}
	return ret;
}

static void remove_card(struct apq_card *card)
{
	struct engine *engine = card->priv;

	get_device(&card->dev);
	apq_card_unregister(card);
	engine_stop(engine);
	put_device(&card->dev);
}

static const struct apq_card_factory factory = {
	.add = add_card,
	.remove = remove_card,
};

static int add_cards(unsigned int nr, unsigned int domains)
{
	unsigned int id;
	int ret = 0;

	mutex_lock(&apq_hotplug_lock);
	for (id = 0; id < nr && !ret; id++)
		ret = add_card(id, domains);
	mutex_unlock(&apq_hotplug_lock);
	return ret;
}

static void remove_cards(void)
{
	unsigned int id;

	mutex_lock(&apq_hotplug_lock);
	for (id = 0; id < APQ_MAX_CARDS; id++) {
		struct apq_card *card = apq_card_find(id);

		if (card)
			remove_card(card);
	}
	mutex_unlock(&apq_hotplug_lock);
}

/**
 * apq_capi_init() - make software cards
 * @nr: how many, 0 to APQ_MAX_CARDS
 * @domains: queues of each, 1 to APQ_MAX_DOMAINS
 * @engine_cpu: CPU of the engine threads, -1 for any
 * @legacy: RC4 too
 *
 * Return: 0; -EINVAL with a message that names the limit; -errno.
 */
int apq_capi_init(unsigned int nr, unsigned int domains, int engine_cpu,
		  bool legacy)
{
	int ret;

	if (nr > APQ_MAX_CARDS) {
		pr_err("cards=%u: must be 1 to %u\n", nr, APQ_MAX_CARDS);
		return -EINVAL;
	}
	if (domains < 1 || domains > APQ_MAX_DOMAINS ||
	    nr * domains > APQ_MAX_QUEUES) {
		pr_err("domains=%u: must be 1 to %u, and at most %u queues in all\n",
		       domains, APQ_MAX_DOMAINS, APQ_MAX_QUEUES);
		return -EINVAL;
	}
	if (engine_cpu != -1 &&
	    ((unsigned int)engine_cpu >= nr_cpu_ids ||
	     !cpu_online(engine_cpu))) {
		pr_err("engine_cpu=%d: no such online CPU, -1 is any\n",
		       engine_cpu);
		return -EINVAL;
	}
	ret = apq_backend_register(&apq_cipher_backend);
	if (ret)
		return ret;
	apq_cipher_find(legacy, engine_text, sizeof(engine_text));
	strlcat(engine_text, "mpi", sizeof(engine_text));
	cpu = engine_cpu;
	ret = add_cards(nr, domains);
	if (ret) {
		apq_capi_exit();
		return ret;
	}
	apq_card_factory_set(&factory);
	return 0;
}

void apq_capi_exit(void)
{
	apq_card_factory_set(NULL);
	remove_cards();
	/* The last request that a card gave back may have ended a session. */
	apq_session_flush();
	apq_cipher_forget();
	apq_backend_unregister(&apq_cipher_backend);
}
