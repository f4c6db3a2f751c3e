// SPDX-License-Identifier: GPL-2.0
/*
 * Attributes of cards and queues. Names, formats and errors are those of the
 * s390 AP bus, so that its tools read them; engine, service_ns and
 * empty_polls are ours. Those of the bus itself belong to completion/.
 */

#include <linux/sysfs.h>
#include "bus.h"

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

static ssize_t hwtype_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "%d\n", to_apq_card(dev)->hwtype);
}
static DEVICE_ATTR_RO(hwtype);

static ssize_t type_show(struct device *dev, struct device_attribute *attr,
			 char *buf)
{
	/* CEX4 has type 10, each later card one more. */
	return sysfs_emit(buf, "CEX%dA\n", to_apq_card(dev)->hwtype - 6);
}
static DEVICE_ATTR_RO(type);

static ssize_t engine_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	struct apq_card *card = to_apq_card(dev);

	return sysfs_emit(buf, "%s: %s\n", card->ops->name, card->engine);
}
static DEVICE_ATTR_RO(engine);

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
			atomic64_set(&card->queues[i]->request_count, 0);
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

static ssize_t service_ns_show(struct device *dev,
			       struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lld\n", (long long)
			  atomic64_read(&to_apq_card(dev)->service_ns));
}
static DEVICE_ATTR_RO(service_ns);

static ssize_t config_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "%d\n", to_apq_card(dev)->config);
}
static DEVICE_ATTR_RO(config);

static ssize_t chkstop_show(struct device *dev, struct device_attribute *attr,
			    char *buf)
{
	return sysfs_emit(buf, "%d\n", to_apq_card(dev)->chkstop);
}
static DEVICE_ATTR_RO(chkstop);

static ssize_t load_show(struct device *dev, struct device_attribute *attr,
			 char *buf)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&to_apq_card(dev)->load));
}
static DEVICE_ATTR_RO(load);

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
	unsigned int val;
	int ret;

	if (kstrtouint(buf, 10, &val) || val > 1)
		return -EINVAL;
	ret = apq_card_set_online(to_apq_card(dev), val);
	return ret ?: count;
}
static DEVICE_ATTR_RW(online);

static struct attribute *card_attrs[] = {
	&dev_attr_hwtype.attr,
	&dev_attr_type.attr,
	&dev_attr_engine.attr,
	&dev_attr_depth.attr,
	&dev_attr_ap_functions.attr,
	&dev_attr_request_count.attr,
	&dev_attr_requestq_count.attr,
	&dev_attr_pendingq_count.attr,
	&dev_attr_service_ns.attr,
	&dev_attr_config.attr,
	&dev_attr_chkstop.attr,
	&dev_attr_load.attr,
	&dev_attr_online.attr,
	NULL
};

static const struct attribute_group card_group = { .attrs = card_attrs };
const struct attribute_group *apq_card_groups[] = { &card_group, NULL };

static ssize_t queue_request_count_show(struct device *dev,
					struct device_attribute *attr,
					char *buf)
{
	return sysfs_emit(buf, "%lld\n", (long long)
			  atomic64_read(&to_apq_queue(dev)->request_count));
}

static ssize_t queue_request_count_store(struct device *dev,
					 struct device_attribute *attr,
					 const char *buf, size_t count)
{
	atomic64_set(&to_apq_queue(dev)->request_count, 0);
	return count;
}

static struct device_attribute dev_attr_queue_request_count =
	__ATTR(request_count, 0644, queue_request_count_show,
	       queue_request_count_store);

static ssize_t queue_requestq_count_show(struct device *dev,
					 struct device_attribute *attr,
					 char *buf)
{
	return sysfs_emit(buf, "%u\n",
			  READ_ONCE(to_apq_queue(dev)->requestq_count));
}

static struct device_attribute dev_attr_queue_requestq_count =
	__ATTR(requestq_count, 0444, queue_requestq_count_show, NULL);

static ssize_t queue_pendingq_count_show(struct device *dev,
					 struct device_attribute *attr,
					 char *buf)
{
	return sysfs_emit(buf, "%u\n",
			  READ_ONCE(to_apq_queue(dev)->pendingq_count));
}

static struct device_attribute dev_attr_queue_pendingq_count =
	__ATTR(pendingq_count, 0444, queue_pendingq_count_show, NULL);

static ssize_t empty_polls_show(struct device *dev,
				struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lld\n", (long long)
			  atomic64_read(&to_apq_queue(dev)->empty_polls));
}
static DEVICE_ATTR_RO(empty_polls);

static ssize_t stats_show(struct device *dev, struct device_attribute *attr,
			  char *buf)
{
	return apq_stats_show(to_apq_queue(dev), buf);
}
static DEVICE_ATTR_RO(stats);

static ssize_t queue_online_show(struct device *dev,
				 struct device_attribute *attr, char *buf)
{
	struct apq_queue *aq = to_apq_queue(dev);

	return sysfs_emit(buf, "%d\n", aq->card->online && aq->online);
}

/* Exactly 0 or 1, and 1 only while the card is online, else EINVAL. */
static ssize_t queue_online_store(struct device *dev,
				  struct device_attribute *attr,
				  const char *buf, size_t count)
{
	struct apq_queue *aq = to_apq_queue(dev);
	unsigned int val;
	int ret = 0;

	if (kstrtouint(buf, 10, &val) || val > 1)
		return -EINVAL;
	mutex_lock(&apq_bus_lock);
	if (val && !aq->card->online) {
		ret = -EINVAL;
	} else {
		apq_queue_set_online(aq, val);
		apq_dispatch_rebuild();
	}
	mutex_unlock(&apq_bus_lock);
	return ret ?: count;
}

static struct device_attribute dev_attr_queue_online =
	__ATTR(online, 0644, queue_online_show, queue_online_store);

static ssize_t reset_show(struct device *dev, struct device_attribute *attr,
			  char *buf)
{
	u8 state = READ_ONCE(to_apq_queue(dev)->sm_state);

	return sysfs_emit(buf, state <= APQ_SM_RESET_WAIT ?
			  "Reset in progress.\n" : "No Reset Timer set.\n");
}

/* Any write flushes the queue and resets it. */
static ssize_t reset_store(struct device *dev, struct device_attribute *attr,
			   const char *buf, size_t count)
{
	apq_queue_reset(to_apq_queue(dev));
	return count;
}
static DEVICE_ATTR_RW(reset);

static struct attribute *queue_attrs[] = {
	&dev_attr_queue_request_count.attr,
	&dev_attr_queue_requestq_count.attr,
	&dev_attr_queue_pendingq_count.attr,
	&dev_attr_empty_polls.attr,
	&dev_attr_stats.attr,
	&dev_attr_queue_online.attr,
	&dev_attr_reset.attr,
	NULL
};

static const struct attribute_group queue_group = { .attrs = queue_attrs };
const struct attribute_group *apq_queue_groups[] = { &queue_group, NULL };
