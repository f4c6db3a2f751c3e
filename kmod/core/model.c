// SPDX-License-Identifier: GPL-2.0
/*
 * The bus in the device model: its name, its root device, and its events.
 *
 * The names are those of the s390 AP bus, so that its tools work. Where a real
 * one is present they belong to that, and ours are refused before the core
 * would complain about a duplicate with a stack dump.
 */

#include <linux/kobject.h>
#include <linux/platform_device.h>
#include "bus.h"
#include "model.h"

#define REAL_BUS	"ap"
#define REAL_NODE	"z90crypt"

static struct device *root_dev;
static bool zcrypt_present;

/* What a card is for, from its facility bits. */
static const char *mode_name(u32 functions)
{
	if (functions & APQ_FUNC_ACCEL)
		return "accel";
	return functions & APQ_FUNC_CCA ? "cca" : "ep11";
}

static int bus_uevent(APQ_UEVENT_CONST struct device *dev,
		      struct kobj_uevent_env *env)
{
	const struct apq_card *card;
	int ret;

	if (dev->type == &apq_queue_type) {
		card = to_apq_queue(dev)->card;
	} else if (dev->type == &apq_card_type) {
		card = to_apq_card(dev);
		ret = add_uevent_var(env, "DEV_TYPE=%04X", card->hwtype) ?:
		      add_uevent_var(env, "MODALIAS=ap:t%02X", card->hwtype);
		if (ret)
			return ret;
	} else {
		return 0;
	}
	return add_uevent_var(env, "MODE=%s", mode_name(card->functions));
}

struct bus_type apq_bus_type = {
	.name = REAL_BUS,
	.bus_groups = apq_bus_groups,
	.match = apq_bus_match,
	.uevent = bus_uevent,
};

static bool object_exists(struct kset *set, const char *name)
{
	struct kobject *kobj = kset_find_obj(set, name);

	kobject_put(kobj);
	return kobj;
}

/*
 * Decides about the names. The sets of all buses and of all devices are not
 * exported, but every member knows its set. A device of the name anywhere in
 * the tree counts: without the name of the bus we lose nothing but a path.
 *
 * Whoever registers these names after this look and before ours still makes
 * the core complain, and ours fail; loading two drivers of one device at the
 * same moment is asking for it.
 */
static void choose_names(void)
{
	struct kset *buses = bus_get_kset(&platform_bus_type)->kobj.kset;
	struct kset *devices = platform_bus.kobj.kset;

	apq_bus_type.name = REAL_BUS;
	zcrypt_present = object_exists(devices, REAL_NODE);
	if (object_exists(buses, REAL_BUS) ||
	    object_exists(devices, REAL_BUS)) {
		apq_bus_type.name = KBUILD_MODNAME;
		zcrypt_present = true;
		pr_notice("there is a bus %s already, ours is %s\n", REAL_BUS,
			  apq_bus_type.name);
	}
}

/* Whether real adapters own the names; then only /dev/apq is served. */
bool apq_bus_zcrypt_present(void)
{
	return zcrypt_present;
}

int apq_bus_init(void)
{
	int ret;

	choose_names();
	ret = bus_register(&apq_bus_type);
	if (ret)
		return ret;
	root_dev = root_device_register(apq_bus_type.name);
	if (IS_ERR(root_dev)) {
		ret = PTR_ERR(root_dev);
		goto out_bus;
	}
	/* The core drops events of devices that belong to no bus. */
	root_dev->bus = &apq_bus_type;
	ret = apq_drivers_register();
	if (ret)
		goto out_root;
	return 0;

out_root:
	root_dev->bus = NULL;
	root_device_unregister(root_dev);
out_bus:
	bus_unregister(&apq_bus_type);
	return ret;
}

void apq_bus_exit(void)
{
	apq_drivers_unregister();
	/* It was never added to the bus, so it must not be taken off it. */
	root_dev->bus = NULL;
	root_device_unregister(root_dev);
	bus_unregister(&apq_bus_type);
}

/* Parent of all cards, /sys/devices/ap. */
struct device *apq_bus_root(void)
{
	return root_dev;
}

static void uevent_switch(struct device *dev, const char *name, bool on)
{
	char text[16];
	char *envp[2] = { text, NULL };

	/* Nobody has heard of it yet; its "add" comes. */
	if (!device_is_registered(dev))
		return;
	snprintf(text, sizeof(text), "%s=%d", name, on);
	kobject_uevent_env(&dev->kobj, KOBJ_CHANGE, envp);
}

void apq_uevent_online(struct device *dev, bool online)
{
	uevent_switch(dev, "ONLINE", online);
}

void apq_uevent_config(struct device *dev, bool config)
{
	uevent_switch(dev, "CONFIG", config);
}

/*
 * An event of the bus as a whole, which its root device sends, with one or two
 * variables.
 */
void apq_uevent_bus(char *first, char *second)
{
	char *envp[3] = { first, second, NULL };

	kobject_uevent_env(&root_dev->kobj, KOBJ_CHANGE, envp);
}
