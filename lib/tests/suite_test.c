// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Cipher suites of TLS: against the registry, against OpenSSL for the suites
 * that it knows, and against the RFCs for kinds that it does not
 */
#include <ctype.h>
#include <errno.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libapq.h"
#include "tap.h"
#include "vectors.h"

#define REGISTRY	"../../data/tls-cipher-suites.tsv"

static unsigned int nr_suites, bad;

static const struct apq_suite *find(const char *name)
{
	const struct apq_suite *s = NULL;

	return apq_suite_by_name(name, &s) ? NULL : s;
}

/* fields: number name DTLS-OK recommended */
static void check_row(char *const *fields, void *arg)
{
	unsigned int number = strtoul(fields[0], NULL, 16);
	const struct apq_suite *s = find(fields[1]), *same = NULL;

	(void)arg;
	if (s && s->number == number && !strcmp(s->name, fields[1]) &&
	    !apq_suite_by_number(number, &same) && same == s &&
	    !(s->flags & APQ_SUITE_DTLS) == (fields[2][0] == 'N') &&
	    !(s->flags & APQ_SUITE_RECOMMENDED) == (fields[3][0] == 'N'))
		return;
	printf("# %s\n", fields[1]);
	bad++;
}

static void test_registry(void)
{
	const struct apq_suite *s = NULL, *next;
	unsigned int n = 0, found = 0, number;

	nr_suites = vectors_read(REGISTRY, 4, check_row, NULL);
	tap_is(bad, 0, "%u rows, by name and by number", nr_suites);
	while ((next = apq_suite_next(s))) {
		n += !s || next->number > s->number;
		s = next;
	}
	tap_is(n, nr_suites, "going through them, numbers ascend");
	for (number = 0; number <= 0xffff; number++)
		found += !apq_suite_by_number(number, &s) &&
			 s->number == number;
	tap_is(found, nr_suites, "no other number has a suite");
}

static void test_arguments(void)
{
	const struct apq_suite *s = (const struct apq_suite *)&bad;
	struct apq_suite stranger = { .number = 0 };
	enum apq_cipher_alg alg;

	errno = 1234;
	tap_is(apq_suite_by_name(NULL, &s), -EINVAL, "name NULL");
	tap_is(apq_suite_by_name("TLS_AES_128_GCM_SHA256", NULL), -EINVAL,
	       "result NULL");
	tap_is(apq_suite_by_number(0, NULL), -EINVAL, "number, result NULL");
	tap_is(apq_suite_by_number(0x10000, &s), -EINVAL, "number 0x10000");
	tap_is(apq_suite_by_number(0xffffffff, &s), -EINVAL, "number -1");
	tap_is(apq_suite_by_number(0x0a0a, &s), -ENOENT, "a number of GREASE");
	tap_is(apq_suite_by_name("", &s), -ENOENT, "name of 0 letters");
	tap_is(apq_suite_alg(NULL, &alg), -EINVAL, "algorithm of NULL");
	tap_is(apq_suite_alg(apq_suite_next(NULL), NULL), -EINVAL,
	       "algorithm to NULL");
	tap_ok(!apq_suite_next(&stranger), "no suite follows a stranger");
	tap_ok(s == (const struct apq_suite *)&bad && errno == 1234,
	       "failures leave result and errno alone");
}

/* A name that was changed is unknown, unless it is somebody else's. */
static int unknown(const char *name, const struct apq_suite *was)
{
	const struct apq_suite *s = find(name);

	if (!s || (s != was && !strcmp(s->name, name)))
		return 1;
	printf("# %s found %s\n", name, s->name);
	return 0;
}

/* Every prefix, longer ones, and each letter in the other case or changed */
static int neighbours_unknown(const struct apq_suite *s)
{
	size_t len = strlen(s->name), i;
	char name[64];
	int good = 1;

	for (i = 0; i < len; i++) {
		snprintf(name, sizeof(name), "%.*s", (int)i, s->name);
		good &= unknown(name, s);
		snprintf(name, sizeof(name), "%s", s->name);
		name[i] ^= 0x20;
		good &= unknown(name, s);
		snprintf(name, sizeof(name), "%s", s->name);
		name[i]++;
		good &= unknown(name, s);
		name[i] = (char)0xc4;
		good &= unknown(name, s);
	}
	snprintf(name, sizeof(name), "%s ", s->name);
	good &= unknown(name, s);
	snprintf(name, sizeof(name), "%s8", s->name);
	good &= unknown(name, s);
	snprintf(name, sizeof(name), " %s", s->name);
	good &= unknown(name, s);
	good &= unknown(s->name + 4, s);
	return good;
}

