/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be measured: operations, and the paths that lead to the queue.
 */
#ifndef APTUNE_OP_H
#define APTUNE_OP_H

#include <stddef.h>

#include <libapq.h>

#define RSA_LEN		256	/* bytes of the modulus of rsa-2048-crt */
#define RSA_HALF	(RSA_LEN / 2)
#define MAX_KEY_LEN	32
#define MAX_IV_LEN	16

enum op_kind {
	OP_CIPHER,		/* symmetric, any size up to 1 MiB */
	OP_RSA_CRT,		/* private operation, size is the modulus */
};

/**
 * struct op - an operation
 * @name: as in --ciphers and in all output
 * @kind: which members below matter and which paths take it
 * @alg: algorithm of libapq
 * @evp: name of the same in OpenSSL
 * @key_len: bytes
 * @iv_len: bytes
 * @block: sizes must be a multiple of this
 */
struct op {
	const char *name;
	enum op_kind kind;
	enum apq_cipher_alg alg;
	const char *evp;
	size_t key_len, iv_len, block;
};

/**
 * struct path - a way to the queue
 * @name: as in --paths and in all output
 * @backend: back end of libapq
 * @kind: the operations it takes
 */
struct path {
	const char *name;
	enum apq_backend backend;
	enum op_kind kind;
};

extern const struct op ops[];		/* ended by name NULL */
extern const struct path paths[];	/* ended by name NULL */

const struct op *op_find(const char *name);
const struct path *path_find(const char *name);

#endif
