// SPDX-License-Identifier: GPL-2.0
/*
 * Symmetric work of card capi, by drivers of the kernel crypto API.
 *
 * The drivers are looked up by name once at load, before this module has
 * registered any algorithm, so that the card can never end up computing by
 * way of its own queue.
 */

#include <crypto/aead.h>
#include <crypto/skcipher.h>
#include <linux/slab.h>
#include "../core/session.h"
#include "cipher.h"
#include "engine.h"
#include "rc4.h"

#define NR_ALGS		(APQ_ALG_RC4 + 1)

/* A key, or while the module is loaded a driver that is held. */
struct cipher_key {
	unsigned int alg;
	union {
		struct crypto_skcipher *skcipher;
		struct crypto_aead *aead;
		struct rc4_key *rc4;
	};
};

static char driver_names[NR_ALGS][CRYPTO_MAX_ALG_NAME];
/*
 * One of each is held, so that the drivers stay and the kernel always has one
 * of higher priority than ours.
 */
static struct cipher_key held[NR_ALGS];

static bool is_aead(unsigned int alg)
{
	return alg == APQ_ALG_AES_GCM;
}

/* Returns 0 or -errno. */
static int open_driver(struct cipher_key *key, const char *name, u32 mask)
{
	if (is_aead(key->alg)) {
		key->aead = crypto_alloc_aead(name, 0, mask);
		return PTR_ERR_OR_ZERO(key->aead);
	}
	key->skcipher = crypto_alloc_skcipher(name, 0, mask);
	return PTR_ERR_OR_ZERO(key->skcipher);
}

static void close_driver(struct cipher_key *key)
{
	if (is_aead(key->alg))
		crypto_free_aead(key->aead);
	else
		crypto_free_skcipher(key->skcipher);
}

static void *cipher_key_init(struct apq_backend *be, unsigned int alg)
{
	struct cipher_key *key = kzalloc(sizeof(*key), GFP_KERNEL);
	int ret;

	if (!key)
		return ERR_PTR(-ENOMEM);
	key->alg = alg;
	if (alg == APQ_ALG_RC4) {
		key->rc4 = rc4_key_new();
		ret = key->rc4 ? 0 : -ENOMEM;
	} else {
		ret = open_driver(key, driver_names[alg], 0);
	}
	if (ret) {
		kfree(key);
		return ERR_PTR(ret);
	}
	return key;
}

static int cipher_key_set(void *ctx, const u8 *data, unsigned int len)
{
	struct cipher_key *key = ctx;

	if (key->alg == APQ_ALG_RC4)
		return rc4_key_set(key->rc4, data, len);
	if (is_aead(key->alg))
		return crypto_aead_setkey(key->aead, data, len);
	return crypto_skcipher_setkey(key->skcipher, data, len);
}

static int cipher_tag_set(void *ctx, unsigned int len)
{
	struct cipher_key *key = ctx;

	return crypto_aead_setauthsize(key->aead, len);
}

static void cipher_key_exit(void *ctx)
{
	struct cipher_key *key = ctx;

	if (key->alg == APQ_ALG_RC4)
		rc4_key_free(key->rc4);
	else
		close_driver(key);
	kfree(key);
}

struct apq_backend apq_cipher_backend = {
	.name = "capi",
	.key_init = cipher_key_init,
	.key_set = cipher_key_set,
	.tag_set = cipher_tag_set,
	.key_exit = cipher_key_exit,
};

static unsigned int reply_code(int err)
{
	switch (err) {
	case 0:
		return APQ_REPLY_OK;
	case -EINVAL:
		return APQ_REPLY_OPERAND_SIZE;
	case -EBADMSG:
		return APQ_REPLY_BAD_TAG;
	default:
		return APQ_REPLY_MACHINE_FAIL;
	}
}

static void cipher_done(struct engine_slot *slot, int err)
{
	struct skcipher_request *sreq = slot->mem;
	struct apq_req *req = slot->req;

	/* Behind an IV that is shorter, there is still memory of the slot. */
	if (!err && !is_aead(req->alg))
		memcpy(req->cipher.iv_out, sreq->iv, APQ_IV_LEN);
	engine_slot_done(slot, reply_code(err));
}

static void cipher_callback(APQ_CRYPTO_DATA_TYPE *data, int err)
{
	/* Left the backlog; the answer comes with another call. */
	if (err == -EINPROGRESS)
		return;
	cipher_done(apq_crypto_data(data), err);
}

/*
 * Memory for the driver's request of @size bytes with a copy of the IV behind
 * it, which is returned; NULL: no memory.
 */
static u8 *reserve(struct engine_slot *slot, unsigned int size)
{
	void *mem;
	u8 *iv;

	size = ALIGN(size, APQ_IV_LEN);
	if (slot->mem_size < size + APQ_IV_LEN) {
		mem = kmalloc(size + APQ_IV_LEN, GFP_KERNEL);
		if (!mem)
			return NULL;
		kfree_sensitive(slot->mem);
		slot->mem = mem;
		slot->mem_size = size + APQ_IV_LEN;
	}
	iv = slot->mem + size;
	memcpy(iv, slot->req->cipher.iv, APQ_IV_LEN);
	return iv;
}

