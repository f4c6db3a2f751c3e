/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * libapq - crypto accelerators behind an adapter queue
 *
 * Every function returns 0 or a positive count on success and -errno on
 * failure, unless its text says otherwise. The library does not touch errno,
 * does not print and does not exit. Handles are opaque. A struct apq may be
 * used by several threads at once; a struct apq_cipher may too, since the IV
 * belongs to the call. Closing a handle that another thread uses is a bug of
 * the caller. A child of fork() may use, free and close what it inherits; that
 * does nothing to the parent's, but keys go when the parent frees them.
 */
#ifndef LIBAPQ_H
#define LIBAPQ_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** enum apq_backend - the way to the accelerator */
enum apq_backend {
	APQ_BACKEND_AUTO	= 0,	/* device, else AF_ALG, else z90crypt */
	APQ_BACKEND_DEVICE	= 1,	/* /dev/apq: everything */
	APQ_BACKEND_Z90CRYPT	= 2,	/* /dev/z90crypt: RSA only */
	APQ_BACKEND_AFALG	= 3,	/* AF_ALG through libkcapi: symmetric */
};

/** enum apq_cipher_alg - symmetric algorithms */
enum apq_cipher_alg {
	APQ_AES_ECB	= 1,	/* key 16, 24, 32; no IV; whole blocks of 16 */
	APQ_AES_CBC	= 2,	/* key 16, 24, 32; IV 16; whole blocks of 16 */
	APQ_AES_CTR	= 3,	/* key 16, 24, 32; IV 16; any length */
	/* back end "apq" only */
	APQ_AES_XTS	= 4,	/* two keys of 16, 24, 32; IV 16; 16 bytes or more */
	APQ_AES_GCM	= 5,	/* key 16, 24, 32; IV 12; AEAD, see below */
	APQ_DES3_CBC	= 6,	/* key 24; IV 8; whole blocks of 8 */
	/* back end "apq" only, module's legacy=1: insecure; each call starts anew */
	APQ_RC4		= 7,	/* key 5 to 64; no IV; any length */
};

struct apq;		/* an open back end */
struct apq_cipher;	/* a key inside a back end */

/**
 * apq_open() - open a back end
 * @h:		receives the handle
 * @backend:	which one; APQ_BACKEND_AUTO takes the first that opens
 *
 * Return: 0; -ENODEV no such device or address family here; -EACCES no
 * permission; -ELIBACC AF_ALG is there, libkcapi is not; -EINVAL unknown
 * @backend; -ENOMEM.
 */
int apq_open(struct apq **h, enum apq_backend backend);

/* What a back end can do */
#define APQ_CAP_CIPHER	(1U << 0)	/* apq_cipher_new() */
#define APQ_CAP_RSA	(1U << 1)	/* apq_rsa_modexpo(), apq_rsa_crt() */
#define APQ_CAP_AEAD	(1U << 2)	/* apq_aead_encrypt(), apq_aead_decrypt() */
#define APQ_CAP_ASYNC	(1U << 3)	/* apq_submit() and what is with it */

/**
 * apq_open_for() - open a back end that can do what is needed
 * @h:		receives the handle
 * @caps:	APQ_CAP_* bits, all of which are needed
 *
 * Takes the first of device, AF_ALG, z90crypt that has all of @caps and opens.
 *
 * Return: 0; -ENOTSUP no back end has all of @caps; -EINVAL unknown bit; else as
 * apq_open() with APQ_BACKEND_AUTO.
 */
int apq_open_for(struct apq **h, unsigned int caps);

/** apq_caps() - APQ_CAP_* bits of an open back end, 0 for NULL */
unsigned int apq_caps(const struct apq *h);

/** apq_close() - close a back end; free its ciphers before; NULL is allowed */
void apq_close(struct apq *h);

/** apq_backend() - the back end that apq_open() took */
enum apq_backend apq_backend(const struct apq *h);

/** apq_backend_name() - its name: "apq", "z90crypt" or "afalg" */
const char *apq_backend_name(const struct apq *h);

/**
 * struct apq_afalg_info - what AF_ALG of this kernel lets this process have
 * @family:	0; -ENODEV no such address family; -EACCES no permission
 * @library:	0; -ELIBACC no libkcapi, which APQ_BACKEND_AFALG needs
 * @restricted:	crypto.af_alg_restrict of Linux 7.3 and newer: 0 anything, 1 a
 *		list of names that has no driver in it, 2 nothing; -1 no such
 *		setting
 * @name:	0 or why the name is refused: -ENOENT no such algorithm, or one
 *		that AF_ALG may not have (asynchronous drivers from Linux 7.2,
 *		names that @restricted shuts out); -EACCES; as @family
 * @async:	1 the driver is asynchronous; 0 it is not; -1 not known
 * @driver:	the driver that answered; empty if that is not known
 */
