// SPDX-License-Identifier: GPL-2.0
/*
 * Attributes of cards, with the names, formats and errors of the s390 AP bus;
 * engine, service_ns and service_model are ours.
 */

#include <linux/kernel.h>
#include <linux/sysfs.h>
#include "bus.h"
#include "model.h"
#include "service.h"

/* Bytes of an AP message, for cards that do not name a limit of their own. */
#define MAX_MSG_SIZE	12288

/* Counts of a card are the sums over its queues. */
static unsigned int sum_counts(struct apq_card *card, bool pending)
{
	unsigned int i, sum = 0;

	mutex_lock(&apq_bus_lock);
	for (i = 0; i < APQ_MAX_DOMAINS; i++) {
		struct apq_queue *aq = card->queues[i];

		if (aq)
			sum += pending ? READ_ONCE(aq->pendingq_count) :
					 READ_ONCE(aq->requestq_count);
	}
	mutex_unlock(&apq_bus_lock);
	return sum;
}

/* 0 or 1 and nothing else, a newline apart; 0 or -EINVAL. */
int apq_parse_switch(const char *buf, bool *on)
{
	unsigned int val;

	if (kstrtouint(buf, 10, &val) || val > 1)
		return -EINVAL;
	*on = val;
	return 0;
}

static ssize_t hwtype_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "%d\n", to_apq_card(dev)->hwtype);
}
static DEVICE_ATTR_RO(hwtype);

/* Differs from hwtype only for types that the reader may not know yet. */
static ssize_t raw_hwtype_show(struct device *dev,
			       struct device_attribute *attr, char *buf)
{
	return hwtype_show(dev, attr, buf);
}
static DEVICE_ATTR_RO(raw_hwtype);

static ssize_t depth_show(struct device *dev, struct device_attribute *attr,
			  char *buf)
{
	return sysfs_emit(buf, "%u\n", to_apq_card(dev)->depth);
}
static DEVICE_ATTR_RO(depth);

static ssize_t ap_functions_show(struct device *dev,
				 struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "0x%08X\n", to_apq_card(dev)->functions);
}
static DEVICE_ATTR_RO(ap_functions);

static ssize_t request_count_show(struct device *dev,
				  struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lld\n", (long long)
			  atomic64_read(&to_apq_card(dev)->request_count));
}

/* Any write zeroes the counts of the card and of its queues. */
static ssize_t request_count_store(struct device *dev,
				   struct device_attribute *attr,
				   const char *buf, size_t count)
{
	struct apq_card *card = to_apq_card(dev);
	unsigned int i;

	mutex_lock(&apq_bus_lock);
	atomic64_set(&card->request_count, 0);
	for (i = 0; i < APQ_MAX_DOMAINS; i++)
		if (card->queues[i])
			apq_stats_clear(card->queues[i]);
	mutex_unlock(&apq_bus_lock);
	return count;
}
static DEVICE_ATTR_RW(request_count);

static ssize_t requestq_count_show(struct device *dev,
				   struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", sum_counts(to_apq_card(dev), false));
}
static DEVICE_ATTR_RO(requestq_count);

static ssize_t pendingq_count_show(struct device *dev,
				   struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", sum_counts(to_apq_card(dev), true));
}
static DEVICE_ATTR_RO(pendingq_count);

static ssize_t modalias_show(struct device *dev, struct device_attribute *attr,
			     char *buf)
{
	return sysfs_emit(buf, "ap:t%02X\n", to_apq_card(dev)->hwtype);
}
static DEVICE_ATTR_RO(modalias);

static ssize_t config_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "%d\n", to_apq_card(dev)->config);
}

static ssize_t config_store(struct device *dev, struct device_attribute *attr,
			    const char *buf, size_t count)
{
	bool config;
	int ret;

	ret = apq_parse_switch(buf, &config);
	if (ret)
		return ret;
	apq_card_set_config(to_apq_card(dev), config);
	return count;
}
static DEVICE_ATTR_RW(config);