static int run_skcipher(struct engine_slot *slot, struct crypto_skcipher *tfm)
{
	struct apq_cipher *c = &slot->req->cipher;
	struct skcipher_request *sreq;
	u8 *iv;

	iv = reserve(slot, sizeof(*sreq) + crypto_skcipher_reqsize(tfm));
	if (!iv)
		return -ENOMEM;
	sreq = slot->mem;
	skcipher_request_set_tfm(sreq, tfm);
	skcipher_request_set_callback(sreq, CRYPTO_TFM_REQ_MAY_BACKLOG |
				      CRYPTO_TFM_REQ_MAY_SLEEP,
				      cipher_callback, slot);
	skcipher_request_set_crypt(sreq, c->src, c->dst, c->len, iv);
	return slot->req->op == APQ_OP_ENCRYPT ? crypto_skcipher_encrypt(sreq) :
						 crypto_skcipher_decrypt(sreq);
}

static int run_aead(struct engine_slot *slot, struct crypto_aead *tfm)
{
	struct apq_cipher *c = &slot->req->cipher;
	struct aead_request *areq;
	u8 *iv;

	iv = reserve(slot, sizeof(*areq) + crypto_aead_reqsize(tfm));
	if (!iv)
		return -ENOMEM;
	areq = slot->mem;
	aead_request_set_tfm(areq, tfm);
	aead_request_set_callback(areq, CRYPTO_TFM_REQ_MAY_BACKLOG |
				  CRYPTO_TFM_REQ_MAY_SLEEP,
				  cipher_callback, slot);
	aead_request_set_ad(areq, c->aad_len);
	aead_request_set_crypt(areq, c->src, c->dst, c->len, iv);
	return slot->req->op == APQ_OP_ENCRYPT ? crypto_aead_encrypt(areq) :
						 crypto_aead_decrypt(areq);
}

/**
 * apq_cipher_work() - work on a symmetric request
 * @slot: slot in SLOT_RUNNING
 *
 * Context: process context; engine_slot_done() is called at once or later.
 */
void apq_cipher_work(struct engine_slot *slot)
{
	struct apq_req *req = slot->req;
	struct cipher_key *key;
	int ret;

	key = req->session->ctx[apq_cipher_backend.index];
	if (req->alg == APQ_ALG_RC4) {
		ret = rc4_run(key->rc4, &req->cipher);
		engine_slot_done(slot, reply_code(ret));
		return;
	}
	if (is_aead(req->alg))
		ret = run_aead(slot, key->aead);
	else
		ret = run_skcipher(slot, key->skcipher);
	if (ret != -EINPROGRESS && ret != -EBUSY)
		cipher_done(slot, ret);
}

/*
 * Drivers of hardware that user space could not use by itself are left out: a
 * card that uses one is asked for by that driver's name.
 */
static void find_driver(unsigned int alg)
{
	const struct apq_alg_info *info = apq_alg_info(alg);
	struct cipher_key *key = &held[alg];
	struct crypto_tfm *tfm;
	int ret;

	key->alg = alg;
	ret = open_driver(key, info->name, CRYPTO_ALG_KERN_DRIVER_ONLY);
	if (ret) {
		pr_info("no driver for %s: %d\n", info->name, ret);
		key->alg = 0;
		return;
	}
	tfm = is_aead(alg) ? crypto_aead_tfm(key->aead) :
			     crypto_skcipher_tfm(key->skcipher);
	strscpy(driver_names[alg], crypto_tfm_alg_driver_name(tfm),
		sizeof(driver_names[alg]));
	apq_cipher_backend.algs |= BIT_ULL(alg);
}

/**
 * apq_cipher_find() - look up a driver for each algorithm
 * @legacy: RC4 too
 * @names: receives the names of the drivers, each with a blank behind it
 * @size: room there
 */
void apq_cipher_find(bool legacy, char *names, size_t size)
{
	unsigned int alg;

	for (alg = 0; alg < NR_ALGS; alg++) {
		if (!apq_alg_info(alg) || alg == APQ_ALG_RC4)
			continue;
		find_driver(alg);
		if (!held[alg].alg)
			continue;
		strlcat(names, driver_names[alg], size);
		strlcat(names, " ", size);
	}
	if (!legacy)
		return;
	if (!rc4_present()) {
		pr_info("legacy=1: no driver for ecb(arc4), so no RC4\n");
		return;
	}
	apq_cipher_backend.algs |= BIT_ULL(APQ_ALG_RC4);
	strlcat(names, "ecb(arc4) ", size);
}

/* No session is left. */
void apq_cipher_forget(void)
{
	unsigned int alg;

	for (alg = 0; alg < NR_ALGS; alg++)
		if (held[alg].alg)
			close_driver(&held[alg]);
	memset(held, 0, sizeof(held));
}
