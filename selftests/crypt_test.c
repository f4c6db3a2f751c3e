// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/apq: requests. Answers for every way the data can lie in memory, and
 * the errno of each refused request. apq-timeout: 90
 */

#include <stdbool.h>
#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/device.h"
#include "common/guard.h"
#include "common/nist.h"

#define MIB		(1U << 20)
#define UNTOUCHED	0x5a

/* Up to this length data is copied, above it is pinned. */
#define COPY_MAX	1024

FIXTURE(request)
{
	int fd;
	int ecb;
	int cbc;
	int ctr;
	int des3;
	uint8_t src[64];
	uint8_t dst[64];
	struct apq_op op;	/* a good one of 64 bytes in ECB */
};

FIXTURE_SETUP(request)
{
	self->fd = device_open();
	ASSERT_LE(0, self->fd);
	self->ecb = session_create(self->fd, APQ_ALG_AES_ECB, nist_aes_key, 16);
	self->cbc = session_create(self->fd, APQ_ALG_AES_CBC, nist_aes_key, 16);
	self->ctr = session_create(self->fd, APQ_ALG_AES_CTR, nist_aes_key, 16);
	self->des3 = session_create(self->fd, APQ_ALG_DES3_CBC, nist_des3_key,
				    24);
	ASSERT_LT(0, self->ecb);
	ASSERT_LT(0, self->cbc);
	ASSERT_LT(0, self->ctr);
	ASSERT_LT(0, self->des3);
	memcpy(self->src, nist_aes_plain, 64);
	memset(self->dst, UNTOUCHED, 64);
	self->op = op_init(self->ecb, APQ_OP_ENCRYPT, self->src, self->dst, 64);
}

FIXTURE_TEARDOWN(request)
{
	close(self->fd);
}

static int run(struct _test_data_request *self)
{
	return op_run(self->fd, &self->op);
}

static bool untouched(struct _test_data_request *self)
{
	unsigned int i;

	for (i = 0; i < sizeof(self->dst); i++)
		if (self->dst[i] != UNTOUCHED)
			return false;
	return true;
}

TEST_F(request, known_answer_ecb)
{
	EXPECT_EQ(64, run(self));
	EXPECT_EQ(0, memcmp(self->dst, nist_ecb_cipher, 64));
	self->op.op = APQ_OP_DECRYPT;
	self->op.src = address(nist_ecb_cipher);
	EXPECT_EQ(64, run(self));
	EXPECT_EQ(0, memcmp(self->dst, nist_aes_plain, 64));
}

TEST_F(request, known_answer_cbc)
{
	self->op.session = self->cbc;
	memcpy(self->op.iv, nist_cbc_iv, 16);
	EXPECT_EQ(64, run(self));
	EXPECT_EQ(0, memcmp(self->dst, nist_cbc_cipher, 64));
	/* The argument is input only. */
	EXPECT_EQ(0, memcmp(self->op.iv, nist_cbc_iv, 16));
	self->op.op = APQ_OP_DECRYPT;
	self->op.src = address(nist_cbc_cipher);
	EXPECT_EQ(64, run(self));
	EXPECT_EQ(0, memcmp(self->dst, nist_aes_plain, 64));
}

TEST_F(request, known_answer_ctr)
{
	self->op.session = self->ctr;
	memcpy(self->op.iv, nist_ctr_iv, 16);
	EXPECT_EQ(64, run(self));
	EXPECT_EQ(0, memcmp(self->dst, nist_ctr_cipher, 64));
	self->op.op = APQ_OP_DECRYPT;
	self->op.src = address(nist_ctr_cipher);
	EXPECT_EQ(64, run(self));
	EXPECT_EQ(0, memcmp(self->dst, nist_aes_plain, 64));
}

TEST_F(request, known_answer_des3)
{
	self->op.session = self->des3;
	memcpy(self->op.iv, nist_des3_iv, 8);
	self->op.src = address(nist_des3_plain);
	self->op.src_len = 32;
	EXPECT_EQ(32, run(self));
	EXPECT_EQ(0, memcmp(self->dst, nist_des3_cipher, 32));
	EXPECT_EQ(UNTOUCHED, self->dst[32]);
	self->op.op = APQ_OP_DECRYPT;
	self->op.src = address(nist_des3_cipher);
	EXPECT_EQ(32, run(self));
	EXPECT_EQ(0, memcmp(self->dst, nist_des3_plain, 32));
}

