/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */
/*
 * apq - user interface of the crypto adapter queue, /dev/apq
 *
 * A program opens /dev/apq, creates sessions (a session is an algorithm and a
 * key; the key stays in the kernel and is wiped when the session ends) and
 * sends requests that name a session. Requests of all files, of
 * /dev/z90crypt and of the kernel crypto API share the same queues and cards.
 *
 * Rules of this interface:
 *  - all structures have the same layout for 32-bit and 64-bit callers;
 *  - pointers are passed as 64-bit integers;
 *  - fields and bits called reserved must be zero, else EINVAL;
 *  - structures are input only, results come back as return values or in
 *    buffers that the structure names.
 */
#ifndef _UAPI_LINUX_APQ_H
#define _UAPI_LINUX_APQ_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define APQ_ABI_VERSION		1

/* Largest data of one request in bytes, AEAD data and tag included. */
#define APQ_MAX_DATA_LEN	(1U << 20)
/* Longest symmetric key in bytes: two AES-256 keys of XTS. */
#define APQ_MAX_KEY_LEN		64
/* Bytes of IV in a request; an algorithm uses the first ivsize of them. */
#define APQ_IV_LEN		16
/* Random bytes of one request. */
#define APQ_MAX_RANDOM_LEN	4096
/* Sessions that one open file can hold. */
#define APQ_MAX_SESSIONS	1024

/**
 * enum apq_alg - algorithms, also the bit numbers in &struct apq_info.algs
 * @APQ_ALG_AES_ECB: AES, 16, 24 or 32 key bytes, no IV
 * @APQ_ALG_AES_CBC: AES, 16, 24 or 32 key bytes, 16 bytes of IV
 * @APQ_ALG_AES_CTR: AES, 16, 24 or 32 key bytes, 16 bytes of counter block
 * @APQ_ALG_DES3_CBC: three-key triple DES, 24 key bytes, 8 bytes of IV
 * @APQ_ALG_RSA_ME: RSA with exponent and modulus; /dev/z90crypt only
 * @APQ_ALG_RSA_CRT: RSA private key in CRT form; /dev/z90crypt only
 * @APQ_ALG_RANDOM: random bytes; no session, see APQ_OP_RANDOM
 */
enum apq_alg {
	APQ_ALG_AES_ECB		= 1,
	APQ_ALG_AES_CBC		= 2,
	APQ_ALG_AES_CTR		= 3,
	APQ_ALG_DES3_CBC	= 6,
	APQ_ALG_RSA_ME		= 16,
	APQ_ALG_RSA_CRT		= 17,
	APQ_ALG_RANDOM		= 32,
};

/**
 * enum apq_op_code - what a request does with the data
 * @APQ_OP_ENCRYPT: encrypt src to dst
 * @APQ_OP_DECRYPT: decrypt src to dst
 * @APQ_OP_RANDOM: fill dst with dst_len random bytes, 1 to APQ_MAX_RANDOM_LEN;
 *		   session, src, src_len and iv must be zero
 */
enum apq_op_code {
	APQ_OP_ENCRYPT		= 1,
	APQ_OP_DECRYPT		= 2,
	APQ_OP_RANDOM		= 3,
};

/**
 * struct apq_info - answer of APQ_IOC_INFO
 * @abi_version: APQ_ABI_VERSION of the module
 * @nr_cards: cards that are registered, online or not
 * @algs: bit (1 << enum apq_alg) for each algorithm some online card can do
 * @max_data_len: largest data of one request in bytes
 * @max_sessions: sessions one open file can hold
 * @reserved: zero
 */
struct apq_info {
	__u32 abi_version;
	__u32 nr_cards;
	__u64 algs;
	__u32 max_data_len;
	__u32 max_sessions;
	__u64 reserved[5];
};

/**
 * struct apq_session_create - argument of APQ_IOC_SESSION_CREATE
 * @alg: enum apq_alg
 * @flags: reserved
 * @key: address of the key
 * @key_len: bytes at @key, a length the algorithm allows
 * @reserved: reserved
 */
struct apq_session_create {
	__u32 alg;
	__u32 flags;
	__u64 key;
	__u32 key_len;
	__u32 reserved[3];
};

/**
 * struct apq_op - one request
 * @session: number that APQ_IOC_SESSION_CREATE returned on this file
 * @op: enum apq_op_code
 * @flags: reserved
 * @reserved: reserved
 * @user_data: reserved in APQ_IOC_CRYPT
 * @src: address of the input
 * @dst: address of the output; equal to @src for in-place work, any other
 *	 overlap is the caller's mistake and gives undefined data
 * @src_len: bytes of input, 1 to APQ_MAX_DATA_LEN; a multiple of the block
 *	     size for ECB and CBC
 * @dst_len: bytes of room at @dst, at least @src_len
 * @reserved2: reserved
 * @timeout_ms: give up after so many milliseconds with ETIMEDOUT; 0 for twice
 *		the module's request_timeout, so that a request which a card
 *		lost is sent once more
 * @iv: IV or counter block; what the algorithm does not use must be zero
 */
struct apq_op {
	__u32 session;
	__u8  op;
	__u8  flags;
	__u16 reserved;
	__u64 user_data;
	__u64 src;
	__u64 dst;
	__u32 src_len;
	__u32 dst_len;
	__u32 reserved2;
	__u32 timeout_ms;
	__u8  iv[APQ_IV_LEN];
};

/* Letter and numbers: 0xA9 00-1F is unused in ioctl-number.rst of Linux 6.1 */
#define APQ_IOC_MAGIC		0xA9

/*
 * APQ_IOC_INFO - what the module is and can do. Returns 0, or
 * EFAULT for a bad address.
 */
#define APQ_IOC_INFO		_IOR(APQ_IOC_MAGIC, 0x00, struct apq_info)

/*
 * APQ_IOC_SESSION_CREATE - create a session. Returns its number, 1 or more.
 * EFAULT bad address; EINVAL unknown algorithm, key length the algorithm does
 * not have, reserved field not zero; ENOKEY the algorithm refuses this key;
 * ENODEV no card can do the algorithm; ENOSPC this file has APQ_MAX_SESSIONS;
 * ENOMEM.
 */
#define APQ_IOC_SESSION_CREATE	_IOW(APQ_IOC_MAGIC, 0x01, struct apq_session_create)

/*
 * APQ_IOC_SESSION_DESTROY - end a session; the argument is the number itself.
 * Requests in flight finish first, the key is wiped with the last of them.
 * Returns 0, or ENOENT: no such session on this file.
 */
#define APQ_IOC_SESSION_DESTROY	_IO(APQ_IOC_MAGIC, 0x02)

/*
 * APQ_IOC_CRYPT - do one request and wait for it. Returns the bytes written
 * to dst. EFAULT bad address; EINVAL bad op, length, or reserved field; ENOENT
 * no such session on this file; EMSGSIZE src_len over APQ_MAX_DATA_LEN, or
 * dst_len over APQ_MAX_RANDOM_LEN;
 * ENOSPC dst_len too small; ENODEV no online card can do it; EIO ten cards in
 * turn failed; ETIMEDOUT; EINTR a signal came first; ENOMEM.
 */
#define APQ_IOC_CRYPT		_IOW(APQ_IOC_MAGIC, 0x03, struct apq_op)

#endif /* _UAPI_LINUX_APQ_H */
