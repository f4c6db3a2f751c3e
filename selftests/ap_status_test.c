// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/z90crypt: the requests that tell of cards and queues, and those for
 * coprocessors that are not there.
 * apq-module: cards=3 domains=2
 * apq-timeout: 60
 */

#include <pthread.h>
#include <stdbool.h>
#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/clock.h"
#include "common/guard.h"
#include "common/rsa.h"

#define CARDS		3
#define DOMAINS		2
#define CARD2		"/sys/devices/ap/card02/"
#define QUEUE2		CARD2 "02.0000/"
#define UNTOUCHED	0x5a
#define SLOTS		8
#define STUCK		12		/* requests, more than one card takes */

/* The structures are as long for 32-bit programs, but for the addresses. */
_Static_assert(sizeof(struct zcrypt_device_status_ext) == 4, "");
_Static_assert(sizeof(struct zcrypt_device_status) == 4, "");
_Static_assert(sizeof(struct zcrypt_device_matrix_ext) == 262144, "");
_Static_assert(sizeof(struct zcrypt_device_matrix) == 65536, "");
_Static_assert(sizeof(struct ica_xcRB) == 94, "");
_Static_assert(sizeof(struct ep11_urb) == (sizeof(void *) == 8 ? 58 : 46), "");

/* As the s390 kernel has them. */
TEST(numbers)
{
	EXPECT_EQ(0xc0007a05, ICARSAMODEXPO);
	EXPECT_EQ(0xc0007a06, ICARSACRT);
	EXPECT_EQ(0xc0007a81, ZSECSENDCPRB);
	EXPECT_EQ(0xc0007a04, ZSENDEP11CPRB);
	EXPECT_EQ(0xc0007a5f, ZCRYPT_DEVICE_STATUS);
	EXPECT_EQ(0x81007a58, ZCRYPT_STATUS_MASK);
	EXPECT_EQ(0x81007a59, ZCRYPT_QDEPTH_MASK);
	EXPECT_EQ(0x84007a5a, ZCRYPT_PERDEV_REQCNT);
	EXPECT_EQ(0xc0007a4f, ZDEVICESTATUS);
	EXPECT_EQ(0x80407a48, Z90STAT_STATUS_MASK);
	EXPECT_EQ(0x80407a49, Z90STAT_QDEPTH_MASK);
	EXPECT_EQ(0x81007a4a, Z90STAT_PERDEV_REQCNT);
	EXPECT_EQ(0x80047a44, Z90STAT_REQUESTQ_COUNT);
	EXPECT_EQ(0x80047a45, Z90STAT_PENDINGQ_COUNT);
	EXPECT_EQ(0x80047a46, Z90STAT_TOTALOPEN_COUNT);
	EXPECT_EQ(0x80047a47, Z90STAT_DOMAIN_INDEX);
}

FIXTURE(status)
{
	int fd;
};

static void restore(void)
{
	static const char * const files[] = {
		CARD0 "config", CARD1 "config", CARD2 "config",
		CARD0 "online", CARD1 "online", CARD2 "online",
	};
	unsigned int i;

	attr_write(BUS "apmask", "+0-255");
	attr_write(BUS "aqmask", "+0-255");
	attr_write(BUS "ap_domain", "0");
	for (i = 0; i < ARRAY_SIZE(files); i++)
		attr_write(files[i], "1");
	attr_write(BUS "completion", "timer");
	attr_write(BUS "poll_timeout", "250000");
	attr_write(BUS "completion", "hrtimer");
}

