// SPDX-License-Identifier: GPL-2.0
/*
 * Card null: there only if asked for, answers /dev/apq with zeroes, says what
 * it is, and nobody else can get at it.
 * apq-module: none
 * apq-timeout: 90
 */

#include "kselftest_harness.h"
#include "common/crew.h"
#include "common/module.h"
#include "common/process.h"
#include "common/stats.h"

#define ENGINE		"null: null, nothing is computed"

static const char * const modes[] = {
	"timer", "hrtimer", "thread", "irq", "caller", "hybrid", "adaptive",
};

FIXTURE(null)
{
	int fd;
	int session;
	uint8_t plain[LOAD_PINNED];
	uint8_t got[LOAD_PINNED];
};

FIXTURE_SETUP(null)
{
	memset(self->plain, 0x55, sizeof(self->plain));
}

FIXTURE_TEARDOWN(null)
{
	close(self->fd);
	module_remove();
}

static void open_session(struct __test_metadata *_metadata,
			 struct _test_data_null *self)
{
	self->fd = device_open();
	ASSERT_LE(0, self->fd);
	self->session = session_create(self->fd, APQ_ALG_AES_CBC, load_key, 16);
	ASSERT_LT(0, self->session);
}

/* Encrypts into memory full of 0xff. */
static int encrypt(struct _test_data_null *self, unsigned int len)
{
	static const uint8_t iv[16];

	memset(self->got, 0xff, sizeof(self->got));
	return op_crypt(self->fd, self->session, APQ_OP_ENCRYPT, iv, 16,
			self->plain, self->got, len);
}

static bool all_are(const uint8_t *p, uint8_t value, unsigned int len)
{
	while (len && *p == value)
		p++, len--;
	return !len;
}

TEST_F_TIMEOUT(null, answers_with_zeroes, 60)
{
	struct apq_op op = {
		.op = APQ_OP_RANDOM,
		.dst = address(self->got),
		.dst_len = 64,
		.timeout_ms = OP_TIMEOUT_MS,
	};
	unsigned int i;

	ASSERT_EQ(0, module_load("null=1 cards=0"));
	open_session(_metadata, self);
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		ASSERT_EQ(0, mode_set(modes[i]));
		ASSERT_EQ(64, encrypt(self, 64)) TH_LOG("%s", modes[i]);
		EXPECT_TRUE(all_are(self->got, 0, 64));
		/* No more than was asked for. */
		EXPECT_EQ(0xff, self->got[64]);
		/* Pages of ours stay as they are. */
		ASSERT_EQ(LOAD_PINNED, encrypt(self, LOAD_PINNED));
		EXPECT_TRUE(all_are(self->got, 0xff, LOAD_PINNED));
		memset(self->got, 0xff, 64);
		ASSERT_EQ(64, op_run(self->fd, &op));
		EXPECT_TRUE(all_are(self->got, 0, 64));
	}
	EXPECT_EQ(3 * ARRAY_SIZE(modes), attr_number(CARD0 "request_count"));
	EXPECT_EQ(0, queue_stat(QUEUE0, "rescues"));
	EXPECT_EQ(0, queue_stat(QUEUE0, "unknown"));
}

TEST_F(null, only_dev_apq_gets_it)
{
	uint8_t out[64] = { 0xff };
	struct rsa_key key;
	int fd;

	ASSERT_EQ(0, module_load("null=1 cards=0"));
	EXPECT_EQ(-ENOENT, afalg_bind("cbc-aes-apq"));
	EXPECT_EQ(-ENOENT, afalg_bind("ecb-aes-apq"));
	rsa_key_load(&key, 512);
	fd = z90crypt_open();
	ASSERT_LE(0, fd);
	EXPECT_EQ(-ENODEV, rsa_me(fd, &key, key.in, out));
	EXPECT_EQ(-ENODEV, rsa_crt(fd, &key, key.in, out));
	EXPECT_EQ(0xff, out[0]);
	EXPECT_EQ(0, attr_number(CARD0 "request_count"));
	close(fd);
	EXPECT_EQ(0, process_count("apq_engine"));
}

