// SPDX-License-Identifier: GPL-2.0
/*
 * sysfs: what the files say, what they refuse, and that a refused write
 * changes nothing. apq-module: cards=2 domains=2
 */

#include <regex.h>
#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/device.h"
#include "common/rsa.h"

struct format {
	const char *path;
	const char *pattern;		/* of the text without its newline */
};

static const struct format files[] = {
	{ BUS "completion", "^[a-z]+ \\[hrtimer\\]( [a-z]+)*$" },
	{ BUS "poll_thread", "^0$" },
	{ BUS "poll_timeout", "^250000$" },
	{ CARD0 "type", "^CEX8A$" },
	{ CARD0 "hwtype", "^14$" },
	{ CARD0 "depth", "^8$" },
	{ CARD0 "online", "^1$" },
	{ CARD0 "ap_functions", "^0xE8000000$" },
	{ CARD0 "request_count", "^[0-9]+$" },
	{ CARD0 "requestq_count", "^0$" },
	{ CARD0 "pendingq_count", "^0$" },
	{ CARD0 "service_ns", "^[0-9]+$" },
	{ CARD0 "engine", "^capi: .*ecb-.*cbc-.*ctr-.*des3_ede.* mpi$" },
	{ CARD0 "config", "^1$" },
	{ CARD0 "chkstop", "^0$" },
	{ CARD0 "load", "^0$" },
	{ CARD1 "type", "^CEX8A$" },
	{ BUS "devices/card00/type", "^CEX8A$" },
	{ BUS "devices/card01/type", "^CEX8A$" },
	{ QUEUE0 "online", "^1$" },
	{ QUEUE0_1 "online", "^1$" },
	{ QUEUE1_1 "request_count", "^[0-9]+$" },
	{ QUEUE0 "requestq_count", "^0$" },
	{ QUEUE0 "pendingq_count", "^0$" },
	{ QUEUE0 "empty_polls", "^[0-9]+$" },
	{ QUEUE0 "reset", "^No Reset Timer set\\.$" },
};

static bool matches(const char *text, const char *pattern)
{
	regex_t re;
	bool good;

	if (regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB))
		abort();
	good = !regexec(&re, text, 0, NULL, 0);
	regfree(&re);
	return good;
}

TEST(formats)
{
	char text[ATTR_LEN];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		EXPECT_LT(0, attr_read(files[i].path, text)) {
			TH_LOG("%s", files[i].path);
		}
		EXPECT_TRUE(matches(text, files[i].pattern)) {
			TH_LOG("%s: %s", files[i].path, text);
		}
	}
}

/* One line each, with its newline. */
TEST(one_line_each)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		int fd = open(files[i].path, O_RDONLY);
		char text[ATTR_LEN];
		ssize_t len;

		ASSERT_LE(0, fd);
		len = read(fd, text, sizeof(text));
		ASSERT_LT(0, len);
		EXPECT_EQ(text + len - 1, memchr(text, '\n', len)) {
			TH_LOG("%s", files[i].path);
		}
		close(fd);
	}
}

struct refusal {
	const char *path;
	const char *text[12];
};

static const struct refusal refusals[] = {
	{ BUS "completion", { "poll", "Timer", "timerx", "time", "[timer]",
			      "timer hrtimer", " timer", "\n" } },
	{ BUS "poll_timeout", { "0", "120000000001", "18446744073709551616",
				"-1", "1.5", "250000x", "fast", "\n" } },
	{ BUS "poll_thread", { "2", "x", "-1", "\n" } },
	{ CARD0 "online", { "2", "-1", "x", "1 0", "01x", "\n" } },
	{ QUEUE0 "online", { "2", "-1", "x", "1 0", "\n" } },
};

TEST(refused_writes)
{
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(refusals); i++) {
		const struct refusal *r = &refusals[i];
		char before[ATTR_LEN], after[ATTR_LEN];

		ASSERT_LT(0, attr_read(r->path, before));
		for (n = 0; n < ARRAY_SIZE(r->text) && r->text[n]; n++) {
			int ret = attr_write(r->path, r->text[n]);

			/* Too large for 64 bits has an errno of its own. */
			if (ret == -ERANGE && strlen(r->text[n]) == 20)
				ret = -EINVAL;
			EXPECT_EQ(-EINVAL, ret) {
				TH_LOG("%s: %s", r->path, r->text[n]);
			}
		}
		ASSERT_LT(0, attr_read(r->path, after));
		EXPECT_STREQ(before, after) TH_LOG("%s", r->path);
	}
}

