// SPDX-License-Identifier: GPL-2.0
/* Random bytes from /dev/apq and from /dev/hwrng. apq-timeout: 60 */

#include <stdbool.h>
#include <stdlib.h>
#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/clock.h"
#include "common/device.h"
#include "common/guard.h"
#include "common/module.h"

#define HWRNG		"/dev/hwrng"
#define RNG		"/sys/class/misc/hw_random/"

FIXTURE(random)
{
	int fd;
	uint8_t out[2 * APQ_MAX_RANDOM_LEN];
	struct apq_op op;
};

FIXTURE_SETUP(random)
{
	self->fd = device_open();
	ASSERT_LE(0, self->fd);
	self->op = (struct apq_op) {
		.op = APQ_OP_RANDOM,
		.dst = address(self->out),
		.dst_len = 256,
	};
}

FIXTURE_TEARDOWN(random)
{
	close(self->fd);
}

static bool all_zero(const uint8_t *p, size_t len)
{
	while (len--)
		if (*p++)
			return false;
	return true;
}

/*
 * Bits that are set, of 8 * 4096. Chance gives half of them with a standard
 * deviation of 91; eight of those do not happen.
 */
static bool looks_random(const uint8_t *p)
{
	unsigned int i, ones = 0;

	for (i = 0; i < APQ_MAX_RANDOM_LEN; i++)
		ones += __builtin_popcount(p[i]);
	return abs((int)ones - 4 * APQ_MAX_RANDOM_LEN) < 8 * 91;
}

TEST_F(random, fills_what_was_asked_for)
{
	static const unsigned int lens[] = { 1, 2, 15, 16, 100, 1024, 4095 };
	unsigned int i, n;

	for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		bool filled = false;

		self->op.dst_len = lens[i];
		/* The last byte is 0 in one of 256 cases. */
		for (n = 0; n < 20 && !filled; n++) {
			memset(self->out, 0, sizeof(self->out));
			ASSERT_EQ((int)lens[i], op_run(self->fd, &self->op));
			filled = self->out[lens[i] - 1];
		}
		EXPECT_TRUE(filled) TH_LOG("%u bytes", lens[i]);
		EXPECT_TRUE(all_zero(self->out + lens[i], 64));
	}
}

TEST_F(random, looks_random)
{
	uint8_t *other = self->out + APQ_MAX_RANDOM_LEN;

	self->op.dst_len = APQ_MAX_RANDOM_LEN;
	ASSERT_EQ(APQ_MAX_RANDOM_LEN, op_run(self->fd, &self->op));
	self->op.dst = address(other);
	ASSERT_EQ(APQ_MAX_RANDOM_LEN, op_run(self->fd, &self->op));
	EXPECT_TRUE(looks_random(self->out));
	EXPECT_TRUE(looks_random(other));
	EXPECT_NE(0, memcmp(self->out, other, APQ_MAX_RANDOM_LEN));
}

TEST_F(random, info_names_it)
{
	struct apq_info info;

	ASSERT_EQ(0, ioctl(self->fd, APQ_IOC_INFO, &info));
	EXPECT_NE(0, info.algs & 1ULL << APQ_ALG_RANDOM);
}

static void rejected(struct __test_metadata *_metadata,
		     struct _test_data_random *self, int error)
{
	EXPECT_EQ(error, op_run(self->fd, &self->op));
	EXPECT_TRUE(all_zero(self->out, sizeof(self->out)));
}

TEST_F(random, no_bytes)
{
	self->op.dst_len = 0;
	rejected(_metadata, self, -EINVAL);
}

TEST_F(random, too_many_bytes)
{
	self->op.dst_len = APQ_MAX_RANDOM_LEN + 1;
	rejected(_metadata, self, -EMSGSIZE);
}

TEST_F(random, bad_address)
{
	self->op.dst = address(guard_alloc(self->op.dst_len - 1));
	rejected(_metadata, self, -EFAULT);
	self->op.dst = 0;
	rejected(_metadata, self, -EFAULT);
}

TEST_F(random, session)
{
	self->op.session = 1;
	rejected(_metadata, self, -EINVAL);
}

