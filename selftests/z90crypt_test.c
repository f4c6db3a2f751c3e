// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/z90crypt: answers, and the errno of every refused request, as the s390
 * driver gives them for an accelerator. apq-timeout: 60
 */

#include <stdbool.h>
#include <stddef.h>
#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/guard.h"
#include "common/rsa.h"

#define MAX_OPERANDS	6
#define UNTOUCHED	0x5a

/* One request; each operand ends where inaccessible memory begins. */
FIXTURE(rsa)
{
	int fd;
	struct rsa_key key;
	void *arg;
	uint32_t *in_len;
	uint32_t *out_len;
	uint8_t **output;
	uint8_t **operand[MAX_OPERANDS];	/* the input is the first */
	unsigned int nr_operands;
};

FIXTURE_VARIANT(rsa)
{
	unsigned int cmd;
};

FIXTURE_VARIANT_ADD(rsa, me)
{
	.cmd = ICARSAMODEXPO,
};

FIXTURE_VARIANT_ADD(rsa, crt)
{
	.cmd = ICARSACRT,
};

static uint8_t *guard_copy(const uint8_t *from, size_t len)
{
	return memcpy(guard_alloc(len), from, len);
}

static void add_operand(struct _test_data_rsa *self, uint8_t **field, size_t len)
{
	*field = guard_copy(*field, len);
	self->operand[self->nr_operands++] = field;
}

static void make_me(struct _test_data_rsa *self)
{
	struct ica_rsa_modexpo *me = (void *)guard_alloc(sizeof(*me));

	*me = me_init(&self->key, self->key.in, guard_alloc(self->key.len));
	self->arg = me;
	self->in_len = &me->inputdatalength;
	self->out_len = &me->outputdatalength;
	self->output = &me->outputdata;
	add_operand(self, &me->inputdata, self->key.len);
	add_operand(self, &me->b_key, self->key.len);
	add_operand(self, &me->n_modulus, self->key.len);
}

static void make_crt(struct _test_data_rsa *self)
{
	struct ica_rsa_modexpo_crt *crt = (void *)guard_alloc(sizeof(*crt));
	size_t part = self->key.part;

	*crt = crt_init(&self->key, self->key.in, guard_alloc(self->key.len));
	self->arg = crt;
	self->in_len = &crt->inputdatalength;
	self->out_len = &crt->outputdatalength;
	self->output = &crt->outputdata;
	add_operand(self, &crt->inputdata, self->key.len);
	add_operand(self, &crt->np_prime, part + CRT_PAD);
	add_operand(self, &crt->nq_prime, part);
	add_operand(self, &crt->bp_key, part + CRT_PAD);
	add_operand(self, &crt->bq_key, part);
	add_operand(self, &crt->u_mult_inv, part + CRT_PAD);
}

/* Makes the request from self->key. */
static void make(struct _test_data_rsa *self, unsigned int cmd)
{
	self->nr_operands = 0;
	if (cmd == ICARSAMODEXPO)
		make_me(self);
	else
		make_crt(self);
	memset(*self->output, UNTOUCHED, self->key.len);
}

static int call(struct _test_data_rsa *self, unsigned int cmd)
{
	return ioctl(self->fd, cmd, self->arg) ? -errno : 0;
}

static bool right(struct _test_data_rsa *self)
{
	return !memcmp(*self->output, self->key.out, self->key.len);
}

static bool untouched(struct _test_data_rsa *self)
{
	unsigned int i;

	for (i = 0; i < self->key.len; i++)
		if ((*self->output)[i] != UNTOUCHED)
			return false;
	return true;
}

/* The modulus, or for CRT the primes: what decides whether a key is taken. */
static unsigned int first_modulus(unsigned int cmd)
{
	return cmd == ICARSAMODEXPO ? 2 : 1;
}

static size_t modulus_len(struct _test_data_rsa *self, unsigned int cmd,
			  unsigned int i)
{
	if (cmd == ICARSAMODEXPO)
		return self->key.len;
	return self->key.part + (i == 1 ? CRT_PAD : 0);
}

