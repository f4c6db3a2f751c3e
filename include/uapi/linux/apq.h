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
 *    buffers that the structure names; struct apq_submit alone has fields at
 *    its end that the kernel writes;
 *  - arrays come with the size of their elements. Later versions make elements
 *    longer at the end, where zero means what it was before: an element may be
 *    longer than the kernel knows if the rest of it is zero, else E2BIG.
 *
 * One request: APQ_IOC_CRYPT, or APQ_IOC_RUN which has all the fields. Many at
 * once: APQ_IOC_SUBMIT takes an array of requests and does not wait for them,
 * APQ_IOC_REAP collects their results, and poll(2), epoll(7) or an eventfd
 * tells when there are some. APQ_IOC_SUBMIT and what belongs to it work for one
 * process at a time: the data of a request lies in its memory. See apq(4).
 */
#ifndef _UAPI_LINUX_APQ_H
#define _UAPI_LINUX_APQ_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define APQ_ABI_VERSION		2

/* Largest data of one request in bytes, AEAD data and tag included. */
#define APQ_MAX_DATA_LEN	(1U << 20)
/* Longest symmetric key in bytes: two AES-256 keys of XTS. */
#define APQ_MAX_KEY_LEN		64
/* Longest key of RSA: five values of 2048 bits in CRT form. */
#define APQ_MAX_RSA_KEY_LEN	1280
/* Longest modulus in bytes. */
#define APQ_MAX_MOD_LEN		512
/* Bytes of IV in a request; an algorithm uses the first ivsize of them. */
#define APQ_IV_LEN		16
/* Random bytes of one request. */
#define APQ_MAX_RANDOM_LEN	4096
/* Sessions that one open file can hold. */
#define APQ_MAX_SESSIONS	1024
/* Requests of one file that are submitted and not reaped yet. */
#define APQ_MAX_IN_FLIGHT	1024
/* Ranges of memory that the input or the output of a request can have. */
#define APQ_MAX_IOV		16
/* Additional authenticated data of a request in bytes. */
#define APQ_MAX_AAD_LEN		4096
/* Bytes of an authentication tag, if the session does not say less. */
#define APQ_TAG_LEN		16

/**
 * enum apq_alg - algorithms, also the bit numbers in &struct apq_info.algs
 * @APQ_ALG_AES_ECB: AES, 16, 24 or 32 key bytes, no IV
 * @APQ_ALG_AES_CBC: AES, 16, 24 or 32 key bytes, 16 bytes of IV
 * @APQ_ALG_AES_CTR: AES, 16, 24 or 32 key bytes, 16 bytes of counter block
 * @APQ_ALG_AES_XTS: AES, two keys of 16, 24 or 32 bytes, 16 bytes of tweak; 16
 *		     bytes of data or more
 * @APQ_ALG_AES_GCM: AES, 16, 24 or 32 key bytes, 12 bytes of nonce; the tag
 *		     follows the ciphertext
 * @APQ_ALG_DES3_CBC: three-key triple DES, 24 key bytes, 8 bytes of IV
 * @APQ_ALG_RC4: RC4, 5 to 64 key bytes, each request starts the key stream
 *		 anew; insecure, only there with the module's parameter legacy=1
 * @APQ_ALG_RSA_ME: raw RSA; the key is exponent and modulus, mod_len bytes each,
 *		    big endian
 * @APQ_ALG_RSA_CRT: raw RSA; the key is p, q, d mod (p-1), d mod (q-1) and
 *		     1/q mod p, (mod_len + 1) / 2 bytes each, p > q
 * @APQ_ALG_RANDOM: random bytes; no session, see APQ_OP_RANDOM
 */
