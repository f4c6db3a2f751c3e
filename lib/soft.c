// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * The software path: short requests computed by libcrypto in the caller
 *
 * Context and lifetime: libcrypto is loaded by whoever first asks for a software
 * path, and stays. It gets a library context of its own, because the default one
 * may lead to an OpenSSL provider that is built on libapq and so back here.
 *
 * A context of libcrypto is the state of one request, so it belongs to one call
 * at a time, like the sockets of afalg.c. libcrypto wipes the keys inside when a
 * context is freed.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "idle.h"
#include "soft.h"

/* Functions of libcrypto, by their own names */
struct libcrypto {
	__typeof__(OSSL_LIB_CTX_new) *OSSL_LIB_CTX_new;
	__typeof__(EVP_CIPHER_fetch) *EVP_CIPHER_fetch;
	__typeof__(EVP_CIPHER_free) *EVP_CIPHER_free;
	__typeof__(EVP_CIPHER_CTX_new) *EVP_CIPHER_CTX_new;
	__typeof__(EVP_CIPHER_CTX_free) *EVP_CIPHER_CTX_free;
	__typeof__(EVP_CIPHER_CTX_copy) *EVP_CIPHER_CTX_copy;
	__typeof__(EVP_CIPHER_CTX_set_padding) *EVP_CIPHER_CTX_set_padding;
	__typeof__(EVP_CipherInit_ex2) *EVP_CipherInit_ex2;
	__typeof__(EVP_CipherUpdate) *EVP_CipherUpdate;
};

#define FUNCTION(name) { #name, offsetof(struct libcrypto, name) }

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
	FUNCTION(OSSL_LIB_CTX_new),
	FUNCTION(EVP_CIPHER_fetch),
	FUNCTION(EVP_CIPHER_free),
	FUNCTION(EVP_CIPHER_CTX_new),
	FUNCTION(EVP_CIPHER_CTX_free),
	FUNCTION(EVP_CIPHER_CTX_copy),
	FUNCTION(EVP_CIPHER_CTX_set_padding),
	FUNCTION(EVP_CipherInit_ex2),
	FUNCTION(EVP_CipherUpdate),
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
/* Written before pthread_once() returns, read-only from then on */
static struct libcrypto crypto;
static struct ossl_lib_ctx_st *context;

/*
 * @base: contexts with the key, one a direction, which are only copied
 * @idle: copies that no call is using, of EVP_CIPHER_CTX
 * @ivsize: bytes of IV
 * @requests: how many were computed here
 */
struct apq_soft {
	struct evp_cipher_ctx_st *base[2];
	struct apq_idle idle[2];
	unsigned int ivsize;
	unsigned long requests;
};

static void load(void)
{
	void *lib = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
	void *f;
	size_t i;

	if (!lib)
		return;
	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		f = dlsym(lib, functions[i].name);
		if (!f) {
			dlclose(lib);
			return;
		}
		/* on Linux an address of data and one of code are alike */
		memcpy((char *)&crypto + functions[i].offset, &f, sizeof(f));
	}
	context = crypto.OSSL_LIB_CTX_new();
}

int apq_soft_load(void)
{
	pthread_once(&once, load);
	return context ? 0 : -ELIBACC;
}

static EVP_CIPHER *fetch(const struct apq_alg_info *info, size_t key_len)
{
	unsigned int bits = key_len * 8;
	char name[32];

	switch (info->alg) {
	case APQ_AES_ECB:
		snprintf(name, sizeof(name), "AES-%u-ECB", bits);
		break;
	case APQ_AES_CBC:
		snprintf(name, sizeof(name), "AES-%u-CBC", bits);
		break;
	case APQ_AES_CTR:
		snprintf(name, sizeof(name), "AES-%u-CTR", bits);
		break;
	case APQ_DES3_CBC:
		snprintf(name, sizeof(name), "DES-EDE3-CBC");
		break;
	default:
		return NULL;
	}
	return crypto.EVP_CIPHER_fetch(context, name, NULL);
}

void apq_soft_free(struct apq_soft *soft)
{
	void *ctx;
	int dir;

	if (!soft)
		return;
	for (dir = 0; dir < 2; dir++) {
		while ((ctx = apq_idle_take(&soft->idle[dir])))
			crypto.EVP_CIPHER_CTX_free(ctx);
		crypto.EVP_CIPHER_CTX_free(soft->base[dir]);
	}
	free(soft);
}

int apq_soft_new(const struct apq_alg_info *info, const void *key,
		 size_t key_len, struct apq_soft **result)
{
	EVP_CIPHER *cipher = fetch(info, key_len);
	struct apq_soft *soft = NULL;
	int dir, good = 1;

	*result = NULL;
	if (!cipher)
		return 0;
	soft = calloc(1, sizeof(*soft));
	if (!soft)
		goto out_free;
	soft->ivsize = info->ivsize;
	for (dir = 0; dir < 2 && good; dir++) {
		EVP_CIPHER_CTX *ctx = crypto.EVP_CIPHER_CTX_new();

		soft->base[dir] = ctx;
		good = ctx && crypto.EVP_CipherInit_ex2(ctx, cipher, key, NULL,
						dir == APQ_ENCRYPT, NULL) &&
		       crypto.EVP_CIPHER_CTX_set_padding(ctx, 0);
	}
	if (!good)
		goto out_free;
	crypto.EVP_CIPHER_free(cipher);
	*result = soft;
	return 0;

out_free:
	apq_soft_free(soft);
	crypto.EVP_CIPHER_free(cipher);
	return -ENOMEM;
}

static EVP_CIPHER_CTX *get_ctx(struct apq_soft *soft, enum apq_direction dir)
{
	EVP_CIPHER_CTX *ctx = apq_idle_take(&soft->idle[dir]);

	if (ctx)
		return ctx;
	ctx = crypto.EVP_CIPHER_CTX_new();
	if (ctx && crypto.EVP_CIPHER_CTX_copy(ctx, soft->base[dir]))
		return ctx;
	crypto.EVP_CIPHER_CTX_free(ctx);
	return NULL;
}

long apq_soft_crypt(struct apq_soft *soft, enum apq_direction dir,
		    const void *iv, const void *src, void *dst, size_t len)
{
	EVP_CIPHER_CTX *ctx = get_ctx(soft, dir);
	int n = 0, good = 1;

	if (!ctx)
		return -ENOMEM;
	/* -1: the direction stays, as the key does */
	if (soft->ivsize)
		good = crypto.EVP_CipherInit_ex2(ctx, NULL, NULL, iv, -1, NULL);
	if (good)
		good = crypto.EVP_CipherUpdate(ctx, dst, &n, src, len) &&
		       (size_t)n == len;
	if (!good || !apq_idle_put(&soft->idle[dir], ctx))
		crypto.EVP_CIPHER_CTX_free(ctx);
	if (!good)
		return -EIO;
	__atomic_fetch_add(&soft->requests, 1, __ATOMIC_RELAXED);
	return len;
}

uint64_t apq_soft_requests(const struct apq_soft *soft)
{
	return soft ? __atomic_load_n(&soft->requests, __ATOMIC_RELAXED) : 0;
}