/* Beside a card that computes: what that must do is not done by null. */
TEST_F_TIMEOUT(null, beside_a_real_card, 60)
{
	static struct crew crew;

	ASSERT_EQ(0, module_load("null=1 hwrng=0"));
	EXPECT_TRUE(attr_is(CARD1 "engine", ENGINE));
	ASSERT_EQ(0, attr_write(CARD0 "request_count", "0"));
	ASSERT_EQ(0, attr_write(CARD1 "request_count", "0"));
	crew_init(&crew, 4);
	EXPECT_NE(0, crew_run(&crew, 4, 20, LOAD_ME | LOAD_CRT | LOAD_AFALG));
	EXPECT_EQ(80, attr_number(CARD0 "request_count"));
	EXPECT_EQ(0, attr_number(CARD1 "request_count"));
	/* Nothing takes its place. */
	ASSERT_EQ(0, attr_write(CARD0 "online", "0"));
	EXPECT_EQ(-ENODEV, rsa_me(crew.t[0]->z90crypt, &crew.load.rsa.key,
				  crew.load.rsa.in[0], self->got));
	crew_close(&crew);
}

TEST_F(null, says_what_it_is)
{
	ASSERT_EQ(0, module_load("null=1 cards=0"));
	EXPECT_TRUE(attr_is(CARD0 "engine", ENGINE));
	ASSERT_EQ(0, model_set("all_ns=1000"));
	EXPECT_TRUE(attr_is(CARD0 "engine", ENGINE " (modelled)"));
}

/* The lab's usual arrangement. */
TEST_F_TIMEOUT(null, under_a_model, 60)
{
	unsigned int i;
	uint64_t start;

	ASSERT_EQ(0, module_load("null=1 cards=0"));
	ASSERT_EQ(0, model_set("all_ns=20000000"));
	open_session(_metadata, self);
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		ASSERT_EQ(0, mode_set(modes[i]));
		start = now_ns();
		ASSERT_EQ(64, encrypt(self, 64));
		EXPECT_LE(20 * NSEC_PER_MSEC, now_ns() - start) {
			TH_LOG("%s", modes[i]);
		}
	}
	EXPECT_EQ(0, queue_stat(QUEUE0, "rescues"));
}

TEST_F(null, stays_as_long_as_the_module)
{
	ASSERT_EQ(0, module_load("null=1 cards=0"));
	EXPECT_EQ(-EBUSY, attr_write(BUS "card_remove", "0"));
	EXPECT_EQ(-ENOENT, attr_write(BUS "card_remove", "1"));
	open_session(_metadata, self);
	EXPECT_EQ(64, encrypt(self, 64));
	EXPECT_EQ(-EBUSY, module_remove());
	close(self->fd);
	self->fd = -1;
	EXPECT_EQ(0, module_remove());
	EXPECT_NE(0, access(CARD0, F_OK));
}

TEST_F(null, not_there_by_default)
{
	char text[ATTR_LEN];

	ASSERT_EQ(0, module_load(""));
	EXPECT_NE(0, access(CARD1, F_OK));
	attr_read(CARD0 "engine", text);
	EXPECT_EQ(NULL, strstr(text, "null"));
}

TEST_F(null, refused_parameters)
{
	char line[256] = "";
	int log = log_open();

	ASSERT_LE(0, log);
	EXPECT_EQ(-EINVAL, module_load("cards=0"));
	EXPECT_EQ(1, log_errors(log, line, sizeof(line)));
	EXPECT_NE(NULL, strstr(line, "cards=0: must be 1 to 64")) {
		TH_LOG("%s", line);
	}
	/* 64 cards leave no id. */
	EXPECT_EQ(-EINVAL, module_load("null=1 cards=64"));
	EXPECT_EQ(1, log_errors(log, line, sizeof(line)));
	EXPECT_NE(NULL, strstr(line, "null=1")) TH_LOG("%s", line);
	EXPECT_NE(0, access(BUS, F_OK));
	close(log);
}

TEST_HARNESS_MAIN