static void test_unknown(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct apq_suite *s = NULL;
	int good = 1;

	while ((s = apq_suite_next(s)))
		good &= neighbours_unknown(s);
	tap_ok(good, "prefixes, other case, changed letters are unknown");

	if (two == MAP_FAILED || mprotect(two + page, page, PROT_NONE))
		tap_bail("no memory");
	memset(two, 'A', page);
	tap_ok(!find(two + page - 60), "a long name is not read to its end");
}

/* What the name says, put together again out of the fields */
static int same_name(const struct apq_suite *s)
{
	const char *kx = apq_suite_kx_name(s->kx), *with;
	const char *cipher = apq_suite_cipher_name(s->cipher);
	const char *mac = apq_suite_mac_name(s->mac);
	char start[64];

	if (!kx || !cipher || !mac || !apq_suite_prf_name(s->prf))
		return 0;
	if (s->flags & APQ_SUITE_SIGNAL)
		return !s->key_bits && !s->mac && !s->kx;
	if (s->flags & APQ_SUITE_TLS13)
		return s->kx == APQ_KX_ANY;
	if (s->kx == APQ_KX_DHE_PSK && !strncmp(s->name, "TLS_PSK_DHE", 11))
		kx = "PSK_DHE";
	snprintf(start, sizeof(start), "TLS_%s%s_WITH_", kx,
		 s->flags & APQ_SUITE_EXPORT ? "_EXPORT" : "");
	if (strncmp(s->name, start, strlen(start)))
		return 0;
	with = s->name + strlen(start);
	if (!(s->flags & APQ_SUITE_EXPORT) &&
	    strncmp(with, cipher, strcspn(cipher, "_")))
		return 0;
	/* an AEAD has no MAC and the other way round */
	return !(s->flags & APQ_SUITE_AEAD) == (s->mac != APQ_MAC_AEAD) &&
	       !(s->flags & APQ_SUITE_EXPORT) == (s->key_bits != 40) &&
	       s->key_bits <= s->key_len * 8 && !s->key_bits == !s->cipher;
}

static void test_names(void)
{
	const struct apq_suite *s = NULL;
	int good = 1;

	while ((s = apq_suite_next(s)))
		if (!same_name(s)) {
			printf("# %s\n", s->name);
			good = 0;
		}
	tap_ok(good, "names of the parts make up the name");
	tap_ok(!apq_suite_kx_name((enum apq_suite_kx)23) &&
	       !apq_suite_cipher_name((enum apq_suite_cipher)25) &&
	       !apq_suite_mac_name((enum apq_suite_mac)8) &&
	       !apq_suite_prf_name((enum apq_suite_prf)6) &&
	       !apq_suite_kx_name((enum apq_suite_kx)-1),
	       "numbers of no part have no name");
}

/* OpenSSL's numbers for key exchange and for who proves himself */
static const struct {
	int kx, auth;
	enum apq_suite_kx ours;
} openssl_kx[] = {
	{ NID_kx_any, NID_auth_any, APQ_KX_ANY },
	{ NID_kx_rsa, NID_auth_rsa, APQ_KX_RSA },
	{ NID_kx_dhe, NID_auth_rsa, APQ_KX_DHE_RSA },
	{ NID_kx_dhe, NID_auth_dss, APQ_KX_DHE_DSS },
	{ NID_kx_dhe, NID_auth_null, APQ_KX_DH_ANON },
	{ NID_kx_ecdhe, NID_auth_rsa, APQ_KX_ECDHE_RSA },
	{ NID_kx_ecdhe, NID_auth_ecdsa, APQ_KX_ECDHE_ECDSA },
	{ NID_kx_ecdhe, NID_auth_null, APQ_KX_ECDH_ANON },
	{ NID_kx_psk, NID_auth_psk, APQ_KX_PSK },
	{ NID_kx_dhe_psk, NID_auth_psk, APQ_KX_DHE_PSK },
	{ NID_kx_ecdhe_psk, NID_auth_psk, APQ_KX_ECDHE_PSK },
	{ NID_kx_rsa_psk, NID_auth_rsa, APQ_KX_RSA_PSK },
	{ NID_kx_srp, NID_auth_srp, APQ_KX_SRP_SHA },
	{ NID_kx_srp, NID_auth_rsa, APQ_KX_SRP_SHA_RSA },
	{ NID_kx_srp, NID_auth_dss, APQ_KX_SRP_SHA_DSS },
};