struct apq_afalg_info {
	int family;
	int library;
	int restricted;
	int name;
	int async;
	char driver[128];
};

/**
 * apq_afalg_probe() - ask the running kernel what AF_ALG gives
 * @type:	"skcipher", "aead" and so on; not looked at if @name is NULL
 * @name:	name of an algorithm or a driver, like "cbc(aes)"; may be NULL
 * @info:	receives the answers
 *
 * Binds a socket to @name, which can load modules, and finds the driver by its
 * count of users in /proc/crypto. Needs no open back end.
 *
 * Return: 0, whatever the answers are; -EINVAL an argument is NULL or longer than
 * AF_ALG takes; -ENOMEM.
 */
int apq_afalg_probe(const char *type, const char *name,
		    struct apq_afalg_info *info);

/**
 * apq_cipher_new() - give a key to the back end
 * @h:		open back end
 * @alg:	algorithm
 * @driver:	kernel driver to name over AF_ALG, NULL for the one of apq
 *		("cbc-aes-apq" and so on); must be NULL for other back ends
 * @key:	the key; the library keeps no copy
 * @key_len:	its bytes
 * @c:		receives the handle
 *
 * Return: 0; -EINVAL key length or algorithm; -ENOTSUP the back end does not have
 * the algorithm; -ENOENT no such driver; -ENODEV no card, or no netlink
 * socket of the kernel crypto API (module crypto_user), which libkcapi needs;
 * -ENOKEY the algorithm refuses the key; -ENOSPC the handle has 1024 ciphers
 * (/dev/apq); -EMFILE, -ENFILE no file descriptor left (AF_ALG); -ENOMEM.
 */
int apq_cipher_new(struct apq *h, enum apq_cipher_alg alg, const char *driver,
		   const void *key, size_t key_len, struct apq_cipher **c);

/**
 * apq_software_below() - compute short requests in the calling thread
 * @h:		open back end
 * @len:	requests of less than this many bytes, 0 to 1048577; 0, the default,
 *		is none
 *
 * Holds for ciphers made from now on. They keep the key in the kernel and in the
 * memory of the process, where libcrypto computes; the driver that was chosen and
 * the cards do not see such a request. A bad address is a fault there, no
 * -EFAULT. Call it before other threads make ciphers of @h.
 *
 * Return: 0; -ELIBACC no libcrypto (OpenSSL 3); -ENOTSUP the back end has no
 * symmetric ciphers; -EINVAL @h is NULL or @len too large.
 */
int apq_software_below(struct apq *h, size_t len);

/**
 * apq_software_requests() - count requests that went that way
 * @c:		key
 *
 * Return: how many on @c; 0 for NULL. Where a long has 32 bits it wraps there.
 */
uint64_t apq_software_requests(const struct apq_cipher *c);

/** apq_cipher_free() - forget the key; NULL is allowed */
void apq_cipher_free(struct apq_cipher *c);

/** apq_cipher_ivsize() - bytes of IV the algorithm takes: 0, 8, 12 or 16 */
size_t apq_cipher_ivsize(const struct apq_cipher *c);

/** apq_cipher_blocksize() - lengths must be a multiple of this: 1, 8 or 16 */
size_t apq_cipher_blocksize(const struct apq_cipher *c);

/**
 * apq_encrypt() - encrypt, waits for the answer
 * @c:		key
 * @iv:		apq_cipher_ivsize() bytes, not changed; NULL if that is 0
 * @src:	input
 * @dst:	output, equal to @src or not overlapping it
 * @len:	bytes, 1 to 1048576, a multiple of the block size
 *
 * A call that a signal interrupts is not started again. Over AF_ALG it needs
 * file descriptors when more calls than ever before run at once on @c.
 *
 * Return: @len; -EINVAL length, or @c is an AEAD; -EMSGSIZE more than 1 MiB; -EFAULT address;
 * -ENODEV no online card can do it; -EIO cards failed; -ETIMEDOUT; -EINTR;
 * -EMFILE, -ENFILE (AF_ALG); -ENOMEM.
 */
long apq_encrypt(struct apq_cipher *c, const void *iv, const void *src,
		 void *dst, size_t len);

/**
 * apq_decrypt() - decrypt, waits for the answer
 * @c:		key
 * @iv:		as for apq_encrypt()
 * @src:	input
 * @dst:	output, equal to @src or not overlapping it
 * @len:	as for apq_encrypt()
 *
 * Return: as apq_encrypt().
 */