enum apq_alg {
	APQ_ALG_AES_ECB		= 1,
	APQ_ALG_AES_CBC		= 2,
	APQ_ALG_AES_CTR		= 3,
	APQ_ALG_AES_XTS		= 4,
	APQ_ALG_AES_GCM		= 5,
	APQ_ALG_DES3_CBC	= 6,
	APQ_ALG_RC4		= 7,
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
 * @APQ_OP_RSA: raw RSA of mod_len bytes, big endian, below the modulus
 */
enum apq_op_code {
	APQ_OP_ENCRYPT		= 1,
	APQ_OP_DECRYPT		= 2,
	APQ_OP_RANDOM		= 3,
	APQ_OP_RSA		= 4,
};

/**
 * struct apq_info - answer of APQ_IOC_INFO
 * @abi_version: APQ_ABI_VERSION of the module
 * @nr_cards: cards that are registered, online or not
 * @algs: bit (1 << enum apq_alg) for each algorithm some online card can do
 * @max_data_len: largest data of one request in bytes
 * @max_sessions: sessions one open file can hold
 * @max_in_flight: requests of one file that are submitted and not reaped
 * @max_iov: ranges of memory of the input or the output of a request
 * @max_aad_len: bytes of additional authenticated data
 * @reserved2: zero
 * @reserved: zero
 */
struct apq_info {
	__u32 abi_version;
	__u32 nr_cards;
	__u64 algs;
	__u32 max_data_len;
	__u32 max_sessions;
	__u32 max_in_flight;
	__u32 max_iov;
	__u32 max_aad_len;
	__u32 reserved2;
	__u64 reserved[3];
};

/**
 * struct apq_session_create - argument of APQ_IOC_SESSION_CREATE
 * @alg: enum apq_alg
 * @flags: reserved
 * @key: address of the key
 * @key_len: bytes at @key, a length the algorithm allows
 * @tag_len: AEAD: bytes of the tag: 4, 8, 12 to 16; 0 for 16; else zero
 * @mod_len: RSA: bytes of the modulus, 1 to APQ_MAX_MOD_LEN; else zero
 * @reserved: reserved
 */
struct apq_session_create {
	__u32 alg;
	__u32 flags;
	__u64 key;
	__u32 key_len;
	__u32 tag_len;
	__u32 mod_len;
	__u32 reserved;
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

/**
 * struct apq_iovec - a range of memory
 * @base: address
 * @len: bytes, 1 or more
 */
struct apq_iovec {
	__u64 base;
	__u64 len;
};

/**
 * struct apq_entry - a request of APQ_IOC_RUN and APQ_IOC_SUBMIT
 * @user_data: comes back with the result; any value
 * @session: number of a session of this file
 * @op: enum apq_op_code
 * @src_nr: 0: @src is the address of the input; else @src is the address of
 *	    so many struct apq_iovec, at most APQ_MAX_IOV
 * @dst_nr: the same for @dst
 * @flags: reserved
 * @src: input
 * @dst: output; where it is the input, range by range, work is done in place
 * @src_len: bytes of input; of ranges, their sum
 * @dst_len: bytes of room for output; of ranges, their sum
 * @aad: address of additional authenticated data (AEAD)
 * @aad_len: its bytes, at most APQ_MAX_AAD_LEN
 * @reserved: reserved
 * @deadline_ns: CLOCK_MONOTONIC; not done by then, the request ends with
 *		 ETIMEDOUT; 0 for twice the module's request_timeout from now
 * @iv: IV, nonce or counter block; what the algorithm does not use is zero
 * @reserved2: reserved
 *
 * The input of APQ_IOC_SUBMIT may be changed after the result was reaped, not
 * before. The output is there when the result has been reaped.
 */
struct apq_entry {
	__u64 user_data;
	__u32 session;
	__u8  op;
	__u8  src_nr;
	__u8  dst_nr;
	__u8  flags;
	__u64 src;
	__u64 dst;
	__u32 src_len;
	__u32 dst_len;
	__u64 aad;
	__u32 aad_len;
	__u32 reserved;
	__u64 deadline_ns;
	__u8  iv[APQ_IV_LEN];
	__u64 reserved2[2];
};

/**
 * struct apq_submit - argument of APQ_IOC_SUBMIT
 * @entries: address of an array of struct apq_entry
 * @nr: how many, 1 or more
 * @entry_size: sizeof(struct apq_entry)
 * @flags: reserved
 * @reserved: reserved
 * @accepted: written: how many were accepted, from the first on
 * @error: written: 0, or the errno for which entry number @accepted was not
 */
struct apq_submit {
	__u64 entries;
	__u32 nr;
	__u32 entry_size;
	__u32 flags;
	__u32 reserved;
	__u32 accepted;
	__u32 error;
};

/**
 * struct apq_completion - result of a request
 * @user_data: of the request
 * @result: bytes written to its output, or -errno: as APQ_IOC_RUN returns,
 *	    and -ECANCELED
 * @reserved: zero
 */
struct apq_completion {
	__u64 user_data;
	__s32 result;
	__u32 reserved;
};

/**
 * struct apq_reap - argument of APQ_IOC_REAP
 * @completions: address of an array of struct apq_completion
 * @max: its length, 1 or more
 * @min: wait for so many, at most @max; fewer come back when no more are in
 *	 flight
 * @completion_size: sizeof(struct apq_completion)
 * @flags: reserved
 * @timeout_ns: wait at most so long; 0: do not wait; -1: no limit
 * @reserved: reserved
 */
struct apq_reap {
	__u64 completions;
	__u32 max;
	__u32 min;
	__u32 completion_size;
	__u32 flags;
	__s64 timeout_ns;
	__u64 reserved;
};

/* All requests of the file, whatever their user_data. */
#define APQ_CANCEL_ALL		(1U << 0)

/**
 * struct apq_cancel - argument of APQ_IOC_CANCEL
 * @user_data: which requests
 * @flags: APQ_CANCEL_ALL, and @user_data must be zero
 * @reserved: reserved
 */
struct apq_cancel {
	__u64 user_data;
	__u32 flags;
	__u32 reserved;
};

/**
 * struct apq_file_mode - argument of APQ_IOC_SET_MODE
 * @name: completion mode, ends with a zero byte
 * @flags: reserved
 * @reserved: reserved
 */
struct apq_file_mode {
	char  name[16];
	__u32 flags;
	__u32 reserved[3];
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
 * EFAULT bad address; EINVAL unknown algorithm, key, tag or modulus length the
 * algorithm does not have, reserved field not zero; ENOKEY the algorithm refuses this key;
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

/*
 * APQ_IOC_RUN - do one request and wait for it. Returns the bytes written to
 * its output. The errors of APQ_IOC_CRYPT, and EBADMSG: the tag does not match
 * and the output, where it was written to, is zero.
 */
#define APQ_IOC_RUN		_IOW(APQ_IOC_MAGIC, 0x04, struct apq_entry)

/*
 * APQ_IOC_SUBMIT - submit requests and do not wait. Returns how many of them
 * were accepted, from the first on; each of these will have one completion. If
 * it was not the first one that was refused, @error says why. An accepted
 * request has been checked and its input been read or pinned; one that was not
 * has left no trace. In mode caller an idle software card computes in this
 * call. Errors of an entry as for APQ_IOC_RUN up to ENODEV, and EAGAIN: the file
 * has APQ_MAX_IN_FLIGHT requests, reap some; ENOBUFS: RLIMIT_MEMLOCK does not
 * allow to pin so much, wait for some; EINTR a signal came; EPERM: another
 * process has requests in flight on this file; E2BIG unknown part of an entry
 * not zero; EINVAL nr or entry_size.
 */
#define APQ_IOC_SUBMIT		_IOWR(APQ_IOC_MAGIC, 0x05, struct apq_submit)

/*
 * APQ_IOC_REAP - collect results. Returns how many, in no particular order;
 * 0: the time is over, or nothing is in flight. EINTR a signal came before the
 * first; EFAULT: none is lost; EPERM as above; EINVAL.
 */
#define APQ_IOC_REAP		_IOW(APQ_IOC_MAGIC, 0x06, struct apq_reap)

/*
 * APQ_IOC_CANCEL - take requests back; each completes with ECANCELED. Returns
 * how many were. ENOENT no such request in flight; EALREADY a card works on it,
 * its completion will come; EPERM as above; EINVAL.
 */
#define APQ_IOC_CANCEL		_IOW(APQ_IOC_MAGIC, 0x07, struct apq_cancel)

/*
 * APQ_IOC_EVENTFD - signal an eventfd(2) when results are there; the argument
 * is the descriptor itself, -1 for none. Returns 0; EBADF; EINVAL no eventfd.
 */
#define APQ_IOC_EVENTFD		_IO(APQ_IOC_MAGIC, 0x08)

/*
 * APQ_IOC_SET_MODE - choose the completion mode of this file, once. It runs
 * beside the active one, for requests of this file. Returns 0; EBUSY a mode was
 * chosen before; EINVAL no such mode; EFAULT; ENOMEM.
 */
#define APQ_IOC_SET_MODE	_IOW(APQ_IOC_MAGIC, 0x09, struct apq_file_mode)

/*
 * APQ_IOC_SESSION_EXPORT - a descriptor for a session, to be passed to other
 * processes; the argument is the number of the session. It holds the key until
 * it is closed. Returns the descriptor, with close-on-exec; ENOENT; EMFILE.
 */
#define APQ_IOC_SESSION_EXPORT	_IO(APQ_IOC_MAGIC, 0x0a)

/*
 * APQ_IOC_SESSION_IMPORT - use a session by its descriptor, which is the
 * argument. Returns a number of this file as APQ_IOC_SESSION_CREATE does; EBADF;
 * EINVAL no descriptor of a session; ENOSPC; ENOMEM.
 */
#define APQ_IOC_SESSION_IMPORT	_IO(APQ_IOC_MAGIC, 0x0b)

#endif /* _UAPI_LINUX_APQ_H */