/* CTR takes any length, and writes no more than that. */
TEST_F(request, length_of_stream)
{
	unsigned int len;

	self->op.session = self->ctr;
	memcpy(self->op.iv, nist_ctr_iv, 16);
	for (len = 1; len < 64; len++) {
		memset(self->dst, UNTOUCHED, 64);
		self->op.src_len = len;
		EXPECT_EQ(len, run(self));
		EXPECT_EQ(0, memcmp(self->dst, nist_ctr_cipher, len));
		EXPECT_EQ(UNTOUCHED, self->dst[len]);
	}
}

TEST_F(request, op_unknown)
{
	static const uint8_t ops[] = { 0, 3, 255 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		self->op.op = ops[i];
		EXPECT_EQ(-EINVAL, run(self));
	}
	EXPECT_TRUE(untouched(self));
}

TEST_F(request, flags_reserved)
{
	self->op.flags = 0x80;
	EXPECT_EQ(-EINVAL, run(self));
}

TEST_F(request, reserved_reserved)
{
	self->op.reserved = 0x8000;
	EXPECT_EQ(-EINVAL, run(self));
}

TEST_F(request, reserved2_reserved)
{
	self->op.reserved2 = 1U << 31;
	EXPECT_EQ(-EINVAL, run(self));
}

TEST_F(request, user_data_reserved)
{
	self->op.user_data = 1ULL << 63;
	EXPECT_EQ(-EINVAL, run(self));
}

/* What the algorithm does not use of it must be zero. */
TEST_F(request, iv_unused)
{
	self->op.iv[0] = 1;
	EXPECT_EQ(-EINVAL, run(self));
	self->op.iv[0] = 0;
	self->op.iv[15] = 1;
	EXPECT_EQ(-EINVAL, run(self));
	self->op.session = self->des3;
	self->op.iv[15] = 0;
	self->op.iv[8] = 1;
	EXPECT_EQ(-EINVAL, run(self));
	self->op.iv[8] = 0;
	self->op.iv[7] = 1;
	EXPECT_EQ(64, run(self));
}

TEST_F(request, length_zero)
{
	self->op.src_len = 0;
	EXPECT_EQ(-EINVAL, run(self));
	self->op.session = self->ctr;
	EXPECT_EQ(-EINVAL, run(self));
}

TEST_F(request, length_no_multiple_of_block)
{
	static const unsigned int lens[] = { 1, 8, 15, 17, 63 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		self->op.src_len = lens[i];
		self->op.session = self->ecb;
		EXPECT_EQ(-EINVAL, run(self));
		self->op.session = self->cbc;
		EXPECT_EQ(-EINVAL, run(self));
		self->op.session = self->des3;
		EXPECT_EQ(lens[i] == 8 ? 8 : -EINVAL, run(self));
	}
	self->op.session = self->des3;
	self->op.src_len = 12;
	EXPECT_EQ(-EINVAL, run(self));
}

TEST_F(request, length_over_limit)
{
	self->op.src_len = MIB + 16;
	self->op.dst_len = MIB + 16;
	EXPECT_EQ(-EMSGSIZE, run(self));
	self->op.src_len = UINT32_MAX - 15;
	self->op.dst_len = UINT32_MAX;
	EXPECT_EQ(-EMSGSIZE, run(self));
	self->op.session = self->ctr;
	self->op.src_len = MIB + 1;
	self->op.dst_len = MIB + 1;
	EXPECT_EQ(-EMSGSIZE, run(self));
}

TEST_F(request, room_too_small)
{
	self->op.dst_len = 63;
	EXPECT_EQ(-ENOSPC, run(self));
	self->op.dst_len = 0;
	EXPECT_EQ(-ENOSPC, run(self));
	EXPECT_TRUE(untouched(self));
}

TEST_F(request, room_larger_than_needed)
{
	self->op.dst_len = UINT32_MAX;
	self->op.src_len = 16;
	EXPECT_EQ(16, run(self));
	EXPECT_EQ(UNTOUCHED, self->dst[16]);
}

TEST_F(request, session_unknown)
{
	static const uint32_t sessions[] = { 0, 5, 1025, UINT32_MAX };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sessions); i++) {
		self->op.session = sessions[i];
		EXPECT_EQ(-ENOENT, run(self));
	}
}

