// SPDX-License-Identifier: GPL-2.0
/*
 * Knobs of the completion modes in /sys/bus/ap. poll_thread and poll_timeout
 * keep the names, formats and errors of z90crypt.
 */

#include <linux/device.h>
#include <linux/kstrtox.h>
#include <linux/sysfs.h>
#include "../core/bus.h"
#include "switch.h"
#include "watchdog.h"

static ssize_t completion_show(const struct bus_type *bus, char *buf)
{
	return apq_mode_list(buf);
}

static ssize_t completion_store(const struct bus_type *bus, const char *buf,
				size_t count)
{
	int ret = apq_mode_set(buf);

	return ret ?: count;
}

static ssize_t poll_thread_show(const struct bus_type *bus, char *buf)
{
	return sysfs_emit(buf, "%d\n", apq_mode_is(&apq_mode_thread));
}

static ssize_t poll_thread_store(const struct bus_type *bus, const char *buf,
				 size_t count)
{
	bool on;
	int ret;

	ret = kstrtobool(buf, &on);
	if (!ret)
		ret = apq_poll_thread_set(on);
	return ret ?: count;
}

static ssize_t poll_timeout_show(const struct bus_type *bus, char *buf)
{
	return sysfs_emit(buf, "%llu\n", apq_poll_timeout_get());
}

static ssize_t poll_timeout_store(const struct bus_type *bus, const char *buf,
				  size_t count)
{
	u64 ns;
	int ret;

	ret = kstrtou64(buf, 0, &ns);
	if (!ret)
		ret = apq_poll_timeout_set(ns);
	return ret ?: count;
}

static ssize_t spin_ns_show(const struct bus_type *bus, char *buf)
{
	return sysfs_emit(buf, "%u\n", apq_spin_ns_get());
}

static ssize_t spin_ns_store(const struct bus_type *bus, const char *buf,
			     size_t count)
{
	unsigned int ns;
	int ret;

	ret = kstrtouint(buf, 0, &ns) ? -EINVAL : apq_spin_ns_set(ns);
	return ret ?: count;
}

static ssize_t request_timeout_show(const struct bus_type *bus, char *buf)
{
	return sysfs_emit(buf, "%u\n", apq_request_timeout_get());
}

static ssize_t request_timeout_store(const struct bus_type *bus,
				     const char *buf, size_t count)
{
	unsigned int ms;
	int ret;

	ret = kstrtouint(buf, 0, &ms) ? -EINVAL : apq_request_timeout_set(ms);
	return ret ?: count;
}

static ssize_t latency_us_show(const struct bus_type *bus, char *buf)
{
	return sysfs_emit(buf, "%u\n", apq_latency_us_get());
}

static ssize_t latency_us_store(const struct bus_type *bus, const char *buf,
				size_t count)
{
	unsigned int us;
	int ret;

	ret = kstrtouint(buf, 0, &us) ? -EINVAL : apq_latency_us_set(us);
	return ret ?: count;
}

static const char * const preferences[] = { "balanced", "throughput" };

static ssize_t preference_show(const struct bus_type *bus, char *buf)
{
	bool throughput = apq_preference_get();

	return sysfs_emit(buf, throughput ? "balanced [throughput]\n" :
					    "[balanced] throughput\n");
}

static ssize_t preference_store(const struct bus_type *bus, const char *buf,
				size_t count)
{
	int i = sysfs_match_string(preferences, buf);

	if (i < 0)
		return -EINVAL;
	apq_preference_set(i);
	return count;
}

static BUS_ATTR_RW(completion);
static BUS_ATTR_RW(poll_thread);
static BUS_ATTR_RW(poll_timeout);
static BUS_ATTR_RW(spin_ns);
static BUS_ATTR_RW(request_timeout);
static BUS_ATTR_RW(latency_us);
static BUS_ATTR_RW(preference);

static struct bus_attribute * const knobs[] = {
	&bus_attr_completion,
	&bus_attr_poll_thread,
	&bus_attr_poll_timeout,
	&bus_attr_spin_ns,
	&bus_attr_request_timeout,
	&bus_attr_latency_us,
	&bus_attr_preference,
};

static void remove_first(unsigned int nr)
{
	while (nr--)
		bus_remove_file(&apq_bus_type, knobs[nr]);
}

int apq_mode_sysfs_add(void)
{
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(knobs); i++) {
		ret = bus_create_file(&apq_bus_type, knobs[i]);
		if (ret) {
			remove_first(i);
			return ret;
		}
	}
	return 0;
}

void apq_mode_sysfs_remove(void)
{
	remove_first(ARRAY_SIZE(knobs));
}