TEST(completion_takes_every_mode_it_lists)
{
	char text[ATTR_LEN], *word, *save;

	ASSERT_LT(0, attr_read(BUS "completion", text));
	for (word = strtok_r(text, " []", &save); word;
	     word = strtok_r(NULL, " []", &save)) {
		char line[ATTR_LEN];

		EXPECT_EQ(0, mode_set(word));
		EXPECT_TRUE(mode_is(word));
		/* As echo writes it. */
		snprintf(line, sizeof(line), "%s\n", word);
		EXPECT_EQ(0, mode_set(line));
		EXPECT_TRUE(mode_is(word));
	}
	EXPECT_EQ(0, mode_set("hrtimer"));
}

TEST(poll_timeout_takes_its_limits)
{
	EXPECT_EQ(0, attr_write(BUS "poll_timeout", "1"));
	EXPECT_TRUE(attr_is(BUS "poll_timeout", "1"));
	EXPECT_EQ(0, attr_write(BUS "poll_timeout", "120000000000\n"));
	EXPECT_TRUE(attr_is(BUS "poll_timeout", "120000000000"));
	EXPECT_EQ(0, attr_write(BUS "poll_timeout", "250000"));
}

/* Doors to requests, and the file they are counted in. */
FIXTURE(doors)
{
	int z90crypt;
	int apq;
	int session;
	struct rsa_key key;
};

static const char * const switches[] = {
	CARD0 "online", CARD1 "online",
};

static void all_cards(const char *online)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(switches); i++)
		attr_write(switches[i], online);
}

FIXTURE_SETUP(doors)
{
	static const uint8_t key[16];

	all_cards("1");
	self->z90crypt = z90crypt_open();
	ASSERT_LE(0, self->z90crypt);
	self->apq = device_open();
	ASSERT_LE(0, self->apq);
	self->session = session_create(self->apq, APQ_ALG_AES_ECB, key, 16);
	ASSERT_LT(0, self->session);
	rsa_key_load(&self->key, 512);
}

FIXTURE_TEARDOWN(doors)
{
	all_cards("1");
}

static int send_rsa(struct _test_data_doors *self)
{
	uint8_t out[RSA_MAX_LEN];
	int ret = rsa_crt(self->z90crypt, &self->key, self->key.in, out);

	if (!ret && memcmp(out, self->key.out, self->key.len))
		return -EBADMSG;
	return ret;
}

static int send_aes(struct _test_data_doors *self)
{
	uint8_t data[16] = {};

	return op_crypt(self->apq, self->session, APQ_OP_ENCRYPT, NULL, 0,
			data, data, 16);
}

static uint64_t algs(struct _test_data_doors *self)
{
	struct apq_info info = {};

	if (ioctl(self->apq, APQ_IOC_INFO, &info))
		return 1;
	return info.algs;
}

static long long count(const char *card)
{
	char path[ATTR_LEN];

	snprintf(path, sizeof(path), "/sys/devices/ap/card%s/request_count",
		 card);
	return attr_number(path);
}

TEST_F(doors, request_count_counts)
{
	long long before = count("00") + count("01");

	ASSERT_EQ(0, send_rsa(self));
	ASSERT_EQ(16, send_aes(self));
	EXPECT_EQ(before + 2, count("00") + count("01"));
}

/* Any write zeroes the counts of the card and of its queues, of no other. */
TEST_F(doors, request_count_zeroed)
{
	static const char * const texts[] = { "0", "77", "x\n" };
	long long other;
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		for (n = 0; n < 8; n++)
			ASSERT_EQ(16, send_aes(self));
		other = count("01");
		ASSERT_LT(0, count("00"));
		ASSERT_LT(0, other);
		EXPECT_EQ(0, attr_write(CARD0 "request_count", texts[i]));
		EXPECT_EQ(0, count("00"));
		EXPECT_EQ(0, attr_number(QUEUE0 "request_count"));
		EXPECT_EQ(0, attr_number(QUEUE0_1 "request_count"));
		EXPECT_EQ(other, count("01"));
	}
}

TEST_F(doors, queue_request_count_zeroed)
{
	static const char path[] = QUEUE1 "request_count";
	unsigned int n;

	for (n = 0; n < 8; n++)
		ASSERT_EQ(16, send_aes(self));
	ASSERT_LT(0, attr_number(path));
	EXPECT_EQ(0, attr_write(path, "0"));
	EXPECT_EQ(0, attr_number(path));
	EXPECT_LT(0, count("01"));
}

