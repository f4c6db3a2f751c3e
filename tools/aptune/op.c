// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables of operations and paths.
 */
#include <string.h>

#include "op.h"

#define AES(bits, mode, lower, iv, unit)				\
	{								\
		.name = "aes-" #bits "-" lower, .kind = OP_CIPHER,	\
		.alg = APQ_AES_##mode, .evp = "AES-" #bits "-" #mode,	\
		.key_len = (bits) / 8, .iv_len = iv, .block = unit,	\
	}

const struct op ops[] = {
	AES(128, CBC, "cbc", 16, 16),
	AES(192, CBC, "cbc", 16, 16),
	AES(256, CBC, "cbc", 16, 16),
	AES(128, ECB, "ecb", 0, 16),
	AES(192, ECB, "ecb", 0, 16),
	AES(256, ECB, "ecb", 0, 16),
	AES(128, CTR, "ctr", 16, 1),
	AES(192, CTR, "ctr", 16, 1),
	AES(256, CTR, "ctr", 16, 1),
	{
		.name = "3des-cbc", .kind = OP_CIPHER, .alg = APQ_DES3_CBC,
		.evp = "DES-EDE3-CBC", .key_len = 24, .iv_len = 8, .block = 8,
	}, {
		.name = "rsa-2048-crt", .kind = OP_RSA_CRT, .block = 1,
	},
	{ .name = NULL }
};

const struct path paths[] = {
	{ "afalg", APQ_BACKEND_AFALG, OP_CIPHER },
	{ "apq", APQ_BACKEND_DEVICE, OP_CIPHER },
	{ "z90crypt", APQ_BACKEND_Z90CRYPT, OP_RSA_CRT },
	{ .name = NULL }
};

const struct op *op_find(const char *name)
{
	const struct op *op;

	for (op = ops; op->name; op++) {
		if (!strcmp(op->name, name))
			return op;
	}
	return NULL;
}

const struct path *path_find(const char *name)
{
	const struct path *path;

	for (path = paths; path->name; path++) {
		if (!strcmp(path->name, name))
			return path;
	}
	return NULL;
}
