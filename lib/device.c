// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Back end "apq": /dev/apq
 *
 * One file descriptor per handle, one session per cipher, one ioctl per
 * request. The kernel keeps no state of a request in the session, so threads
 * need nothing from us.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "device.h"

/* The two headers number the algorithms alike, so that nobody translates. */
_Static_assert((int)APQ_AES_ECB == (int)APQ_ALG_AES_ECB, "alg number");
_Static_assert((int)APQ_AES_CBC == (int)APQ_ALG_AES_CBC, "alg number");
_Static_assert((int)APQ_AES_CTR == (int)APQ_ALG_AES_CTR, "alg number");
_Static_assert((int)APQ_AES_XTS == (int)APQ_ALG_AES_XTS, "alg number");
_Static_assert((int)APQ_AES_GCM == (int)APQ_ALG_AES_GCM, "alg number");
_Static_assert((int)APQ_RC4 == (int)APQ_ALG_RC4, "alg number");
_Static_assert((int)APQ_DES3_CBC == (int)APQ_ALG_DES3_CBC, "alg number");
_Static_assert(APQ_CALL_MAX == APQ_MAX_DATA_LEN, "largest request");
_Static_assert(APQ_AAD_MAX == APQ_MAX_AAD_LEN, "longest additional data");
_Static_assert(APQ_IV_MAX == APQ_IV_LEN, "longest IV");

static uint64_t address(const void *p)
{
	return (uintptr_t)p;
}

/*
 * A node with this name that does not answer APQ_IOC_INFO belongs to somebody
 * else. Interfaces newer than ours contain ours.
 */
static int device_open(struct apq *h)
{
	struct apq_info info;
	int fd, ret;

	fd = apq_open_node("/dev/apq");
	if (fd < 0)
		return fd;

	memset(&info, 0, sizeof(info));
	if (ioctl(fd, APQ_IOC_INFO, &info) < 0)
		ret = errno == ENOTTY ? -ENODEV : -errno;
	else
		ret = info.abi_version < APQ_ABI_VERSION ? -ENODEV : 0;
	if (ret) {
		close(fd);
		return ret;
	}
	apq_fork_watch();
	h->fd = fd;
	return 0;
}

static void device_close(struct apq *h)
{
	close(h->fd);
}

static int device_cipher_new(struct apq_cipher *c, const char *driver,
			     const void *key, size_t key_len)
{
	struct apq_session_create create;
	int ret;

	(void)driver;
	memset(&create, 0, sizeof(create));
	create.alg = c->info->alg;
	create.key = address(key);
	create.key_len = key_len;

	ret = apq_device_ioctl(c->h, APQ_IOC_SESSION_CREATE, address(&create));
	if (ret < 0)
		return ret;
	c->session = ret;
	return 0;
}

/* A child of fork() that frees what it inherited must not free the parent's. */
static void device_cipher_free(struct apq_cipher *c)
{
	if (c->forks != apq_fork_count())
		return;
	ioctl(c->h->fd, APQ_IOC_SESSION_DESTROY, (unsigned long)c->session);
}

static long device_crypt(struct apq_cipher *c, enum apq_direction dir,
			 const void *iv, const void *src, void *dst, size_t len)
{
	struct apq_op op = {
		.session = c->session,
		.op = dir == APQ_ENCRYPT ? APQ_OP_ENCRYPT : APQ_OP_DECRYPT,
		.src = address(src),
		.dst = address(dst),
		.src_len = len,
		.dst_len = len,
	};
	int ret;

	if (c->info->ivsize)
		memcpy(op.iv, iv, c->info->ivsize);

	ret = apq_device_ioctl(c->h, APQ_IOC_CRYPT, address(&op));
	return ret < 0 || (size_t)ret == len ? ret : -EIO;
}

void apq_device_entry(struct apq_entry *e, const struct apq_cipher *c,
		      enum apq_direction dir, const void *iv, const void *src,
		      void *dst, size_t len)
{
	size_t tag = c->info->tagsize;

	memset(e, 0, sizeof(*e));
	e->session = c->session;
	e->op = dir == APQ_ENCRYPT ? APQ_OP_ENCRYPT : APQ_OP_DECRYPT;
	e->src = address(src);
	e->dst = address(dst);
	e->src_len = len;
	e->dst_len = dir == APQ_ENCRYPT ? len + tag : len - tag;
	if (c->info->ivsize)
		memcpy(e->iv, iv, c->info->ivsize);
}

long apq_device_run(const struct apq *h, const struct apq_entry *e)
{
	int ret = apq_device_ioctl(h, APQ_IOC_RUN, (uintptr_t)e);

	return ret < 0 || (uint32_t)ret == e->dst_len ? ret : -EIO;
}

static long device_aead(struct apq_cipher *c, enum apq_direction dir,
			const void *iv, const void *aad, size_t aad_len,
			const void *src, void *dst, size_t len)
{
	struct apq_entry e;

	apq_device_entry(&e, c, dir, iv, src, dst, len);
	e.aad = address(aad);
	e.aad_len = aad_len;
	return apq_device_run(c->h, &e);
}

static int device_export(struct apq_cipher *c)
{
	return apq_device_ioctl(c->h, APQ_IOC_SESSION_EXPORT, c->session);
}

static int device_import(struct apq_cipher *c, int fd)
{
	int ret = apq_device_ioctl(c->h, APQ_IOC_SESSION_IMPORT, fd);

	if (ret < 0)
		return ret;
	c->session = ret;
	return 0;
}

const struct apq_backend_ops apq_backend_device = {
	.id		= APQ_BACKEND_DEVICE,
	.name		= "apq",
	.open		= device_open,
	.close		= device_close,
	.cipher_new	= device_cipher_new,
	.cipher_free	= device_cipher_free,
	.crypt		= device_crypt,
	.aead		= device_aead,
	.export		= device_export,
	.import		= device_import,
	.async		= &apq_device_async,
	.rsa_me		= apq_device_rsa_me,
	.rsa_crt	= apq_device_rsa_crt,
};
