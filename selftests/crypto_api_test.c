// SPDX-License-Identifier: GPL-2.0
/*
 * The drivers in the kernel's crypto API: there, tested, used by those who
 * name them and by nobody else.
 */

#include "kselftest_harness.h"
#include "common/afalg.h"
#include "common/attribute.h"
#include "common/nist.h"

/* What the parameter prio says when it is not given. */
#define PRIORITY	10

FIXTURE(driver)
{
	long long before;		/* requests of the card */
};

FIXTURE_VARIANT(driver)
{
	const char *name;		/* of the algorithm */
	const char *driver;
	const uint8_t *key;
	unsigned int key_len;
	const uint8_t *iv;
	unsigned int ivsize;
	const uint8_t *cipher;		/* of nist_aes_plain */
	unsigned int len;
	unsigned int block;
};

FIXTURE_VARIANT_ADD(driver, ecb_aes)
{
	.name = "ecb(aes)", .driver = "ecb-aes-apq", .key = nist_aes_key,
	.key_len = 16, .cipher = nist_ecb_cipher, .len = 64, .block = 16,
};

FIXTURE_VARIANT_ADD(driver, cbc_aes)
{
	.name = "cbc(aes)", .driver = "cbc-aes-apq", .key = nist_aes_key,
	.key_len = 16, .iv = nist_cbc_iv, .ivsize = 16,
	.cipher = nist_cbc_cipher, .len = 64, .block = 16,
};

FIXTURE_VARIANT_ADD(driver, ctr_aes)
{
	.name = "ctr(aes)", .driver = "ctr-aes-apq", .key = nist_aes_key,
	.key_len = 16, .iv = nist_ctr_iv, .ivsize = 16,
	.cipher = nist_ctr_cipher, .len = 64, .block = 1,
};

FIXTURE_VARIANT_ADD(driver, cbc_des3_ede)
{
	.name = "cbc(des3_ede)", .driver = "cbc-des3_ede-apq",
	.key = nist_des3_key, .key_len = 24, .iv = nist_des3_iv, .ivsize = 8,
	.cipher = nist_des3_cipher, .len = 32, .block = 8,
};

FIXTURE_SETUP(driver)
{
	self->before = attr_number(CARD0 "request_count");
	ASSERT_LE(0, self->before);
}

FIXTURE_TEARDOWN(driver)
{
}

/* An entry of /proc/crypto. */
struct entry {
	char name[128];
	char driver[128];
	char module[128];
	char selftest[128];
	char async[128];
	char type[128];
	int priority;
};

static void entry_field(struct entry *e, const char *line)
{
	char field[64], value[128];

	if (sscanf(line, "%63s : %127s", field, value) != 2)
		return;
	if (!strcmp(field, "name"))
		strcpy(e->name, value);
	else if (!strcmp(field, "driver"))
		strcpy(e->driver, value);
	else if (!strcmp(field, "module"))
		strcpy(e->module, value);
	else if (!strcmp(field, "selftest"))
		strcpy(e->selftest, value);
	else if (!strcmp(field, "async"))
		strcpy(e->async, value);
	else if (!strcmp(field, "type"))
		strcpy(e->type, value);
	else if (!strcmp(field, "priority"))
		e->priority = atoi(value);
}

/*
 * The entry of @driver, or with NULL that of highest priority for @name which
 * is not ours and may be used without being asked for by flags.
 */
static bool find_entry(const char *driver, const char *name, struct entry *found)
{
	FILE *f = fopen("/proc/crypto", "r");
	struct entry e = {};
	bool have = false;
	char line[256];

	found->priority = -1;
	while (f && fgets(line, sizeof(line), f)) {
		bool wanted;

		entry_field(&e, line);
		if (line[0] != '\n')
			continue;
		wanted = driver ? !strcmp(e.driver, driver) :
			 !strcmp(e.name, name) && strcmp(e.module, "apq") &&
			 e.priority > found->priority;
		if (wanted) {
			*found = e;
			have = true;
		}
		memset(&e, 0, sizeof(e));
	}
	if (f)
		fclose(f);
	return have;
}

static int encrypt(const char *name, const struct _fixture_variant_driver *v,
		   unsigned int len, uint8_t *out)
{
	int fd = afalg_bind(name), op, ret;

	if (fd < 0)
		return fd;
	op = afalg_accept(fd, v->key, v->key_len);
	if (op < 0) {
		close(fd);
		return op;
	}
	ret = afalg_crypt(op, ALG_OP_ENCRYPT, v->iv, v->ivsize, nist_aes_plain,
			  out, len);
	close(op);
	close(fd);
	return ret;
}

