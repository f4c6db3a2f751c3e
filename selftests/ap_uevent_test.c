// SPDX-License-Identifier: GPL-2.0
/*
 * Events that udev and others hear of the bus, its cards and its queues, as
 * the s390 AP bus sends them.
 * apq-module: none
 * apq-timeout: 90
 */

#include "kselftest_harness.h"
#include "common/attribute.h"
#include "common/module.h"
#include "common/uevent.h"

#define SECONDS		20
#define ROOT		"/devices/ap"
#define CARD		ROOT "/card00"
#define QUEUE		CARD "/00.0000"
#define ALL_ONES	"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"

#define variables(...)	((const char * const []) { __VA_ARGS__, NULL })

/* One card with two queues. */
FIXTURE(bus)
{
	int events;
};

FIXTURE_SETUP(bus)
{
	ASSERT_EQ(0, module_load("domains=2"));
	self->events = uevent_open();
	ASSERT_LE(0, self->events);
}

FIXTURE_TEARDOWN(bus)
{
	close(self->events);
	module_remove();
}

#define EXPECT_EVENT(head, ...)						\
	EXPECT_TRUE(uevent_wait(self->events, head,			\
				variables(__VA_ARGS__), SECONDS))

/* No event that is there names this variable. */
static void expect_none(struct __test_metadata *_metadata, int events,
			const char *name)
{
	struct uevent e;

	while (uevent_next(events, &e, 1)) {
		EXPECT_FALSE(uevent_names(&e, name))
			TH_LOG("%s with %s", e.text, name);
	}
}

/* Cards and queues before the end of the first scan, bindings after it. */
TEST(load)
{
	int events = uevent_open();

	ASSERT_LE(0, events);
	ASSERT_EQ(0, module_load(""));
	EXPECT_TRUE(uevent_wait(events, "add@" CARD,
				variables("SUBSYSTEM=ap", "DEVTYPE=ap_card",
					  "DEV_TYPE=000E", "MODALIAS=ap:t0E",
					  "MODE=accel"), SECONDS));
	EXPECT_TRUE(uevent_wait(events, "bind@" CARD,
				variables("DRIVER=cex4card"), SECONDS));
	EXPECT_TRUE(uevent_wait(events, "add@" QUEUE,
				variables("SUBSYSTEM=ap", "DEVTYPE=ap_queue",
					  "MODE=accel"), SECONDS));
	EXPECT_TRUE(uevent_wait(events, "bind@" QUEUE,
				variables("DRIVER=cex4queue"), SECONDS));
	EXPECT_TRUE(uevent_wait(events, "change@" ROOT,
				variables("INITSCAN=done"), SECONDS));
	EXPECT_TRUE(uevent_wait(events, "change@" ROOT,
				variables("BINDINGS=complete",
					  "COMPLETECOUNT=1"), SECONDS));
	close(events);
	EXPECT_EQ(0, module_remove());
}

TEST_F(bus, card_online)
{
	ASSERT_EQ(0, attr_write(CARD0 "online", "0"));
	EXPECT_EVENT("change@" CARD, "ONLINE=0", "MODE=accel");
	EXPECT_EVENT("change@" CARD "/00.0000", "ONLINE=0");
	EXPECT_EVENT("change@" CARD "/00.0001", "ONLINE=0");
	ASSERT_EQ(0, attr_write(CARD0 "online", "1"));
	EXPECT_EVENT("change@" CARD, "ONLINE=1");
	EXPECT_EVENT("change@" CARD "/00.0000", "ONLINE=1");
	EXPECT_EVENT("change@" CARD "/00.0001", "ONLINE=1");
}

/* A write that changes nothing is told of the card, not of its queues. */
TEST_F(bus, card_online_again)
{
	struct uevent e;

	ASSERT_EQ(0, attr_write(CARD0 "online", "1"));
	ASSERT_TRUE(uevent_next(self->events, &e, SECONDS));
	EXPECT_TRUE(uevent_is(&e, "change@" CARD, variables("ONLINE=1")));
	expect_none(_metadata, self->events, "ONLINE=");
}

