/* SPDX-License-Identifier: GPL-2.0 */
/* Symmetric ciphers of the kernel over AF_ALG; -errno on failure. */
#ifndef APQ_SELFTEST_AFALG_H
#define APQ_SELFTEST_AFALG_H

#include <errno.h>
#include <linux/if_alg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

#define AFALG_IV_MAX	16

/* Socket of the algorithm or driver @name; -ENOENT: there is none. */
static inline int afalg_bind(const char *name)
{
	struct sockaddr_alg sa = { .salg_family = AF_ALG };
	int fd = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	int ret;

	if (fd < 0)
		return -errno;
	memcpy(sa.salg_type, "skcipher", sizeof("skcipher"));
	snprintf((char *)sa.salg_name, sizeof(sa.salg_name), "%s", name);
	if (!bind(fd, (struct sockaddr *)&sa, sizeof(sa)))
		return fd;
	ret = -errno;
	close(fd);
	return ret;
}

#define AFALG_HIDES_ASYNC	\
	"AF_ALG of this kernel takes no asynchronous drivers"

/*
 * Linux 7 masks asynchronous drivers out of AF_ALG (AF_ALG_CRYPTOAPI_MASK), and
 * all of ours are. The version is asked as well, so that on any other kernel a
 * driver of ours that cannot be found is a failure.
 */
static inline bool afalg_hides_async(void)
{
	struct utsname u;
	int fd;

	if (uname(&u) || atoi(u.release) < 7)
		return false;
	fd = afalg_bind("cbc-aes-apq");
	if (fd >= 0)
		close(fd);
	return fd == -ENOENT;
}

/* Loads a key and opens the socket for data. */
static inline int afalg_accept(int fd, const void *key, unsigned int len)
{
	int op;

	if (setsockopt(fd, SOL_ALG, ALG_SET_KEY, key, len))
		return -errno;
	op = accept(fd, NULL, NULL);
	return op < 0 ? -errno : op;
}

static inline void afalg_control(struct msghdr *msg, int type,
				 struct cmsghdr **cmsg, size_t len)
{
	*cmsg = *cmsg ? CMSG_NXTHDR(msg, *cmsg) : CMSG_FIRSTHDR(msg);
	(*cmsg)->cmsg_level = SOL_ALG;
	(*cmsg)->cmsg_type = type;
	(*cmsg)->cmsg_len = CMSG_LEN(len);
}

/* Returns the bytes written to @dst. */
static inline int afalg_crypt(int fd, unsigned int op, const void *iv,
			      unsigned int ivsize, const void *src, void *dst,
			      unsigned int len)
{
	char control[CMSG_SPACE(sizeof(op)) +
		     CMSG_SPACE(sizeof(struct af_alg_iv) + AFALG_IV_MAX)] = {};
	struct iovec iov = { .iov_base = (void *)src, .iov_len = len };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg = NULL;
	ssize_t ret;

	afalg_control(&msg, ALG_SET_OP, &cmsg, sizeof(op));
	memcpy(CMSG_DATA(cmsg), &op, sizeof(op));
	if (ivsize) {
		struct af_alg_iv *alg_iv;

		afalg_control(&msg, ALG_SET_IV, &cmsg,
			      sizeof(*alg_iv) + ivsize);
		alg_iv = (struct af_alg_iv *)CMSG_DATA(cmsg);
		alg_iv->ivlen = ivsize;
		memcpy(alg_iv->iv, iv, ivsize);
	} else {
		msg.msg_controllen = CMSG_SPACE(sizeof(op));
	}
	if (sendmsg(fd, &msg, 0) != (ssize_t)len)
		return -errno;
	ret = read(fd, dst, len);
	return ret < 0 ? -errno : ret;
}

#endif
