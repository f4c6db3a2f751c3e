// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Back end "afalg": symmetric ciphers over AF_ALG sockets, through libkcapi
 *
 * Context and lifetime: a libkcapi handle is a pair of sockets (one that holds
 * the key, one that takes operations) and a pipe. Handles made from one
 * another share the key socket. Operation and IV are state of the operation
 * socket, between sendmsg() and recvmsg(), so a handle belongs to one call at
 * a time, and to one process: a call takes an idle one out of the cipher's slots
 * or makes a new one, and puts it back. A cipher grows as many as it had calls at
 * once and keeps APQ_MAX_IDLE of them. Those that a child of fork() inherits it
 * closes; the parent's stay open. The key socket has no such state and is shared.
 *
 * What libkcapi does that one has to know (1.4.0):
 *  - it cuts data at 16 pages and starts each part with the same IV, so we
 *    do the cutting and carry the IV along;
 *  - it reports a failed netlink query with whatever is in errno, even 0, and
 *    then divides by the block size it did not get;
 *  - after an error the data stay queued in the socket and would become part
 *    of the next request, so such a handle is never used again;
 *  - its file descriptors are not close-on-exec, and it does not show them.
 *
 * sendmsg() and not libkcapi's own choice, which takes vmsplice() beyond 8 KiB:
 * that needs two system calls more and saves nothing where the kernel copies
 * anyway (counted on 6.1.192: 1300 instructions more at every length).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/if_alg.h>

#include "backend.h"
#include "idle.h"
#include "kcapi.h"

/* Bytes of one AF_ALG operation; a multiple of every block size */
#define CHUNK		65536U

/* Sockets for one request at a time, of the process that made them */
struct op {
	struct kcapi_handle *handle;
	unsigned int forks;
};

/*
 * @kcapi: the library
 * @base: owns the key socket, never used for operations
 * @idle: of struct op
 */
struct apq_afalg {
	const struct apq_kcapi *kcapi;
	struct kcapi_handle *base;
	struct apq_idle idle;
};

static int afalg_open(struct apq *h)
{
	int fd = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	(void)h;
	if (fd < 0) {
		switch (errno) {
		case EAFNOSUPPORT:
		case EPROTONOSUPPORT:
		case ESOCKTNOSUPPORT:
			return -ENODEV;
		case EPERM:
			return -EACCES;
		default:
			return -errno;
		}
	}
	close(fd);
	apq_fork_watch();
	return apq_kcapi() ? 0 : -ELIBACC;
}

static void afalg_close(struct apq *h)
{
	(void)h;
}

/* Calls libkcapi with errno at 0, since it may report a value left there. */
static int open_base(struct apq_afalg *a, const char *driver,
		     const struct apq_alg_info *info)
{
	int ret;

	errno = 0;
	ret = a->kcapi->cipher_init(&a->base, driver, 0);
	switch (ret) {
	case 0:
		break;
	case -ENOENT:
	case -ENOMEM:
	case -EMFILE:
	case -ENFILE:
	case -EACCES:
		return ret;
	case -ELIBBAD:	/* the algorithm failed its self-test */
		return -ENOENT;
	default:	/* no crypto_user module, no netlink, no skcipher type */
		return -ENODEV;
	}

	if (!a->kcapi->cipher_blocksize(a->base))
		ret = -ENODEV;
	else if (a->kcapi->cipher_blocksize(a->base) != info->blocksize ||
		 a->kcapi->cipher_ivsize(a->base) != info->ivsize)
		ret = -EINVAL;	/* a driver of some other algorithm */
	if (ret)
		a->kcapi->cipher_destroy(a->base);
	return ret;
}

static int afalg_cipher_new(struct apq_cipher *c, const char *driver,
			    const void *key, size_t key_len)
{
	struct apq_afalg *a;
	int ret;

	/* no socket of such a type, or an IV that nobody could carry along */
	if (!c->info->driver)
		return -ENOTSUP;
	if (!driver)
		driver = c->info->driver;
	/* libkcapi would cut a name that is too long and bind to the rest */
	if (strlen(driver) >= sizeof(((struct sockaddr_alg *)0)->salg_name))
		return -ENOENT;

	a = calloc(1, sizeof(*a));
	if (!a)
		return -ENOMEM;
	a->kcapi = apq_kcapi();
	ret = open_base(a, driver, c->info);
	if (ret)
		goto out_free;

	ret = a->kcapi->cipher_setkey(a->base, key, key_len);
	if (ret) {
		/* The length was checked: EINVAL is about the key itself. */
		if (ret == -EINVAL || ret == -EKEYREJECTED)
			ret = -ENOKEY;
		goto out_destroy;
	}
	c->afalg = a;
	return 0;

out_destroy:
	a->kcapi->cipher_destroy(a->base);
out_free:
	free(a);
	return ret;
}

