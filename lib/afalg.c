// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Back end "afalg": symmetric ciphers over AF_ALG sockets, through libkcapi
 *
 * Context and lifetime: a libkcapi handle is a pair of sockets (one that holds
 * the key, one that takes operations) and a pipe. Handles made from one
 * another share the key socket. Operation and IV are state of the operation
 * socket, between sendmsg() and recvmsg(), so a handle belongs to one call at
 * a time: a call takes an idle one out of the cipher's slots or makes a new
 * one, and puts it back. A cipher grows as many as it had calls at once and
 * keeps MAX_IDLE of them.
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

#include <kcapi.h>
#include <linux/if_alg.h>

#include "backend.h"

/* Bytes of one AF_ALG operation; a multiple of every block size */
#define CHUNK		65536U
#define MAX_IDLE	16

/*
 * @base: owns the key socket, never used for operations
 * @idle: handles that no call is using, or NULL. A call owns what it swapped
 *	  NULL in for; the acquire of that pairs with the release of the call
 *	  that put the handle there. Only atomic accesses.
 */
struct apq_afalg {
	struct kcapi_handle *base;
	struct kcapi_handle *idle[MAX_IDLE];
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
	/* libkcapi prints errors by default; a library of ours never prints */
	kcapi_set_verbosity(KCAPI_LOG_NONE);
	return 0;
}

static void afalg_close(struct apq *h)
{
	(void)h;
}

/* Calls libkcapi with errno at 0, since it may report a value left there. */
static int kcapi_open(struct kcapi_handle **handle, const char *driver,
		      const struct apq_alg_info *info)
{
	int ret;

	errno = 0;
	ret = kcapi_cipher_init(handle, driver, 0);
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

	if (!kcapi_cipher_blocksize(*handle))
		ret = -ENODEV;
	else if (kcapi_cipher_blocksize(*handle) != info->blocksize ||
		 kcapi_cipher_ivsize(*handle) != info->ivsize)
		ret = -EINVAL;	/* a driver of some other algorithm */
	if (ret)
		kcapi_cipher_destroy(*handle);
	return ret;
}

static int afalg_cipher_new(struct apq_cipher *c, const char *driver,
			    const void *key, size_t key_len)
{
	struct apq_afalg *a;
	int ret;

	if (!driver)
		driver = c->info->driver;
	/* libkcapi would cut a name that is too long and bind to the rest */
	if (strlen(driver) >= sizeof(((struct sockaddr_alg *)0)->salg_name))
		return -ENOENT;

	a = calloc(1, sizeof(*a));
	if (!a)
		return -ENOMEM;
	ret = kcapi_open(&a->base, driver, c->info);
	if (ret)
		goto out_free;

	ret = kcapi_cipher_setkey(a->base, key, key_len);
	if (ret) {
		/* The length was checked: EINVAL is about the key itself. */
		if (ret == -EINVAL || ret == -EKEYREJECTED)
			ret = -ENOKEY;
		goto out_destroy;
	}
	c->afalg = a;
	return 0;

out_destroy:
	kcapi_cipher_destroy(a->base);
out_free:
	free(a);
	return ret;
}

static void afalg_cipher_free(struct apq_cipher *c)
{
	struct apq_afalg *a = c->afalg;
	int i;

	for (i = 0; i < MAX_IDLE; i++)
		kcapi_cipher_destroy(__atomic_load_n(&a->idle[i],
						     __ATOMIC_ACQUIRE));
	kcapi_cipher_destroy(a->base);
	free(a);
}

static int get_handle(struct apq_afalg *a, struct kcapi_handle **handle)
{
	int i;

	for (i = 0; i < MAX_IDLE; i++) {
		/* looks before it swaps: empty slots stay shared cache lines */
		if (!__atomic_load_n(&a->idle[i], __ATOMIC_RELAXED))
			continue;
		*handle = __atomic_exchange_n(&a->idle[i], NULL,
					      __ATOMIC_ACQUIRE);
		if (*handle)
			return 0;
	}
	return kcapi_handle_reinit(handle, a->base, 0);
}

static void put_handle(struct apq_afalg *a, struct kcapi_handle *handle)
{
	int i;

	for (i = 0; i < MAX_IDLE; i++) {
		struct kcapi_handle *empty = NULL;

		if (__atomic_compare_exchange_n(&a->idle[i], &empty, handle, 0,
						__ATOMIC_RELEASE,
						__ATOMIC_RELAXED))
			return;
	}
	kcapi_cipher_destroy(handle);
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
	case APQ_AES_ECB:
		break;
	}
}

static int crypt_part(struct kcapi_handle *handle, enum apq_direction dir,
		      const uint8_t *iv, const uint8_t *src, uint8_t *dst,
		      size_t len)
{
	ssize_t ret;

	errno = 0;	/* libkcapi reads again for ever on an old EINTR */
	if (dir == APQ_ENCRYPT)
		ret = kcapi_cipher_encrypt(handle, src, len, iv, dst, len,
					   KCAPI_ACCESS_SENDMSG);
	else
		ret = kcapi_cipher_decrypt(handle, src, len, iv, dst, len,
					   KCAPI_ACCESS_SENDMSG);
	if (ret < 0)
		return ret;
	return (size_t)ret == len ? 0 : -EIO;
}

static int crypt_parts(const struct apq_alg_info *info,
		       struct kcapi_handle *handle, enum apq_direction dir,
		       const void *iv, const uint8_t *src, uint8_t *dst,
		       size_t len)
{
	uint8_t now[APQ_IV_MAX], next[APQ_IV_MAX];
	int ret = 0;

	if (info->ivsize)
		memcpy(next, iv, info->ivsize);
	while (len && !ret) {
		size_t part = len < CHUNK ? len : CHUNK;

		memcpy(now, next, sizeof(now));
		if (dir == APQ_DECRYPT)
			chain_iv(info, src, part, next);
		ret = crypt_part(handle, dir, info->ivsize ? now : NULL,
				 src, dst, part);
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
	struct kcapi_handle *handle;
	int ret;

	ret = get_handle(c->afalg, &handle);
	if (ret)
		return ret;

	if (len <= CHUNK)
		ret = crypt_part(handle, dir, c->info->ivsize ? iv : NULL,
				 src, dst, len);
	else
		ret = crypt_parts(c->info, handle, dir, iv, src, dst, len);
	if (ret) {
		kcapi_cipher_destroy(handle);
		return ret;
	}
	put_handle(c->afalg, handle);
	return len;
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
