// SPDX-License-Identifier: GPL-2.0
/*
 * Takes names that belong to real adapters, as the s390 AP bus and zcrypt
 * would have them, before apq.ko can.
 */

#include <linux/device.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>

static bool bus;
module_param(bus, bool, 0444);
MODULE_PARM_DESC(bus, "take the bus ap and its root device");

static bool node;
module_param(node, bool, 0444);
MODULE_PARM_DESC(node, "take the device z90crypt");

/* The name means nothing to us on a device of another kind. */
static bool other;
module_param(other, bool, 0444);
MODULE_PARM_DESC(other, "give devices below another one those names");

static struct bus_type ap_bus = { .name = "ap" };
static struct device *ap_root;
static struct device *other_root;
static struct device *other_devices[2];

static const struct file_operations node_fops = { .owner = THIS_MODULE };

static struct miscdevice node_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "z90crypt",
	.fops = &node_fops,
};

static void remove_bus(void)
{
	if (!IS_ERR_OR_NULL(ap_root))
		root_device_unregister(ap_root);
	bus_unregister(&ap_bus);
}

static int add_bus(void)
{
	int ret = bus_register(&ap_bus);

	if (ret)
		return ret;
	ap_root = root_device_register("ap");
	if (!IS_ERR(ap_root))
		return 0;
	remove_bus();
	return PTR_ERR(ap_root);
}

static void other_release(struct device *dev)
{
	kfree(dev);
}

static struct device *add_other_device(const char *name)
{
	struct device *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	int ret;

	if (!dev)
		return NULL;
	dev->parent = other_root;
	dev->release = other_release;
	dev_set_name(dev, "%s", name);
	ret = device_register(dev);
	if (!ret)
		return dev;
	put_device(dev);
	return NULL;
}

static void remove_other(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(other_devices); i++)
		if (other_devices[i])
			device_unregister(other_devices[i]);
	root_device_unregister(other_root);
}

static int add_other(void)
{
	other_root = root_device_register("apq_selftest");
	if (IS_ERR(other_root))
		return PTR_ERR(other_root);
	other_devices[0] = add_other_device("ap");
	other_devices[1] = add_other_device("z90crypt");
	if (other_devices[0] && other_devices[1])
		return 0;
	remove_other();
	return -ENOMEM;
}

static void names_exit(void)
{
	if (other)
		remove_other();
	if (node)
		misc_deregister(&node_misc);
	if (bus)
		remove_bus();
}

static int __init names_init(void)
{
	int ret;

	if (bus) {
		ret = add_bus();
		if (ret)
			return ret;
	}
	if (node) {
		ret = misc_register(&node_misc);
		if (ret)
			goto out_bus;
	}
	if (other) {
		ret = add_other();
		if (ret)
			goto out_node;
	}
	return 0;

out_node:
	if (node)
		misc_deregister(&node_misc);
out_bus:
	if (bus)
		remove_bus();
	return ret;
}

module_init(names_init);
module_exit(names_exit);
MODULE_DESCRIPTION("Takes the names of real adapters, for tests");
MODULE_LICENSE("GPL");
