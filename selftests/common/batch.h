/* SPDX-License-Identifier: GPL-2.0 */
/* A file with a session and a batch of requests; after kselftest_harness.h. */
#ifndef APQ_SELFTEST_BATCH_H
#define APQ_SELFTEST_BATCH_H

#include <stdbool.h>
#include "async.h"
#include "attribute.h"
#include "clock.h"
#include "fault.h"
#include "guard.h"
#include "nist.h"

#define BATCH		32
#define SMALL		64
#define LARGE		16384	/* is pinned */
#define FOREVER_MS	60000

FIXTURE(async)
{
	int fd;
	int ecb;
	uint8_t *src;		/* LARGE bytes that nist_is_cipher() knows */
	uint8_t *dst;		/* BATCH times LARGE */
	struct apq_entry e[BATCH];
	struct apq_completion c[APQ_MAX_IN_FLIGHT];
};

static void fill(struct _test_data_async *self, unsigned int len);

FIXTURE_SETUP(async)
{
	self->fd = device_open();
	ASSERT_LE(0, self->fd);
	self->ecb = session_create(self->fd, APQ_ALG_AES_ECB, nist_aes_key, 16);
	ASSERT_LT(0, self->ecb);
	self->src = map_pages(LARGE / page_size());
	self->dst = map_pages(BATCH * LARGE / page_size());
	nist_fill_plain(self->src, LARGE);
	fill(self, SMALL);
}

FIXTURE_TEARDOWN(async)
{
	close(self->fd);
	if (!access(FAULTS, F_OK)) {
		fault_off_all();
		fault_set("delay", "delay_ms", 50);
	}
	mode_set("hrtimer");
}

static void fill(struct _test_data_async *self, unsigned int len)
{
	unsigned int i;

	for (i = 0; i < BATCH; i++) {
		self->e[i] = entry_init(self->ecb, APQ_OP_ENCRYPT, self->src,
					self->dst + i * LARGE, len);
		self->e[i].user_data = 1ULL << 63 | i;
	}
}

static inline bool untouched(const struct _test_data_async *self, unsigned int i)
{
	return !self->dst[i * LARGE];
}

/* From now on replies stay inside the card. */
static inline int hold_replies(void)
{
	if (access(FAULTS, F_OK))
		return -ENOENT;
	return fault_set("delay", "delay_ms", FOREVER_MS) ?:
	       fault_on("delay", -1);
}

#define NO_DEBUGFS	"no debugfs"

/* The first @nr entries have come back right, each once. */
static void expect_results(struct __test_metadata *_metadata,
			   struct _test_data_async *self, unsigned int nr,
			   unsigned int len)
{
	uint64_t seen = 0;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		unsigned int n = self->c[i].user_data & 63;

		EXPECT_EQ(1ULL << 63 | n, self->c[i].user_data);
		EXPECT_EQ((int)len, self->c[i].result);
		EXPECT_EQ(0, self->c[i].reserved);
		EXPECT_EQ(0, seen & 1ULL << n);
		seen |= 1ULL << n;
		EXPECT_TRUE(nist_is_cipher(self->dst + n * LARGE, len));
	}
	EXPECT_EQ((1ULL << nr) - 1, seen);
}

static inline void whole_batch(struct __test_metadata *_metadata,
			       struct _test_data_async *self, unsigned int len)
{
	unsigned int error;

	fill(self, len);
	memset(self->dst, 0, BATCH * LARGE);
	memset(self->c, 0xff, sizeof(self->c));
	ASSERT_EQ(BATCH, submit(self->fd, self->e, BATCH, &error));
	EXPECT_EQ(0, error);
	ASSERT_EQ(BATCH, reap(self->fd, self->c, BATCH, BATCH, -1));
	expect_results(_metadata, self, BATCH, len);
	EXPECT_EQ(0, reap(self->fd, self->c, 1, BATCH, -1));
}

#endif
