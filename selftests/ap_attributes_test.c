// SPDX-License-Identifier: GPL-2.0
/*
 * sysfs of the bus, its cards and queues beyond what sysfs_test has: formats,
 * modes, limits, errors, and what a write does.
 * apq-module: cards=2 domains=2
 * apq-timeout: 90
 */

#include <pthread.h>
#include <regex.h>
#include <sys/stat.h>
#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/clock.h"
#include "common/device.h"
#include "common/rsa.h"

#define ONES	"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
#define ZEROS	"00000000000000000000000000000000000000000000000000000000000000"
#define DRIVERS	BUS "drivers/"
#define CHKSTOP	"/sys/kernel/debug/apq/chkstop"

struct format {
	const char *path;
	unsigned int mode;
	const char *pattern;		/* of the text without its newline */
};

static const struct format files[] = {
	{ BUS "ap_domain", 0644, "^0$" },
	{ BUS "ap_control_domain_mask", 0444, "^0xc0" ZEROS "$" },
	{ BUS "ap_usage_domain_mask", 0444, "^0xc0" ZEROS "$" },
	{ BUS "ap_adapter_mask", 0444, "^0xc0" ZEROS "$" },
	{ BUS "ap_interrupts", 0444, "^0$" },
	{ BUS "ap_max_domain_id", 0444, "^15$" },
	{ BUS "ap_max_adapter_id", 0444, "^63$" },
	{ BUS "config_time", 0644, "^30$" },
	{ BUS "poll_thread", 0644, "^0$" },
	{ BUS "poll_timeout", 0644, "^250000$" },
	{ BUS "apmask", 0644, "^0xff" ONES "$" },
	{ BUS "aqmask", 0644, "^0xff" ONES "$" },
	{ BUS "scans", 0644, "^[1-9][0-9]*$" },
	{ BUS "bindings", 0444, "^4/4 \\(complete\\)$" },
	{ BUS "features", 0444, "^APSC$" },
	{ CARD0 "raw_hwtype", 0444, "^14$" },
	{ CARD0 "hwtype", 0444, "^14$" },
	{ CARD0 "type", 0444, "^CEX8A$" },
	{ CARD0 "modalias", 0444, "^ap:t0E$" },
	{ CARD0 "depth", 0444, "^8$" },
	{ CARD0 "ap_functions", 0444, "^0xE8000000$" },
	{ CARD0 "config", 0644, "^1$" },
	{ CARD0 "chkstop", 0444, "^0$" },
	{ CARD0 "max_msg_size", 0444, "^12288$" },
	{ CARD0 "online", 0644, "^1$" },
	{ CARD0 "load", 0444, "^0$" },
	{ CARD0 "request_count", 0644, "^[0-9]+$" },
	{ QUEUE0_1 "config", 0444, "^1$" },
	{ QUEUE0_1 "chkstop", 0444, "^0$" },
	{ QUEUE0_1 "ap_functions", 0444, "^0xE8000000$" },
	{ QUEUE0_1 "interrupt", 0444, "^Interrupts disabled\\.$" },
	{ QUEUE0_1 "states", 0444, "^OPERATING \\[IDLE\\]$" },
	{ QUEUE0_1 "last_err_rc", 0444, "^NORMAL$" },
	{ QUEUE0_1 "load", 0444, "^0$" },
	{ QUEUE0_1 "online", 0644, "^1$" },
	{ QUEUE0_1 "request_count", 0644, "^[0-9]+$" },
	{ QUEUE0_1 "reset", 0644, "^No Reset Timer set\\.$" },
};

static const char * const write_only[] = {
	BUS "card_add", BUS "card_remove", CARD0 "queue_add",
	CARD0 "queue_remove",
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

static unsigned int mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_mode & 07777;
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

TEST(modes)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		EXPECT_EQ(files[i].mode, mode_of(files[i].path)) {
			TH_LOG("%s", files[i].path);
		}
	}
	for (i = 0; i < ARRAY_SIZE(write_only); i++) {
		EXPECT_EQ(0200, mode_of(write_only[i])) {
			TH_LOG("%s", write_only[i]);
		}
	}
}

