// SPDX-License-Identifier: GPL-2.0
/*
 * Card capi: algorithm drivers of the kernel crypto API.
 *
 * The drivers are looked up by name once at load, before this module has
 * registered any algorithm, so that the card can never end up computing by
 * way of its own queue.
 */

#include <crypto/skcipher.h>
#include <linux/cpumask.h>
#include <linux/random.h>
#include <linux/slab.h>
#include "../core/bus.h"
#include "../core/session.h"
#include "capi.h"
#include "engine.h"
#include "rsa.h"

#define CAPI_FUNCTIONS		(APQ_FUNC_APSC | APQ_FUNC_ME4K | \
				 APQ_FUNC_CRT4K | APQ_FUNC_ACCEL)
#define CAPI_HWTYPE		14	/* shown as CEX8A */
#define CAPI_MAX_MOD_LEN	512

static char driver_names[APQ_ALG_DES3_CBC + 1][CRYPTO_MAX_ALG_NAME];
/*
 * One of each is held, so that the drivers stay and the kernel always has one
 * of higher priority than ours.
 */
static struct crypto_skcipher *held[ARRAY_SIZE(driver_names)];
static char engine_text[256];
static int cpu = -1;		/* of the engines of all cards */

/* Time units by kind and size class; the ratio of classes is what matters. */
static const u32 ratings[2][NR_APQ_CLASSES] = {
	{ 1, 10, 100 },		/* symmetric */
	{ 100, 600, 4000 },	/* RSA */
};

static void *capi_key_init(struct apq_backend *be, unsigned int alg)
{
	return crypto_alloc_skcipher(driver_names[alg], 0, 0);
}

static int capi_key_set(void *ctx, const u8 *key, unsigned int len)
{
	return crypto_skcipher_setkey(ctx, key, len);
}

static void capi_key_exit(void *ctx)
{
	crypto_free_skcipher(ctx);
}

static struct apq_backend backend = {
	.name = "capi",
	.key_init = capi_key_init,
	.key_set = capi_key_set,
	.key_exit = capi_key_exit,
};

static unsigned int reply_code(int err)
{
	switch (err) {
	case 0:
		return APQ_REPLY_OK;
	case -EINVAL:
		return APQ_REPLY_OPERAND_SIZE;
	default:
		return APQ_REPLY_MACHINE_FAIL;
	}
}

static void cipher_done(struct engine_slot *slot, int err)
{
	struct skcipher_request *sreq = slot->mem;
	struct apq_req *req = slot->req;

	if (!err)
		memcpy(req->cipher.iv_out, sreq->iv,
		       req->session->info->ivsize);
	engine_slot_done(slot, reply_code(err));
}

static void cipher_callback(APQ_CRYPTO_DATA_TYPE *data, int err)
{
	/* Left the backlog; the answer comes with another call. */
	if (err == -EINPROGRESS)
		return;
	cipher_done(apq_crypto_data(data), err);
}

/* Memory for the driver's request with the IV behind it. */
static int slot_reserve(struct engine_slot *slot, unsigned int size)
{
	void *mem;

	if (slot->mem_size >= size)
		return 0;
	mem = kmalloc(size, GFP_KERNEL);
	if (!mem)
		return -ENOMEM;
	kfree_sensitive(slot->mem);
	slot->mem = mem;
	slot->mem_size = size;
	return 0;
}

static void work_cipher(struct engine_slot *slot)
{
	struct apq_req *req = slot->req;
	struct crypto_skcipher *tfm = req->session->ctx[backend.index];
	unsigned int req_size = sizeof(struct skcipher_request) +
				crypto_skcipher_reqsize(tfm);
	struct skcipher_request *sreq;
	u8 *iv;
	int ret;

	req_size = ALIGN(req_size, APQ_IV_LEN);
	ret = slot_reserve(slot, req_size + APQ_IV_LEN);
	if (ret) {
		engine_slot_done(slot, reply_code(ret));
		return;
	}
	sreq = slot->mem;
	iv = slot->mem + req_size;
	memcpy(iv, req->cipher.iv, APQ_IV_LEN);
	skcipher_request_set_tfm(sreq, tfm);
	skcipher_request_set_callback(sreq, CRYPTO_TFM_REQ_MAY_BACKLOG |
				      CRYPTO_TFM_REQ_MAY_SLEEP,
				      cipher_callback, slot);
	skcipher_request_set_crypt(sreq, req->cipher.src, req->cipher.dst,
				   req->cipher.len, iv);
	ret = req->op == APQ_OP_ENCRYPT ? crypto_skcipher_encrypt(sreq) :
					  crypto_skcipher_decrypt(sreq);
	if (ret != -EINPROGRESS && ret != -EBUSY)
		cipher_done(slot, ret);
}

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
		work_cipher(slot);
	}
}

static void capi_destroy(struct apq_card *card)
{
	engine_free(card->priv);
}

static const struct apq_card_ops capi_ops = {
	.name = "capi",
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

/*
 * Drivers of hardware that user space could not use by itself are left out: a
 * card that uses one is asked for by that driver's name.
 */
static void find_driver(unsigned int alg)
{
	const struct apq_alg_info *info = apq_alg_info(alg);
	struct crypto_skcipher *tfm;

	if (!info)
		return;
	tfm = crypto_alloc_skcipher(info->name, 0,
				    CRYPTO_ALG_KERN_DRIVER_ONLY);
	if (IS_ERR(tfm)) {
		pr_info("no driver for %s: %ld\n", info->name, PTR_ERR(tfm));
		return;
	}
	strscpy(driver_names[alg],
		crypto_tfm_alg_driver_name(crypto_skcipher_tfm(tfm)),
		sizeof(driver_names[alg]));
	held[alg] = tfm;
	backend.algs |= BIT_ULL(alg);
	strlcat(engine_text, driver_names[alg], sizeof(engine_text));
	strlcat(engine_text, " ", sizeof(engine_text));
}

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
	card->backend = &backend;
	card->engine = engine_text;
	card->hwtype = CAPI_HWTYPE;
	card->functions = CAPI_FUNCTIONS;
	card->max_mod_len = CAPI_MAX_MOD_LEN;
	card->algs = backend.algs | BIT_ULL(APQ_ALG_RSA_ME) |
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
 * @nr: how many, 1 to APQ_MAX_CARDS
 * @domains: queues of each, 1 to APQ_MAX_DOMAINS
 * @engine_cpu: CPU of the engine threads, -1 for any
 *
 * Return: 0; -EINVAL with a message that names the limit; -errno.
 */
int apq_capi_init(unsigned int nr, unsigned int domains, int engine_cpu)
{
	unsigned int alg;
	int ret;

	if (nr < 1 || nr > APQ_MAX_CARDS) {
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
	ret = apq_backend_register(&backend);
	if (ret)
		return ret;
	for (alg = 0; alg < ARRAY_SIZE(driver_names); alg++)
		find_driver(alg);
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
	unsigned int alg;

	apq_card_factory_set(NULL);
	remove_cards();
	/* The last request that a card gave back may have ended a session. */
	apq_session_flush();
	for (alg = 0; alg < ARRAY_SIZE(held); alg++)
		if (held[alg])
			crypto_free_skcipher(held[alg]);
	apq_backend_unregister(&backend);
}