static int kx_agrees(const SSL_CIPHER *c, const struct apq_suite *s)
{
	size_t i;

	for (i = 0; i < sizeof(openssl_kx) / sizeof(openssl_kx[0]); i++)
		if (openssl_kx[i].kx == SSL_CIPHER_get_kx_nid(c) &&
		    openssl_kx[i].auth == SSL_CIPHER_get_auth_nid(c))
			return openssl_kx[i].ours == s->kx;
	return 0;
}

static int mac_agrees(const SSL_CIPHER *c, const struct apq_suite *s)
{
	int nid = SSL_CIPHER_get_digest_nid(c);
	const EVP_MD *md = nid == NID_undef ? NULL : EVP_get_digestbynid(nid);

	if (SSL_CIPHER_is_aead(c))
		return s->mac == APQ_MAC_AEAD && s->flags & APQ_SUITE_AEAD;
	return md && s->mac_bits == EVP_MD_get_size(md) * 8 &&
	       !strcmp(apq_suite_mac_name(s->mac), EVP_MD_get0_name(md));
}

/* "AES_CBC" and 128 are "aes-128-cbc" there. */
static int cipher_agrees(const SSL_CIPHER *c, const struct apq_suite *s)
{
	static const struct {
		const char *name;
		enum apq_suite_cipher ours;
	} names[] = {
		{ "aes-%u-cbc", APQ_CIPHER_AES_CBC },
		{ "aes-%u-gcm", APQ_CIPHER_AES_GCM },
		{ "aes-%u-ccm", APQ_CIPHER_AES_CCM },
		{ "aes-%u-ccm", APQ_CIPHER_AES_CCM_8 },
		{ "camellia-%u-cbc", APQ_CIPHER_CAMELLIA_CBC },
		{ "aria-%u-gcm", APQ_CIPHER_ARIA_GCM },
		{ "chacha20-poly1305", APQ_CIPHER_CHACHA20_POLY1305 },
		{ "seed-cbc", APQ_CIPHER_SEED_CBC },
		{ "idea-cbc", APQ_CIPHER_IDEA_CBC },
		{ "rc4", APQ_CIPHER_RC4 },
		{ "des-ede3-cbc", APQ_CIPHER_DES3_CBC },
	};
	int nid = SSL_CIPHER_get_cipher_nid(c), bits;
	char name[32];
	size_t i;

	SSL_CIPHER_get_bits(c, &bits);
	if (nid == NID_undef)
		return s->cipher == APQ_CIPHER_NULL && !s->key_bits;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].ours != s->cipher)
			continue;
		snprintf(name, sizeof(name), names[i].name, s->key_bits);
		return !strcasecmp(name, OBJ_nid2ln(nid)) &&
		       s->key_bits == bits;
	}
	return 0;
}

static int prf_agrees(const SSL_CIPHER *c, const struct apq_suite *s)
{
	const EVP_MD *md = SSL_CIPHER_get_handshake_digest(c);

	/* suites of before 1.2 have MD5 with SHA1, which 1.2 replaces */
	if (EVP_MD_get_type(md) == NID_md5_sha1)
		return s->prf == APQ_PRF_SHA256;
	return !strncmp(EVP_MD_get0_name(md), "SHA2-", 5) ?
	       !strcmp(EVP_MD_get0_name(md) + 5, apq_suite_prf_name(s->prf) + 3) :
	       !strcmp(EVP_MD_get0_name(md), apq_suite_prf_name(s->prf));
}

static int agrees(const SSL_CIPHER *c)
{
	const struct apq_suite *s = find(SSL_CIPHER_standard_name(c));
	int good;

	good = s && s->number == SSL_CIPHER_get_protocol_id(c) &&
	       kx_agrees(c, s) && cipher_agrees(c, s) && mac_agrees(c, s) &&
	       prf_agrees(c, s);
	if (!good)
		printf("# %s: number %d, key exchange %d, cipher %d, MAC %d, PRF %d\n",
		       SSL_CIPHER_standard_name(c),
		       s && s->number == SSL_CIPHER_get_protocol_id(c),
		       s && kx_agrees(c, s), s && cipher_agrees(c, s),
		       s && mac_agrees(c, s), s && prf_agrees(c, s));
	return good;
}