long apq_decrypt(struct apq_cipher *c, const void *iv, const void *src,
		 void *dst, size_t len);

/** apq_cipher_tagsize() - bytes of the tag of an AEAD: 16; 0 for others */
size_t apq_cipher_tagsize(const struct apq_cipher *c);

/**
 * apq_aead_encrypt() - encrypt and authenticate, waits for the answer
 * @c:		key of an AEAD
 * @iv:		nonce, apq_cipher_ivsize() bytes; never twice with one key
 * @aad:	data that is authenticated only; NULL if @aad_len is 0
 * @aad_len:	its bytes, 0 to 4096
 * @src:	input; NULL if @len is 0
 * @dst:	output, equal to @src or not overlapping it: @len bytes and the tag
 * @len:	bytes, 0 to 1048560
 *
 * Return: @len + apq_cipher_tagsize(); else as apq_encrypt(). -EINVAL also if @c
 * is no AEAD.
 */
long apq_aead_encrypt(struct apq_cipher *c, const void *iv, const void *aad,
		      size_t aad_len, const void *src, void *dst, size_t len);

/**
 * apq_aead_decrypt() - decrypt what is authentic, waits for the answer
 * @c:		key of an AEAD
 * @iv:		as for apq_aead_encrypt()
 * @aad:	as for apq_aead_encrypt()
 * @aad_len:	as for apq_aead_encrypt()
 * @src:	input: ciphertext and tag
 * @dst:	output, equal to @src or not overlapping it; NULL if there is no
 *		ciphertext
 * @len:	bytes of input, apq_cipher_tagsize() to 1048576
 *
 * Return: @len - apq_cipher_tagsize(); -EBADMSG the tag does not match, nothing of
 * the text is at @dst; else as apq_aead_encrypt().
 */
long apq_aead_decrypt(struct apq_cipher *c, const void *iv, const void *aad,
		      size_t aad_len, const void *src, void *dst, size_t len);

/**
 * apq_cipher_export() - a descriptor that carries the key
 * @c:		key
 *
 * To be passed to another process over a UNIX socket or inherited; close-on-exec
 * is set. It holds the key until it is closed and belongs to the caller.
 *
 * Return: the descriptor; -ENOTSUP the back end has none; -EMFILE, -ENFILE;
 * -ENOMEM; -EINVAL.
 */
int apq_cipher_export(struct apq_cipher *c);

/**
 * apq_cipher_import() - use the key that a descriptor carries
 * @h:		open back end
 * @alg:	algorithm of the key; with another one requests fail with -EINVAL or
 *		-ENOSPC, or give what the key's own algorithm gives
 * @fd:		from apq_cipher_export(); may be closed then
 * @c:		receives the handle
 *
 * Software of apq_software_below() has no part in it, for lack of the key.
 *
 * Return: 0; -EINVAL no descriptor of a key, or unknown @alg; -EBADF; -ENOTSUP;
 * -ENOSPC the handle has 1024 ciphers; -ENOMEM.
 */
int apq_cipher_import(struct apq *h, enum apq_cipher_alg alg, int fd,
		      struct apq_cipher **c);

/**
 * struct apq_rsa_me - operands of a modular exponentiation, big endian
 * @len:	bytes of every operand, 1 to 512
 * @in:		input, smaller than the modulus
 * @exp:	exponent
 * @mod:	modulus, odd
 * @out:	receives @len bytes
 */
struct apq_rsa_me {
	size_t len;
	const uint8_t *in, *exp, *mod;
	uint8_t *out;
};

/**
 * struct apq_rsa_crt - operands of an RSA private operation in CRT form
 * @len:	bytes of @in and @out, the modulus length, 2 to 512
 * @in:		input, smaller than the modulus
 * @p:		prime, larger than @q; (@len + 1) / 2 bytes, left padded with 0
 * @q:		the other prime, as long as @p
 * @dp:		d mod (p - 1), as long as @p
 * @dq:		d mod (q - 1), as long as @p
 * @qinv:	q^-1 mod p, as long as @p
 * @out:	receives @len bytes
 */
struct apq_rsa_crt {
	size_t len;
	const uint8_t *in, *p, *q, *dp, *dq, *qinv;
	uint8_t *out;
};

/**
 * apq_rsa_modexpo() - modular exponentiation, waits for the answer
 * @h:		open back end
 * @op:		operands
 *
 * Return: 0; -EINVAL operand the card refuses (even or zero modulus, input not
 * below the modulus, length 0); -ENODEV no online card takes this length;
 * -ENOTSUP the back end has no RSA; -EFAULT address; -EIO; -EINTR, not started
 * again; -ENOMEM; over /dev/apq -ENOSPC the handle has 1024 ciphers, -ETIMEDOUT.
 */
