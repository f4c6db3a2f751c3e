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
 * @driver: name of the driver that apq.ko registers for it
 */
struct apq_alg_info {
	enum apq_cipher_alg alg;
	uint8_t key_min, key_max, key_step;
	uint8_t ivsize;
	uint8_t blocksize;
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
	int (*rsa_me)(const struct apq *h, const struct apq_rsa_me *op);
	int (*rsa_crt)(const struct apq *h, const struct apq_rsa_crt *op);
};

extern const struct apq_backend_ops apq_backend_device;
extern const struct apq_backend_ops apq_backend_z90crypt;
extern const struct apq_backend_ops apq_backend_afalg;

/* fork.c: handles of AF_ALG differ in parent and child */
void apq_fork_watch(void);
unsigned int apq_fork_count(void);

/* path.c: places in the file system, which tests can move */
int apq_open_node(const char *path);
int apq_sysfs_path(char *buf, size_t len, const char *path);

#endif /* APQ_BACKEND_H */