FIXTURE_SETUP(rsa)
{
	self->fd = z90crypt_open();
	ASSERT_LE(0, self->fd);
	rsa_key_load(&self->key, 512);
	make(self, variant->cmd);
}

FIXTURE_TEARDOWN(rsa)
{
	close(self->fd);
	attr_write(CARD0 "online", "1");
}

TEST_F(rsa, answer)
{
	ASSERT_EQ(0, call(self, variant->cmd));
	EXPECT_TRUE(right(self));
	EXPECT_EQ(self->key.len, *self->out_len);
}

/* Only the length of the modulus is written, the room behind it is not. */
TEST_F(rsa, answer_in_larger_room)
{
	*self->output = guard_alloc(self->key.len + 8);
	memset(*self->output, UNTOUCHED, self->key.len + 8);
	*self->out_len = self->key.len + 8;
	ASSERT_EQ(0, call(self, variant->cmd));
	EXPECT_TRUE(right(self));
	EXPECT_EQ(self->key.len, *self->out_len);
	EXPECT_EQ(UNTOUCHED, (*self->output)[self->key.len]);
}

TEST_F(rsa, answer_in_place)
{
	*self->output = *self->operand[0];
	ASSERT_EQ(0, call(self, variant->cmd));
	EXPECT_TRUE(right(self));
}

TEST_F(rsa, answer_of_2048_bits)
{
	rsa_key_load(&self->key, 2048);
	make(self, variant->cmd);
	ASSERT_EQ(0, call(self, variant->cmd));
	EXPECT_TRUE(right(self));
}

TEST_F(rsa, answer_of_4096_bits)
{
	rsa_key_load(&self->key, 4096);
	make(self, variant->cmd);
	ASSERT_EQ(0, call(self, variant->cmd));
	EXPECT_TRUE(right(self));
}

/* 129 bytes: what belongs to a prime is rounded up to 65. */
TEST_F(rsa, answer_of_odd_length)
{
	rsa_key_load(&self->key, 1032);
	make(self, variant->cmd);
	ASSERT_EQ(0, call(self, variant->cmd));
	EXPECT_TRUE(right(self));
}

TEST_F(rsa, answer_with_zeros_in_front)
{
	rsa_key_load_padded(&self->key, 512, 71);
	make(self, variant->cmd);
	ASSERT_EQ(0, call(self, variant->cmd));
	EXPECT_TRUE(right(self));
}

/* 2 ^ 3 mod 15, with primes 5 and 3 */
TEST_F(rsa, answer_of_one_byte)
{
	self->key = (struct rsa_key) {
		.len = 1, .part = 1, .n = { 15 }, .d = { 3 }, .in = { 2 },
		.out = { 8 }, .q = { 3 }, .dq = { 1 },
	};
	self->key.p[CRT_PAD] = 5;
	self->key.dp[CRT_PAD] = 3;
	self->key.u[CRT_PAD] = 2;
	make(self, variant->cmd);
	ASSERT_EQ(0, call(self, variant->cmd));
	EXPECT_EQ(8, (*self->output)[0]);
}

TEST_F(rsa, zero_input_gives_zero)
{
	memset(*self->operand[0], 0, self->key.len);
	memset(self->key.out, 0, self->key.len);
	ASSERT_EQ(0, call(self, variant->cmd));
	EXPECT_TRUE(right(self));
}

TEST_F(rsa, argument_not_readable)
{
	self->arg = NULL;
	EXPECT_EQ(-EFAULT, call(self, variant->cmd));
	self->arg = guard_page();
	EXPECT_EQ(-EFAULT, call(self, variant->cmd));
}