TEST_F(random, source)
{
	self->op.src = address(self->out);
	rejected(_metadata, self, -EINVAL);
	self->op.src = 0;
	self->op.src_len = 16;
	rejected(_metadata, self, -EINVAL);
}

TEST_F(random, iv)
{
	self->op.iv[APQ_IV_LEN - 1] = 1;
	rejected(_metadata, self, -EINVAL);
}

TEST_F(random, reserved)
{
	struct apq_op good = self->op;

	self->op.flags = 1;
	rejected(_metadata, self, -EINVAL);
	self->op = good;
	self->op.reserved = 1;
	rejected(_metadata, self, -EINVAL);
	self->op = good;
	self->op.reserved2 = 1;
	rejected(_metadata, self, -EINVAL);
	self->op = good;
	self->op.user_data = 1;
	rejected(_metadata, self, -EINVAL);
}

TEST_F(random, no_card)
{
	ASSERT_EQ(0, attr_write(CARD0 "online", "0"));
	EXPECT_EQ(-ENODEV, op_run(self->fd, &self->op));
	ASSERT_EQ(0, attr_write(CARD0 "online", "1"));
	EXPECT_EQ(256, op_run(self->fd, &self->op));
}

static bool is_current(void)
{
	return !attr_write(RNG "rng_current", "apq") &&
	       attr_is(RNG "rng_current", "apq");
}

TEST_F(random, hwrng)
{
	long long before, after;
	int fd;

	if (access(RNG "rng_current", F_OK) || access(HWRNG, F_OK))
		SKIP(return, "no hw_random");
	ASSERT_TRUE(is_current());
	before = attr_number(CARD0 "request_count");
	fd = open(HWRNG, O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	ASSERT_EQ(APQ_MAX_RANDOM_LEN,
		  read(fd, self->out, APQ_MAX_RANDOM_LEN));
	close(fd);
	after = attr_number(CARD0 "request_count");
	EXPECT_TRUE(looks_random(self->out));
	EXPECT_LT(before, after);
}

/* Software has no entropy of its own: the kernel must credit none. */
TEST_F(random, hwrng_quality)
{
	if (access(RNG "rng_quality", F_OK))
		SKIP(return, "this kernel does not show it");
	ASSERT_TRUE(is_current());
	/* 0, or the least that newer kernels can be told, of 1024. */
	EXPECT_GE(1, attr_number(RNG "rng_quality"));
}

/* Reads fail while no card is online, and no longer. */
TEST_F(random, hwrng_without_card)
{
	int fd;

	if (access(RNG "rng_current", F_OK) || access(HWRNG, F_OK))
		SKIP(return, "no hw_random");
	ASSERT_TRUE(is_current());
	fd = open(HWRNG, O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, attr_write(CARD0 "online", "0"));
	/* What the kernel still has in its buffer is less than a page. */
	while (read(fd, self->out, sizeof(self->out)) > 0)
		;
	EXPECT_EQ(ENODEV, errno);
	ASSERT_EQ(0, attr_write(CARD0 "online", "1"));
	EXPECT_LT(0, read(fd, self->out, 16));
	close(fd);
}

/* The module may go while its device is the one that is read. */
TEST_F(random, unload_while_current)
{
	int fd;

	if (access(RNG "rng_current", F_OK) || access(HWRNG, F_OK))
		SKIP(return, "no hw_random");
	ASSERT_TRUE(is_current());
	fd = open(HWRNG, O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	EXPECT_LT(0, read(fd, self->out, 16));
	close(self->fd);
	EXPECT_EQ(0, module_remove());
	EXPECT_FALSE(attr_is(RNG "rng_current", "apq"));
	if (attr_is(RNG "rng_current", "none")) {
		/* The buffer of the kernel may hold some bytes. */
		while (read(fd, self->out, sizeof(self->out)) > 0)
			;
		EXPECT_EQ(ENODEV, errno);
	}
	close(fd);
	EXPECT_EQ(0, module_load(""));
	self->fd = device_open();
	EXPECT_LE(0, self->fd);
}

TEST_HARNESS_MAIN
