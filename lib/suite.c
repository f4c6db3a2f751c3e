// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Cipher suites of TLS: name or number to what they mean
 *
 * The tables come from data/tls-cipher-suites.tsv: data/suites.awk takes the
 * names apart, gperf finds a hash without collisions for them.
 */
#include <errno.h>
#include <string.h>

#include "backend.h"
#include "suite_table.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NR_SUITES COUNT(suites)

/* @place: in suites[] */
struct suite_name {
	const char *name;
	uint16_t place;
};

/* What gperf writes is not static by itself. */
static const struct suite_name *suite_slot(const char *name, size_t len);
#include "suite_hash.h"

_Static_assert(TOTAL_KEYWORDS == NR_SUITES, "each suite has a name");

APQ_PUBLIC int apq_suite_by_name(const char *name,
				 const struct apq_suite **suite)
{
	const struct suite_name *slot;

	if (!name || !suite)
		return -EINVAL;
	/* the length is looked at first, so it need not be the whole one */
	slot = suite_slot(name, strnlen(name, MAX_WORD_LENGTH + 1));
	if (!slot)
		return -ENOENT;
	*suite = &suites[slot->place];
	return 0;
}

APQ_PUBLIC int apq_suite_by_number(unsigned int number,
				   const struct apq_suite **suite)
{
	unsigned int place;

	if (!suite || number > 0xffff)
		return -EINVAL;
	/* page 0 is empty */
	place = place_of[page_of[number >> 8]][number & 0xff];
	if (!place)
		return -ENOENT;
	*suite = &suites[place - 1];
	return 0;
}

APQ_PUBLIC const struct apq_suite *apq_suite_next(const struct apq_suite *suite)
{
	if (!suite)
		return &suites[0];
	if (suite < &suites[0] || suite >= &suites[NR_SUITES - 1])
		return NULL;
	return suite + 1;
}

APQ_PUBLIC int apq_suite_alg(const struct apq_suite *suite,
			     enum apq_cipher_alg *alg)
{
	if (!suite || !alg)
		return -EINVAL;
	switch (suite->cipher) {
	case APQ_CIPHER_AES_CBC:
		*alg = APQ_AES_CBC;
		return 0;
	case APQ_CIPHER_DES3_CBC:
		*alg = APQ_DES3_CBC;
		return 0;
	case APQ_CIPHER_AES_GCM:
		*alg = APQ_AES_GCM;
		return 0;
	case APQ_CIPHER_RC4:
		*alg = APQ_RC4;
		return 0;
	default:
		return -ENOTSUP;
	}
}

static const char *const kx_names[] = {
	[APQ_KX_NULL]		= "NULL",
	[APQ_KX_ANY]		= "ANY",
	[APQ_KX_RSA]		= "RSA",
	[APQ_KX_DH_DSS]		= "DH_DSS",
	[APQ_KX_DH_RSA]		= "DH_RSA",
	[APQ_KX_DHE_DSS]	= "DHE_DSS",
	[APQ_KX_DHE_RSA]	= "DHE_RSA",
	[APQ_KX_DH_ANON]	= "DH_anon",
	[APQ_KX_KRB5]		= "KRB5",
	[APQ_KX_PSK]		= "PSK",
	[APQ_KX_DHE_PSK]	= "DHE_PSK",
	[APQ_KX_RSA_PSK]	= "RSA_PSK",
	[APQ_KX_ECDH_ECDSA]	= "ECDH_ECDSA",
	[APQ_KX_ECDHE_ECDSA]	= "ECDHE_ECDSA",
	[APQ_KX_ECDH_RSA]	= "ECDH_RSA",
	[APQ_KX_ECDHE_RSA]	= "ECDHE_RSA",
	[APQ_KX_ECDH_ANON]	= "ECDH_anon",
	[APQ_KX_ECDHE_PSK]	= "ECDHE_PSK",
	[APQ_KX_SRP_SHA]	= "SRP_SHA",
	[APQ_KX_SRP_SHA_RSA]	= "SRP_SHA_RSA",
	[APQ_KX_SRP_SHA_DSS]	= "SRP_SHA_DSS",
	[APQ_KX_ECCPWD]		= "ECCPWD",
	[APQ_KX_GOST]		= "GOSTR341112_256",
};

