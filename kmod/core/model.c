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
#include <linux/string.h>
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

/*
 * The sets of all buses and of all devices are not exported, but every member
 * knows its set. Their parents and classes tell apart what only shares a name,
 * as a network interface might.
 */
static bool bus_exists(const char *name)
{
	struct kset *buses = bus_get_kset(&platform_bus_type)->kobj.kset;
	struct kobject *bus = kset_find_obj(buses, name);

	kobject_put(bus);
	return bus;
}

static bool is_root_device(const struct device *dev)
{
	return dev->kobj.parent == &dev->kobj.kset->kobj;
}

static bool is_misc_device(const struct device *dev)
{
	return dev->class && !strcmp(dev->class->name, "misc");
}

static bool device_exists(const char *name,
			  bool (*is_kind)(const struct device *dev))
{
	struct kset *devices = platform_bus.kobj.kset;
	struct kobject *kobj;
	bool found = false;

	spin_lock(&devices->list_lock);
	list_for_each_entry(kobj, &devices->list, entry) {
		found = kobject_name(kobj) && !strcmp(kobject_name(kobj), name) &&
			is_kind(kobj_to_dev(kobj));
		if (found)
			break;
	}
	spin_unlock(&devices->list_lock);
	return found;
}

/*
 * Decides about the names. Whoever registers them after this look and before
 * us still makes the core complain, and us fail: loading two drivers of one
 * device at the same moment is asking for it.
 */
static void choose_names(void)
{
	apq_bus_type.name = REAL_BUS;
	zcrypt_present = device_exists(REAL_NODE, is_misc_device);
	if (bus_exists(REAL_BUS) || device_exists(REAL_BUS, is_root_device)) {
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
