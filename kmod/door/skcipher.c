// SPDX-License-Identifier: GPL-2.0
/*
 * Algorithms of the kernel crypto API that go through the queues: for AF_ALG,
 * dm-crypt and whoever names the driver.
 *
 * The request lives in the request context of the caller, who keeps it until
 * the callback; it is never cancelled.
 */

#include <crypto/internal/des.h>
#include <crypto/internal/skcipher.h>
#include <linux/module.h>
#include "../core/bus.h"
#include "../core/session.h"
#include "door.h"

struct apq_skcipher {
	struct skcipher_alg base;
	unsigned int alg;
	bool registered;
};

struct skcipher_ctx {
	struct apq_session *session;
};

static struct skcipher_ctx *ctx_of(struct crypto_skcipher *tfm)
{
	return crypto_skcipher_ctx(tfm);
}

static int skcipher_init(struct crypto_skcipher *tfm)
{
	struct apq_skcipher *alg = container_of(crypto_skcipher_alg(tfm),
						struct apq_skcipher, base);
	struct apq_session *s = apq_session_create(alg->alg);

	if (IS_ERR(s))
		return PTR_ERR(s);
	ctx_of(tfm)->session = s;
	crypto_skcipher_set_reqsize(tfm, sizeof(struct apq_req));
	return 0;
}

static void skcipher_exit(struct crypto_skcipher *tfm)
{
	apq_session_put(ctx_of(tfm)->session);
}

static int skcipher_setkey(struct crypto_skcipher *tfm, const u8 *key,
			   unsigned int len)
{
	return apq_session_setkey(ctx_of(tfm)->session, key, len);
}

static int skcipher_setkey_des3(struct crypto_skcipher *tfm, const u8 *key,
				unsigned int len)
{
	return verify_skcipher_des3_key(tfm, key) ?:
	       skcipher_setkey(tfm, key, len);
}

static void skcipher_complete(struct apq_req *req)
{
	struct skcipher_request *sreq = req->priv;
	unsigned int ivsize = req->session->info->ivsize;
	int ret = req->ret;

	if (!ret && ivsize)
		memcpy(sreq->iv, req->cipher.iv_out, ivsize);
	/* Ours is the last reference: cards drop theirs before they answer. */
	apq_req_put(req);
	/* Callbacks expect what a soft interrupt gives them. */
	local_bh_disable();
	skcipher_request_complete(sreq, ret);
	local_bh_enable();
}

static int skcipher_run(struct skcipher_request *sreq, unsigned int op)
{
	struct apq_session *s = ctx_of(crypto_skcipher_reqtfm(sreq))->session;
	struct apq_req *req = skcipher_request_ctx(sreq);
	int ret;

	if (!sreq->cryptlen)
		return 0;
	if (sreq->cryptlen % s->info->blocksize)
		return -EINVAL;
	apq_req_init(req, s->alg, op, NULL);
	req->session = s;
	req->priv = sreq;
	req->complete = skcipher_complete;
	req->in_place = sreq->src == sreq->dst;
	req->cipher.src = sreq->src;
	req->cipher.dst = sreq->dst;
	req->cipher.len = sreq->cryptlen;
	req->cipher.aad_len = 0;
	if (s->info->ivsize)
		memcpy(req->cipher.iv, sreq->iv, s->info->ivsize);
	ret = apq_submit(req);
	if (!ret)
		return -EINPROGRESS;
	apq_req_put(req);
	return ret;
}

static int skcipher_encrypt(struct skcipher_request *sreq)
{
	return skcipher_run(sreq, APQ_OP_ENCRYPT);
}

static int skcipher_decrypt(struct skcipher_request *sreq)
{
	return skcipher_run(sreq, APQ_OP_DECRYPT);
}

#define APQ_SKCIPHER(_alg, _name, _driver, _block, _iv, _min, _max, _chunk, _setkey) \
{									\
	.alg = _alg,							\
	.base = {							\
		.base.cra_name = _name,					\
		.base.cra_driver_name = _driver,			\
		.base.cra_flags = CRYPTO_ALG_ASYNC,			\
		.base.cra_blocksize = _block,				\
		.base.cra_ctxsize = sizeof(struct skcipher_ctx),	\
		.base.cra_module = THIS_MODULE,				\
		.init = skcipher_init,					\
		.exit = skcipher_exit,					\
		.setkey = _setkey,					\
		.encrypt = skcipher_encrypt,				\
		.decrypt = skcipher_decrypt,				\
		.min_keysize = _min,					\
		.max_keysize = _max,					\
		.ivsize = _iv,						\
		.chunksize = _chunk,					\
	},								\
}

static struct apq_skcipher algs[] = {
	APQ_SKCIPHER(APQ_ALG_AES_ECB, "ecb(aes)", "ecb-aes-apq",
		     16, 0, 16, 32, 16, skcipher_setkey),
	APQ_SKCIPHER(APQ_ALG_AES_CBC, "cbc(aes)", "cbc-aes-apq",
		     16, 16, 16, 32, 16, skcipher_setkey),
	APQ_SKCIPHER(APQ_ALG_AES_CTR, "ctr(aes)", "ctr-aes-apq",
		     1, 16, 16, 32, 16, skcipher_setkey),
	APQ_SKCIPHER(APQ_ALG_DES3_CBC, "cbc(des3_ede)", "cbc-des3_ede-apq",
		     8, 8, 24, 24, 8, skcipher_setkey_des3),
};

void apq_skcipher_exit(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(algs); i++) {
		if (algs[i].registered)
			crypto_unregister_skcipher(&algs[i].base);
		algs[i].registered = false;
	}
}

/*
 * Since 6.12 the kernel tests algorithms after their registration. A lookup
 * waits for that, and then it is as it was before: what is loaded can be used,
 * can be unloaded, and was tested at the pace of the mode that is in force
 * while we load.
 */
static void wait_for_test(const struct skcipher_alg *alg)
{
	if (!crypto_has_skcipher(alg->base.cra_driver_name, 0, 0))
		pr_warn("%s is of no use\n", alg->base.cra_driver_name);
}

/**
 * apq_skcipher_init() - register the algorithms that some card can do
 * @priority: priority of all of them
 *
 * The kernel tests each of them on the way, through the queues.
 *
 * Return: 0 or -errno.
 */
int apq_skcipher_init(int priority)
{
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(algs); i++) {
		/* The kernel would warn of one that fails its test. */
		if (!(apq_dispatch_algs(false) & BIT_ULL(algs[i].alg)))
			continue;
		algs[i].base.base.cra_priority = priority;
		ret = crypto_register_skcipher(&algs[i].base);
		if (ret) {
			pr_err("cannot register %s: %d\n",
			       algs[i].base.base.cra_driver_name, ret);
			apq_skcipher_exit();
			return ret;
		}
		algs[i].registered = true;
		wait_for_test(&algs[i].base);
	}
	return 0;
}

MODULE_ALIAS_CRYPTO("ecb-aes-apq");
MODULE_ALIAS_CRYPTO("cbc-aes-apq");
MODULE_ALIAS_CRYPTO("ctr-aes-apq");
MODULE_ALIAS_CRYPTO("cbc-des3_ede-apq");