TEST_F(doors, service_time_grows)
{
	long long before = attr_number(CARD0 "service_ns");

	ASSERT_EQ(0, attr_write(CARD1 "online", "0"));
	ASSERT_EQ(0, send_rsa(self));
	EXPECT_LT(before, attr_number(CARD0 "service_ns"));
}

TEST_F(doors, offline_means_enodev)
{
	all_cards("0");
	EXPECT_TRUE(attr_is(CARD0 "online", "0"));
	EXPECT_TRUE(attr_is(QUEUE0 "online", "0"));
	EXPECT_EQ(-ENODEV, send_rsa(self));
	EXPECT_EQ(-ENODEV, send_aes(self));
	EXPECT_EQ(0, algs(self));
}

/* A session made before, and one made while nothing was online. */
TEST_F(doors, back_online_works)
{
	static const uint8_t key[16];
	int session;

	all_cards("0");
	session = session_create(self->apq, APQ_ALG_AES_ECB, key, 16);
	all_cards("1");
	EXPECT_EQ(0, send_rsa(self));
	EXPECT_EQ(16, send_aes(self));
	EXPECT_NE(0, algs(self));
	if (session > 0) {
		self->session = session;
		EXPECT_EQ(16, send_aes(self));
	}
}

TEST_F(doors, other_card_takes_over)
{
	long long before = count("00");

	ASSERT_EQ(0, attr_write(CARD0 "online", "0"));
	EXPECT_EQ(0, send_rsa(self));
	EXPECT_EQ(16, send_aes(self));
	EXPECT_EQ(before, count("00"));
	EXPECT_EQ(2, ({
		long long other = count("01");

		send_rsa(self);
		send_aes(self);
		count("01") - other;
	}));
}

TEST_F(doors, queue_not_online_while_card_is_not)
{
	static const char path[] = QUEUE0_1 "online";

	ASSERT_EQ(0, attr_write(CARD0 "online", "0"));
	EXPECT_EQ(-EINVAL, attr_write(path, "1"));
	EXPECT_TRUE(attr_is(path, "0"));
	EXPECT_EQ(0, attr_write(path, "0"));
	ASSERT_EQ(0, attr_write(CARD0 "online", "1"));
	EXPECT_TRUE(attr_is(path, "1"));
}

TEST_F(doors, one_queue_offline)
{
	static const char path[] = QUEUE0 "online";
	long long before = attr_number(QUEUE0 "request_count");
	unsigned int n;

	ASSERT_EQ(0, attr_write(path, "0"));
	EXPECT_TRUE(attr_is(path, "0"));
	EXPECT_TRUE(attr_is(CARD0 "online", "1"));
	for (n = 0; n < 8; n++)
		EXPECT_EQ(16, send_aes(self));
	EXPECT_EQ(before, attr_number(QUEUE0 "request_count"));
	EXPECT_EQ(0, attr_write(path, "1"));
	EXPECT_TRUE(attr_is(path, "1"));
}

TEST_F(doors, all_queues_offline)
{
	static const char * const paths[] = {
		QUEUE0 "online", QUEUE0_1 "online",
		QUEUE1 "online", QUEUE1_1 "online",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(paths); i++)
		ASSERT_EQ(0, attr_write(paths[i], "0"));
	EXPECT_EQ(-ENODEV, send_rsa(self));
	EXPECT_EQ(-ENODEV, send_aes(self));
	for (i = 0; i < ARRAY_SIZE(paths); i++)
		ASSERT_EQ(0, attr_write(paths[i], "1"));
	EXPECT_EQ(0, send_rsa(self));
	EXPECT_EQ(16, send_aes(self));
}

/* An idle queue takes a reset and goes on. */
TEST_F(doors, reset_of_an_idle_queue)
{
	static const char path[] = QUEUE0 "reset";

	ASSERT_EQ(0, attr_write(CARD1 "online", "0"));
	ASSERT_EQ(0, attr_write(QUEUE0_1 "online", "0"));
	EXPECT_EQ(0, attr_write(path, "1"));
	EXPECT_EQ(0, send_rsa(self));
	EXPECT_EQ(16, send_aes(self));
	EXPECT_TRUE(attr_is(path, "No Reset Timer set."));
	ASSERT_EQ(0, attr_write(QUEUE0_1 "online", "1"));
}

TEST_HARNESS_MAIN
