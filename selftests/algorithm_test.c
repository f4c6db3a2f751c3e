// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/apq: XTS, GCM, RSA with the key in the kernel, RC4.
 * apq-timeout: 90
 * apq-module: legacy=1
 */

#include <openssl/evp.h>
#include <stdbool.h>
#include <stdlib.h>
#include "kselftest_harness.h"
#include "common/async.h"
#include "common/guard.h"
#include "common/rsa.h"
#include "common/xts_vectors.h"

#define MIB		(1U << 20)
#define AAD_MAX		APQ_MAX_AAD_LEN

static unsigned int unhex(uint8_t *to, const char *hex)
{
	unsigned int len = 0, byte;

	for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
		to[len++] = byte;
	return len;
}

/* Bytes that look random and are the same each time. */
static void fill(uint8_t *to, unsigned int len, unsigned int seed)
{
	while (len--)
		*to++ = (seed = seed * 1103515245 + 12345) >> 16;
}

static int key_create(int fd, struct apq_session_create *c)
{
	int ret = ioctl(fd, APQ_IOC_SESSION_CREATE, c);

	return ret < 0 ? -errno : ret;
}

FIXTURE(alg)
{
	int fd;
	uint8_t key[64];
	uint8_t iv[16];
	uint8_t aad[AAD_MAX];
	uint8_t *plain;
	uint8_t *cipher;
	uint8_t *out;
};

FIXTURE_SETUP(alg)
{
	unsigned int pages = MIB / page_size() + 1;

	self->fd = device_open();
	ASSERT_LE(0, self->fd);
	self->plain = map_pages(pages);
	self->cipher = map_pages(pages);
	self->out = map_pages(pages);
	fill(self->key, sizeof(self->key), 1);
	fill(self->iv, sizeof(self->iv), 2);
	fill(self->aad, AAD_MAX, 3);
	fill(self->plain, MIB, 4);
}

FIXTURE_TEARDOWN(alg)
{
	close(self->fd);
}

TEST_F(alg, xts_vectors)
{
	uint8_t key[64], plain[XTS_HEX_MAX], want[XTS_HEX_MAX];
	uint8_t out[XTS_HEX_MAX];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(xts_vectors); i++) {
		const struct xts_vector *v = &xts_vectors[i];
		uint8_t tweak[16] = {};
		int len, session;

		session = session_create(self->fd, APQ_ALG_AES_XTS, key,
					 unhex(key, v->key));
		ASSERT_LT(0, session);
		unhex(tweak, v->tweak);
		len = unhex(plain, v->plain);
		unhex(want, v->cipher);
		EXPECT_EQ(len, op_crypt(self->fd, session, APQ_OP_ENCRYPT,
					tweak, 16, plain, out, len));
		EXPECT_EQ(0, memcmp(out, want, len)) TH_LOG("vector %u", i);
		EXPECT_EQ(len, op_crypt(self->fd, session, APQ_OP_DECRYPT,
					tweak, 16, want, out, len));
		EXPECT_EQ(0, memcmp(out, plain, len)) TH_LOG("vector %u", i);
	}
}

TEST_F(alg, xts_lengths)
{
	static const unsigned int lens[] = { 16, 100, 1023, 1025, 5000, MIB };
	int session, len = 0, more;
	unsigned int i;

	session = session_create(self->fd, APQ_ALG_AES_XTS, self->key, 64);
	ASSERT_LT(0, session);
	EXPECT_EQ(-EINVAL, op_crypt(self->fd, session, APQ_OP_ENCRYPT, self->iv,
				    16, self->plain, self->out, 15));
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		EVP_CIPHER_CTX *evp = EVP_CIPHER_CTX_new();

		ASSERT_TRUE(EVP_EncryptInit_ex(evp, EVP_aes_256_xts(), NULL,
					       self->key, self->iv));
		ASSERT_TRUE(EVP_EncryptUpdate(evp, self->cipher, &len,
					      self->plain, lens[i]));
		ASSERT_TRUE(EVP_EncryptFinal_ex(evp, self->cipher + len,
						&more));
		EVP_CIPHER_CTX_free(evp);
		EXPECT_EQ((int)lens[i], op_crypt(self->fd, session,
						 APQ_OP_ENCRYPT, self->iv, 16,
						 self->plain, self->out,
						 lens[i]));
		EXPECT_EQ(0, memcmp(self->out, self->cipher, lens[i])) {
			TH_LOG("length %u", lens[i]);
		}
	}
}

static void gcm_reference(struct _test_data_alg *self, unsigned int key_len,
			  unsigned int aad_len, unsigned int len,
			  unsigned int tag_len)
{
	const EVP_CIPHER *type = key_len == 16 ? EVP_aes_128_gcm() :
				 key_len == 24 ? EVP_aes_192_gcm() :
						 EVP_aes_256_gcm();
	EVP_CIPHER_CTX *evp = EVP_CIPHER_CTX_new();
	int n = 0, more = 0;

	EVP_EncryptInit_ex(evp, type, NULL, self->key, self->iv);
	if (aad_len)
		EVP_EncryptUpdate(evp, NULL, &n, self->aad, aad_len);
	n = 0;
	if (len)
		EVP_EncryptUpdate(evp, self->cipher, &n, self->plain, len);
	EVP_EncryptFinal_ex(evp, self->cipher + n, &more);
	EVP_CIPHER_CTX_ctrl(evp, EVP_CTRL_AEAD_GET_TAG, tag_len,
			    self->cipher + len);
	EVP_CIPHER_CTX_free(evp);
}

