// SPDX-License-Identifier: GPL-2.0
/*
 * Attributes of queues, with the names, formats and errors of the s390 AP bus;
 * empty_polls and stats are ours.
 */

#include <linux/sysfs.h>
#include "bus.h"
#include "model.h"

/* What is read here without the queue's lock is a snapshot in any case. */

static bool is_bound(const struct apq_queue *aq)
{
	return !(READ_ONCE(aq->blocked) & APQ_BLOCK_UNBOUND);
}

/* A queue that no driver has set up yet counts nothing. */
static ssize_t request_count_show(struct device *dev,
				  struct device_attribute *attr, char *buf)
{
	struct apq_queue *aq = to_apq_queue(dev);

	if (!is_bound(aq))
		return sysfs_emit(buf, "-\n");
	return sysfs_emit(buf, "%lld\n",
			  (long long)atomic64_read(&aq->request_count));
}

static ssize_t request_count_store(struct device *dev,
				   struct device_attribute *attr,
				   const char *buf, size_t count)
{
	apq_stats_clear(to_apq_queue(dev));
	return count;
}
static DEVICE_ATTR_RW(request_count);

static ssize_t requestq_count_show(struct device *dev,
				   struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n",
			  READ_ONCE(to_apq_queue(dev)->requestq_count));
}
static DEVICE_ATTR_RO(requestq_count);

static ssize_t pendingq_count_show(struct device *dev,
				   struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n",
			  READ_ONCE(to_apq_queue(dev)->pendingq_count));
}
static DEVICE_ATTR_RO(pendingq_count);

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

static ssize_t reset_show(struct device *dev, struct device_attribute *attr,
			  char *buf)
{
	switch (READ_ONCE(to_apq_queue(dev)->sm_state)) {
	case APQ_SM_RESET_START:
	case APQ_SM_RESET_WAIT:
		return sysfs_emit(buf, "Reset in progress.\n");
	case APQ_SM_WORKING:
	case APQ_SM_QUEUE_FULL:
		return sysfs_emit(buf, "Reset Timer armed.\n");
	default:
		return sysfs_emit(buf, "No Reset Timer set.\n");
	}
}

/* Any write flushes the queue and resets it. */
static ssize_t reset_store(struct device *dev, struct device_attribute *attr,
			   const char *buf, size_t count)
{
	mutex_lock(&apq_bus_lock);
	apq_queue_reset(to_apq_queue(dev));
	/* It may have been in error and out of the table. */
	apq_dispatch_rebuild();
	mutex_unlock(&apq_bus_lock);
	return count;
}
static DEVICE_ATTR_RW(reset);

static ssize_t interrupt_show(struct device *dev,
			      struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "Interrupts %s.\n",
			  apq_mode_interrupts() ? "enabled" : "disabled");
}
static DEVICE_ATTR_RO(interrupt);

static ssize_t config_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "%d\n", to_apq_queue(dev)->card->config);
}
static DEVICE_ATTR_RO(config);

static ssize_t chkstop_show(struct device *dev, struct device_attribute *attr,
			    char *buf)
{
	return sysfs_emit(buf, "%d\n", to_apq_queue(dev)->card->chkstop);
}
static DEVICE_ATTR_RO(chkstop);

static ssize_t ap_functions_show(struct device *dev,
				 struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "0x%08X\n", to_apq_queue(dev)->card->functions);
}
static DEVICE_ATTR_RO(ap_functions);

static const char * const dev_states[] = {
	[APQ_DEV_OPERATING] = "OPERATING",
	[APQ_DEV_SHUTDOWN] = "SHUTDOWN",
	[APQ_DEV_ERROR] = "ERROR",
};

static const char * const sm_states[NR_APQ_SM_STATES] = {
	[APQ_SM_RESET_START] = "RESET_START",
	[APQ_SM_RESET_WAIT] = "RESET_WAIT",
	[APQ_SM_IDLE] = "IDLE",
	[APQ_SM_WORKING] = "WORKING",
	[APQ_SM_QUEUE_FULL] = "FULL",
};