FIXTURE_SETUP(status)
{
	restore();
	self->fd = z90crypt_open();
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(status)
{
	restore();
	close(self->fd);
}

static int call(int fd, unsigned long cmd, void *arg)
{
	return ioctl(fd, cmd, arg) ? -errno : 0;
}

/* The answer, before memory that must not be touched; NULL: refused. */
static void *ask(int fd, unsigned long cmd, size_t size)
{
	void *answer = guard_alloc(size);

	memset(answer, UNTOUCHED, size);
	return call(fd, cmd, answer) ? NULL : answer;
}

static int ask_int(int fd, unsigned long cmd)
{
	int *answer = ask(fd, cmd, sizeof(*answer));

	return answer ? *answer : -EIO;
}

struct request {
	unsigned long cmd;
	size_t size;
};

static const struct request requests[] = {
	{ ZCRYPT_DEVICE_STATUS, sizeof(struct zcrypt_device_matrix_ext) },
	{ ZCRYPT_STATUS_MASK, 256 },
	{ ZCRYPT_QDEPTH_MASK, 256 },
	{ ZCRYPT_PERDEV_REQCNT, 1024 },
	{ ZDEVICESTATUS, sizeof(struct zcrypt_device_matrix) },
	{ Z90STAT_STATUS_MASK, 64 },
	{ Z90STAT_QDEPTH_MASK, 64 },
	{ Z90STAT_PERDEV_REQCNT, 256 },
	{ Z90STAT_REQUESTQ_COUNT, 4 },
	{ Z90STAT_PENDINGQ_COUNT, 4 },
	{ Z90STAT_TOTALOPEN_COUNT, 4 },
	{ Z90STAT_DOMAIN_INDEX, 4 },
};

/* Exactly so many bytes are written, every one of them. */
TEST_F(status, size)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		const struct request *r = &requests[i];
		uint8_t *at = ask(self->fd, r->cmd, r->size);

		ASSERT_NE(NULL, at) TH_LOG("0x%lx", r->cmd);
		EXPECT_NE(UNTOUCHED, at[0]) TH_LOG("0x%lx", r->cmd);
		EXPECT_NE(UNTOUCHED, at[r->size - 1]) TH_LOG("0x%lx", r->cmd);
	}
}

TEST_F(status, bad_address)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		const struct request *r = &requests[i];
		uint8_t *at = guard_alloc(r->size);

		EXPECT_EQ(-EFAULT, call(self->fd, r->cmd, NULL)) {
			TH_LOG("0x%lx", r->cmd);
		}
		/* Its last byte alone has no room. */
		EXPECT_EQ(-EFAULT, call(self->fd, r->cmd, at + 1)) {
			TH_LOG("0x%lx", r->cmd);
		}
	}
}

static bool same_status(const struct zcrypt_device_status_ext *s,
			unsigned int card, unsigned int domain, bool online)
{
	return s->hwtype == 14 && s->qid == (card << 8 | domain) &&
	       s->online == online && s->functions == 0x3a && !s->reserved;
}

TEST_F(status, device_status)
{
	struct zcrypt_device_matrix_ext *m;
	unsigned int i, found = 0;

	ASSERT_EQ(0, attr_write(QUEUE1_1 "online", "0"));
	m = ask(self->fd, ZCRYPT_DEVICE_STATUS, sizeof(*m));
	ASSERT_NE(NULL, m);
	for (i = 0; i < MAX_ZDEV_ENTRIES_EXT; i++) {
		unsigned int card = i / 256, domain = i % 256;
		uint32_t word;

		memcpy(&word, &m->device[i], sizeof(word));
		if (!word)
			continue;
		found++;
		EXPECT_GT(CARDS, card);
		EXPECT_GT(DOMAINS, domain);
		EXPECT_TRUE(same_status(&m->device[i], card, domain,
					card != 1 || domain != 1)) {
			TH_LOG("card %u domain %u: 0x%08x", card, domain, word);
		}
	}
	EXPECT_EQ(CARDS * DOMAINS, found);
}

TEST_F(status, device_status_for_64_cards)
{
	struct zcrypt_device_matrix *m;
	unsigned int i, found = 0;

	ASSERT_EQ(0, attr_write(QUEUE0 "online", "0"));
	m = ask(self->fd, ZDEVICESTATUS, sizeof(*m));
	ASSERT_NE(NULL, m);
	for (i = 0; i < MAX_ZDEV_ENTRIES; i++) {
		const struct zcrypt_device_status *s = &m->device[i];

		if (!s->hwtype)
			continue;
		found++;
		EXPECT_TRUE(s->hwtype == 14 && s->qid == i &&
			    s->online == (i != 0) && s->functions == 0x3a &&
			    !s->reserved) {
			TH_LOG("entry %u", i);
		}
	}
	EXPECT_EQ(CARDS * DOMAINS, found);
}

/* Only queues that have their driver are there. */
TEST_F(status, masked_queue_is_not_there)
{
	struct zcrypt_device_matrix_ext *m;
	uint8_t *types;

	ASSERT_EQ(0, attr_write(BUS "apmask", "-1"));
	m = ask(self->fd, ZCRYPT_DEVICE_STATUS, sizeof(*m));
	ASSERT_NE(NULL, m);
	EXPECT_TRUE(m->device[0].hwtype == 14);
	EXPECT_TRUE(m->device[256].hwtype == 0);
	EXPECT_TRUE(m->device[512].hwtype == 14);
	types = ask(self->fd, ZCRYPT_STATUS_MASK, 256);
	ASSERT_NE(NULL, types);
	EXPECT_EQ(0, types[1]);
}