/* What lszcrypt looks for: the drivers by these names. */
TEST(drivers)
{
	char target[ATTR_LEN] = "";

	EXPECT_EQ(0, access(DRIVERS "cex4card/card01", F_OK));
	EXPECT_EQ(0, access(DRIVERS "cex4queue/01.0001", F_OK));
	ASSERT_LT(0, readlink(CARD1 "driver", target, sizeof(target) - 1));
	EXPECT_TRUE(matches(target, "/bus/ap/drivers/cex4card$"));
	memset(target, 0, sizeof(target));
	ASSERT_LT(0, readlink(QUEUE1 "driver", target, sizeof(target) - 1));
	EXPECT_TRUE(matches(target, "/bus/ap/drivers/cex4queue$"));
}

FIXTURE(bus)
{
	int z90crypt;
	struct rsa_key key;
};

static void restore(void)
{
	attr_write(BUS "apmask", "+0-255");
	attr_write(BUS "aqmask", "+0-255");
	attr_write(BUS "ap_domain", "0");
	attr_write(BUS "config_time", "30");
	attr_write(BUS "poll_timeout", "250000");
	attr_write(CHKSTOP, "0 0");
	attr_write(CHKSTOP, "1 0");
	mode_set("hrtimer");
	attr_write(CARD0 "config", "1");
	attr_write(CARD1 "config", "1");
	attr_write(CARD0 "online", "1");
	attr_write(CARD1 "online", "1");
}

FIXTURE_SETUP(bus)
{
	restore();
	self->z90crypt = z90crypt_open();
	ASSERT_LE(0, self->z90crypt);
	rsa_key_load(&self->key, 512);
}

FIXTURE_TEARDOWN(bus)
{
	restore();
	close(self->z90crypt);
}

static int send_rsa(struct _test_data_bus *self)
{
	uint8_t out[RSA_MAX_LEN];
	int ret = rsa_crt(self->z90crypt, &self->key, self->key.in, out);

	if (!ret && memcmp(out, self->key.out, self->key.len))
		return -EBADMSG;
	return ret;
}

struct refusal {
	const char *path;
	const char *text[12];
};

static const struct refusal refusals[] = {
	{ BUS "ap_domain", { "-1", "16", "x", "0x10", "1 2", "\n" } },
	{ BUS "config_time", { "4", "121", "-5", "5.5", "x", "\n" } },
	{ BUS "apmask", { "\n", "0x", "0xg", "0x0x1", "x1", "+256", "-1-256",
			  "+3-2", "1-2", "++1", "+1,", "+1 +2" } },
	{ BUS "aqmask", { "+", "-", "+-1", "0x 1", "+1,2", "+0x", "+1-2-3",
			  "+12345678", "+1\n\n", "0x" ONES "fff" } },
	{ CARD0 "config", { "2", "-1", "x", "01 ", "1 0", "\n" } },
	{ CARD0 "queue_add", { "-1", "16", "x", "3 4", "\n" } },
	{ CARD0 "queue_remove", { "-1", "x", "3 4", "\n" } },
	{ BUS "card_add", { "-1", "64", "x", "5 0", "5 17", "5 1 1", "5,1",
			    "\n", "4294967296", "0x40",
			    "5                              1" } },
	{ BUS "card_remove", { "-1", "x", "5 1", "\n" } },
};

TEST_F(bus, refused_writes)
{
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(refusals); i++) {
		const struct refusal *r = &refusals[i];
		char before[ATTR_LEN], after[ATTR_LEN];

		attr_read(r->path, before);
		for (n = 0; n < ARRAY_SIZE(r->text) && r->text[n]; n++) {
			EXPECT_EQ(-EINVAL, attr_write(r->path, r->text[n])) {
				TH_LOG("%s: %s", r->path, r->text[n]);
			}
		}
		attr_read(r->path, after);
		EXPECT_STREQ(before, after) TH_LOG("%s", r->path);
	}
}