int apq_rsa_modexpo(struct apq *h, const struct apq_rsa_me *op);

/**
 * apq_rsa_crt() - RSA private operation in CRT form, waits for the answer
 * @h:		open back end
 * @op:		operands
 *
 * Return: as apq_rsa_modexpo(); -EINVAL also for p <= q, which cards do not
 * notice.
 */
int apq_rsa_crt(struct apq *h, const struct apq_rsa_crt *op);

/**
 * apq_random() - random bytes of the kernel, fast for many threads
 * @buf:	receives them
 * @len:	bytes, any number; nothing happens if it is 0
 *
 * Each thread has a page of bytes that getrandom(2) filled; calls of up to 1024
 * bytes are served from there, longer ones by the kernel. Bytes are wiped as they
 * are handed out, the rest when the thread ends. A child of fork() never gets
 * bytes of its parent. Needs no open back end and no card, takes no lock, and
 * may be called by a signal handler, unless it is the first call of its thread.
 * Never waits for entropy.
 *
 * Return: 0, all of @buf is random; -EINVAL @buf is NULL; -EAGAIN the kernel's
 * generator is not initialized yet (early boot); -ENOSYS no getrandom(2). After
 * an error @buf must not be used.
 */
int apq_random(void *buf, size_t len);

/*
 * The adapter: cards and completion modes of the running module. These read
 * and write sysfs and need no open back end. A sysfs that is mounted read-only
 * gives -EROFS to those that write.
 */

/**
 * struct apq_card_info - a card
 * @id:		card number, XX of cardXX
 * @type:	AP type text, like "CEX8A"
 * @engine:	what really computes: the kernel drivers behind the card; empty
 *		for a card of the s390 kernel
 * @online:	1 if it takes requests
 * @depth:	requests each of its queues holds at once
 * @requests:	requests answered since load or since the count was reset
 * @pending:	requests in flight now, those that wait for the card included
 * @service_ns:	time the engine spent computing answers, in nanoseconds; 0 for
 *		a card of the s390 kernel
 */
struct apq_card_info {
	unsigned int id;
	char type[16];
	char engine[256];
	int online;
	unsigned int depth;
	uint64_t requests;
	uint64_t pending;
	uint64_t service_ns;
};

/**
 * apq_cards() - list the cards
 * @cards:	array to fill, may be NULL if @max is 0
 * @max:	its length
 *
 * Cards are in the order of their numbers. Text that is too long is cut.
 *
 * Return: how many cards there are, which may be more than @max; -ENODEV the
 * adapter bus is not there; -EIO a file of a card does not parse.
 */
int apq_cards(struct apq_card_info *cards, size_t max);

/**
 * apq_mode_get() - name of the active completion mode
 * @buf:	receives a string; 16 bytes are enough
 * @len:	room at @buf in bytes
 *
 * Return: 0; -ENODEV no adapter; -ENOSPC @len too small; -EIO the list of
 * modes does not parse.
 */
int apq_mode_get(char *buf, size_t len);

/**
 * apq_mode_list() - names of all modes the module knows, separated by spaces
 * @buf:	receives a string; 256 bytes are enough
 * @len:	room at @buf in bytes
 *
 * Return: 0; -ENODEV no adapter; -ENOSPC @len too small; -EIO the list of
 * modes does not parse.
 */
int apq_mode_list(char *buf, size_t len);

/**
 * apq_mode_set() - change the completion mode; requests in flight go on
 * @mode:	its name
 *
 * Return: 0; -EINVAL no such mode; -EACCES not root; -ENODEV.
 */
int apq_mode_set(const char *mode);

/**
 * apq_poll_timeout_get() - interval of mode hrtimer
 * @ns:		receives nanoseconds
 *
 * Return: 0; -ENODEV no adapter; -EIO the file does not parse.
 */
int apq_poll_timeout_get(uint64_t *ns);

/**
 * apq_poll_timeout_set() - change the interval of mode hrtimer
 * @ns:		nanoseconds, 1 to 120000000000
 *
 * Return: 0; -EINVAL out of range; -EACCES not root; -ENODEV no adapter.
 */
int apq_poll_timeout_set(uint64_t ns);

/** apq_version() - version of the library, like "0.1.0" */
const char *apq_version(void);

#ifdef __cplusplus
}
#endif

#include "libapq_async.h"
#include "libapq_suite.h"

#endif /* LIBAPQ_H */