/* CEX8 says the same as CEX6; a card that is offline says that. */
TEST_F(status, status_mask)
{
	static const struct request both[] = {
		{ ZCRYPT_STATUS_MASK, 256 }, { Z90STAT_STATUS_MASK, 64 },
	};
	unsigned int i, n;

	ASSERT_EQ(0, attr_write(CARD1 "online", "0"));
	for (n = 0; n < ARRAY_SIZE(both); n++) {
		uint8_t *types = ask(self->fd, both[n].cmd, both[n].size);

		ASSERT_NE(NULL, types);
		EXPECT_EQ(ZCRYPT_STATUS_CEX6, types[0]);
		EXPECT_EQ(ZCRYPT_STATUS_OFFLINE, types[1]);
		EXPECT_EQ(ZCRYPT_STATUS_CEX6, types[2]);
		for (i = CARDS; i < both[n].size; i++) {
			EXPECT_EQ(ZCRYPT_STATUS_NONE, types[i]);
		}
	}
}

/* A domain that no card has. */
TEST_F(status, other_default_domain)
{
	uint8_t *types;

	ASSERT_EQ(0, attr_write(BUS "ap_domain", "9"));
	EXPECT_EQ(9, ask_int(self->fd, Z90STAT_DOMAIN_INDEX));
	types = ask(self->fd, ZCRYPT_STATUS_MASK, 256);
	ASSERT_NE(NULL, types);
	EXPECT_EQ(ZCRYPT_STATUS_NONE, types[0]);
	ASSERT_EQ(0, attr_write(BUS "ap_domain", "1"));
	EXPECT_EQ(1, ask_int(self->fd, Z90STAT_DOMAIN_INDEX));
	types = ask(self->fd, ZCRYPT_STATUS_MASK, 256);
	ASSERT_NE(NULL, types);
	EXPECT_EQ(ZCRYPT_STATUS_CEX6, types[0]);
}

TEST_F(status, total_open_count)
{
	int before = ask_int(self->fd, Z90STAT_TOTALOPEN_COUNT);
	int more[3];
	unsigned int i;

	ASSERT_LE(1, before);
	for (i = 0; i < ARRAY_SIZE(more); i++)
		more[i] = z90crypt_open();
	EXPECT_EQ(before + 3, ask_int(self->fd, Z90STAT_TOTALOPEN_COUNT));
	/* The same open file again. */
	EXPECT_LE(0, dup(more[0]));
	EXPECT_EQ(before + 3, ask_int(self->fd, Z90STAT_TOTALOPEN_COUNT));
	close(more[2]);
	EXPECT_EQ(before + 2, ask_int(self->fd, Z90STAT_TOTALOPEN_COUNT));
}

/* Requests of the default domain's queue only. */
TEST_F(status, request_counts)
{
	static const struct request both[] = {
		{ ZCRYPT_PERDEV_REQCNT, 1024 }, { Z90STAT_PERDEV_REQCNT, 256 },
	};
	struct rsa_key key;
	uint8_t out[64];
	unsigned int i, n;

	rsa_key_load(&key, 512);
	for (i = 0; i < 16; i++) {
		ASSERT_EQ(0, rsa_crt(self->fd, &key, key.in, out));
	}
	ASSERT_LT(0, attr_number(QUEUE0 "request_count"));
	for (n = 0; n < ARRAY_SIZE(both); n++) {
		uint32_t *counts = ask(self->fd, both[n].cmd, both[n].size);

		ASSERT_NE(NULL, counts);
		EXPECT_EQ(attr_number(QUEUE0 "request_count"), counts[0]);
		EXPECT_EQ(attr_number(QUEUE1 "request_count"), counts[1]);
		EXPECT_EQ(attr_number(QUEUE2 "request_count"), counts[2]);
		for (i = CARDS; i < both[n].size / 4; i++) {
			EXPECT_EQ(0, counts[i]);
		}
	}
}

struct stuck {
	pthread_t thread;
	struct rsa_key *key;
	int fd;
	int ret;
};

static void *send_stuck(void *data)
{
	struct stuck *s = data;
	uint8_t out[RSA_MAX_LEN];

	s->ret = rsa_crt(s->fd, s->key, s->key->in, out);
	if (!s->ret && memcmp(out, s->key->out, s->key->len))
		s->ret = -EBADMSG;
	return NULL;
}

static long long in_flight(void)
{
	return attr_number(QUEUE0 "requestq_count") +
	       attr_number(QUEUE0 "pendingq_count");
}

