// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Symmetric ciphers: checks, then the back end
 */
#include <errno.h>
#include <stdlib.h>

#include "backend.h"
#include "soft.h"

static const struct apq_alg_info algs[] = {
	{
		.alg = APQ_AES_ECB,
		.key_min = 16, .key_max = 32, .key_step = 8,
		.ivsize = 0, .blocksize = 16, .min_len = 16,
		.driver = "ecb-aes-apq",
	}, {
		.alg = APQ_AES_CBC,
		.key_min = 16, .key_max = 32, .key_step = 8,
		.ivsize = 16, .blocksize = 16, .min_len = 16,
		.driver = "cbc-aes-apq",
	}, {
		.alg = APQ_AES_CTR,
		.key_min = 16, .key_max = 32, .key_step = 8,
		.ivsize = 16, .blocksize = 1, .min_len = 1,
		.driver = "ctr-aes-apq",
	}, {
		.alg = APQ_AES_XTS,
		.key_min = 32, .key_max = 64, .key_step = 16,
		.ivsize = 16, .blocksize = 1, .min_len = 16,
	}, {
		.alg = APQ_AES_GCM,
		.key_min = 16, .key_max = 32, .key_step = 8,
		.ivsize = 12, .blocksize = 1, .min_len = 0, .tagsize = 16,
	}, {
		.alg = APQ_DES3_CBC,
		.key_min = 24, .key_max = 24, .key_step = 8,
		.ivsize = 8, .blocksize = 8, .min_len = 8,
		.driver = "cbc-des3_ede-apq",
	}, {
		.alg = APQ_RC4,
		.key_min = 5, .key_max = 64, .key_step = 1,
		.ivsize = 0, .blocksize = 1, .min_len = 1,
	},
};

static const struct apq_alg_info *find_alg(enum apq_cipher_alg alg)
{
	size_t i;

	for (i = 0; i < sizeof(algs) / sizeof(algs[0]); i++)
		if (algs[i].alg == alg)
			return &algs[i];
	return NULL;
}

static int key_len_ok(const struct apq_alg_info *info, size_t len)
{
	return len >= info->key_min && len <= info->key_max &&
	       (len - info->key_min) % info->key_step == 0;
}

/* Both hold the key then: which one computes is decided request by request. */
static int add_software(struct apq_cipher *c, const void *key, size_t key_len)
{
	int ret;

	if (!c->h->soft_below)
		return 0;
	ret = apq_soft_new(c->info, key, key_len, &c->soft);
	if (!ret && c->soft)
		c->soft_below = c->h->soft_below;
	return ret;
}

/* Without a key as yet */
static struct apq_cipher *alloc_cipher(const struct apq *h,
				       const struct apq_alg_info *info)
{
	struct apq_cipher *new = calloc(1, sizeof(*new));

	if (new) {
		new->h = h;
		new->info = info;
		new->forks = apq_fork_count();
	}
	return new;
}

APQ_PUBLIC int apq_cipher_new(struct apq *h, enum apq_cipher_alg alg,
			      const char *driver, const void *key,
			      size_t key_len, struct apq_cipher **c)
{
	const struct apq_alg_info *info = find_alg(alg);
	int saved_errno = errno;
	struct apq_cipher *new;
	int ret;

	if (!h || !key || !c)
		return -EINVAL;
	if (!h->ops->cipher_new)
		return -ENOTSUP;
	if (!info || !key_len_ok(info, key_len))
		return -EINVAL;
	if (driver && h->ops->id != APQ_BACKEND_AFALG)
		return -EINVAL;

	new = alloc_cipher(h, info);
	if (!new) {
		errno = saved_errno;
		return -ENOMEM;
	}

	ret = h->ops->cipher_new(new, driver, key, key_len);
	if (ret)
		goto out_free;
	ret = add_software(new, key, key_len);
	if (ret)
		goto out_forget;
	*c = new;
	errno = saved_errno;
	return 0;

out_forget:
	h->ops->cipher_free(new);
out_free:
	free(new);
	errno = saved_errno;
	return ret;
}

APQ_PUBLIC void apq_cipher_free(struct apq_cipher *c)
{
	int saved_errno = errno;

	if (!c)
		return;
	c->h->ops->cipher_free(c);
	apq_soft_free(c->soft);
	free(c);
	errno = saved_errno;
}

APQ_PUBLIC size_t apq_cipher_ivsize(const struct apq_cipher *c)
{
	return c ? c->info->ivsize : 0;
}

APQ_PUBLIC size_t apq_cipher_blocksize(const struct apq_cipher *c)
{
	return c ? c->info->blocksize : 0;
}

APQ_PUBLIC size_t apq_cipher_tagsize(const struct apq_cipher *c)
{
	return c ? c->info->tagsize : 0;
}

APQ_PUBLIC int apq_cipher_export(struct apq_cipher *c)
{
	int saved_errno = errno;
	int ret;

	if (!c)
		return -EINVAL;
	if (!c->h->ops->export)
		return -ENOTSUP;
	ret = c->h->ops->export(c);
	errno = saved_errno;
	return ret;
}