TEST_F(request, argument_not_readable)
{
	EXPECT_EQ(-EFAULT, op_run(self->fd, NULL));
	EXPECT_EQ(-EFAULT, op_run(self->fd, (void *)guard_alloc(16)));
}

/* A limit that is longer than any clock holds is still none. */
TEST_F(request, timeout_longest)
{
	self->op.timeout_ms = UINT32_MAX;
	EXPECT_EQ(64, run(self));
}

/* Lengths on both sides of every way to hold data, pages and the limit. */
static const unsigned int lengths[] = {
	16, COPY_MAX - 16, COPY_MAX, COPY_MAX + 16, 4 * COPY_MAX - 16,
	4 * COPY_MAX, 4 * COPY_MAX + 16, 8 * COPY_MAX, 64 * 1024, MIB - 16, MIB,
};

/* Offsets from a page boundary; blocks of 16 bytes straddle it. */
static const unsigned int offsets[] = { 0, 1, 7, 4080, 4095 };

/* A request that starts @offset bytes into a page, both ways. */
static bool whole_request(struct _test_data_request *self, unsigned int len,
			  unsigned int src_offset, unsigned int dst_offset)
{
	uint8_t *src = map_pages(MIB / page_size() + 2);
	uint8_t *dst = map_pages(MIB / page_size() + 2);
	uint8_t *in = src + src_offset, *out = dst + dst_offset;
	bool good;

	nist_fill_plain(in, len);
	out[len] = UNTOUCHED;
	if (dst_offset)
		out[-1] = UNTOUCHED;
	good = op_crypt(self->fd, self->ecb, APQ_OP_ENCRYPT, NULL, 0, in, out,
			len) == (int)len &&
	       nist_is_cipher(out, len) && nist_is_plain(in, len) &&
	       out[len] == UNTOUCHED &&
	       (!dst_offset || out[-1] == UNTOUCHED);
	memset(in, 0, len);
	good = good && op_crypt(self->fd, self->ecb, APQ_OP_DECRYPT, NULL, 0, out,
			     in, len) == (int)len && nist_is_plain(in, len);
	munmap(src, MIB + 2 * page_size());
	munmap(dst, MIB + 2 * page_size());
	return good;
}

TEST_F(request, every_length)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lengths); i++)
		EXPECT_TRUE(whole_request(self, lengths[i], 0, 0)) {
			TH_LOG("length %u", lengths[i]);
		}
}

TEST_F(request, every_offset)
{
	static const unsigned int lens[] = { 64, COPY_MAX, COPY_MAX + 16,
					     12 * COPY_MAX };
	unsigned int l, s, d;

	for (l = 0; l < ARRAY_SIZE(lens); l++)
		for (s = 0; s < ARRAY_SIZE(offsets); s++)
			for (d = 0; d < ARRAY_SIZE(offsets); d++)
				EXPECT_TRUE(whole_request(self, lens[l],
							  offsets[s],
							  offsets[d])) {
					TH_LOG("length %u, offsets %u, %u",
					       lens[l], offsets[s], offsets[d]);
				}
}

TEST_F(request, largest_unaligned)
{
	EXPECT_TRUE(whole_request(self, MIB, 1, 4095));
}

TEST_F(request, in_place)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		uint8_t *at = map_pages(MIB / page_size() + 1) + 5;

		nist_fill_plain(at, lengths[i]);
		EXPECT_EQ(lengths[i], op_crypt(self->fd, self->ecb, APQ_OP_ENCRYPT,
					       NULL, 0, at, at, lengths[i]));
		EXPECT_TRUE(nist_is_cipher(at, lengths[i])) {
			TH_LOG("length %u", lengths[i]);
		}
	}
}

/* Neither source nor destination is touched where it ends. */
TEST_F(request, end_of_memory)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		uint8_t *src = guard_alloc(lengths[i]);
		uint8_t *dst = guard_alloc(lengths[i]);

		nist_fill_plain(src, lengths[i]);
		EXPECT_EQ(lengths[i], op_crypt(self->fd, self->ecb, APQ_OP_ENCRYPT,
					       NULL, 0, src, dst, lengths[i]));
		EXPECT_TRUE(nist_is_cipher(dst, lengths[i])) {
			TH_LOG("length %u", lengths[i]);
		}
	}
}