TEST_F(bus, queue_online)
{
	struct uevent e;

	ASSERT_EQ(0, attr_write(QUEUE0_1 "online", "0"));
	ASSERT_TRUE(uevent_next(self->events, &e, SECONDS));
	EXPECT_TRUE(uevent_is(&e, "change@" CARD "/00.0001",
			      variables("ONLINE=0")));
	expect_none(_metadata, self->events, "ONLINE=");
}

TEST_F(bus, refused_online_is_not_told)
{
	EXPECT_EQ(-EINVAL, attr_write(CARD0 "online", "2"));
	ASSERT_EQ(0, attr_write(CARD0 "config", "0"));
	EXPECT_EVENT("change@" CARD, "CONFIG=0");
	EXPECT_EQ(-ENODEV, attr_write(CARD0 "online", "1"));
	EXPECT_EQ(-ENODEV, attr_write(QUEUE0 "online", "1"));
	expect_none(_metadata, self->events, "ONLINE=");
}

TEST_F(bus, config)
{
	ASSERT_EQ(0, attr_write(CARD0 "config", "0"));
	EXPECT_EVENT("change@" CARD "/00.0000", "CONFIG=0");
	EXPECT_EVENT("change@" CARD "/00.0001", "CONFIG=0");
	EXPECT_EVENT("change@" CARD, "CONFIG=0");
	ASSERT_EQ(0, attr_write(CARD0 "config", "1"));
	EXPECT_EVENT("change@" CARD "/00.0000", "CONFIG=1");
	EXPECT_EVENT("change@" CARD "/00.0001", "CONFIG=1");
	EXPECT_EVENT("change@" CARD, "CONFIG=1");
}

TEST_F(bus, masks)
{
	ASSERT_EQ(0, attr_write(BUS "apmask", "-0"));
	EXPECT_EVENT("unbind@" QUEUE, "SUBSYSTEM=ap");
	EXPECT_EVENT("change@" ROOT, "APMASK=0x7f" ALL_ONES);
	ASSERT_EQ(0, attr_write(BUS "apmask", "+0"));
	EXPECT_EVENT("bind@" QUEUE, "DRIVER=cex4queue");
	EXPECT_EVENT("change@" ROOT, "BINDINGS=complete");
	EXPECT_EVENT("change@" ROOT, "APMASK=0xff" ALL_ONES);
	ASSERT_EQ(0, attr_write(BUS "aqmask", "-1"));
	EXPECT_EVENT("change@" ROOT, "AQMASK=0xbf" ALL_ONES);
}

TEST_F(bus, unchanged_mask_is_not_told)
{
	ASSERT_EQ(0, attr_write(BUS "apmask", "+0-255"));
	EXPECT_EQ(-EINVAL, attr_write(BUS "apmask", "+256"));
	expect_none(_metadata, self->events, "APMASK=");
}

/* The count goes up each time that the last queue gets its driver. */
TEST_F(bus, bindings_complete_again)
{
	ASSERT_EQ(0, attr_write(CARD0 "queue_add", "5"));
	EXPECT_EVENT("add@" CARD "/00.0005", "MODE=accel");
	EXPECT_EVENT("change@" ROOT, "BINDINGS=complete", "COMPLETECOUNT=2");
	ASSERT_EQ(0, attr_write(CARD0 "queue_add", "6"));
	EXPECT_EVENT("change@" ROOT, "BINDINGS=complete", "COMPLETECOUNT=3");
}

TEST_F(bus, add_and_remove)
{
	ASSERT_EQ(0, attr_write(BUS "card_add", "0x11 1"));
	EXPECT_EVENT("add@" ROOT "/card11", "MODE=accel");
	EXPECT_EVENT("add@" ROOT "/card11/11.0000", "MODE=accel");
	ASSERT_EQ(0, attr_write(BUS "card_remove", "17"));
	EXPECT_EVENT("remove@" ROOT "/card11/11.0000", "DEVTYPE=ap_queue");
	EXPECT_EVENT("remove@" ROOT "/card11", "DEVTYPE=ap_card");
}

TEST_HARNESS_MAIN