APQ_PUBLIC int apq_cipher_import(struct apq *h, enum apq_cipher_alg alg, int fd,
				 struct apq_cipher **c)
{
	const struct apq_alg_info *info = find_alg(alg);
	int saved_errno = errno;
	struct apq_cipher *new;
	int ret;

	if (!h || !info || !c)
		return -EINVAL;
	if (!h->ops->import)
		return -ENOTSUP;
	new = alloc_cipher(h, info);
	if (!new) {
		errno = saved_errno;
		return -ENOMEM;
	}
	ret = h->ops->import(new, fd);
	if (ret)
		free(new);
	else
		*c = new;
	errno = saved_errno;
	return ret;
}

APQ_PUBLIC int apq_software_below(struct apq *h, size_t len)
{
	int saved_errno = errno;
	int ret = 0;

	if (!h || len > APQ_CALL_MAX + 1)
		return -EINVAL;
	if (!h->ops->cipher_new)
		return -ENOTSUP;
	if (len)
		ret = apq_soft_load();
	if (!ret)
		h->soft_below = len;
	errno = saved_errno;
	return ret;
}

APQ_PUBLIC uint64_t apq_software_requests(const struct apq_cipher *c)
{
	return c ? apq_soft_requests(c->soft) : 0;
}

/* Part of the hot path: nothing here may allocate, lock or call the kernel. */
static inline int check_request(const struct apq_cipher *c, const void *iv,
				const void *src, const void *dst, size_t len)
{
	if (!src || !dst || (!iv && c->info->ivsize))
		return -EINVAL;
	if (len > APQ_CALL_MAX)
		return -EMSGSIZE;
	/* block sizes are powers of two */
	if (len < c->info->min_len || len & (c->info->blocksize - 1U))
		return -EINVAL;
	return 0;
}

/* @len: of the input. An empty text has no address worth a look. */
static int check_aead(const struct apq_cipher *c, enum apq_direction dir,
		      const void *iv, const void *aad, size_t aad_len,
		      const void *src, const void *dst, size_t len)
{
	size_t tag = c->info->tagsize;

	if (!iv || (aad_len && !aad) || (len && !src))
		return -EINVAL;
	if (aad_len > APQ_AAD_MAX || len > APQ_CALL_MAX)
		return -EMSGSIZE;
	if (dir == APQ_ENCRYPT) {
		if (!dst)
			return -EINVAL;
		return len > APQ_CALL_MAX - tag ? -EMSGSIZE : 0;
	}
	return len < tag || (len > tag && !dst) ? -EINVAL : 0;
}

int apq_cipher_check(const struct apq_cipher *c, enum apq_direction dir,
		     const void *iv, const void *aad, size_t aad_len,
		     const void *src, const void *dst, size_t len)
{
	if (c->info->tagsize)
		return check_aead(c, dir, iv, aad, aad_len, src, dst, len);
	if (aad_len)
		return -EINVAL;
	return check_request(c, iv, src, dst, len);
}

static inline long crypt_checked(struct apq_cipher *c, enum apq_direction dir,
				 const void *iv, const void *src, void *dst,
				 size_t len)
{
	int saved_errno = errno;
	long ret;

	/* output of an AEAD is longer than such a caller thinks */
	if (!c || c->info->tagsize)
		return -EINVAL;
	ret = check_request(c, iv, src, dst, len);
	if (ret)
		return ret;

	if (len < c->soft_below)
		ret = apq_soft_crypt(c->soft, dir, iv, src, dst, len);
	else
		ret = c->h->ops->crypt(c, dir, iv, src, dst, len);
	errno = saved_errno;
	return ret;
}

APQ_PUBLIC long apq_encrypt(struct apq_cipher *c, const void *iv,
			    const void *src, void *dst, size_t len)
{
	return crypt_checked(c, APQ_ENCRYPT, iv, src, dst, len);
}

APQ_PUBLIC long apq_decrypt(struct apq_cipher *c, const void *iv,
			    const void *src, void *dst, size_t len)
{
	return crypt_checked(c, APQ_DECRYPT, iv, src, dst, len);
}

static long aead(struct apq_cipher *c, enum apq_direction dir, const void *iv,
		 const void *aad, size_t aad_len, const void *src, void *dst,
		 size_t len)
{
	int saved_errno = errno;
	long ret;

	if (!c || !c->info->tagsize)
		return -EINVAL;
	ret = check_aead(c, dir, iv, aad, aad_len, src, dst, len);
	if (ret)
		return ret;
	ret = c->h->ops->aead(c, dir, iv, aad, aad_len, src, dst, len);
	errno = saved_errno;
	return ret;
}

APQ_PUBLIC long apq_aead_encrypt(struct apq_cipher *c, const void *iv,
				 const void *aad, size_t aad_len,
				 const void *src, void *dst, size_t len)
{
	return aead(c, APQ_ENCRYPT, iv, aad, aad_len, src, dst, len);
}

APQ_PUBLIC long apq_aead_decrypt(struct apq_cipher *c, const void *iv,
				 const void *aad, size_t aad_len,
				 const void *src, void *dst, size_t len)
{
	return aead(c, APQ_DECRYPT, iv, aad, aad_len, src, dst, len);
}