TEST_F(bus, read_only_files)
{
	unsigned int i;

	/* The mode does not stop root, sysfs does. */
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		if (files[i].mode & 0200)
			continue;
		EXPECT_EQ(-EACCES, attr_write(files[i].path, "1")) {
			TH_LOG("%s", files[i].path);
		}
	}
}

TEST_F(bus, ap_domain)
{
	EXPECT_EQ(0, attr_write(BUS "ap_domain", "15\n"));
	EXPECT_TRUE(attr_is(BUS "ap_domain", "15"));
	EXPECT_EQ(0, attr_write(BUS "ap_domain", "0x1"));
	EXPECT_TRUE(attr_is(BUS "ap_domain", "1"));
	ASSERT_EQ(0, attr_write(BUS "aqmask", "-7"));
	EXPECT_EQ(-EINVAL, attr_write(BUS "ap_domain", "7"));
	EXPECT_TRUE(attr_is(BUS "ap_domain", "1"));
}

TEST_F(bus, config_time)
{
	long long scans = attr_number(BUS "scans");

	EXPECT_EQ(0, attr_write(BUS "config_time", "120"));
	EXPECT_TRUE(attr_is(BUS "config_time", "120"));
	EXPECT_EQ(0, attr_write(BUS "config_time", "5\n"));
	EXPECT_TRUE(attr_is(BUS "config_time", "5"));
	/* In force at once: the scan due in 30 s comes in 5. */
	EXPECT_TRUE(wait_for(attr_number(BUS "scans") > scans, 15));
}

/* The scan is over when the write returns. */
TEST_F(bus, scans)
{
	long long scans = attr_number(BUS "scans");

	EXPECT_EQ(0, attr_write(BUS "scans", "x"));
	EXPECT_LE(scans + 1, attr_number(BUS "scans"));
}

struct mask_write {
	const char *text;
	const char *result;
};

TEST_F(bus, masks)
{
	static const struct mask_write writes[] = {
		{ "0xf", "0xf0" ZEROS },
		{ "C0\n", "0xc0" ZEROS },
		{ "0Xc0" ZEROS, "0xc0" ZEROS },
		{ "+0-255", "0xff" ONES },
		{ "-2", "0xdf" ONES },
		{ "+2,-1\n", "0xbf" ONES },
		{ "-0x1,+01", "0xff" ONES },
		{ "-0-255,+0-1", "0xc0" ZEROS },
		{ "0xff" ONES, "0xff" ONES },
	};
	static const char * const paths[] = { BUS "apmask", BUS "aqmask" };
	unsigned int i, n;

	for (n = 0; n < ARRAY_SIZE(paths); n++) {
		for (i = 0; i < ARRAY_SIZE(writes); i++) {
			EXPECT_EQ(0, attr_write(paths[n], writes[i].text));
			EXPECT_TRUE(attr_is(paths[n], writes[i].result)) {
				TH_LOG("%s: %s", paths[n], writes[i].text);
			}
		}
	}
}

/* The last bits are the ones of id 255. */
TEST_F(bus, last_bit_of_a_mask)
{
	char text[ATTR_LEN];

	ASSERT_EQ(0, attr_write(BUS "apmask", "-255"));
	ASSERT_EQ(66, attr_read(BUS "apmask", text));
	EXPECT_EQ('e', text[65]);
	EXPECT_EQ('f', text[64]);
}

static void expect_masked(struct __test_metadata *_metadata, const char *queue,
			  bool masked)
{
	char path[ATTR_LEN];

	snprintf(path, sizeof(path), "%sdriver", queue);
	EXPECT_EQ(masked ? -1 : 0, access(path, F_OK)) TH_LOG("%s", path);
	snprintf(path, sizeof(path), "%sonline", queue);
	EXPECT_EQ(masked ? -1 : 0, access(path, F_OK)) TH_LOG("%s", path);
	snprintf(path, sizeof(path), "%sstates", queue);
	EXPECT_TRUE(attr_is(path, masked ? "UNINITIATED" :
				  "OPERATING [IDLE]")) {
		TH_LOG("%s", path);
	}
	snprintf(path, sizeof(path), "%srequest_count", queue);
	EXPECT_EQ(masked, attr_is(path, "-")) TH_LOG("%s", path);
}

