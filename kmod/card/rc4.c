// SPDX-License-Identifier: GPL-2.0
/*
 * RC4, for the comparison with a study of 2010: with legacy=1 only, and only
 * where the kernel has ecb(arc4) (CONFIG_CRYPTO_ARC4). The kernel keeps the
 * position in the key stream with the key, so that requests with one key
 * would depend on each other; here each has a key of its own for as long as
 * it lasts and starts anew.
 */

#include <crypto/skcipher.h>
#include <linux/err.h>
#include <linux/slab.h>
#include "rc4.h"

#define RC4_NAME	"ecb(arc4)"
#define RC4_MAX_KEY	64	/* the longest that sessions take */

struct rc4_key {
	unsigned int len;
	u8 data[RC4_MAX_KEY];
};

/* Whether the kernel has it; may load a module. */
bool rc4_present(void)
{
	return crypto_has_skcipher(RC4_NAME, 0, CRYPTO_ALG_ASYNC);
}

struct rc4_key *rc4_key_new(void)
{
	return kzalloc(sizeof(struct rc4_key), GFP_KERNEL);
}

int rc4_key_set(struct rc4_key *key, const u8 *data, unsigned int len)
{
	if (len > RC4_MAX_KEY)
		return -EINVAL;
	key->len = len;
	memcpy(key->data, data, len);
	return 0;
}

void rc4_key_free(struct rc4_key *key)
{
	kfree_sensitive(key);
}

static int crypt(struct crypto_skcipher *tfm, const struct apq_cipher *c)
{
	struct skcipher_request *req;
	int ret;

	req = skcipher_request_alloc(tfm, GFP_KERNEL);
	if (!req)
		return -ENOMEM;
	skcipher_request_set_callback(req, CRYPTO_TFM_REQ_MAY_SLEEP, NULL,
				      NULL);
	skcipher_request_set_crypt(req, c->src, c->dst, c->len, NULL);
	ret = crypto_skcipher_encrypt(req);
	skcipher_request_free(req);
	return ret;
}

/* Both directions are the same. Context: process context, may sleep. */
int rc4_run(const struct rc4_key *key, const struct apq_cipher *c)
{
	struct crypto_skcipher *tfm;
	int ret;

	tfm = crypto_alloc_skcipher(RC4_NAME, 0, CRYPTO_ALG_ASYNC);
	if (IS_ERR(tfm))
		return PTR_ERR(tfm);
	ret = crypto_skcipher_setkey(tfm, key->data, key->len) ?:
	      crypt(tfm, c);
	/* Wipes what it kept of the key. */
	crypto_free_skcipher(tfm);
	return ret;
}
