// SPDX-License-Identifier: GPL-2.0
/*
 * Cards and queues that come and go at run time, by attributes of the bus and
 * of the cards.
 */

#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include "bus.h"
#include "model.h"

/* Who makes cards; under apq_hotplug_lock, NULL while nobody does. */
static const struct apq_card_factory *factory;

/* From now on cards can come and go by sysfs; NULL ends that. */
void apq_card_factory_set(const struct apq_card_factory *new)
{
	mutex_lock(&apq_hotplug_lock);
	factory = new;
	mutex_unlock(&apq_hotplug_lock);
}

/*
 * Reads one to @max numbers, decimal, 0x hex or octal, with blanks between.
 * Returns how many there were or -EINVAL.
 */
int apq_parse_numbers(const char *buf, unsigned int *number, int max)
{
	char text[32], *rest, *word;
	int nr = 0;

	if (strscpy(text, buf, sizeof(text)) < 0)
		return -EINVAL;
	rest = strim(text);
	while ((word = strsep(&rest, " \t"))) {
		if (!*word)
			continue;
		if (nr == max || kstrtouint(word, 0, &number[nr]))
			return -EINVAL;
		nr++;
	}
	return nr ?: -EINVAL;
}

static int check_limits(unsigned int id, unsigned int domains)
{
	if (id >= APQ_MAX_CARDS) {
		pr_warn_ratelimited("card_add: ID %u: must be 0 to %u\n", id,
				    APQ_MAX_CARDS - 1);
		return -EINVAL;
	}
	if (domains < 1 || domains > APQ_MAX_DOMAINS) {
		pr_warn_ratelimited("card_add: DOMAINS %u: must be 1 to %u\n",
				    domains, APQ_MAX_DOMAINS);
		return -EINVAL;
	}
	return 0;
}

static int add_card(unsigned int id, unsigned int domains)
{
	lockdep_assert_held(&apq_hotplug_lock);
	if (!factory)
		return -ENODEV;
	if (apq_card_find(id))
		return -EEXIST;
	return factory->add(id, domains);
}

static void warn_no_space(const char *name)
{
	pr_warn_ratelimited("%s: there can be %u queues in all\n", name,
			    APQ_MAX_QUEUES);
}

/* Takes "ID [DOMAINS]". */
static ssize_t card_add_store(const struct bus_type *bus, const char *buf,
			      size_t count)
{
	unsigned int number[2] = { 0, 1 };
	int ret;

	if (apq_parse_numbers(buf, number, ARRAY_SIZE(number)) < 0) {
		pr_warn_ratelimited("card_add: takes ID [DOMAINS]\n");
		return -EINVAL;
	}
	ret = check_limits(number[0], number[1]);
	if (ret)
		return ret;
	mutex_lock(&apq_hotplug_lock);
	ret = add_card(number[0], number[1]);
	mutex_unlock(&apq_hotplug_lock);
	if (ret == -ENOSPC)
		warn_no_space("card_add");
	return ret ?: count;
}
static BUS_ATTR_WO(card_add);

/* Takes an id; returns when the card is gone. */
static ssize_t card_remove_store(const struct bus_type *bus, const char *buf,
				 size_t count)
{
	struct apq_card *card;
	unsigned int id;
	int ret = 0;

	if (apq_parse_numbers(buf, &id, 1) < 0) {
		pr_warn_ratelimited("card_remove: takes ID\n");
		return -EINVAL;
	}
	mutex_lock(&apq_hotplug_lock);
	card = apq_card_find(id);
	if (!factory)
		ret = -ENODEV;
	else if (!card)
		ret = -ENOENT;
	else if (card->lab)
		ret = -EBUSY;	/* stays as long as the module */
	else
		factory->remove(card);
	mutex_unlock(&apq_hotplug_lock);
	return ret ?: count;
}
static BUS_ATTR_WO(card_remove);

static struct attribute *bus_attrs[] = {
	&bus_attr_card_add.attr,
	&bus_attr_card_remove.attr,
	NULL
};

const struct attribute_group apq_bus_hotplug_group = { .attrs = bus_attrs };

/*
 * The lock, for writers of a card's attributes. Who removes the card holds it
 * and waits for them, so they must go away and come back, as the core's
 * lock_device_hotplug_sysfs() does it. 0, or what the writer returns.
 */
static int lock_hotplug(void)
{
	if (mutex_trylock(&apq_hotplug_lock))
		return 0;
	/* Not too soon: removing a card takes some grace periods. */
	usleep_range(5000, 20000);
	return restart_syscall();
}

/* Takes a domain. */
static ssize_t queue_add_store(struct device *dev,
			       struct device_attribute *attr, const char *buf,
			       size_t count)
{
	unsigned int domain;
	int ret;

	if (apq_parse_numbers(buf, &domain, 1) < 0 ||
	    domain >= APQ_MAX_DOMAINS) {
		dev_warn_ratelimited(dev, "queue_add: takes DOMAIN, 0 to %u\n",
				     APQ_MAX_DOMAINS - 1);
		return -EINVAL;
	}
	ret = lock_hotplug();
	if (ret)
		return ret;
	ret = apq_card_add_queue(to_apq_card(dev), domain);
	mutex_unlock(&apq_hotplug_lock);
	if (ret == -ENOSPC)
		warn_no_space("queue_add");
	return ret ?: count;
}
static DEVICE_ATTR_WO(queue_add);

/* Takes a domain; returns when the queue is gone. */
static ssize_t queue_remove_store(struct device *dev,
				  struct device_attribute *attr,
				  const char *buf, size_t count)
{
	unsigned int domain;
	int ret;

	if (apq_parse_numbers(buf, &domain, 1) < 0) {
		dev_warn_ratelimited(dev, "queue_remove: takes DOMAIN\n");
		return -EINVAL;
	}
	ret = lock_hotplug();
	if (ret)
		return ret;
	ret = apq_card_remove_queue(to_apq_card(dev), domain);
	mutex_unlock(&apq_hotplug_lock);
	return ret ?: count;
}
static DEVICE_ATTR_WO(queue_remove);

static struct attribute *card_attrs[] = {
	&dev_attr_queue_add.attr,
	&dev_attr_queue_remove.attr,
	NULL
};

const struct attribute_group apq_card_hotplug_group = { .attrs = card_attrs };