static struct apq_entry gcm_entry(struct _test_data_alg *self, int session,
				  unsigned int op, const uint8_t *src,
				  uint8_t *dst, unsigned int src_len,
				  unsigned int dst_len, unsigned int aad_len)
{
	struct apq_entry e = entry_init(session, op, src, dst, src_len);

	e.dst_len = dst_len;
	e.aad = address(self->aad);
	e.aad_len = aad_len;
	memcpy(e.iv, self->iv, 12);
	return e;
}

/* Encrypts, decrypts, decrypts with one bit wrong; also in place. */
static bool gcm_round(struct _test_data_alg *self, int session,
		      unsigned int len, unsigned int aad_len,
		      unsigned int tag_len)
{
	unsigned int all = len + tag_len, i;
	struct apq_entry e;
	uint8_t *at;

	e = gcm_entry(self, session, APQ_OP_ENCRYPT, self->plain, self->out,
		      len, all, aad_len);
	memset(self->out, 0, all);
	if (entry_run(self->fd, &e) != (int)all ||
	    memcmp(self->out, self->cipher, all))
		return false;
	e = gcm_entry(self, session, APQ_OP_DECRYPT, self->cipher, self->out,
		      all, len, aad_len);
	memset(self->out, 0, all);
	if (entry_run(self->fd, &e) != (int)len ||
	    memcmp(self->out, self->plain, len))
		return false;
	/* In place; the tag makes output longer, or input. */
	memcpy(self->out, self->plain, len);
	e = gcm_entry(self, session, APQ_OP_ENCRYPT, self->out, self->out, len,
		      all, aad_len);
	if (entry_run(self->fd, &e) != (int)all ||
	    memcmp(self->out, self->cipher, all))
		return false;
	e = gcm_entry(self, session, APQ_OP_DECRYPT, self->out, self->out, all,
		      len, aad_len);
	if (entry_run(self->fd, &e) != (int)len ||
	    memcmp(self->out, self->plain, len))
		return false;
	for (i = 0; i < 3; i++) {
		at = i == 0 ? &self->cipher[all - 1] : i == 1 ?
		     &self->cipher[0] : &self->aad[0];
		if ((i == 2 && !aad_len) || (i == 1 && !len))
			continue;
		*at ^= 0x10;
		memset(self->out, 0, all);
		e = gcm_entry(self, session, APQ_OP_DECRYPT, self->cipher,
			      self->out, all, len, aad_len);
		if (entry_run(self->fd, &e) != -EBADMSG)
			return false;
		*at ^= 0x10;
		/* Nobody gets to see what is not authentic. */
		for (at = self->out; at < self->out + len; at++)
			if (*at)
				return false;
	}
	return true;
}

TEST_F(alg, gcm)
{
	static const unsigned int lens[] = { 0, 1, 16, 63, 1024, 1025, 4096,
					     10000, MIB - 16 };
	static const unsigned int aads[] = { 0, 1, 13, 16, 1000, AAD_MAX };
	unsigned int key_len, l, a;

	for (key_len = 16; key_len <= 32; key_len += 8) {
		int session = session_create(self->fd, APQ_ALG_AES_GCM,
					     self->key, key_len);

		ASSERT_LT(0, session);
		for (l = 0; l < ARRAY_SIZE(lens); l++)
			for (a = 0; a < ARRAY_SIZE(aads); a++) {
				gcm_reference(self, key_len, aads[a], lens[l],
					      16);
				EXPECT_TRUE(gcm_round(self, session, lens[l],
						      aads[a], 16)) {
					TH_LOG("key %u, data %u, aad %u",
					       key_len, lens[l], aads[a]);
				}
			}
	}
}

TEST_F(alg, gcm_tag_lengths)
{
	unsigned int len;

	for (len = 1; len <= 17; len++) {
		struct apq_session_create c = {
			.alg = APQ_ALG_AES_GCM,
			.key = address(self->key),
			.key_len = 16,
			.tag_len = len,
		};
		int session = key_create(self->fd, &c);
		bool allowed = len == 4 || len == 8 || (len >= 12 && len <= 16);

		EXPECT_EQ(allowed ? 1 : -EINVAL, session > 0 ? 1 : session) {
			TH_LOG("tag %u", len);
		}
		if (session < 0)
			continue;
		gcm_reference(self, 16, 20, 100, len);
		EXPECT_TRUE(gcm_round(self, session, 100, 20, len)) {
			TH_LOG("tag %u", len);
		}
	}
}