/* Its last byte alone cannot be read. */
TEST_F(rsa, argument_cut_off)
{
	size_t size = variant->cmd == ICARSAMODEXPO ?
		      sizeof(struct ica_rsa_modexpo) :
		      sizeof(struct ica_rsa_modexpo_crt);

	self->arg = memmove((uint8_t *)self->arg + 1, self->arg, size - 1);
	EXPECT_EQ(-EFAULT, call(self, variant->cmd));
}

TEST_F(rsa, operand_null)
{
	unsigned int i;

	for (i = 0; i < self->nr_operands; i++) {
		uint8_t *good = *self->operand[i];

		*self->operand[i] = NULL;
		EXPECT_EQ(-EFAULT, call(self, variant->cmd)) {
			TH_LOG("operand %u", i);
		}
		*self->operand[i] = good;
	}
	EXPECT_TRUE(untouched(self));
}

/* Each operand is one byte short of what its length must be. */
TEST_F(rsa, operand_cut_off)
{
	unsigned int i;

	for (i = 0; i < self->nr_operands; i++) {
		*self->operand[i] += 1;
		EXPECT_EQ(-EFAULT, call(self, variant->cmd)) {
			TH_LOG("operand %u", i);
		}
		*self->operand[i] -= 1;
	}
	EXPECT_TRUE(untouched(self));
}

TEST_F(rsa, room_too_small)
{
	*self->out_len = self->key.len - 1;
	EXPECT_EQ(-EINVAL, call(self, variant->cmd));
	EXPECT_EQ(self->key.len - 1, *self->out_len);
	EXPECT_TRUE(untouched(self));
}

TEST_F(rsa, length_zero)
{
	*self->in_len = 0;
	EXPECT_EQ(-EINVAL, call(self, variant->cmd));
	EXPECT_EQ(self->key.len, *self->out_len);
}

/* Found before any operand is read. */
TEST_F(rsa, length_over_512)
{
	*self->in_len = 513;
	*self->out_len = 513;
	*self->operand[0] = NULL;
	EXPECT_EQ(-ENODEV, call(self, variant->cmd));
	*self->in_len = UINT32_MAX;
	*self->out_len = UINT32_MAX;
	EXPECT_EQ(-ENODEV, call(self, variant->cmd));
}

/* The room is looked at before anything else. */
TEST_F(rsa, room_too_small_for_length_over_512)
{
	*self->in_len = 513;
	EXPECT_EQ(-EINVAL, call(self, variant->cmd));
}

TEST_F(rsa, modulus_even)
{
	unsigned int i;

	for (i = first_modulus(variant->cmd); i < 3; i++) {
		size_t last = modulus_len(self, variant->cmd, i) - 1;

		(*self->operand[i])[last] ^= 1;
		EXPECT_EQ(-EINVAL, call(self, variant->cmd)) {
			TH_LOG("operand %u", i);
		}
		(*self->operand[i])[last] ^= 1;
	}
	EXPECT_EQ(self->key.len, *self->out_len);
	EXPECT_TRUE(untouched(self));
}

TEST_F(rsa, modulus_zero)
{
	unsigned int i;

	for (i = first_modulus(variant->cmd); i < 3; i++) {
		size_t len = modulus_len(self, variant->cmd, i);
		uint8_t *good = *self->operand[i];

		*self->operand[i] = guard_alloc(len);
		EXPECT_EQ(-EINVAL, call(self, variant->cmd)) {
			TH_LOG("operand %u", i);
		}
		*self->operand[i] = good;
	}
	EXPECT_TRUE(untouched(self));
}

TEST_F(rsa, input_is_modulus)
{
	memcpy(*self->operand[0], self->key.n, self->key.len);
	EXPECT_EQ(-EINVAL, call(self, variant->cmd));
	EXPECT_TRUE(untouched(self));
}

TEST_F(rsa, input_over_modulus)
{
	memset(*self->operand[0], 0xff, self->key.len);
	EXPECT_EQ(-EINVAL, call(self, variant->cmd));
	EXPECT_TRUE(untouched(self));
}

