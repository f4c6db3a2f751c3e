// SPDX-License-Identifier: GPL-2.0
/*
 * Cards and queues are added and removed at run time, within their limits and
 * under load.
 * apq-module: cards=2 poll_timeout=100000
 * apq-timeout: 240
 */

#include <dirent.h>
#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/kmsg.h"
#include "common/load.h"
#include "common/note.h"
#include "common/process.h"

#define REQUESTS	250		/* of each thread */
#define DEADLINE	100		/* seconds, for a busy emulated machine */
#define CARD2		"/sys/devices/ap/card02/"
#define MAX_QUEUES	256
#define ADD		BUS "card_add"
#define REMOVE		BUS "card_remove"

static bool exists(const char *path)
{
	return !access(path, F_OK);
}

static int count_devices(void)
{
	DIR *dir = opendir(BUS "devices");
	struct dirent *entry;
	int nr = 0;

	while (dir && (entry = readdir(dir)))
		nr += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return nr;
}

FIXTURE(cards)
{
	struct load load;
	unsigned int total;
	int kmsg;
};

FIXTURE_SETUP(cards)
{
	self->total = LOAD_THREADS * REQUESTS;
	self->kmsg = kmsg_open();
	ASSERT_LE(0, self->kmsg);
}

FIXTURE_TEARDOWN(cards)
{
	unsigned int id;
	char text[8];

	for (id = 2; id < 64; id++) {
		snprintf(text, sizeof(text), "%u", id);
		attr_write(REMOVE, text);
	}
	attr_write(ADD, "0");
	attr_write(ADD, "1");
	attr_write(CARD0 "queue_add", "0");
	attr_write(CARD0 "online", "1");
	attr_write(CARD1 "online", "1");
	attr_write(BUS "poll_timeout", "100000");
	close(self->kmsg);
}

TEST_F(cards, add_and_remove)
{
	ASSERT_EQ(0, attr_write(ADD, "2 3\n"));
	EXPECT_TRUE(exists(BUS "devices/card02"));
	EXPECT_TRUE(exists(BUS "devices/02.0000"));
	EXPECT_TRUE(exists(CARD2 "02.0002/online"));
	EXPECT_FALSE(exists(CARD2 "02.0003"));
	EXPECT_TRUE(attr_is(CARD2 "type", "CEX8A"));
	EXPECT_TRUE(attr_is(CARD2 "online", "1"));
	EXPECT_EQ(1, process_count("apq_engine/02"));
	ASSERT_EQ(0, attr_write(REMOVE, "0x2"));
	EXPECT_FALSE(exists(BUS "devices/card02"));
	EXPECT_FALSE(exists(BUS "devices/02.0000"));
	EXPECT_FALSE(exists(CARD2));
	EXPECT_EQ(0, process_count("apq_engine/02"));
}

/* One queue without the number, and the names are hexadecimal. */
TEST_F(cards, highest_id)
{
	ASSERT_EQ(0, attr_write(ADD, "63"));
	EXPECT_TRUE(exists(BUS "devices/card3f"));
	EXPECT_TRUE(exists(BUS "devices/3f.0000"));
	EXPECT_FALSE(exists(BUS "devices/3f.0001"));
	EXPECT_EQ(0, attr_write(REMOVE, "63"));
}

TEST_F(cards, refusals_name_the_limit)
{
	EXPECT_EQ(-EEXIST, attr_write(ADD, "1"));
	EXPECT_EQ(-ENOENT, attr_write(REMOVE, "2"));
	EXPECT_EQ(-ENOENT, attr_write(REMOVE, "64"));
	EXPECT_EQ(-EINVAL, attr_write(ADD, "64"));
	EXPECT_EQ(1, kmsg_count(self->kmsg, "ID 64: must be 0 to 63"));
	EXPECT_EQ(-EINVAL, attr_write(ADD, "2 17"));
	EXPECT_EQ(1, kmsg_count(self->kmsg, "DOMAINS 17: must be 1 to 16"));
	EXPECT_EQ(-EINVAL, attr_write(ADD, "2 0"));
	EXPECT_EQ(-EINVAL, attr_write(ADD, "two"));
	EXPECT_EQ(1, kmsg_count(self->kmsg, "takes ID [DOMAINS]"));
	EXPECT_EQ(-EINVAL, attr_write(CARD0 "queue_add", "16"));
	EXPECT_EQ(1, kmsg_count(self->kmsg, "takes DOMAIN, 0 to 15"));
	EXPECT_EQ(-EEXIST, attr_write(CARD0 "queue_add", "0"));
	EXPECT_EQ(-ENOENT, attr_write(CARD0 "queue_remove", "1"));
	EXPECT_EQ(-ENOENT, attr_write(CARD0 "queue_remove", "16"));
	EXPECT_EQ(4, count_devices());
}

