// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Loading libkcapi
 *
 * Context and lifetime: loaded once, by whoever asks first, and never unloaded.
 * @table is written before pthread_once() returns and read-only from then on.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "kcapi.h"

/* Where the address of each function goes */
static const struct {
	const char *name;
	size_t offset;
} functions[] = {
	{ "kcapi_set_verbosity", offsetof(struct apq_kcapi, set_verbosity) },
	{ "kcapi_cipher_init", offsetof(struct apq_kcapi, cipher_init) },
	{ "kcapi_cipher_destroy", offsetof(struct apq_kcapi, cipher_destroy) },
	{ "kcapi_cipher_blocksize", offsetof(struct apq_kcapi, cipher_blocksize) },
	{ "kcapi_cipher_ivsize", offsetof(struct apq_kcapi, cipher_ivsize) },
	{ "kcapi_cipher_setkey", offsetof(struct apq_kcapi, cipher_setkey) },
	{ "kcapi_cipher_encrypt", offsetof(struct apq_kcapi, cipher_encrypt) },
	{ "kcapi_cipher_decrypt", offsetof(struct apq_kcapi, cipher_decrypt) },
	{ "kcapi_handle_reinit", offsetof(struct apq_kcapi, handle_reinit) },
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct apq_kcapi table;
static int loaded;

static void load(void)
{
	void *lib = dlopen("libkcapi.so.1", RTLD_NOW | RTLD_LOCAL);
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
		memcpy((char *)&table + functions[i].offset, &f, sizeof(f));
	}
	/* it prints errors by default; a library of ours never prints */
	table.set_verbosity(KCAPI_LOG_NONE);
	loaded = 1;
}

const struct apq_kcapi *apq_kcapi(void)
{
	pthread_once(&once, load);
	return loaded ? &table : NULL;
}