/* A queue is served while its card and its domain are in the masks. */
TEST_F(bus, masked_queue_has_no_driver)
{
	ASSERT_EQ(0, attr_write(BUS "apmask", "-1"));
	expect_masked(_metadata, QUEUE0, false);
	expect_masked(_metadata, QUEUE0_1, false);
	expect_masked(_metadata, QUEUE1, true);
	expect_masked(_metadata, QUEUE1_1, true);
	EXPECT_TRUE(attr_is(BUS "bindings", "2/4"));
	ASSERT_EQ(0, attr_write(BUS "aqmask", "-0"));
	expect_masked(_metadata, QUEUE0, true);
	expect_masked(_metadata, QUEUE0_1, false);
	EXPECT_TRUE(attr_is(BUS "bindings", "1/4"));
	ASSERT_EQ(0, attr_write(BUS "apmask", "+1"));
	expect_masked(_metadata, QUEUE1, true);
	expect_masked(_metadata, QUEUE1_1, false);
	ASSERT_EQ(0, attr_write(BUS "aqmask", "+0"));
	expect_masked(_metadata, QUEUE1, false);
	EXPECT_TRUE(attr_is(BUS "bindings", "4/4 (complete)"));
}

TEST_F(bus, masked_queue_gets_no_request)
{
	unsigned int n;

	ASSERT_EQ(0, attr_write(BUS "apmask", "-1"));
	ASSERT_EQ(0, attr_write(BUS "aqmask", "-0"));
	ASSERT_EQ(0, attr_write(CARD0 "request_count", "0"));
	ASSERT_EQ(0, attr_write(CARD1 "request_count", "0"));
	for (n = 0; n < 16; n++) {
		EXPECT_EQ(0, send_rsa(self));
	}
	EXPECT_EQ(16, attr_number(QUEUE0_1 "request_count"));
	EXPECT_EQ(16, attr_number(CARD0 "request_count"));
	EXPECT_EQ(0, attr_number(CARD1 "request_count"));
	ASSERT_EQ(0, attr_write(BUS "apmask", "0x00" ZEROS));
	EXPECT_EQ(-ENODEV, send_rsa(self));
	ASSERT_EQ(0, attr_write(BUS "apmask", "+1"));
	EXPECT_EQ(0, send_rsa(self));
	EXPECT_EQ(1, attr_number(QUEUE1_1 "request_count"));
}

/* The driver can be taken away and given back by hand too. */
TEST_F(bus, unbind_and_bind)
{
	unsigned int n;

	ASSERT_EQ(0, attr_write(CARD1 "online", "0"));
	ASSERT_EQ(0, attr_write(DRIVERS "cex4queue/unbind", "00.0000"));
	expect_masked(_metadata, QUEUE0, true);
	ASSERT_EQ(0, attr_write(CARD0 "request_count", "0"));
	for (n = 0; n < 4; n++) {
		EXPECT_EQ(0, send_rsa(self));
	}
	EXPECT_EQ(4, attr_number(QUEUE0_1 "request_count"));
	ASSERT_EQ(0, attr_write(BUS "aqmask", "-0"));
	EXPECT_EQ(-ENODEV, attr_write(DRIVERS "cex4queue/bind", "00.0000"));
	ASSERT_EQ(0, attr_write(BUS "aqmask", "+0"));
	expect_masked(_metadata, QUEUE0, false);
}

static void *send_one(void *data)
{
	struct _test_data_bus *self = data;

	return (void *)(intptr_t)send_rsa(self);
}

/* A request whose reply nobody takes until poll_timeout is short again. */
static bool send_stuck(struct _test_data_bus *self, pthread_t *thread)
{
	return !attr_write(CARD1 "online", "0") &&
	       !attr_write(QUEUE0_1 "online", "0") &&
	       !attr_write(BUS "poll_timeout", "120000000000") &&
	       !pthread_create(thread, NULL, send_one, self) &&
	       wait_for(attr_number(QUEUE0 "pendingq_count") == 1, 10);
}