/* What the requests say while nobody takes the replies of one card. */
TEST_F(status, counts_in_flight)
{
	long long waiting, pending;
	struct stuck stuck[STUCK];
	struct rsa_key key;
	uint8_t *depths;
	unsigned int i;

	rsa_key_load(&key, 4096);
	ASSERT_EQ(0, attr_write(CARD1 "online", "0"));
	ASSERT_EQ(0, attr_write(CARD2 "online", "0"));
	ASSERT_EQ(0, attr_write(QUEUE0_1 "online", "0"));
	ASSERT_EQ(0, attr_write(BUS "poll_timeout", "120000000000"));
	for (i = 0; i < STUCK; i++) {
		stuck[i].key = &key;
		stuck[i].fd = self->fd;
		ASSERT_EQ(0, pthread_create(&stuck[i].thread, NULL, send_stuck,
					    &stuck[i]));
	}
	/* Who comes late takes a reply or two on the way. */
	ASSERT_TRUE(wait_for(in_flight() > SLOTS, 10));
	ASSERT_TRUE(wait_for(({
		long long before = in_flight();

		pause_ns(300 * NSEC_PER_MSEC);
		before == in_flight();
	}), 20));
	waiting = attr_number(QUEUE0 "requestq_count");
	pending = attr_number(QUEUE0 "pendingq_count");
	EXPECT_LT(0, pending);
	EXPECT_EQ(waiting, ask_int(self->fd, Z90STAT_REQUESTQ_COUNT));
	EXPECT_EQ(pending, ask_int(self->fd, Z90STAT_PENDINGQ_COUNT));
	depths = ask(self->fd, ZCRYPT_QDEPTH_MASK, 256);
	ASSERT_NE(NULL, depths);
	EXPECT_EQ(waiting + pending, depths[0]);
	EXPECT_EQ(0, depths[1]);
	depths = ask(self->fd, Z90STAT_QDEPTH_MASK, 64);
	ASSERT_NE(NULL, depths);
	EXPECT_EQ(waiting + pending, depths[0]);
	/* Of the default domain they are. */
	ASSERT_EQ(0, attr_write(BUS "ap_domain", "1"));
	EXPECT_EQ(0, ask_int(self->fd, Z90STAT_REQUESTQ_COUNT));
	EXPECT_EQ(0, ask_int(self->fd, Z90STAT_PENDINGQ_COUNT));
	ASSERT_EQ(0, attr_write(BUS "poll_timeout", "250000"));
	for (i = 0; i < STUCK; i++) {
		ASSERT_EQ(0, pthread_join(stuck[i].thread, NULL));
		EXPECT_EQ(0, stuck[i].ret);
	}
}

/* Structures of coprocessors: read, not answered, given back unchanged. */
TEST_F(status, coprocessors)
{
	static const struct request kinds[] = {
		{ ZSECSENDCPRB, sizeof(struct ica_xcRB) },
		{ ZSENDEP11CPRB, sizeof(struct ep11_urb) },
	};
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		uint8_t *at = guard_alloc(kinds[i].size);

		memset(at, UNTOUCHED, kinds[i].size);
		EXPECT_EQ(-ENODEV, call(self->fd, kinds[i].cmd, at));
		for (n = 0; n < kinds[i].size; n++) {
			EXPECT_EQ(UNTOUCHED, at[n]);
		}
		EXPECT_EQ(-EFAULT, call(self->fd, kinds[i].cmd, at + 1));
		EXPECT_EQ(-EFAULT, call(self->fd, kinds[i].cmd, NULL));
		at = map_pages(1);
		ASSERT_EQ(0, mprotect(at, page_size(), PROT_READ));
		EXPECT_EQ(-EFAULT, call(self->fd, kinds[i].cmd, at));
	}
}

/* Also the numbers that had a meaning once. */
TEST_F(status, unknown)
{
	static const unsigned int numbers[] = {
		0x00, 0x07, 0x40, 0x41, 0x42, 0x4b, 0x4c, 0x4d, 0x4e, 0x80,
		0x82, 0xff,
	};
	uint8_t *page = map_pages(1);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		EXPECT_EQ(-ENOTTY, call(self->fd, _IOC(_IOC_READ | _IOC_WRITE,
						       'z', numbers[i], 0),
					page));
	}
	/* The size is part of a number. */
	EXPECT_EQ(-ENOTTY, call(self->fd, _IOR('z', 0x58, char[64]), page));
}

TEST_F(status, not_seekable)
{
	EXPECT_EQ(-1, lseek(self->fd, 0, SEEK_SET));
	EXPECT_EQ(ESPIPE, errno);
}

TEST_HARNESS_MAIN
