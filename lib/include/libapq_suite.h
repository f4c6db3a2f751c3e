/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * libapq - cipher suites of TLS; part of libapq.h, which includes it
 *
 * Which key exchange, cipher and MAC a suite means, from its name or its number
 * in the registry of IANA. Needs no open back end; nothing here allocates.
 */
#ifndef LIBAPQ_SUITE_H
#define LIBAPQ_SUITE_H

#include <stdint.h>

#include "libapq.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum apq_suite_kx - key exchange and who proves himself with what */
enum apq_suite_kx {
	APQ_KX_NULL		= 0,	/* none */
	APQ_KX_ANY		= 1,	/* TLS 1.3: negotiated apart */
	APQ_KX_RSA		= 2,
	APQ_KX_DH_DSS		= 3,
	APQ_KX_DH_RSA		= 4,
	APQ_KX_DHE_DSS		= 5,
	APQ_KX_DHE_RSA		= 6,
	APQ_KX_DH_ANON		= 7,
	APQ_KX_KRB5		= 8,
	APQ_KX_PSK		= 9,
	APQ_KX_DHE_PSK		= 10,
	APQ_KX_RSA_PSK		= 11,
	APQ_KX_ECDH_ECDSA	= 12,
	APQ_KX_ECDHE_ECDSA	= 13,
	APQ_KX_ECDH_RSA		= 14,
	APQ_KX_ECDHE_RSA	= 15,
	APQ_KX_ECDH_ANON	= 16,
	APQ_KX_ECDHE_PSK	= 17,
	APQ_KX_SRP_SHA		= 18,
	APQ_KX_SRP_SHA_RSA	= 19,
	APQ_KX_SRP_SHA_DSS	= 20,
	APQ_KX_ECCPWD		= 21,
	APQ_KX_GOST		= 22,
};

/** enum apq_suite_cipher - cipher of the data; key sizes are apart */
enum apq_suite_cipher {
	APQ_CIPHER_NULL			= 0,
	APQ_CIPHER_RC4			= 1,
	APQ_CIPHER_RC2_CBC		= 2,
	APQ_CIPHER_DES_CBC		= 3,
	APQ_CIPHER_DES3_CBC		= 4,
	APQ_CIPHER_IDEA_CBC		= 5,
	APQ_CIPHER_SEED_CBC		= 6,
	APQ_CIPHER_AES_CBC		= 7,
	APQ_CIPHER_AES_GCM		= 8,
	APQ_CIPHER_AES_CCM		= 9,
	APQ_CIPHER_AES_CCM_8		= 10,
	APQ_CIPHER_CAMELLIA_CBC		= 11,
	APQ_CIPHER_CAMELLIA_GCM		= 12,
	APQ_CIPHER_ARIA_CBC		= 13,
	APQ_CIPHER_ARIA_GCM		= 14,
	APQ_CIPHER_CHACHA20_POLY1305	= 15,
	APQ_CIPHER_SM4_GCM		= 16,
	APQ_CIPHER_SM4_CCM		= 17,
	APQ_CIPHER_AEGIS_128L		= 18,
	APQ_CIPHER_AEGIS_256		= 19,
	APQ_CIPHER_GOST28147_CNT	= 20,
	APQ_CIPHER_KUZNYECHIK_CTR	= 21,
	APQ_CIPHER_MAGMA_CTR		= 22,
	APQ_CIPHER_KUZNYECHIK_MGM	= 23,
	APQ_CIPHER_MAGMA_MGM		= 24,
};

/** enum apq_suite_mac - what keeps records from being changed */
enum apq_suite_mac {
	APQ_MAC_NONE	= 0,
	APQ_MAC_AEAD	= 1,	/* the cipher itself */
	APQ_MAC_MD5	= 2,	/* HMAC, as the next three */
	APQ_MAC_SHA1	= 3,
	APQ_MAC_SHA256	= 4,
	APQ_MAC_SHA384	= 5,
	APQ_MAC_OMAC	= 6,
	APQ_MAC_IMIT	= 7,
};

/*
 * Hash of the PRF of TLS 1.2 or of HKDF in TLS 1.3. Versions before 1.2 use MD5
 * and SHA-1 together, whatever this says.
 */
