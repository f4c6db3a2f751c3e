// SPDX-License-Identifier: GPL-2.0
/*
 * The drivers of cards and queues. They have the names of the real ones, by
 * which lszcrypt knows that a device is served. A queue takes requests while
 * it is bound to its driver; the masks decide whether it may be.
 */

#include "bus.h"
#include "model.h"

static atomic64_t bindings_complete_count;

static int queue_probe(struct device *dev)
{
	struct apq_queue *aq = to_apq_queue(dev);
	int ret = 0;

	mutex_lock(&apq_bus_lock);
	if (apq_mask_permits(aq)) {
		apq_queue_block(aq, APQ_BLOCK_UNBOUND, false);
		apq_dispatch_rebuild();
	} else {
		ret = -ENODEV;
	}
	mutex_unlock(&apq_bus_lock);
	if (!ret)
		apq_bindings_check();
	return ret;
}

static int queue_remove(struct device *dev)
{
	mutex_lock(&apq_bus_lock);
	apq_queue_block(to_apq_queue(dev), APQ_BLOCK_UNBOUND, true);
	apq_dispatch_rebuild();
	mutex_unlock(&apq_bus_lock);
	return 0;
}

/* Nothing happens when a card is bound, so it need not be possible by hand. */
static struct device_driver card_driver = {
	.name = "cex4card",
	.bus = &apq_bus_type,
	.owner = THIS_MODULE,
	.dev_groups = apq_card_driver_groups,
	.suppress_bind_attrs = true,
};

static struct device_driver queue_driver = {
	.name = "cex4queue",
	.bus = &apq_bus_type,
	.owner = THIS_MODULE,
	.probe = queue_probe,
	.remove = queue_remove,
	.dev_groups = apq_queue_driver_groups,
};

int apq_bus_match(struct device *dev, APQ_MATCH_CONST struct device_driver *drv)
{
	if (dev->type == &apq_card_type)
		return drv == &card_driver;
	return dev->type == &apq_queue_type && drv == &queue_driver;
}

int apq_drivers_register(void)
{
	int ret;

	ret = driver_register(&card_driver);
	if (ret)
		return ret;
	ret = driver_register(&queue_driver);
	if (ret)
		driver_unregister(&card_driver);
	return ret;
}

void apq_drivers_unregister(void)
{
	driver_unregister(&queue_driver);
	driver_unregister(&card_driver);
}

struct bindings {
	unsigned int queues;
	unsigned int bound;
};

static int count_queue(struct device *dev, void *data)
{
	struct bindings *b = data;

	if (dev->type == &apq_queue_type) {
		b->queues++;
		if (dev->driver)
			b->bound++;
	}
	return 0;
}

/* How many queues there are, and how many have their driver. */
void apq_bindings_count(unsigned int *queues, unsigned int *bound)
{
	struct bindings b = {};

	bus_for_each_dev(&apq_bus_type, NULL, &b, count_queue);
	*queues = b.queues;
	*bound = b.bound;
}

/* Tells the world when, after the first scan, every queue has its driver. */
void apq_bindings_check(void)
{
	unsigned int queues, bound;
	char text[40];

	apq_bindings_count(&queues, &bound);
	if (!apq_scan_count() || bound != queues)
		return;
	snprintf(text, sizeof(text), "COMPLETECOUNT=%lld",
		 (long long)atomic64_inc_return(&bindings_complete_count));
	apq_uevent_bus("BINDINGS=complete", text);
}

static int revise_queue(struct device *dev, void *unused)
{
	bool permitted;

	if (dev->type != &apq_queue_type)
		return 0;
	mutex_lock(&apq_bus_lock);
	permitted = apq_mask_permits(to_apq_queue(dev));
	mutex_unlock(&apq_bus_lock);
	if (permitted != !!dev->driver && device_reprobe(dev))
		dev_warn(dev, "cannot be bound again\n");
	return 0;
}

/*
 * Binds and unbinds queues after a change of the masks. Writers that come
 * together both do so by the newest masks.
 */
void apq_bindings_revise(void)
{
	bus_for_each_dev(&apq_bus_type, NULL, NULL, revise_queue);
}
