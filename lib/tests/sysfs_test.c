// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Cards, modes and poll timeout on a mock sysfs tree, well and badly formed
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libapq.h"
#include "mock.h"
#include "tap.h"

#define BUS		"/sys/bus/ap/"
#define CARDS		BUS "devices/"
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static void make_card(const char *name)
{
	static const char *const files[][2] = {
		{ "type", "CEX8A\n" }, { "online", "1\n" },
		{ "depth", "8\n" }, { "request_count", "12345678901\n" },
		{ "requestq_count", "3\n" }, { "pendingq_count", "4\n" },
		{ "engine", "cbc-aes-aesni rsa-generic\n" },
		{ "service_ns", "18446744073709551615\n" },
	};
	char path[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), CARDS "%s/%s", name, files[i][0]);
		mock_file(path, files[i][1]);
	}
}

static void test_no_bus(void)
{
	struct apq_card_info card;
	uint64_t ns = 5;
	char buf[16] = "x";

	tap_is(apq_cards(&card, 1), -ENODEV, "cards without a bus");
	tap_is(apq_mode_get(buf, sizeof(buf)), -ENODEV, "mode_get, no bus");
	tap_is(apq_mode_list(buf, sizeof(buf)), -ENODEV, "mode_list, no bus");
	tap_is(apq_mode_set("timer"), -ENODEV, "mode_set without a bus");
	tap_is(apq_poll_timeout_get(&ns), -ENODEV, "timeout_get, no bus");
	tap_is(apq_poll_timeout_set(1), -ENODEV, "timeout_set, no bus");
	tap_ok(ns == 5 && !strcmp(buf, "x"), "failures leave results alone");
}

static void test_cards(void)
{
	struct apq_card_info c[3];

	mock_dir(CARDS);
	tap_is(apq_cards(NULL, 0), 0, "no card");
	make_card("card0a");
	make_card("card02");
	make_card("cardff");
	mock_dir(CARDS "0a.0004");
	mock_dir(CARDS "card0A");
	mock_dir(CARDS "card123");
	mock_dir(CARDS "card0g");
	mock_dir(CARDS "card0");
	mock_file(CARDS "cardff/online", "0\n");

	memset(c, 0xee, sizeof(c));
	tap_is(apq_cards(c, 3), 3, "three cards, other names left out");
	tap_ok(c[0].id == 2 && c[1].id == 10 && c[2].id == 255, "ids in order");
	tap_ok(!strcmp(c[0].type, "CEX8A"), "type");
	tap_ok(!strcmp(c[0].engine, "cbc-aes-aesni rsa-generic"), "engine");
	tap_ok(c[0].online == 1 && c[2].online == 0, "online and offline");
	tap_is(c[0].depth, 8, "depth");
	tap_is(c[0].requests, 12345678901LL, "requests beyond 32 bits");
	tap_is(c[0].pending, 7, "pending is queued plus inside the card");
	tap_ok(c[0].service_ns == UINT64_MAX, "service_ns, largest u64");

	memset(c, 0xee, sizeof(c));
	tap_is(apq_cards(c, 1), 3, "room for one: still says three");
	tap_ok(c[0].id == 2 && c[1].id == 0xeeeeeeee, "and fills only one");
	tap_is(apq_cards(NULL, 0), 3, "no room: only the count");
	tap_is(apq_cards(NULL, 1), -EINVAL, "room in a NULL array");
}

static void test_s390_card(void)
{
	struct apq_card_info c;

	mock_remove(CARDS);
	make_card("card00");
	mock_remove(CARDS "card00/engine");
	mock_remove(CARDS "card00/service_ns");
	memset(&c, 0xee, sizeof(c));
	tap_is(apq_cards(&c, 1), 1, "a card without engine and service_ns");
	tap_ok(!c.engine[0] && !c.service_ns, "has them empty and 0");
}

