/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * Inside of libapq: what a back end has to provide
 *
 * Layers: handle.c, cipher.c and rsa.c hold the public functions; they check
 * every argument and then call the back end through struct apq_backend_ops.
 * A back end can rely on those checks. Back ends return -errno and may leave
 * any value in errno: the public functions put the caller's value back.
 */
#ifndef APQ_BACKEND_H
#define APQ_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#include "libapq.h"

/* The rest of the library is built with -fvisibility=hidden. */
#define APQ_PUBLIC __attribute__((visibility("default")))

/* Largest data of one call; the same number as APQ_MAX_DATA_LEN of the uapi */
#define APQ_CALL_MAX		(1U << 20)
/* Longest RSA modulus in bytes: 4096 bits, Z90CRYPT_MAX_MOD_LEN of the uapi */
#define APQ_RSA_MAX		512
/* Longest additional data of an AEAD, APQ_MAX_AAD_LEN of the uapi */
#define APQ_AAD_MAX		4096
/* Longest IV of the algorithms in cipher.c */
#define APQ_IV_MAX		16

enum apq_direction {
	APQ_ENCRYPT,
	APQ_DECRYPT,
};

/**
 * struct apq_alg_info - what an algorithm takes
 * @alg: its public number
 * @key_min: shortest key in bytes
 * @key_max: longest key in bytes
 * @key_step: key lengths lie this far apart
 * @ivsize: bytes of IV
 * @blocksize: lengths must be a multiple of this
 * @min_len: shortest input
 * @tagsize: bytes of the tag of an AEAD, else 0
 * @driver: name of the driver that apq.ko registers for it; NULL if there is
 *	    none, so that AF_ALG cannot have it
 */
struct apq_alg_info {
	enum apq_cipher_alg alg;
	uint8_t key_min, key_max, key_step;
	uint8_t ivsize;
	uint8_t blocksize;
	uint8_t min_len;
	uint8_t tagsize;
	const char *driver;
};

struct apq_afalg;	/* afalg.c */

struct apq_soft;	/* soft.c */

/*
 * @fd is -1 in a back end that has no device node. Ciphers made from now on
 * compute requests shorter than @soft_below bytes themselves.
 */
struct apq {
	const struct apq_backend_ops *ops;
	int fd;
	size_t soft_below;
};

/*
 * Which member of the union is valid is the back end's own business. @h stays
 * valid as long as the cipher: the caller frees ciphers before the handle.
 * @forks is apq_fork_count() of the process that made it. @soft is there if
 * @soft_below is not 0.
 */
struct apq_cipher {
	const struct apq *h;
	unsigned int forks;
	const struct apq_alg_info *info;
	size_t soft_below;
	struct apq_soft *soft;
	union {
		uint32_t session;
		struct apq_afalg *afalg;
	};
};

/**
 * struct apq_async_ops - requests that nobody waits for
 * @submit: sends checked requests; returns how many, and *why not all
 * @reap: returns how many results, or -errno
 * @cancel: takes back those with @user_data or @all; returns how many
 * @eventfd: @fd is to be signalled, -1: none
 * @mode: completion mode of the handle
 */
struct apq_async_ops {
	long (*submit)(struct apq *h, const struct apq_request *requests,
		       size_t nr, int *why);
	long (*reap)(struct apq *h, struct apq_result *results, size_t max,
		     size_t min, int64_t timeout_ns);
	int (*cancel)(struct apq *h, uint64_t user_data, int all);
	int (*eventfd)(struct apq *h, int fd);
	int (*mode)(struct apq *h, const char *mode);
};

/**
 * struct apq_backend_ops - a way to the accelerator
 * @id: its public number
 * @name: its public name
 * @open: fills @fd of the handle; returns 0 or -errno, -ENODEV if the system
 *	  has no such thing
 * @close: gives back what @open took
 * @cipher_new: gives the key to the kernel; NULL if there are no ciphers
 * @cipher_free: gives back what @cipher_new took
 * @crypt: one request; returns @len or -errno. Several threads call it for
 *	   the same cipher at once.
 * @aead: the same for an AEAD; returns the bytes of output. NULL if there are none
 * @export: a descriptor that holds the key of a cipher; NULL if there is no such
 * @import: the other way round
 * @async: requests that nobody waits for; NULL if there are none
 * @rsa_me: one modular exponentiation; NULL if there is no RSA. Several
 *	    threads call it for the same handle at once.
 * @rsa_crt: one private operation; NULL if there is no RSA. Same contexts.
 */
struct apq_backend_ops {
	enum apq_backend id;
	const char *name;
	int (*open)(struct apq *h);
	void (*close)(struct apq *h);
	int (*cipher_new)(struct apq_cipher *c, const char *driver,
			  const void *key, size_t key_len);
	void (*cipher_free)(struct apq_cipher *c);
	long (*crypt)(struct apq_cipher *c, enum apq_direction dir,
		      const void *iv, const void *src, void *dst, size_t len);
	long (*aead)(struct apq_cipher *c, enum apq_direction dir,
		     const void *iv, const void *aad, size_t aad_len,
		     const void *src, void *dst, size_t len);
	int (*export)(struct apq_cipher *c);
	int (*import)(struct apq_cipher *c, int fd);
	const struct apq_async_ops *async;
	int (*rsa_me)(const struct apq *h, const struct apq_rsa_me *op);
	int (*rsa_crt)(const struct apq *h, const struct apq_rsa_crt *op);
};

extern const struct apq_backend_ops apq_backend_device;
extern const struct apq_backend_ops apq_backend_z90crypt;
extern const struct apq_backend_ops apq_backend_afalg;

/* cipher.c: 0 or why a request of @c cannot be sent; @c is not NULL */
int apq_cipher_check(const struct apq_cipher *c, enum apq_direction dir,
		     const void *iv, const void *aad, size_t aad_len,
		     const void *src, const void *dst, size_t len);

/* fork.c: handles of AF_ALG differ in parent and child */
void apq_fork_watch(void);
unsigned int apq_fork_count(void);

/* path.c: places in the file system, which tests can move */
int apq_open_node(const char *path);
int apq_sysfs_path(char *buf, size_t len, const char *path);

#endif /* APQ_BACKEND_H */
