// SPDX-License-Identifier: GPL-2.0
/*
 * Loading and removing the module: refused while it is used, refused with bad
 * parameters, and never leaving anything behind.
 * apq-module: none
 * apq-timeout: 240
 */

#include <sys/stat.h>
#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/load.h"
#include "common/module.h"
#include "common/note.h"
#include "common/process.h"

#define ROUNDS		50

/* Whatever the module makes has one of these names. */
static const char * const paths[] = {
	"/dev/apq", "/dev/z90crypt", "/sys/bus/ap", "/sys/devices/ap",
	"/sys/class/misc/apq", "/sys/class/misc/z90crypt", "/sys/module/apq",
};

static const char * const threads[] = { "appoll", "apq_" };

static bool file_has(const char *path, const char *text)
{
	FILE *f = fopen(path, "r");
	char line[512];
	bool found = false;

	while (f && fgets(line, sizeof(line), f))
		found |= !!strstr(line, text);
	if (f)
		fclose(f);
	return found;
}

/* Prints what is still there. */
static bool nothing_left(void)
{
	struct stat st;
	bool good = true;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		if (stat(paths[i], &st))
			continue;
		note("%s is still there", paths[i]);
		good = false;
	}
	for (i = 0; i < ARRAY_SIZE(threads); i++) {
		if (!process_count(threads[i]))
			continue;
		note("a thread %s* is still there", threads[i]);
		good = false;
	}
	if (file_has("/proc/crypto", "-apq")) {
		note("an algorithm is still in /proc/crypto");
		good = false;
	}
	if (file_has("/proc/modules", "apq ")) {
		note("the module is still there");
		good = false;
	}
	return good;
}

static bool everything_there(void)
{
	struct stat st;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(paths); i++)
		if (stat(paths[i], &st))
			return false;
	return file_has("/proc/crypto", "cbc-aes-apq") &&
	       process_count("apq_engine/00") == 1;
}

FIXTURE(module)
{
	struct load load;
};

FIXTURE_SETUP(module)
{
	ASSERT_TRUE(nothing_left());
}

FIXTURE_TEARDOWN(module)
{
	module_remove();
}

/* @nr requests through all doors in turn. */
static bool use(struct _test_data_module *self, unsigned int nr)
{
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		struct load_thread *t = load_thread_new(&self->load, 0);

		t->nr = nr;
		t->kinds = LOAD_SHORT & load_doors();
		load_thread_fn(t);
		if (t->error)
			note("kind 0x%x: %s", t->error_kind,
			     strerror(-t->error));
		_exit(!!t->error);
	}
	return waitpid(pid, &status, 0) == pid && !status;
}

TEST_F(module, leaves_nothing_behind)
{
	ASSERT_EQ(0, module_load(""));
	EXPECT_TRUE(everything_there());
	ASSERT_EQ(0, module_remove());
	EXPECT_TRUE(nothing_left());
}

/* Though the kernel tests the algorithms then, through a queue like others. */
TEST_F_TIMEOUT(module, loads_soon_with_the_longest_interval, 60)
{
	uint64_t start = now_ns();

	ASSERT_EQ(0, module_load("poll_timeout=120000000000"));
	EXPECT_GT(30 * NSEC_PER_SEC, now_ns() - start);
	EXPECT_TRUE(mode_is("hrtimer"));
	note("%.2f s to load", (now_ns() - start) / 1e9);
}

/* 256 queues, and one card more or one queue more is refused below. */
TEST_F_TIMEOUT(module, loads_with_most_cards, 60)
{
	load_rsa_init(&self->load.rsa);
	ASSERT_EQ(0, module_load("cards=64 domains=4"));
	EXPECT_EQ(64, process_count("apq_engine/"));
	EXPECT_TRUE(use(self, 20));
	EXPECT_EQ(0, module_remove());
	EXPECT_TRUE(nothing_left());
	ASSERT_EQ(0, module_load("cards=1 domains=16"));
	EXPECT_TRUE(use(self, 20));
}

TEST_F(module, loads_with_every_mode)
{
	static const char * const modes[] = {
		"timer", "hrtimer", "thread", "irq", "caller", "hybrid",
		"adaptive",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		char text[64];

		snprintf(text, sizeof(text), "mode=%s", modes[i]);
		ASSERT_EQ(0, module_load(text));
		EXPECT_TRUE(mode_is(modes[i])) TH_LOG("%s", text);
		ASSERT_EQ(0, module_remove());
	}
}

/* The thread, and what comes after it. */
TEST_F(module, loads_with_poll_thread)
{
	ASSERT_EQ(0, module_load("mode=timer poll_thread=1"));
	EXPECT_TRUE(mode_is("thread"));
	EXPECT_EQ(0, attr_write(BUS "poll_thread", "0"));
	EXPECT_TRUE(mode_is("timer"));
	ASSERT_EQ(0, module_remove());
	ASSERT_EQ(0, module_load("mode=thread"));
	EXPECT_EQ(0, attr_write(BUS "poll_thread", "0"));
	EXPECT_TRUE(mode_is("hrtimer"));
}

TEST_F(module, loads_once_only)
{
	ASSERT_EQ(0, module_load(""));
	EXPECT_EQ(-EEXIST, module_load(""));
	EXPECT_TRUE(everything_there());
}

/* A user keeps the module; nothing that works is disturbed by the attempt. */
static void busy(struct __test_metadata *_metadata,
		 struct _test_data_module *self, int fd)
{
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EBUSY, module_remove());
	EXPECT_TRUE(everything_there());
	load_start(&self->load, 20, LOAD_SHORT, 0);
	EXPECT_TRUE(load_join(&self->load, 30));
	EXPECT_EQ(-EBUSY, module_remove());
	close(fd);
}