static void test_openssl(void)
{
	SSL_CTX *ctx = SSL_CTX_new(TLS_method());
	struct stack_st_SSL_CIPHER *list;
	int n, i, good = 0;

	if (!ctx ||
	    !SSL_CTX_set_cipher_list(ctx, "ALL:COMPLEMENTOFALL:@SECLEVEL=0") ||
	    !SSL_CTX_set_ciphersuites(ctx, "TLS_AES_256_GCM_SHA384:"
		"TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:"
		"TLS_AES_128_CCM_SHA256:TLS_AES_128_CCM_8_SHA256"))
		tap_bail("OpenSSL has no cipher suites");
	list = SSL_CTX_get_ciphers(ctx);
	n = sk_SSL_CIPHER_num(list);
	for (i = 0; i < n; i++)
		good += agrees(sk_SSL_CIPHER_value(list, i));
	tap_ok(n > 100 && good == n, "%d of the %d suites of OpenSSL agree",
	       good, n);
	SSL_CTX_free(ctx);
}

/* From the RFCs: 2246, 2712, 4162, 9150, 9189, 9367, 8998, 7507, 5746 */
static const struct apq_suite facts[] = {
	{ "TLS_NULL_WITH_NULL_NULL", 0x0000, 0, 0, 0,
	  APQ_KX_NULL, APQ_CIPHER_NULL, APQ_MAC_NONE, APQ_PRF_NONE,
	  APQ_SUITE_DTLS },
	{ "TLS_RSA_EXPORT_WITH_RC4_40_MD5", 0x0003, 40, 16, 128,
	  APQ_KX_RSA, APQ_CIPHER_RC4, APQ_MAC_MD5, APQ_PRF_SHA256,
	  APQ_SUITE_EXPORT | APQ_SUITE_RSA },
	{ "TLS_RSA_WITH_RC4_128_SHA", 0x0005, 128, 16, 160,
	  APQ_KX_RSA, APQ_CIPHER_RC4, APQ_MAC_SHA1, APQ_PRF_SHA256,
	  APQ_SUITE_RSA },
	{ "TLS_RSA_EXPORT_WITH_RC2_CBC_40_MD5", 0x0006, 40, 16, 128,
	  APQ_KX_RSA, APQ_CIPHER_RC2_CBC, APQ_MAC_MD5, APQ_PRF_SHA256,
	  APQ_SUITE_DTLS | APQ_SUITE_EXPORT | APQ_SUITE_RSA },
	{ "TLS_DHE_RSA_EXPORT_WITH_DES40_CBC_SHA", 0x0014, 40, 8, 160,
	  APQ_KX_DHE_RSA, APQ_CIPHER_DES_CBC, APQ_MAC_SHA1, APQ_PRF_SHA256,
	  APQ_SUITE_DTLS | APQ_SUITE_EXPORT | APQ_SUITE_RSA |
	  APQ_SUITE_EPHEMERAL },
	{ "TLS_DH_RSA_WITH_DES_CBC_SHA", 0x000F, 56, 8, 160,
	  APQ_KX_DH_RSA, APQ_CIPHER_DES_CBC, APQ_MAC_SHA1, APQ_PRF_SHA256,
	  APQ_SUITE_DTLS },
	{ "TLS_RSA_WITH_3DES_EDE_CBC_SHA", 0x000A, 168, 24, 160,
	  APQ_KX_RSA, APQ_CIPHER_DES3_CBC, APQ_MAC_SHA1, APQ_PRF_SHA256,
	  APQ_SUITE_DTLS | APQ_SUITE_RSA },
	{ "TLS_KRB5_EXPORT_WITH_DES_CBC_40_MD5", 0x0029, 40, 8, 128,
	  APQ_KX_KRB5, APQ_CIPHER_DES_CBC, APQ_MAC_MD5, APQ_PRF_SHA256,
	  APQ_SUITE_DTLS | APQ_SUITE_EXPORT },
	{ "TLS_DH_anon_WITH_SEED_CBC_SHA", 0x009B, 128, 16, 160,
	  APQ_KX_DH_ANON, APQ_CIPHER_SEED_CBC, APQ_MAC_SHA1, APQ_PRF_SHA256,
	  APQ_SUITE_DTLS | APQ_SUITE_EPHEMERAL },
	{ "TLS_ECDH_RSA_WITH_ARIA_256_CBC_SHA384", 0xC04F, 256, 32, 384,
	  APQ_KX_ECDH_RSA, APQ_CIPHER_ARIA_CBC, APQ_MAC_SHA384,
	  APQ_PRF_SHA384, APQ_SUITE_DTLS },
	{ "TLS_PSK_DHE_WITH_AES_256_CCM_8", 0xC0AB, 256, 32, 64,
	  APQ_KX_DHE_PSK, APQ_CIPHER_AES_CCM_8, APQ_MAC_AEAD, APQ_PRF_SHA256,
	  APQ_SUITE_DTLS | APQ_SUITE_AEAD | APQ_SUITE_EPHEMERAL },
	{ "TLS_SHA384_SHA384", 0xC0B5, 0, 0, 384,
	  APQ_KX_ANY, APQ_CIPHER_NULL, APQ_MAC_SHA384, APQ_PRF_SHA384,
	  APQ_SUITE_DTLS | APQ_SUITE_TLS13 },
	{ "TLS_GOSTR341112_256_WITH_MAGMA_CTR_OMAC", 0xC101, 256, 32, 64,
	  APQ_KX_GOST, APQ_CIPHER_MAGMA_CTR, APQ_MAC_OMAC,
	  APQ_PRF_STREEBOG256, 0 },
	{ "TLS_GOSTR341112_256_WITH_28147_CNT_IMIT", 0xC102, 256, 32, 32,
	  APQ_KX_GOST, APQ_CIPHER_GOST28147_CNT, APQ_MAC_IMIT,
	  APQ_PRF_STREEBOG256, 0 },
	{ "TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_S", 0xC105, 256, 32, 128,
	  APQ_KX_ANY, APQ_CIPHER_KUZNYECHIK_MGM, APQ_MAC_AEAD,
	  APQ_PRF_STREEBOG256, APQ_SUITE_AEAD | APQ_SUITE_TLS13 },
	{ "TLS_SM4_CCM_SM3", 0x00C7, 128, 16, 128,
	  APQ_KX_ANY, APQ_CIPHER_SM4_CCM, APQ_MAC_AEAD, APQ_PRF_SM3,
	  APQ_SUITE_AEAD | APQ_SUITE_TLS13 },
	{ "TLS_FALLBACK_SCSV", 0x5600, 0, 0, 0,
	  APQ_KX_NULL, APQ_CIPHER_NULL, APQ_MAC_NONE, APQ_PRF_NONE,
	  APQ_SUITE_DTLS | APQ_SUITE_SIGNAL },
};