TEST_F(driver, registered_and_tested)
{
	struct entry e;

	ASSERT_TRUE(find_entry(variant->driver, NULL, &e));
	EXPECT_STREQ(variant->name, e.name);
	EXPECT_STREQ("apq", e.module);
	EXPECT_STREQ("passed", e.selftest);
	EXPECT_STREQ("yes", e.async);
	EXPECT_STREQ("skcipher", e.type);
}

TEST_F(driver, below_the_kernels_own)
{
	struct entry ours, other;

	ASSERT_TRUE(find_entry(variant->driver, NULL, &ours));
	ASSERT_TRUE(find_entry(NULL, variant->name, &other));
	EXPECT_EQ(PRIORITY, ours.priority);
	EXPECT_LT(ours.priority, other.priority) TH_LOG("%s", other.driver);
}

TEST_F(driver, used_by_its_name)
{
	uint8_t out[64];

	if (afalg_hides_async())
		SKIP(return, AFALG_HIDES_ASYNC);
	ASSERT_EQ(variant->len, encrypt(variant->driver, variant, variant->len,
					out));
	EXPECT_EQ(0, memcmp(out, variant->cipher, variant->len));
	EXPECT_EQ(self->before + 1, attr_number(CARD0 "request_count"));
}

TEST_F(driver, not_used_by_the_generic_name)
{
	uint8_t out[64];

	ASSERT_EQ(variant->len, encrypt(variant->name, variant, variant->len,
					out));
	EXPECT_EQ(0, memcmp(out, variant->cipher, variant->len));
	EXPECT_EQ(self->before, attr_number(CARD0 "request_count"));
}

TEST_F(driver, decrypts)
{
	int fd = afalg_bind(variant->driver), op;
	uint8_t out[64];

	if (afalg_hides_async())
		SKIP(return, AFALG_HIDES_ASYNC);
	ASSERT_LE(0, fd);
	op = afalg_accept(fd, variant->key, variant->key_len);
	ASSERT_LE(0, op);
	ASSERT_EQ(variant->len, afalg_crypt(op, ALG_OP_DECRYPT, variant->iv,
					    variant->ivsize, variant->cipher,
					    out, variant->len));
	EXPECT_EQ(0, memcmp(out, nist_aes_plain, variant->len));
}

/* A message in pieces: the IV of the next one comes out of the last. */
TEST_F(driver, message_in_pieces)
{
	int fd = afalg_bind(variant->driver), op;
	uint8_t out[64];
	unsigned int i;

	if (afalg_hides_async())
		SKIP(return, AFALG_HIDES_ASYNC);
	ASSERT_LE(0, fd);
	op = afalg_accept(fd, variant->key, variant->key_len);
	ASSERT_LE(0, op);
	for (i = 0; i < variant->len; i += 16) {
		/* Only the first piece names an operation and an IV. */
		if (!i) {
			ASSERT_EQ(16, afalg_crypt(op, ALG_OP_ENCRYPT,
						  variant->iv, variant->ivsize,
						  nist_aes_plain, out, 16));
			continue;
		}
		ASSERT_EQ(16, send(op, nist_aes_plain + i, 16, MSG_MORE));
		ASSERT_EQ(16, read(op, out + i, 16));
	}
	EXPECT_EQ(0, memcmp(out, variant->cipher, variant->len));
}

TEST_F(driver, length_no_multiple_of_block)
{
	uint8_t out[64];

	if (afalg_hides_async())
		SKIP(return, AFALG_HIDES_ASYNC);
	EXPECT_EQ(variant->block == 1 ? 15 : -EINVAL,
		  encrypt(variant->driver, variant, 15, out));
}

TEST_F(driver, key_length)
{
	int fd = afalg_bind(variant->driver);
	static const uint8_t key[65];
	unsigned int len;

	if (afalg_hides_async())
		SKIP(return, AFALG_HIDES_ASYNC);
	ASSERT_LE(0, fd);
	for (len = 1; len < sizeof(key); len++) {
		bool des3 = variant->block == 8;
		bool good = len == 24 || (!des3 && (len == 16 || len == 32));
		int ret = setsockopt(fd, SOL_ALG, ALG_SET_KEY, key, len);

		EXPECT_EQ(good ? 0 : -1, ret) TH_LOG("length %u", len);
		if (ret)
			EXPECT_EQ(EINVAL, errno);
	}
}

TEST_F(driver, all_cards_offline)
{
	uint8_t out[64];
	int ret;

	if (afalg_hides_async())
		SKIP(return, AFALG_HIDES_ASYNC);
	ASSERT_EQ(0, attr_write(CARD0 "online", "0"));
	ret = encrypt(variant->driver, variant, variant->len, out);
	ASSERT_EQ(0, attr_write(CARD0 "online", "1"));
	EXPECT_EQ(-ENODEV, ret);
	EXPECT_EQ(variant->len, encrypt(variant->driver, variant, variant->len,
					out));
}

TEST_HARNESS_MAIN
