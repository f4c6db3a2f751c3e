// SPDX-License-Identifier: GPL-2.0
/*
 * Attributes of the bus, with the names, formats and errors of the s390 AP
 * bus. Those about completion modes belong to completion/.
 */

#include <linux/kernel.h>
#include <linux/sysfs.h>
#include "bus.h"
#include "model.h"

static ssize_t ap_domain_show(const struct bus_type *bus, char *buf)
{
	return sysfs_emit(buf, "%d\n", apq_domain_get());
}

static ssize_t ap_domain_store(const struct bus_type *bus, const char *buf,
			       size_t count)
{
	int domain, ret;

	if (kstrtoint(buf, 0, &domain))
		return -EINVAL;
	ret = apq_domain_set(domain);
	return ret ?: count;
}
static BUS_ATTR_RW(ap_domain);

static unsigned int queue_domain(const struct apq_queue *aq)
{
	return aq->domain;
}

static unsigned int queue_adapter(const struct apq_queue *aq)
{
	return aq->card->id;
}

/* A number of each queue, as a mask. */
static ssize_t emit_mask(char *buf, unsigned int (*fn)(const struct apq_queue *))
{
	struct apq_mask mask = {};
	unsigned int i;

	mutex_lock(&apq_bus_lock);
	for (i = 0; i < APQ_MAX_QUEUES; i++) {
		const struct apq_queue *aq = apq_bus_queue(i);

		if (aq)
			apq_mask_set(&mask, fn(aq), true);
	}
	mutex_unlock(&apq_bus_lock);
	return apq_mask_emit(&mask, buf);
}

/* Every domain that can be used can also be controlled. */
static ssize_t ap_control_domain_mask_show(const struct bus_type *bus,
					   char *buf)
{
	return emit_mask(buf, queue_domain);
}
static BUS_ATTR_RO(ap_control_domain_mask);

static ssize_t ap_usage_domain_mask_show(const struct bus_type *bus, char *buf)
{
	return emit_mask(buf, queue_domain);
}
static BUS_ATTR_RO(ap_usage_domain_mask);

static ssize_t ap_adapter_mask_show(const struct bus_type *bus, char *buf)
{
	return emit_mask(buf, queue_adapter);
}
static BUS_ATTR_RO(ap_adapter_mask);

static ssize_t ap_interrupts_show(const struct bus_type *bus, char *buf)
{
	return sysfs_emit(buf, "%d\n", apq_mode_interrupts());
}
static BUS_ATTR_RO(ap_interrupts);

static ssize_t ap_max_domain_id_show(const struct bus_type *bus, char *buf)
{
	return sysfs_emit(buf, "%d\n", APQ_MAX_DOMAINS - 1);
}
static BUS_ATTR_RO(ap_max_domain_id);

static ssize_t ap_max_adapter_id_show(const struct bus_type *bus, char *buf)
{
	return sysfs_emit(buf, "%d\n", APQ_MAX_CARDS - 1);
}
static BUS_ATTR_RO(ap_max_adapter_id);

static ssize_t config_time_show(const struct bus_type *bus, char *buf)
{
	return sysfs_emit(buf, "%u\n", apq_config_time_get());
}

static ssize_t config_time_store(const struct bus_type *bus, const char *buf,
				 size_t count)
{
	unsigned int seconds;
	int ret;

	if (kstrtouint(buf, 10, &seconds))
		return -EINVAL;
	ret = apq_config_time_set(seconds);
	return ret ?: count;
}
static BUS_ATTR_RW(config_time);

static ssize_t apmask_show(const struct bus_type *bus, char *buf)
{
	return apq_apmask_show(buf);
}

static ssize_t apmask_store(const struct bus_type *bus, const char *buf,
			    size_t count)
{
	int ret = apq_apmask_store(buf);

	return ret ?: count;
}
static BUS_ATTR_RW(apmask);

static ssize_t aqmask_show(const struct bus_type *bus, char *buf)
{
	return apq_aqmask_show(buf);
}

static ssize_t aqmask_store(const struct bus_type *bus, const char *buf,
			    size_t count)
{
	int ret = apq_aqmask_store(buf);

	return ret ?: count;
}
static BUS_ATTR_RW(aqmask);

static ssize_t scans_show(const struct bus_type *bus, char *buf)
{
	return sysfs_emit(buf, "%llu\n", apq_scan_count());
}

/* Any write scans, and returns when that is done. */
static ssize_t scans_store(const struct bus_type *bus, const char *buf,
			   size_t count)
{
	apq_scan();
	return count;
}
static BUS_ATTR_RW(scans);

static ssize_t bindings_show(const struct bus_type *bus, char *buf)
{
	unsigned int queues, bound;

	apq_bindings_count(&queues, &bound);
	return sysfs_emit(buf, "%u/%u%s\n", bound, queues,
			  apq_scan_count() && bound == queues ?
			  " (complete)" : "");
}
static BUS_ATTR_RO(bindings);

/*
 * APSC: special commands, which the first facility bit of a card says too.
 * The others would say that ids go up to 255, or tell of interpretation and of
 * binding to guests.
 */
static ssize_t features_show(const struct bus_type *bus, char *buf)
{
	return sysfs_emit(buf, "APSC\n");
}
static BUS_ATTR_RO(features);

static struct attribute *bus_attrs[] = {
	&bus_attr_ap_domain.attr,
	&bus_attr_ap_control_domain_mask.attr,
	&bus_attr_ap_usage_domain_mask.attr,
	&bus_attr_ap_adapter_mask.attr,
	&bus_attr_ap_interrupts.attr,
	&bus_attr_ap_max_domain_id.attr,
	&bus_attr_ap_max_adapter_id.attr,
	&bus_attr_config_time.attr,
	&bus_attr_apmask.attr,
	&bus_attr_aqmask.attr,
	&bus_attr_scans.attr,
	&bus_attr_bindings.attr,
	&bus_attr_features.attr,
	NULL
};

static const struct attribute_group bus_group = { .attrs = bus_attrs };

const struct attribute_group *apq_bus_groups[] = {
	&bus_group,
	&apq_bus_hotplug_group,
	NULL
};