static int same_suite(const struct apq_suite *a, const struct apq_suite *b)
{
	return a->number == b->number && a->key_bits == b->key_bits &&
	       a->key_len == b->key_len && a->mac_bits == b->mac_bits &&
	       a->kx == b->kx && a->cipher == b->cipher && a->mac == b->mac &&
	       a->prf == b->prf && a->flags == b->flags;
}

static void test_facts(void)
{
	const struct apq_suite *s;
	size_t i;

	for (i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		s = find(facts[i].name);
		tap_ok(s && same_suite(s, &facts[i]), "%s", facts[i].name);
	}
}

/* Key length and algorithm together have to be what a cipher takes. */
static void test_algorithms(void)
{
	const struct apq_suite *s = NULL;
	enum apq_cipher_alg alg;
	unsigned int aes = 0, des = 0, gcm = 0, rc4 = 0, other = 0;
	int ret;

	while ((s = apq_suite_next(s))) {
		ret = apq_suite_alg(s, &alg);
		if (ret == -ENOTSUP)
			other++;
		else if (alg == APQ_AES_CBC && strstr(s->name, "_AES_") &&
			 strstr(s->name, "_CBC_SHA"))
			aes += s->key_len == 16 || s->key_len == 32;
		else if (alg == APQ_DES3_CBC && strstr(s->name, "_3DES_EDE_CBC"))
			des += s->key_len == 24;
		else if (alg == APQ_AES_GCM && strstr(s->name, "_AES_") &&
			 strstr(s->name, "_GCM_"))
			gcm += s->key_len == 16 || s->key_len == 32;
		else if (alg == APQ_RC4 && strstr(s->name, "_RC4_"))
			rc4 += s->key_len == 16 || s->key_len == 5;
	}
	tap_ok(aes > 50 && des > 15 && gcm > 20 && rc4 > 10 &&
	       aes + des + gcm + rc4 + other == nr_suites,
	       "algorithms: %u AES-CBC, %u triple DES, %u AES-GCM, %u RC4", aes,
	       des, gcm, rc4);
}

int main(void)
{
	tap_plan(20 + sizeof(facts) / sizeof(facts[0]));
	test_arguments();
	test_registry();
	test_unknown();
	test_names();
	test_openssl();
	test_facts();
	test_algorithms();
	return tap_exit();
}