TEST_F(alg, gcm_refused)
{
	int session = session_create(self->fd, APQ_ALG_AES_GCM, self->key, 16);
	struct apq_entry good, e;

	ASSERT_LT(0, session);
	good = gcm_entry(self, session, APQ_OP_ENCRYPT, self->plain, self->out,
			 64, 80, 16);
	EXPECT_EQ(80, entry_run(self->fd, &good));
	e = good;
	e.dst_len = 79;
	EXPECT_EQ(-ENOSPC, entry_run(self->fd, &e));
	e = good;
	e.aad_len = AAD_MAX + 1;
	EXPECT_EQ(-EMSGSIZE, entry_run(self->fd, &e));
	e = good;
	e.src_len = MIB - 15;
	e.dst_len = MIB + 1;
	EXPECT_EQ(-EMSGSIZE, entry_run(self->fd, &e));
	e = good;
	e.iv[12] = 1;
	EXPECT_EQ(-EINVAL, entry_run(self->fd, &e));
	e = good;
	e.aad = 0;
	EXPECT_EQ(-EFAULT, entry_run(self->fd, &e));
	e = good;
	e.op = APQ_OP_DECRYPT;
	e.src_len = 15;
	EXPECT_EQ(-EINVAL, entry_run(self->fd, &e));
}

TEST_F(alg, rsa_key_in_kernel)
{
	static const unsigned int bits[] = { 512, 1032, 2048, 4096 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bits); i++) {
		uint8_t crt[APQ_MAX_RSA_KEY_LEN], me[2 * APQ_MAX_MOD_LEN];
		uint8_t out[APQ_MAX_MOD_LEN];
		struct apq_session_create c = {};
		struct apq_entry e;
		struct rsa_key key;
		unsigned int part;
		int session;

		rsa_key_load(&key, bits[i]);
		memcpy(me, key.d, key.len);
		memcpy(me + key.len, key.n, key.len);
		c.alg = APQ_ALG_RSA_ME;
		c.key = address(me);
		c.key_len = 2 * key.len;
		c.mod_len = key.len;
		session = key_create(self->fd, &c);
		ASSERT_LT(0, session);
		e = entry_init(session, APQ_OP_RSA, key.in, out, key.len);
		EXPECT_EQ((int)key.len, entry_run(self->fd, &e));
		EXPECT_EQ(0, memcmp(out, key.out, key.len));
		e.src_len--;
		EXPECT_EQ(-EINVAL, entry_run(self->fd, &e));
		e.src_len++;
		e.op = APQ_OP_ENCRYPT;
		EXPECT_EQ(-EINVAL, entry_run(self->fd, &e));
		c.key_len--;
		EXPECT_EQ(-EINVAL, key_create(self->fd, &c));

		part = (key.len + 1) / 2;
		memcpy(crt, key.p + CRT_PAD, part);
		memcpy(crt + part, key.q, part);
		memcpy(crt + 2 * part, key.dp + CRT_PAD, part);
		memcpy(crt + 3 * part, key.dq, part);
		memcpy(crt + 4 * part, key.u + CRT_PAD, part);
		c.alg = APQ_ALG_RSA_CRT;
		c.key = address(crt);
		c.key_len = 5 * part;
		session = key_create(self->fd, &c);
		ASSERT_LT(0, session);
		e = entry_init(session, APQ_OP_RSA, key.in, out, key.len);
		memset(out, 0, sizeof(out));
		EXPECT_EQ((int)key.len, entry_run(self->fd, &e));
		EXPECT_EQ(0, memcmp(out, key.out, key.len)) {
			TH_LOG("%u bits", bits[i]);
		}
	}
}

TEST_F(alg, rc4_with_legacy)
{
	static const uint8_t want[14] = {
		0x45, 0xa0, 0x1f, 0x64, 0x5f, 0xc3, 0x5b, 0x38, 0x35, 0x52,
		0x54, 0x4b, 0x9b, 0xf5,
	};
	uint8_t out[14], *in = self->plain, *big = self->out;
	struct apq_info info;
	int session, i;

	ASSERT_EQ(0, ioctl(self->fd, APQ_IOC_INFO, &info));
	if (!(info.algs & 1ull << APQ_ALG_RC4))
		SKIP(return, "this kernel has no ecb(arc4)");
	session = session_create(self->fd, APQ_ALG_RC4, "Secret", 6);
	ASSERT_LT(0, session);
	/* Each request starts anew, whatever came before. */
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(14, op_crypt(self->fd, session, APQ_OP_ENCRYPT, NULL,
				       0, "Attack at dawn", out, 14));
		EXPECT_EQ(0, memcmp(out, want, 14));
	}
	/* Pinned and unaligned, there and back. */
	EXPECT_EQ(50001, op_crypt(self->fd, session, APQ_OP_ENCRYPT, NULL, 0,
				  in + 1, big + 3, 50001));
	EXPECT_NE(0, memcmp(in + 1, big + 3, 50001));
	EXPECT_EQ(50001, op_crypt(self->fd, session, APQ_OP_DECRYPT, NULL, 0,
				  big + 3, big + 3, 50001));
	EXPECT_EQ(0, memcmp(in + 1, big + 3, 50001));
}

TEST_HARNESS_MAIN