static int end_stuck(pthread_t thread)
{
	void *ret;

	attr_write(BUS "poll_timeout", "250000");
	return pthread_join(thread, &ret) ? -1 : (intptr_t)ret;
}

TEST_F(bus, busy_queue_is_not_masked)
{
	pthread_t thread;

	ASSERT_TRUE(send_stuck(self, &thread));
	EXPECT_EQ(-EBUSY, attr_write(BUS "apmask", "-0"));
	EXPECT_TRUE(attr_is(BUS "apmask", "0xff" ONES));
	EXPECT_EQ(-EBUSY, attr_write(BUS "aqmask", "0x0"));
	EXPECT_TRUE(attr_is(BUS "aqmask", "0xff" ONES));
	/* Others may go. */
	EXPECT_EQ(0, attr_write(BUS "apmask", "-1"));
	EXPECT_EQ(0, end_stuck(thread));
	EXPECT_EQ(0, attr_write(BUS "apmask", "-0"));
}

TEST_F(bus, states_of_a_working_queue)
{
	pthread_t thread;

	ASSERT_TRUE(send_stuck(self, &thread));
	EXPECT_TRUE(attr_is(QUEUE0 "states", "OPERATING [WORKING]"));
	EXPECT_TRUE(attr_is(QUEUE0 "reset", "Reset Timer armed."));
	EXPECT_EQ(attr_number(CARD0 "load"), attr_number(QUEUE0 "load"));
	EXPECT_LT(0, attr_number(QUEUE0 "load"));
	EXPECT_EQ(0, end_stuck(thread));
	EXPECT_TRUE(attr_is(QUEUE0 "states", "OPERATING [IDLE]"));
	EXPECT_TRUE(attr_is(QUEUE0 "reset", "No Reset Timer set."));
}

TEST_F(bus, deconfigured_card)
{
	ASSERT_EQ(0, attr_write(CARD0 "config", "0"));
	EXPECT_TRUE(attr_is(CARD0 "config", "0"));
	EXPECT_TRUE(attr_is(CARD0 "online", "0"));
	EXPECT_TRUE(attr_is(QUEUE0 "config", "0"));
	EXPECT_TRUE(attr_is(QUEUE0 "online", "0"));
	EXPECT_TRUE(attr_is(QUEUE0 "states", "ERROR [RESET_START]"));
	EXPECT_TRUE(attr_is(QUEUE0 "reset", "Reset in progress."));
	EXPECT_TRUE(attr_is(QUEUE0 "last_err_rc", "DECONFIGURED"));
	EXPECT_EQ(-ENODEV, attr_write(CARD0 "online", "1"));
	EXPECT_EQ(-ENODEV, attr_write(QUEUE0 "online", "1"));
	/* Neither a reset nor a scan brings it back. */
	EXPECT_EQ(0, attr_write(QUEUE0 "reset", "1"));
	EXPECT_EQ(0, attr_write(BUS "scans", "1"));
	EXPECT_TRUE(attr_is(QUEUE0 "last_err_rc", "DECONFIGURED"));
	EXPECT_TRUE(attr_is(CARD1 "online", "1"));
	EXPECT_EQ(0, send_rsa(self));
	ASSERT_EQ(0, attr_write(CARD1 "config", "0"));
	EXPECT_EQ(-ENODEV, send_rsa(self));
}

/* Configured again it is what the administrator last wanted. */
TEST_F(bus, configured_again)
{
	ASSERT_EQ(0, attr_write(CARD1 "online", "0"));
	ASSERT_EQ(0, attr_write(CARD0 "config", "0"));
	ASSERT_EQ(0, attr_write(CARD1 "config", "0"));
	EXPECT_EQ(0, attr_write(CARD0 "config", "1"));
	EXPECT_EQ(0, attr_write(CARD1 "config", "1"));
	EXPECT_TRUE(attr_is(CARD0 "online", "1"));
	EXPECT_TRUE(attr_is(CARD1 "online", "0"));
	EXPECT_TRUE(attr_is(QUEUE0 "online", "1"));
	EXPECT_TRUE(attr_is(QUEUE1 "online", "0"));
	EXPECT_TRUE(attr_is(QUEUE0 "last_err_rc", "NORMAL"));
	EXPECT_TRUE(wait_for(attr_is(QUEUE0 "states", "OPERATING [IDLE]"), 5));
	EXPECT_EQ(0, send_rsa(self));
}