TEST_F(request, source_may_be_read_only)
{
	uint8_t *src = map_pages(4);

	nist_fill_plain(src, 4 * COPY_MAX);
	ASSERT_EQ(0, mprotect(src, 4 * COPY_MAX, PROT_READ));
	self->op.src = address(src);
	EXPECT_EQ(64, run(self));
	self->op.dst = address(map_pages(4));
	self->op.src_len = 4 * COPY_MAX;
	self->op.dst_len = 4 * COPY_MAX;
	EXPECT_EQ(4 * COPY_MAX, run(self));
}

/* Bad addresses, for data that is copied and for data that is pinned. */
FIXTURE(fault)
{
	int fd;
	int ecb;
	uint8_t *good;
};

FIXTURE_VARIANT(fault)
{
	unsigned int len;
};

FIXTURE_VARIANT_ADD(fault, copied)
{
	.len = COPY_MAX,
};

FIXTURE_VARIANT_ADD(fault, pinned)
{
	.len = 16 * COPY_MAX,
};

FIXTURE_SETUP(fault)
{
	self->fd = device_open();
	ASSERT_LE(0, self->fd);
	self->ecb = session_create(self->fd, APQ_ALG_AES_ECB, nist_aes_key, 16);
	ASSERT_LT(0, self->ecb);
	self->good = map_pages(4);
}

FIXTURE_TEARDOWN(fault)
{
	close(self->fd);
}

static int from_to(struct _test_data_fault *self, uint64_t src, uint64_t dst,
		   unsigned int len)
{
	struct apq_op op = op_init(self->ecb, APQ_OP_ENCRYPT, NULL, NULL, len);

	op.src = src;
	op.dst = dst;
	return op_run(self->fd, &op);
}

/* No memory, inaccessible, of the kernel, around the end of all addresses. */
TEST_F(fault, bad_address)
{
	uint64_t bad[] = {
		0, address(guard_page()), 0xffff888000000000, -4096ULL,
		0x7fffffffffff000,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EFAULT, from_to(self, bad[i], address(self->good),
					   variant->len)) {
			TH_LOG("source %llx", (unsigned long long)bad[i]);
		}
		EXPECT_EQ(-EFAULT, from_to(self, address(self->good), bad[i],
					   variant->len)) {
			TH_LOG("destination %llx", (unsigned long long)bad[i]);
		}
		EXPECT_EQ(-EFAULT, from_to(self, bad[i], bad[i],
					   variant->len)) {
			TH_LOG("both %llx", (unsigned long long)bad[i]);
		}
	}
}

TEST_F(fault, source_cut_off)
{
	uint8_t *src = guard_alloc(variant->len) + 1;

	EXPECT_EQ(-EFAULT, from_to(self, address(src), address(self->good),
				   variant->len));
}

TEST_F(fault, destination_cut_off)
{
	uint8_t *dst = guard_alloc(variant->len) + 1;

	EXPECT_EQ(-EFAULT, from_to(self, address(self->good), address(dst),
				   variant->len));
}

TEST_F(fault, destination_read_only)
{
	uint8_t *dst = map_pages(4);

	ASSERT_EQ(0, mprotect(dst, 4 * page_size(), PROT_READ));
	EXPECT_EQ(-EFAULT, from_to(self, address(self->good), address(dst),
				   variant->len));
	EXPECT_EQ(-EFAULT, from_to(self, address(dst), address(dst),
				   variant->len));
}

/* Starts below a hole of one page and ends behind it, or in it when short. */
TEST_F(fault, hole_in_the_middle)
{
	uint8_t *map = map_pages(6), *at = map + 4096 - 16;

	ASSERT_EQ(0, munmap(map + 4096, 4096));
	EXPECT_EQ(-EFAULT, from_to(self, address(self->good), address(at),
				   variant->len));
	EXPECT_EQ(-EFAULT, from_to(self, address(at), address(self->good),
				   variant->len));
}

/* After all these the same session still gives a right answer. */
TEST_F(fault, nothing_lost)
{
	uint8_t *dst = map_pages(4);

	EXPECT_EQ(-EFAULT, from_to(self, address(self->good), 0, variant->len));
	nist_fill_plain(self->good, variant->len);
	EXPECT_EQ(variant->len, from_to(self, address(self->good), address(dst),
					variant->len));
	EXPECT_TRUE(nist_is_cipher(dst, variant->len));
	EXPECT_TRUE(attr_is(CARD0 "pendingq_count", "0"));
	EXPECT_TRUE(attr_is(CARD0 "requestq_count", "0"));
}

TEST_HARNESS_MAIN