/* A card that does not fit leaves nothing of itself. */
TEST_F(cards, all_queues_there_can_be)
{
	unsigned int id, queues = 2;
	char text[16];

	for (id = 2; queues + 16 <= MAX_QUEUES; id++, queues += 16) {
		snprintf(text, sizeof(text), "%u 16", id);
		ASSERT_EQ(0, attr_write(ADD, text));
	}
	snprintf(text, sizeof(text), "%u 16", id);
	EXPECT_EQ(-ENOSPC, attr_write(ADD, text));
	EXPECT_EQ(1, kmsg_count(self->kmsg, "there can be 256 queues"));
	EXPECT_EQ((int)(id + queues), count_devices());
	snprintf(text, sizeof(text), "%u %u", id, MAX_QUEUES - queues);
	EXPECT_EQ(0, attr_write(ADD, text));
	EXPECT_EQ(-ENOSPC, attr_write(CARD0 "queue_add", "1"));
	EXPECT_TRUE(attr_is(BUS "bindings", "256/256 (complete)"));
	EXPECT_EQ(0, attr_write(REMOVE, "2"));
	EXPECT_EQ(0, attr_write(CARD0 "queue_add", "1"));
	EXPECT_EQ(0, attr_write(CARD0 "queue_remove", "1"));
}

TEST_F(cards, queues)
{
	ASSERT_EQ(0, attr_write(CARD0 "queue_add", "15\n"));
	EXPECT_TRUE(exists(CARD0 "00.000f/online"));
	EXPECT_TRUE(exists(BUS "devices/00.000f"));
	EXPECT_TRUE(attr_is(BUS "ap_usage_domain_mask",
			    "0x8001000000000000000000000000000000000000000000000000000000000000"));
	ASSERT_EQ(0, attr_write(CARD0 "queue_remove", "0xf"));
	EXPECT_FALSE(exists(CARD0 "00.000f"));
	EXPECT_FALSE(exists(BUS "devices/00.000f"));
}

/* A new queue is what its card is. */
TEST_F(cards, queue_of_a_card_that_is_offline)
{
	ASSERT_EQ(0, attr_write(CARD0 "online", "0"));
	ASSERT_EQ(0, attr_write(CARD0 "queue_add", "3"));
	EXPECT_TRUE(attr_is(CARD0 "00.0003/online", "0"));
	ASSERT_EQ(0, attr_write(CARD0 "online", "1"));
	EXPECT_TRUE(attr_is(CARD0 "00.0003/online", "1"));
	ASSERT_EQ(0, attr_write(CARD0 "config", "0"));
	ASSERT_EQ(0, attr_write(CARD0 "queue_add", "4"));
	EXPECT_TRUE(attr_is(CARD0 "00.0004/last_err_rc", "DECONFIGURED"));
	ASSERT_EQ(0, attr_write(CARD0 "config", "1"));
	EXPECT_TRUE(attr_is(CARD0 "00.0004/online", "1"));
	EXPECT_EQ(0, attr_write(CARD0 "queue_remove", "3"));
	EXPECT_EQ(0, attr_write(CARD0 "queue_remove", "4"));
}

/* The only card is a new one; keys made before are good for it too. */
TEST_F(cards, new_card_does_the_work)
{
	struct load_thread *t;

	load_rsa_init(&self->load.rsa);
	t = load_thread_new(&self->load, 1);
	t->nr = 32;
	t->kinds = load_doors();
	ASSERT_EQ(0, attr_write(REMOVE, "0"));
	ASSERT_EQ(0, attr_write(REMOVE, "1"));
	EXPECT_FALSE(exists(CARD0));
	ASSERT_EQ(0, attr_write(ADD, "2"));
	load_thread_fn(t);
	EXPECT_EQ(0, t->error);
	EXPECT_EQ(32, attr_number(CARD2 "request_count"));
}

TEST_F(cards, no_card_is_enodev)
{
	struct rsa_key key;
	uint8_t out[64];
	int fd;

	rsa_key_load(&key, 512);
	fd = z90crypt_open();
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, attr_write(REMOVE, "0"));
	ASSERT_EQ(0, attr_write(REMOVE, "1"));
	EXPECT_EQ(0, count_devices());
	EXPECT_EQ(-ENODEV, rsa_me(fd, &key, key.in, out));
	EXPECT_EQ(0, attr_write(ADD, "1"));
	EXPECT_EQ(0, rsa_me(fd, &key, key.in, out));
	close(fd);
}

/*
 * Long requests, more than a card takes at once: the one that is being worked
 * on is answered, the others finish on another card or get ENODEV.
 */
static unsigned int remove_under_requests(struct __test_metadata *_metadata,
					  struct _test_data_cards *self,
					  int allowed)
{
	unsigned int i, refused = 0;

	/* On a slow machine a given number would be through too early. */
	load_start(&self->load, 0, LOAD_CRT_2048, allowed);
	ASSERT_TRUE(wait_for(attr_number(CARD0 "pendingq_count") > 1, 20));
	EXPECT_EQ(0, attr_write(REMOVE, "0"));
	load_stop(&self->load);
	EXPECT_FALSE(exists(CARD0));
	EXPECT_TRUE(load_join(&self->load, 60));
	for (i = 0; i < LOAD_THREADS; i++)
		refused += self->load.threads[i]->refused;
	return refused;
}