/* The doors of the load's threads are closed with its process. */
static int remove_after(struct __test_metadata *_metadata,
			struct _test_data_module *self, int (*open)(void))
{
	int status, ret;
	pid_t pid;

	ret = module_load("");
	if (ret)
		return ret;
	pid = fork();
	if (!pid) {
		busy(_metadata, self, open());
		_exit(!_metadata->passed);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		return -EIO;
	return module_remove();
}

TEST_F_TIMEOUT(module, busy_with_open_apq, 60)
{
	EXPECT_EQ(0, remove_after(_metadata, self, device_open));
	EXPECT_TRUE(nothing_left());
}

TEST_F_TIMEOUT(module, busy_with_open_z90crypt, 60)
{
	EXPECT_EQ(0, remove_after(_metadata, self, z90crypt_open));
	EXPECT_TRUE(nothing_left());
}

static int bind_cbc(void)
{
	return afalg_bind("cbc-aes-apq");
}

TEST_F_TIMEOUT(module, busy_with_bound_socket, 60)
{
	bool hidden;

	ASSERT_EQ(0, module_load(""));
	hidden = afalg_hides_async();
	ASSERT_EQ(0, module_remove());
	if (hidden)
		SKIP(return, AFALG_HIDES_ASYNC);
	EXPECT_EQ(0, remove_after(_metadata, self, bind_cbc));
	EXPECT_TRUE(nothing_left());
}

struct bad_parameter {
	const char *text;
	const char *message;		/* what the line in the log must say */
};

static const struct bad_parameter bad_parameters[] = {
	{ "cards=0", "cards=0: must be 1 to 64" },
	{ "cards=65", "cards=65: must be 1 to 64" },
	{ "cards=-1", "invalid for parameter `cards'" },
	{ "cards=many", "invalid for parameter `cards'" },
	{ "domains=0", "domains=0: must be 1 to 16" },
	{ "domains=17", "domains=17: must be 1 to 16" },
	{ "cards=64 domains=5", "at most 256 queues" },
	{ "engine_cpu=-2", "engine_cpu=-2: no such online CPU" },
	{ "engine_cpu=4095", "engine_cpu=4095: no such online CPU" },
	{ "poll_timeout=0", "must be 1 to 120000000000 ns" },
	{ "poll_timeout=120000000001", "must be 1 to 120000000000 ns" },
	{ "poll_timeout=soon", "invalid for parameter `poll_timeout'" },
	{ "poll_thread=2", "invalid for parameter `poll_thread'" },
	{ "mode=poll", "mode=poll: must be one of timer hrtimer thread" },
	{ "mode=", "mode=: must be one of timer hrtimer thread" },
	{ "mode=poll poll_thread=1", "mode=poll: must be one of" },
	{ "prio=high", "invalid for parameter `prio'" },
};

TEST_F_TIMEOUT(module, bad_parameters, 60)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad_parameters); i++) {
		const struct bad_parameter *bad = &bad_parameters[i];
		int log = log_open();
		char line[512] = "";

		ASSERT_LE(0, log);
		EXPECT_EQ(-EINVAL, module_load(bad->text)) {
			TH_LOG("%s", bad->text);
		}
		EXPECT_EQ(1, log_errors(log, line, sizeof(line))) {
			TH_LOG("%s", bad->text);
		}
		EXPECT_NE(NULL, strstr(line, bad->message)) {
			TH_LOG("%s: %s", bad->text, line);
		}
		EXPECT_TRUE(nothing_left()) TH_LOG("%s", bad->text);
		close(log);
	}
}

/* At the ends of what is allowed, but for the many cards of another test. */
static const char * const good_parameters[] = {
	"mode=thread poll_timeout=1",
	"poll_thread=1 engine_cpu=0 prio=0",
	"mode=hrtimer poll_timeout=1000000 cards=1 domains=2",
	"cards=3 engine_cpu=-1",
};

TEST_F_TIMEOUT(module, again_and_again, 200)
{
	unsigned int i;

	load_rsa_init(&self->load.rsa);
	for (i = 0; i < ROUNDS; i++) {
		const char *text =
			good_parameters[i % ARRAY_SIZE(good_parameters)];

		ASSERT_EQ(0, module_load(text)) TH_LOG("%s", text);
		ASSERT_TRUE(use(self, 5)) TH_LOG("%s", text);
		ASSERT_EQ(0, module_remove()) TH_LOG("%s", text);
		ASSERT_TRUE(nothing_left()) TH_LOG("round %u, %s", i, text);
	}
}

/*
 * Memory of cards and queues: 32 cards in each of 8 rounds, all of them used.
 * What a CPU keeps in stock disturbs the count by some dozens of objects.
 */
TEST_F_TIMEOUT(module, memory_comes_back, 120)
{
	enum { CARDS = 32, LEAK_ROUNDS = 8, STOCK = CARDS * LEAK_ROUNDS / 4 };
	long before = 0, after;
	unsigned int i;

	load_rsa_init(&self->load.rsa);
	for (i = 0; i <= LEAK_ROUNDS; i++) {
		ASSERT_EQ(0, module_load("cards=32 mode=thread"));
		ASSERT_TRUE(use(self, 5 * CARDS));
		ASSERT_EQ(0, module_remove());
		/* The first round fills the stocks. */
		if (!i)
			before = slab_objects();
	}
	after = slab_objects();
	if (before < 0)
		SKIP(return, "no /proc/slabinfo");
	note("%ld objects of cards' and queues' sizes before, %ld after",
	     before, after);
	EXPECT_GT(before + STOCK, after);
}

TEST_HARNESS_MAIN