static void test_long_text(void)
{
	char line[400];
	struct apq_card_info c;

	memset(line, 'x', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	mock_file(CARDS "card00/type", line);
	mock_file(CARDS "card00/engine", line);
	tap_is(apq_cards(&c, 1), 1, "a card with texts that are too long");
	tap_ok(strlen(c.type) == sizeof(c.type) - 1 &&
	       strlen(c.engine) == sizeof(c.engine) - 1, "has them cut");
}

static void test_bad_cards(void)
{
	static const struct {
		const char *file, *content;
	} bad[] = {
		{ "online", "2\n" },
		{ "online", "yes\n" },
		{ "depth", "" },
		{ "depth", "\n" },
		{ "depth", "-8\n" },
		{ "depth", " 8\n" },
		{ "depth", "+8\n" },
		{ "depth", "8 of 8\n" },
		{ "depth", "0x8\n" },
		{ "depth", "4294967296\n" },
		{ "request_count", "18446744073709551616\n" },
		{ "request_count", "00000000000000000000000000000000001\n" },
		{ "requestq_count", "many\n" },
		{ "pendingq_count", "1.5\n" },
		{ "service_ns", "?\n" },
	};
	struct apq_card_info c;
	char path[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		mock_remove(CARDS);
		make_card("card00");
		snprintf(path, sizeof(path), CARDS "card00/%s", bad[i].file);
		mock_file(path, bad[i].content);
		tap_is(apq_cards(&c, 1), -EIO, "%s of %zu bytes, case %zu",
		       bad[i].file, strlen(bad[i].content), i);
	}
	make_card("card00");
	mock_remove(CARDS "card00/depth");
	tap_is(apq_cards(&c, 1), -EIO, "a card without depth");
	mock_remove(CARDS "card00");
	mock_file(CARDS "card00", "");
	tap_is(apq_cards(&c, 1), -ENOTDIR, "a card that is a file");
	mock_remove(CARDS);
}

static void test_modes(void)
{
	char buf[64];

	mock_file(BUS "completion", "timer [hrtimer] thread\n");
	tap_is(apq_mode_get(buf, sizeof(buf)), 0, "mode_get");
	tap_ok(!strcmp(buf, "hrtimer"), "is the one in brackets: %s", buf);
	tap_is(apq_mode_get(buf, 8), 0, "mode_get, exact room");
	tap_is(apq_mode_get(buf, 7), -ENOSPC, "mode_get, no room for the end");
	tap_is(apq_mode_get(buf, 0), -ENOSPC, "mode_get, no room");
	tap_is(apq_mode_list(buf, sizeof(buf)), 0, "mode_list");
	tap_ok(!strcmp(buf, "timer hrtimer thread"), "names: %s", buf);
	tap_is(apq_mode_list(buf, 21), 0, "mode_list, exact room");
	tap_is(apq_mode_list(buf, 20), -ENOSPC, "mode_list, one byte less");

	mock_file(BUS "completion", "[timer]");
	tap_is(apq_mode_list(buf, sizeof(buf)), 0, "one mode, no newline");
	tap_ok(!strcmp(buf, "timer"), "name: %s", buf);
	mock_file(BUS "completion", "  a   b [cc] ");
	tap_is(apq_mode_list(buf, sizeof(buf)), 0, "many blanks");
	tap_ok(!strcmp(buf, "a b cc"), "names: %s", buf);
}

static void test_bad_modes(void)
{
	static const char *const bad[] = {
		"", "\n", "timer hrtimer\n", "[timer] [hrtimer]\n", "[]\n",
		"[timer\n", "timer]\n", "[ti]mer\n", "ti[mer]\n", "[[timer]]\n",
		"[ti[er]\n", "timer [hrtimer] th]ead\n",
	};
	char line[1024], buf[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		mock_file(BUS "completion", bad[i]);
		tap_is(apq_mode_get(buf, sizeof(buf)), -EIO,
		       "malformed completion, case %zu", i);
	}
	memset(line, 'm', sizeof(line) - 1);
	memcpy(line, "[timer] ", 8);
	line[sizeof(line) - 1] = '\0';
	mock_file(BUS "completion", line);
	tap_is(apq_mode_get(buf, sizeof(buf)), -EIO, "endless completion");
	mock_remove(BUS "completion");
	mock_dir(BUS "completion");
	tap_is(apq_mode_get(buf, sizeof(buf)), -EISDIR, "completion is a dir");
	mock_remove(BUS "completion");
}

static void test_set_mode(void)
{
	static const char *const bad[] = {
		"", "timer\n", "timer thread", "[timer]", "timer\t",
	};
	char line[1024];
	size_t i;

	mock_file(BUS "completion", "timer [hrtimer] thread\n");
	tap_is(apq_mode_set("thread"), 0, "mode_set");
	tap_ok(!strcmp(mock_read(BUS "completion"), "thread"), "is written");
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		tap_is(apq_mode_set(bad[i]), -EINVAL, "no mode, case %zu", i);
	memset(line, 'm', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	tap_is(apq_mode_set(line), -EINVAL, "a mode of 1023 characters");
	tap_ok(!strcmp(mock_read(BUS "completion"), "thread"),
	       "refused names are not written");
}

static void test_poll_timeout(void)
{
	uint64_t ns = 7;

	mock_file(BUS "poll_timeout", "250000\n");
	tap_is(apq_poll_timeout_get(&ns), 0, "timeout_get");
	tap_is(ns, 250000, "value");
	tap_is(apq_poll_timeout_set(1), 0, "smallest timeout");
	tap_ok(!strcmp(mock_read(BUS "poll_timeout"), "1"), "is written");
	tap_is(apq_poll_timeout_set(120000000000ULL), 0, "largest timeout");
	tap_ok(!strcmp(mock_read(BUS "poll_timeout"), "120000000000"),
	       "is written");
	tap_is(apq_poll_timeout_set(0), -EINVAL, "timeout 0");
	tap_is(apq_poll_timeout_set(120000000001ULL), -EINVAL, "timeout + 1");
	tap_is(apq_poll_timeout_set(UINT64_MAX), -EINVAL, "timeout 2^64 - 1");
	tap_ok(!strcmp(mock_read(BUS "poll_timeout"), "120000000000"),
	       "refused timeouts are not written");
	mock_file(BUS "poll_timeout", "fast\n");
	tap_is(apq_poll_timeout_get(&ns), -EIO, "timeout that is no number");
	tap_is(ns, 250000, "leaves the result alone");
}

static void test_errno(void)
{
	char buf[16];

	mock_remove(BUS);
	errno = 1234;
	apq_cards(NULL, 0);
	apq_mode_get(buf, sizeof(buf));
	apq_mode_list(buf, sizeof(buf));
	apq_mode_set("timer");
	apq_poll_timeout_set(1);
	apq_poll_timeout_get(&(uint64_t){ 0 });
	tap_is(errno, 1234, "errno is not touched");
}

int main(void)
{
	mock_init();
	tap_plan(91);
	test_no_bus();
	test_cards();
	test_s390_card();
	test_long_text();
	test_bad_cards();
	test_modes();
	test_bad_modes();
	test_set_mode();
	test_poll_timeout();
	test_errno();
	return tap_exit();
}