static bool has_debugfs(void)
{
	return !access(CHKSTOP, W_OK);
}

TEST_F(bus, checkstopped_card)
{
	if (!has_debugfs())
		SKIP(return, "no debugfs");
	ASSERT_EQ(0, attr_write(CHKSTOP, "0 1\n"));
	EXPECT_TRUE(attr_is(CARD0 "chkstop", "1"));
	EXPECT_TRUE(attr_is(CARD0 "online", "0"));
	EXPECT_TRUE(attr_is(CARD0 "config", "1"));
	EXPECT_TRUE(attr_is(QUEUE0 "chkstop", "1"));
	EXPECT_TRUE(attr_is(QUEUE0 "online", "0"));
	EXPECT_TRUE(attr_is(QUEUE0 "last_err_rc", "CHECKSTOPPED"));
	EXPECT_TRUE(attr_is(CARD1 "chkstop", "0"));
	EXPECT_EQ(-ENODEV, attr_write(CARD0 "online", "1"));
	EXPECT_EQ(-ENODEV, attr_write(QUEUE0 "online", "1"));
	EXPECT_EQ(0, send_rsa(self));
	ASSERT_EQ(0, attr_write(CHKSTOP, "1 1"));
	EXPECT_EQ(-ENODEV, send_rsa(self));
	ASSERT_EQ(0, attr_write(CHKSTOP, "0 0"));
	EXPECT_TRUE(attr_is(CARD0 "online", "1"));
	EXPECT_TRUE(attr_is(QUEUE0 "last_err_rc", "NORMAL"));
	EXPECT_EQ(0, send_rsa(self));
}

TEST_F(bus, refused_chkstop)
{
	static const char * const texts[] = {
		"0", "0 2", "0 1 1", "x 1", "\n",
		"0                               1",
	};
	unsigned int i;

	if (!has_debugfs())
		SKIP(return, "no debugfs");
	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		EXPECT_EQ(-EINVAL, attr_write(CHKSTOP, texts[i])) {
			TH_LOG("%s", texts[i]);
		}
	}
	EXPECT_EQ(-ENOENT, attr_write(CHKSTOP, "2 1"));
	EXPECT_EQ(-ENOENT, attr_write(CHKSTOP, "64 1"));
	EXPECT_TRUE(attr_is(CARD0 "chkstop", "0"));
}

TEST_F(bus, interrupts)
{
	ASSERT_EQ(0, mode_set("irq"));
	EXPECT_TRUE(attr_is(BUS "ap_interrupts", "1"));
	EXPECT_TRUE(attr_is(QUEUE0 "interrupt", "Interrupts enabled."));
	ASSERT_EQ(0, mode_set("hrtimer"));
	EXPECT_TRUE(attr_is(BUS "ap_interrupts", "0"));
	EXPECT_TRUE(attr_is(QUEUE0 "interrupt", "Interrupts disabled."));
}

/* The one request finds no other card. */
TEST_F(bus, deconfigured_under_a_request)
{
	pthread_t thread;
	int ret;

	ASSERT_TRUE(send_stuck(self, &thread));
	ASSERT_EQ(0, attr_write(CARD0 "config", "0"));
	ret = end_stuck(thread);
	/* It may have been computed before, or its computing was not begun. */
	EXPECT_TRUE(!ret || ret == -ENODEV) TH_LOG("%d", ret);
	EXPECT_EQ(0, attr_number(CARD0 "pendingq_count"));
	EXPECT_EQ(0, attr_number(CARD0 "load"));
}

TEST_HARNESS_MAIN
