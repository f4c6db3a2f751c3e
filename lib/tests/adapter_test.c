// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Cards, modes and poll timeout of the module that is loaded; needs apq.ko and
 * root, and leaves the settings as they were
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "libapq.h"
#include "tap.h"

#define NR_REQUESTS	50
#define MAX_CARDS	256

struct totals {
	int cards, online, with_engine;
	uint64_t requests, service_ns, pending;
};

static void add_up(struct totals *t)
{
	static struct apq_card_info cards[MAX_CARDS];
	int i;

	memset(t, 0, sizeof(*t));
	t->cards = apq_cards(cards, MAX_CARDS);
	for (i = 0; i < t->cards; i++) {
		t->online += cards[i].online;
		t->with_engine += cards[i].type[0] && cards[i].engine[0] &&
				  cards[i].depth;
		t->requests += cards[i].requests;
		t->service_ns += cards[i].service_ns;
		t->pending += cards[i].pending;
	}
}

static void test_cards(void)
{
	static const uint8_t zero[16];
	struct apq_cipher *c;
	struct totals before, after;
	uint8_t buf[16];
	struct apq *h;
	int i;

	add_up(&before);
	tap_ok(before.cards > 0, "%d cards", before.cards);
	tap_ok(before.online > 0, "%d of them online", before.online);
	tap_is(before.with_engine, before.cards, "with type, engine, depth");

	if (apq_open(&h, APQ_BACKEND_DEVICE) ||
	    apq_cipher_new(h, APQ_AES_CBC, NULL, zero, 16, &c))
		tap_bail("no cipher over /dev/apq");
	for (i = 0; i < NR_REQUESTS; i++)
		if (apq_encrypt(c, zero, zero, buf, 16) != 16)
			tap_bail("apq_encrypt fails");
	add_up(&after);
	tap_ok(after.requests >= before.requests + NR_REQUESTS,
	       "%d requests are counted", NR_REQUESTS);
	tap_ok(after.service_ns > before.service_ns, "and their time");
	tap_is(after.pending, 0, "and none is pending");
	apq_cipher_free(c);
	apq_close(h);
}

static void test_modes(void)
{
	static const char *const modes[] = { "timer", "hrtimer", "thread" };
	char list[256] = "", old[16] = "", now[16];
	size_t i;
	int ret;

	ret = apq_mode_get(old, sizeof(old));
	tap_is(ret, 0, "mode is %s", old);
	ret = apq_mode_list(list, sizeof(list));
	tap_is(ret, 0, "modes are %s", list);
	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		tap_is(apq_mode_set(modes[i]), 0, "set mode %s", modes[i]);
		tap_ok(!apq_mode_get(now, sizeof(now)) &&
		       !strcmp(now, modes[i]) && strstr(list, now),
		       "reads back and is in the list");
	}
	tap_is(apq_mode_set("nosuchmode"), -EINVAL, "unknown mode");
	tap_ok(!apq_mode_get(now, sizeof(now)) && !strcmp(now, modes[2]),
	       "changes nothing");
	if (apq_mode_set(old))
		tap_bail("cannot set mode %s back", old);
}

static void test_poll_timeout(void)
{
	uint64_t old = 0, now = 0;
	int ret = apq_poll_timeout_get(&old);

	tap_is(ret, 0, "poll timeout is %llu ns", (unsigned long long)old);
	tap_is(apq_poll_timeout_set(123456), 0, "set to 123456 ns");
	tap_ok(!apq_poll_timeout_get(&now) && now == 123456, "reads back");
	tap_is(apq_poll_timeout_set(old), 0, "set back");
}

static void test_not_root(void)
{
	if (seteuid(65534))
		tap_bail("seteuid: %s", strerror(errno));
	tap_is(apq_mode_set("timer"), -EACCES, "mode_set, not root");
	tap_is(apq_poll_timeout_set(1000), -EACCES, "timeout_set, not root");
	tap_ok(apq_cards(NULL, 0) > 0, "everybody can list cards");
	if (seteuid(0))
		tap_bail("seteuid: %s", strerror(errno));
}

int main(void)
{
	if (access("/sys/module/apq", F_OK))
		tap_skip_all("apq.ko is not loaded");
	if (geteuid())
		tap_skip_all("not root");
	tap_plan(23);
	test_cards();
	test_modes();
	test_poll_timeout();
	test_not_root();
	return tap_exit();
}