TEST_F_TIMEOUT(cards, requests_move_to_another_card, DEADLINE)
{
	ASSERT_EQ(0, attr_write(CARD1 "request_count", "0"));
	EXPECT_EQ(0, remove_under_requests(_metadata, self, 0));
	EXPECT_LT(0, attr_number(CARD1 "request_count"));
	EXPECT_EQ(0, attr_number(CARD1 "load"));
}

TEST_F_TIMEOUT(cards, requests_without_another_card, DEADLINE)
{
	ASSERT_EQ(0, attr_write(REMOVE, "1"));
	EXPECT_LT(0, remove_under_requests(_metadata, self, -ENODEV));
}

/* Writes in turn until the load is through; how often, or -errno. */
static int disturb(struct _test_data_cards *self, const char * const *paths,
		   const char * const *texts, unsigned int nr)
{
	uint64_t end = now_ns() + DEADLINE * NSEC_PER_SEC;
	int times = 0;

	while (load_done(&self->load) < self->total && now_ns() < end) {
		unsigned int i = times % nr;
		int ret = attr_write(paths[i], texts[i]);

		if (ret)
			return ret;
		times++;
		pause_ns(20 * NSEC_PER_MSEC);
	}
	return times;
}

TEST_F_TIMEOUT(cards, cards_come_and_go_under_load, DEADLINE + 20)
{
	static const char * const paths[] = { ADD, REMOVE, REMOVE, ADD };
	static const char * const texts[] = { "2 2", "1", "2", "1" };
	int times;

	load_start(&self->load, REQUESTS, LOAD_ALL, 0);
	times = disturb(self, paths, texts, ARRAY_SIZE(paths));
	EXPECT_TRUE(load_join(&self->load, 10));
	EXPECT_EQ(self->total, load_done(&self->load));
	EXPECT_LT(4, times);
	EXPECT_EQ(0, attr_number(CARD0 "pendingq_count"));
	EXPECT_EQ(0, attr_number(CARD0 "load"));
	note("%d changes during %u requests", times, self->total);
}

TEST_F_TIMEOUT(cards, queues_come_and_go_under_load, DEADLINE + 20)
{
	static const char * const paths[] = {
		CARD0 "queue_add", CARD0 "queue_remove",
		CARD0 "queue_add", CARD0 "queue_remove",
	};
	static const char * const texts[] = { "7", "0", "0", "7" };
	int times;

	load_start(&self->load, REQUESTS, LOAD_ALL, 0);
	times = disturb(self, paths, texts, ARRAY_SIZE(paths));
	EXPECT_TRUE(load_join(&self->load, 10));
	EXPECT_EQ(self->total, load_done(&self->load));
	EXPECT_LT(4, times);
	EXPECT_EQ(0, attr_number(CARD0 "load"));
	note("%d changes during %u requests", times, self->total);
}

struct writer {
	pthread_t thread;
	const char *path;
	const char *text;
	uint64_t pause_ns;		/* after each write */
	atomic_bool *stop;
	unsigned int times;
	int error;
};

/* Writes again and again; errors of a race that was lost are none. */
static void *write_fn(void *data)
{
	struct writer *w = data;

	while (!atomic_load(w->stop)) {
		int ret = attr_write(w->path, w->text);

		if (!ret)
			w->times++;
		else if (ret != -ENOENT && ret != -EEXIST && ret != -ENODEV)
			w->error = ret;
		pause_ns(w->pause_ns);
	}
	return NULL;
}

/*
 * Writers of a card's attributes while the card is removed, which waits for
 * them: none may wait for the other for ever.
 */
TEST_F_TIMEOUT(cards, writers_of_a_card_that_goes, 60)
{
	atomic_bool stop = false;
	struct writer writers[] = {
		{ .path = ADD, .text = "2", .pause_ns = NSEC_PER_MSEC },
		/* Some time for the others to meet it. */
		{ .path = REMOVE, .text = "2", .pause_ns = 60 * NSEC_PER_MSEC },
		{ .path = CARD2 "queue_add", .text = "1" },
		{ .path = CARD2 "queue_remove", .text = "1" },
		{ .path = CARD2 "online", .text = "0" },
		{ .path = CARD2 "config", .text = "1" },
		{ .path = BUS "apmask", .text = "-2" },
		{ .path = BUS "apmask", .text = "+2" },
		{ .path = CARD2 "02.0000/reset", .text = "1" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(writers); i++) {
		writers[i].stop = &stop;
		ASSERT_EQ(0, pthread_create(&writers[i].thread, NULL, write_fn,
					    &writers[i]));
	}
	pause_ns(8 * NSEC_PER_SEC);
	atomic_store(&stop, true);
	for (i = 0; i < ARRAY_SIZE(writers); i++) {
		ASSERT_EQ(0, pthread_join(writers[i].thread, NULL));
		EXPECT_EQ(0, writers[i].error) TH_LOG("%s", writers[i].path);
		EXPECT_LT(0, writers[i].times) TH_LOG("%s", writers[i].path);
		note("%s %s: %u", writers[i].path, writers[i].text,
		     writers[i].times);
	}
	EXPECT_EQ(0, attr_write(BUS "apmask", "+0-255"));
}

TEST_HARNESS_MAIN
