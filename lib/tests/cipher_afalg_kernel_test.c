// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Ciphers over AF_ALG with generic drivers of the kernel itself, so that the
 * back end is tested where apq.ko is not
 */
#include <errno.h>
#include <string.h>

#include "cipher_suite.h"
#include "tap.h"

static const char *kernel_driver(enum apq_cipher_alg alg)
{
	switch (alg) {
	case APQ_AES_ECB:
		return "ecb(aes-generic)";
	case APQ_AES_CBC:
		return "cbc(aes-generic)";
	case APQ_AES_CTR:
		return "ctr(aes-generic)";
	default:
		return "cbc(des3_ede-generic)";
	}
}

static void driver_names(struct apq *h)
{
	static const uint8_t key[16];
	struct apq_cipher *c = NULL;
	char name[200];

	tap_is(apq_cipher_new(h, APQ_AES_CBC, "cbc-aes-nobody", key, 16, &c),
	       -ENOENT, "a driver that does not exist");
	tap_is(apq_cipher_new(h, APQ_AES_CBC, "", key, 16, &c), -ENOENT,
	       "a driver without a name");
	tap_is(apq_cipher_new(h, APQ_AES_CBC, "ecb(aes-generic)", key, 16, &c),
	       -EINVAL, "a driver of another algorithm");
	tap_is(apq_cipher_new(h, APQ_AES_CBC, "sha256-generic", key, 16, &c),
	       -ENOENT, "a driver of no cipher");
	/* the first 63 characters are a valid name and its blanks */
	memset(name, ' ', sizeof(name));
	memcpy(name, "cbc(aes-generic)", 16);
	name[sizeof(name) - 1] = '\0';
	tap_is(apq_cipher_new(h, APQ_AES_CBC, name, key, 16, &c), -ENOENT,
	       "a driver name of 199 characters");
	tap_ok(!c, "none of them gave a handle");
}

int main(void)
{
	static const struct cipher_suite suite = {
		.backend = APQ_BACKEND_AFALG,
		.driver = kernel_driver,
		.extra = driver_names,
		.nr_extra = 6,
	};

	return cipher_suite_run(&suite);
}