/** enum apq_suite_prf - hash that keys are derived with */
enum apq_suite_prf {
	APQ_PRF_NONE		= 0,
	APQ_PRF_SHA256		= 1,
	APQ_PRF_SHA384		= 2,
	APQ_PRF_SHA512		= 3,
	APQ_PRF_SM3		= 4,
	APQ_PRF_STREEBOG256	= 5,
};

/* IANA: "DTLS-OK" and "Recommended" */
#define APQ_SUITE_DTLS		(1U << 0)
#define APQ_SUITE_RECOMMENDED	(1U << 1)
/* A suite of TLS 1.3, which has no other */
#define APQ_SUITE_TLS13		(1U << 2)
#define APQ_SUITE_AEAD		(1U << 3)
/* The server signs or decrypts with an RSA key: apq_rsa_crt() */
#define APQ_SUITE_RSA		(1U << 4)
/* Fresh Diffie-Hellman keys each time; suites of TLS 1.3 do not say */
#define APQ_SUITE_EPHEMERAL	(1U << 5)
/* Weakened for export */
#define APQ_SUITE_EXPORT	(1U << 6)
/* No suite but a signal that clients send in the list of suites */
#define APQ_SUITE_SIGNAL	(1U << 7)

/**
 * struct apq_suite - a cipher suite
 * @name:	as registered, like "TLS_RSA_WITH_AES_128_CBC_SHA"
 * @number:	as on the wire, first byte high: 0x002F
 * @key_bits:	bits of the cipher key that are secret: 40 for export, 168 for
 *		triple DES, 0 for no cipher
 * @key_len:	bytes of key that the cipher takes
 * @mac_bits:	bits of the MAC or of the tag, before any truncation
 * @kx:		key exchange
 * @cipher:	cipher
 * @mac:	MAC
 * @prf:	hash for keys
 * @flags:	APQ_SUITE_*
 *
 * These belong to the library and are there as long as the process. Later
 * versions may have more fields at the end.
 */
struct apq_suite {
	const char *name;
	uint16_t number;
	uint16_t key_bits;
	uint16_t key_len;
	uint16_t mac_bits;
	enum apq_suite_kx kx;
	enum apq_suite_cipher cipher;
	enum apq_suite_mac mac;
	enum apq_suite_prf prf;
	uint32_t flags;
};

/**
 * apq_suite_by_name() - look up a suite by its registered name
 * @name:	all of the name, letters in the registered case
 * @suite:	receives the suite; untouched on failure
 *
 * One hash and one comparison, however many suites there are.
 *
 * Return: 0; -ENOENT no suite has this name; -EINVAL an argument is NULL.
 */
int apq_suite_by_name(const char *name, const struct apq_suite **suite);

/**
 * apq_suite_by_number() - look up a suite by its number
 * @number:	0 to 0xFFFF
 * @suite:	receives the suite; untouched on failure
 *
 * Return: 0; -ENOENT the number is not assigned; -EINVAL @suite is NULL or
 * @number above 0xFFFF.
 */
int apq_suite_by_number(unsigned int number, const struct apq_suite **suite);

/**
 * apq_suite_next() - go through all suites in the order of their numbers
 * @suite:	one of the library's, or NULL for the first
 *
 * Return: the suite after @suite, NULL after the last.
 */
const struct apq_suite *apq_suite_next(const struct apq_suite *suite);

/**
 * apq_suite_alg() - algorithm of apq_cipher_new() for the data of a suite
 * @suite:	one of the library's
 * @alg:	receives the algorithm; its key has @key_len bytes
 *
 * Return: 0; -ENOTSUP libapq has no such algorithm, or the suite has no cipher;
 * -EINVAL an argument is NULL.
 */
int apq_suite_alg(const struct apq_suite *suite, enum apq_cipher_alg *alg);

/** apq_suite_kx_name() - like "ECDHE_RSA"; NULL if @kx is no key exchange */
const char *apq_suite_kx_name(enum apq_suite_kx kx);

/** apq_suite_cipher_name() - like "AES_CBC"; NULL if @cipher is none */
const char *apq_suite_cipher_name(enum apq_suite_cipher cipher);

/** apq_suite_mac_name() - like "SHA256"; NULL if @mac is none */
const char *apq_suite_mac_name(enum apq_suite_mac mac);

/** apq_suite_prf_name() - like "SHA384"; NULL if @prf is none */
const char *apq_suite_prf_name(enum apq_suite_prf prf);

#ifdef __cplusplus
}
#endif

#endif /* LIBAPQ_SUITE_H */