TEST_F(rsa, input_just_under_modulus)
{
	memcpy(*self->operand[0], self->key.n, self->key.len);
	(*self->operand[0])[self->key.len - 1] ^= 1;
	EXPECT_EQ(0, call(self, variant->cmd));
}

TEST_F(rsa, exponent_zero)
{
	unsigned int first = variant->cmd == ICARSAMODEXPO ? 1 : 3;
	unsigned int last = variant->cmd == ICARSAMODEXPO ? 1 : 4;
	unsigned int i;

	for (i = first; i <= last; i++) {
		uint8_t *good = *self->operand[i];

		*self->operand[i] = guard_alloc(self->key.len);
		EXPECT_EQ(-EINVAL, call(self, variant->cmd)) {
			TH_LOG("operand %u", i);
		}
		*self->operand[i] = good;
	}
}

/* The request was done: only the copying failed, and no length is reported. */
TEST_F(rsa, output_not_writable)
{
	*self->output = guard_page();
	*self->out_len = self->key.len + 8;
	EXPECT_EQ(-EFAULT, call(self, variant->cmd));
	EXPECT_EQ(self->key.len + 8, *self->out_len);
}

TEST_F(rsa, output_read_only)
{
	*self->output = map_pages(1);
	ASSERT_EQ(0, mprotect(*self->output, page_size(), PROT_READ));
	EXPECT_EQ(-EFAULT, call(self, variant->cmd));
}

TEST_F(rsa, output_cut_off)
{
	*self->output += 1;
	EXPECT_EQ(-EFAULT, call(self, variant->cmd));
}

TEST_F(rsa, length_not_writable)
{
	void *page = (void *)((uintptr_t)self->arg & ~(page_size() - 1));

	ASSERT_EQ(0, mprotect(page, page_size(), PROT_READ));
	EXPECT_EQ(-EFAULT, call(self, variant->cmd));
	EXPECT_TRUE(right(self));
}

/* Found before any operand is read. */
TEST_F(rsa, all_cards_offline)
{
	ASSERT_EQ(0, attr_write(CARD0 "online", "0"));
	EXPECT_EQ(-ENODEV, call(self, variant->cmd));
	*self->operand[0] = NULL;
	EXPECT_EQ(-ENODEV, call(self, variant->cmd));
	EXPECT_TRUE(untouched(self));
}

FIXTURE(node)
{
	int fd;
};

FIXTURE_SETUP(node)
{
	self->fd = z90crypt_open();
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(node)
{
	close(self->fd);
}

TEST_F(node, read_refused)
{
	char c;

	EXPECT_EQ(-1, read(self->fd, &c, 1));
	EXPECT_EQ(EPERM, errno);
}

TEST_F(node, write_refused)
{
	EXPECT_EQ(-1, write(self->fd, "x", 1));
	EXPECT_EQ(EPERM, errno);
}

TEST_F(node, unknown_ioctl)
{
	struct ica_rsa_modexpo me = {};

	EXPECT_EQ(-1, ioctl(self->fd, _IO(ZCRYPT_IOCTL_MAGIC, 0), &me));
	EXPECT_EQ(ENOTTY, errno);
	/* The right number with the size that it does not have. */
	EXPECT_EQ(-1, ioctl(self->fd, _IOWR(ZCRYPT_IOCTL_MAGIC, 5,
					    struct ica_rsa_modexpo), &me));
	EXPECT_EQ(ENOTTY, errno);
}

/* The eight bytes in front of p, dp and u are never looked at. */
TEST_F(node, pad_of_crt_ignored)
{
	uint8_t out[RSA_MAX_LEN];
	struct rsa_key key;

	rsa_key_load(&key, 512);
	memset(key.p, 0xff, CRT_PAD);
	memset(key.dp, 0xff, CRT_PAD);
	memset(key.u, 0xff, CRT_PAD);
	ASSERT_EQ(0, rsa_crt(self->fd, &key, key.in, out));
	EXPECT_EQ(0, memcmp(out, key.out, key.len));
}

TEST_HARNESS_MAIN
