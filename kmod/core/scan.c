// SPDX-License-Identifier: GPL-2.0
/*
 * Scans of the bus. A scan brings queues back that a response code of their
 * card had stopped, and chooses the default domain when there is none.
 */

#include <linux/workqueue.h>
#include "bus.h"
#include "model.h"

/* Seconds between two scans; the range is that of the real bus. */
#define CONFIG_TIME_MIN		5
#define CONFIG_TIME_MAX		120
#define CONFIG_TIME_DEFAULT	30

static void scan_work_fn(struct work_struct *work);
static DECLARE_DELAYED_WORK(scan_work, scan_work_fn);
static DEFINE_MUTEX(scan_lock);		/* the next two, and arming scan_work */
static unsigned int config_time = CONFIG_TIME_DEFAULT;
static bool running;

static atomic64_t nr_scans;
/* Under apq_bus_lock, read without it: a stale value is as good. */
static int default_domain = -1;

/* The lowest domain that some card has, unless one was chosen before. */
static void select_domain(void)
{
	unsigned int i;

	if (default_domain >= 0)
		return;
	for (i = 0; i < APQ_MAX_QUEUES; i++) {
		const struct apq_queue *aq = apq_bus_queue(i);

		if (!aq || !apq_mask_permits_domain(aq->domain))
			continue;
		if (default_domain < 0 || aq->domain < default_domain)
			WRITE_ONCE(default_domain, aq->domain);
	}
}

/* Restarts the queues in error whose card is well again. */
static bool recover_queues(void)
{
	bool changed = false;
	unsigned int i;

	for (i = 0; i < APQ_MAX_QUEUES; i++) {
		struct apq_queue *aq = apq_bus_queue(i);

		if (!aq || READ_ONCE(aq->dev_state) != APQ_DEV_ERROR)
			continue;
		apq_queue_reset(aq);
		changed |= READ_ONCE(aq->dev_state) == APQ_DEV_OPERATING;
	}
	if (changed)
		apq_dispatch_rebuild();
	return changed;
}

/**
 * apq_scan() - look at all cards and queues now
 *
 * Context: process context.
 * Return: whether a queue is usable now that was not before.
 */
bool apq_scan(void)
{
	bool changed;

	mutex_lock(&apq_bus_lock);
	select_domain();
	changed = recover_queues();
	mutex_unlock(&apq_bus_lock);
	if (atomic64_inc_return(&nr_scans) == 1) {
		apq_uevent_bus("INITSCAN=done", NULL);
		apq_bindings_check();
	}
	return changed;
}

static void arm(void)
{
	lockdep_assert_held(&scan_lock);
	if (running)
		schedule_delayed_work(&scan_work, config_time * HZ);
}

static void scan_work_fn(struct work_struct *work)
{
	apq_scan();
	mutex_lock(&scan_lock);
	arm();
	mutex_unlock(&scan_lock);
}

/* The first scan, after the first cards are there, and then the regular ones. */
void apq_scan_start(void)
{
	apq_scan();
	mutex_lock(&scan_lock);
	running = true;
	arm();
	mutex_unlock(&scan_lock);
}

void apq_scan_stop(void)
{
	mutex_lock(&scan_lock);
	running = false;
	mutex_unlock(&scan_lock);
	cancel_delayed_work_sync(&scan_work);
}

u64 apq_scan_count(void)
{
	return atomic64_read(&nr_scans);
}

unsigned int apq_config_time_get(void)
{
	return READ_ONCE(config_time);
}

/* 0, or -EINVAL outside of 5 to 120 s; the next scan comes after that time. */
int apq_config_time_set(unsigned int seconds)
{
	if (seconds < CONFIG_TIME_MIN || seconds > CONFIG_TIME_MAX)
		return -EINVAL;
	mutex_lock(&scan_lock);
	WRITE_ONCE(config_time, seconds);
	/* One that has begun arms itself behind us, with the new time. */
	cancel_delayed_work(&scan_work);
	arm();
	mutex_unlock(&scan_lock);
	return 0;
}

/* The default domain, -1 for none. */
int apq_domain_get(void)
{
	return READ_ONCE(default_domain);
}

/* 0, or -EINVAL: no such domain, or the mask of domains forbids it. */
int apq_domain_set(int domain)
{
	int ret = -EINVAL;

	if (domain < 0 || domain >= APQ_MAX_DOMAINS)
		return ret;
	mutex_lock(&apq_bus_lock);
	if (apq_mask_permits_domain(domain)) {
		WRITE_ONCE(default_domain, domain);
		ret = 0;
	}
	mutex_unlock(&apq_bus_lock);
	return ret;
}