static void free_op(struct apq_afalg *a, struct op *op)
{
	a->kcapi->cipher_destroy(op->handle);
	free(op);
}

static void afalg_cipher_free(struct apq_cipher *c)
{
	struct apq_afalg *a = c->afalg;
	struct op *op;

	while ((op = apq_idle_take(&a->idle)))
		free_op(a, op);
	a->kcapi->cipher_destroy(a->base);
	free(a);
}

static int get_op(struct apq_afalg *a, struct op **result)
{
	struct op *op;
	int ret;

	while ((op = apq_idle_take(&a->idle))) {
		if (op->forks == apq_fork_count()) {
			*result = op;
			return 0;
		}
		/* the parent's, who may be in the middle of a request */
		free_op(a, op);
	}

	op = malloc(sizeof(*op));
	if (!op)
		return -ENOMEM;
	op->forks = apq_fork_count();
	ret = a->kcapi->handle_reinit(&op->handle, a->base, 0);
	if (ret)
		free(op);
	else
		*result = op;
	return ret;
}

/* Adds @n to a big endian number of 16 bytes. */
static void counter_add(uint8_t *counter, size_t n)
{
	int i;

	for (i = 15; i >= 0 && n; i--) {
		n += counter[i];
		counter[i] = n & 0xff;
		n >>= 8;
	}
}

/*
 * Puts the IV that continues after this part into @next. Has to run before the
 * request when decrypting, because that may overwrite the ciphertext.
 */
static void chain_iv(const struct apq_alg_info *info, const uint8_t *ciphertext,
		     size_t len, uint8_t *next)
{
	switch (info->alg) {
	case APQ_AES_CTR:
		counter_add(next, len / 16);
		break;
	case APQ_AES_CBC:
	case APQ_DES3_CBC:
		memcpy(next, ciphertext + len - info->ivsize, info->ivsize);
		break;
	default:	/* no IV, or not here: see afalg_cipher_new() */
		break;
	}
}

static int crypt_part(const struct apq_kcapi *kcapi, struct op *op,
		      enum apq_direction dir, const uint8_t *iv,
		      const uint8_t *src, uint8_t *dst, size_t len)
{
	ssize_t ret;

	errno = 0;	/* libkcapi reads again for ever on an old EINTR */
	if (dir == APQ_ENCRYPT)
		ret = kcapi->cipher_encrypt(op->handle, src, len, iv, dst, len,
					    KCAPI_ACCESS_SENDMSG);
	else
		ret = kcapi->cipher_decrypt(op->handle, src, len, iv, dst, len,
					    KCAPI_ACCESS_SENDMSG);
	if (ret < 0)
		return ret;
	return (size_t)ret == len ? 0 : -EIO;
}

static int crypt_parts(const struct apq_cipher *c, struct op *op,
		       enum apq_direction dir, const void *iv,
		       const uint8_t *src, uint8_t *dst, size_t len)
{
	const struct apq_alg_info *info = c->info;
	uint8_t now[APQ_IV_MAX], next[APQ_IV_MAX];
	int ret = 0;

	if (info->ivsize)
		memcpy(next, iv, info->ivsize);
	while (len && !ret) {
		size_t part = len < CHUNK ? len : CHUNK;

		memcpy(now, next, sizeof(now));
		if (dir == APQ_DECRYPT)
			chain_iv(info, src, part, next);
		ret = crypt_part(c->afalg->kcapi, op, dir,
				 info->ivsize ? now : NULL, src, dst, part);
		if (!ret && dir == APQ_ENCRYPT)
			chain_iv(info, dst, part, next);
		src += part;
		dst += part;
		len -= part;
	}
	return ret;
}

static long afalg_crypt(struct apq_cipher *c, enum apq_direction dir,
			const void *iv, const void *src, void *dst, size_t len)
{
	struct apq_afalg *a = c->afalg;
	struct op *op;
	int ret;

	ret = get_op(a, &op);
	if (ret)
		return ret;

	if (len <= CHUNK)
		ret = crypt_part(a->kcapi, op, dir, c->info->ivsize ? iv : NULL,
				 src, dst, len);
	else
		ret = crypt_parts(c, op, dir, iv, src, dst, len);
	if (ret || !apq_idle_put(&a->idle, op))
		free_op(a, op);
	return ret ? ret : (long)len;
}

const struct apq_backend_ops apq_backend_afalg = {
	.id		= APQ_BACKEND_AFALG,
	.name		= "afalg",
	.open		= afalg_open,
	.close		= afalg_close,
	.cipher_new	= afalg_cipher_new,
	.cipher_free	= afalg_cipher_free,
	.crypt		= afalg_crypt,
};