static const char *const cipher_names[] = {
	[APQ_CIPHER_NULL]		= "NULL",
	[APQ_CIPHER_RC4]		= "RC4",
	[APQ_CIPHER_RC2_CBC]		= "RC2_CBC",
	[APQ_CIPHER_DES_CBC]		= "DES_CBC",
	[APQ_CIPHER_DES3_CBC]		= "3DES_EDE_CBC",
	[APQ_CIPHER_IDEA_CBC]		= "IDEA_CBC",
	[APQ_CIPHER_SEED_CBC]		= "SEED_CBC",
	[APQ_CIPHER_AES_CBC]		= "AES_CBC",
	[APQ_CIPHER_AES_GCM]		= "AES_GCM",
	[APQ_CIPHER_AES_CCM]		= "AES_CCM",
	[APQ_CIPHER_AES_CCM_8]		= "AES_CCM_8",
	[APQ_CIPHER_CAMELLIA_CBC]	= "CAMELLIA_CBC",
	[APQ_CIPHER_CAMELLIA_GCM]	= "CAMELLIA_GCM",
	[APQ_CIPHER_ARIA_CBC]		= "ARIA_CBC",
	[APQ_CIPHER_ARIA_GCM]		= "ARIA_GCM",
	[APQ_CIPHER_CHACHA20_POLY1305]	= "CHACHA20_POLY1305",
	[APQ_CIPHER_SM4_GCM]		= "SM4_GCM",
	[APQ_CIPHER_SM4_CCM]		= "SM4_CCM",
	[APQ_CIPHER_AEGIS_128L]		= "AEGIS_128L",
	[APQ_CIPHER_AEGIS_256]		= "AEGIS_256",
	[APQ_CIPHER_GOST28147_CNT]	= "28147_CNT",
	[APQ_CIPHER_KUZNYECHIK_CTR]	= "KUZNYECHIK_CTR",
	[APQ_CIPHER_MAGMA_CTR]		= "MAGMA_CTR",
	[APQ_CIPHER_KUZNYECHIK_MGM]	= "KUZNYECHIK_MGM",
	[APQ_CIPHER_MAGMA_MGM]		= "MAGMA_MGM",
};

static const char *const mac_names[] = {
	[APQ_MAC_NONE]		= "NONE",
	[APQ_MAC_AEAD]		= "AEAD",
	[APQ_MAC_MD5]		= "MD5",
	[APQ_MAC_SHA1]		= "SHA1",
	[APQ_MAC_SHA256]	= "SHA256",
	[APQ_MAC_SHA384]	= "SHA384",
	[APQ_MAC_OMAC]		= "OMAC",
	[APQ_MAC_IMIT]		= "IMIT",
};

static const char *const prf_names[] = {
	[APQ_PRF_NONE]		= "NONE",
	[APQ_PRF_SHA256]	= "SHA256",
	[APQ_PRF_SHA384]	= "SHA384",
	[APQ_PRF_SHA512]	= "SHA512",
	[APQ_PRF_SM3]		= "SM3",
	[APQ_PRF_STREEBOG256]	= "STREEBOG256",
};

static const char *name_of(const char *const *names, size_t nr,
			   unsigned int id)
{
	return id < nr ? names[id] : NULL;
}

APQ_PUBLIC const char *apq_suite_kx_name(enum apq_suite_kx kx)
{
	return name_of(kx_names, COUNT(kx_names), kx);
}

APQ_PUBLIC const char *apq_suite_cipher_name(enum apq_suite_cipher cipher)
{
	return name_of(cipher_names, COUNT(cipher_names), cipher);
}

APQ_PUBLIC const char *apq_suite_mac_name(enum apq_suite_mac mac)
{
	return name_of(mac_names, COUNT(mac_names), mac);
}

APQ_PUBLIC const char *apq_suite_prf_name(enum apq_suite_prf prf)
{
	return name_of(prf_names, COUNT(prf_names), prf);
}