static ssize_t chkstop_show(struct device *dev, struct device_attribute *attr,
			    char *buf)
{
	return sysfs_emit(buf, "%d\n", to_apq_card(dev)->chkstop);
}
static DEVICE_ATTR_RO(chkstop);

static ssize_t max_msg_size_show(struct device *dev,
				 struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", MAX_MSG_SIZE);
}
static DEVICE_ATTR_RO(max_msg_size);

static ssize_t engine_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	struct apq_card *card = to_apq_card(dev);

	return sysfs_emit(buf, "%s: %s%s\n", card->ops->name, card->engine,
			  READ_ONCE(card->service->on) ? " (modelled)" : "");
}
static DEVICE_ATTR_RO(engine);

static ssize_t service_ns_show(struct device *dev,
			       struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lld\n", (long long)
			  atomic64_read(&to_apq_card(dev)->service_ns));
}
static DEVICE_ATTR_RO(service_ns);

static ssize_t service_model_show(struct device *dev,
				  struct device_attribute *attr, char *buf)
{
	return apq_service_show(to_apq_card(dev), buf);
}

/* What apq_preset_parse() takes, or "off". */
static ssize_t service_model_store(struct device *dev,
				   struct device_attribute *attr,
				   const char *buf, size_t count)
{
	int ret = apq_service_store(to_apq_card(dev), buf);

	return ret ?: count;
}
static DEVICE_ATTR_RW(service_model);

static struct attribute *card_attrs[] = {
	&dev_attr_hwtype.attr,
	&dev_attr_raw_hwtype.attr,
	&dev_attr_depth.attr,
	&dev_attr_ap_functions.attr,
	&dev_attr_request_count.attr,
	&dev_attr_requestq_count.attr,
	&dev_attr_pendingq_count.attr,
	&dev_attr_modalias.attr,
	&dev_attr_config.attr,
	&dev_attr_chkstop.attr,
	&dev_attr_max_msg_size.attr,
	&dev_attr_engine.attr,
	&dev_attr_service_ns.attr,
	&dev_attr_service_model.attr,
	NULL
};

static const struct attribute_group card_group = { .attrs = card_attrs };

static const struct attribute_group *card_groups[] = {
	&card_group,
	&apq_card_hotplug_group,
	NULL
};

const struct device_type apq_card_type = {
	.name = "ap_card",
	.groups = card_groups,
};

/*
 * What follows is there while the driver is bound, as it is with zcrypt.
 */

static ssize_t type_show(struct device *dev, struct device_attribute *attr,
			 char *buf)
{
	/* CEX4 has type 10, each later card one more. */
	return sysfs_emit(buf, "CEX%dA\n", to_apq_card(dev)->hwtype - 6);
}
static DEVICE_ATTR_RO(type);

static ssize_t online_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	struct apq_card *card = to_apq_card(dev);

	return sysfs_emit(buf, "%d\n",
			  card->online && card->config && !card->chkstop);
}

/* Exactly 0 or 1, else EINVAL; ENODEV: deconfigured or broken. */
static ssize_t online_store(struct device *dev, struct device_attribute *attr,
			    const char *buf, size_t count)
{
	bool online;
	int ret;

	ret = apq_parse_switch(buf, &online) ?:
	      apq_card_set_online(to_apq_card(dev), online);
	return ret ?: count;
}
static DEVICE_ATTR_RW(online);

static ssize_t load_show(struct device *dev, struct device_attribute *attr,
			 char *buf)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&to_apq_card(dev)->load));
}
static DEVICE_ATTR_RO(load);

static struct attribute *driver_attrs[] = {
	&dev_attr_type.attr,
	&dev_attr_online.attr,
	&dev_attr_load.attr,
	NULL
};

static const struct attribute_group driver_group = { .attrs = driver_attrs };

const struct attribute_group *apq_card_driver_groups[] = {
	&driver_group,
	NULL
};