static ssize_t states_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	struct apq_queue *aq = to_apq_queue(dev);
	u8 dev_state, sm_state;

	if (!is_bound(aq))
		return sysfs_emit(buf, "UNINITIATED\n");
	spin_lock_bh(&aq->lock);
	dev_state = aq->dev_state;
	sm_state = aq->sm_state;
	spin_unlock_bh(&aq->lock);
	return sysfs_emit(buf, "%s [%s]\n", dev_states[dev_state],
			  sm_states[sm_state]);
}
static DEVICE_ATTR_RO(states);

/* Names of the AP architecture, also of codes that no card of ours gives. */
static const char * const responses[] = {
	[APQ_RESP_OK] = "NORMAL",
	[APQ_RESP_NOT_AVAIL] = "Q_NOT_AVAIL",
	[APQ_RESP_RESET] = "RESET_IN_PROGRESS",
	[APQ_RESP_DECONFIG] = "DECONFIGURED",
	[APQ_RESP_CHECKSTOP] = "CHECKSTOPPED",
	[APQ_RESP_BUSY] = "BUSY",
	[0x06] = "INVALID_ADDRESS",
	[0x07] = "OTHERWISE_CHANGED",
	[APQ_RESP_FULL] = "Q_FULL/NO_PENDING_REPLY",
	[0x11] = "INDEX_TOO_BIG",
	[0x13] = "NO_FIRST_PART",
	[APQ_RESP_TOO_BIG] = "MESSAGE_TOO_BIG",
	[APQ_RESP_NO_FACILITY] = "REQ_FAC_NOT_INST",
};

static ssize_t last_err_rc_show(struct device *dev,
				struct device_attribute *attr, char *buf)
{
	unsigned int code = READ_ONCE(to_apq_queue(dev)->last_response);

	if (code < ARRAY_SIZE(responses) && responses[code])
		return sysfs_emit(buf, "%s\n", responses[code]);
	return sysfs_emit(buf, "response code %u\n", code);
}
static DEVICE_ATTR_RO(last_err_rc);

static struct attribute *queue_attrs[] = {
	&dev_attr_request_count.attr,
	&dev_attr_requestq_count.attr,
	&dev_attr_pendingq_count.attr,
	&dev_attr_empty_polls.attr,
	&dev_attr_stats.attr,
	&dev_attr_reset.attr,
	&dev_attr_interrupt.attr,
	&dev_attr_config.attr,
	&dev_attr_chkstop.attr,
	&dev_attr_ap_functions.attr,
	&dev_attr_states.attr,
	&dev_attr_last_err_rc.attr,
	NULL
};

static const struct attribute_group queue_group = { .attrs = queue_attrs };

static const struct attribute_group *queue_groups[] = { &queue_group, NULL };

const struct device_type apq_queue_type = {
	.name = "ap_queue",
	.groups = queue_groups,
};

/*
 * What follows is there while the driver is bound, as it is with zcrypt.
 */

static ssize_t online_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "%d\n", !READ_ONCE(to_apq_queue(dev)->blocked));
}

/*
 * Exactly 0 or 1, and 1 only while the card is online, else EINVAL; ENODEV:
 * the card is deconfigured or broken.
 */
static ssize_t online_store(struct device *dev, struct device_attribute *attr,
			    const char *buf, size_t count)
{
	bool online;
	int ret;

	ret = apq_parse_switch(buf, &online) ?:
	      apq_queue_set_online(to_apq_queue(dev), online);
	return ret ?: count;
}
static DEVICE_ATTR_RW(online);

static ssize_t load_show(struct device *dev, struct device_attribute *attr,
			 char *buf)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&to_apq_queue(dev)->load));
}
static DEVICE_ATTR_RO(load);

static struct attribute *driver_attrs[] = {
	&dev_attr_online.attr,
	&dev_attr_load.attr,
	NULL
};

static const struct attribute_group driver_group = { .attrs = driver_attrs };

const struct attribute_group *apq_queue_driver_groups[] = {
	&driver_group,
	NULL
};
