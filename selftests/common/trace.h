/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace points of the module, each test with instances of its own. -errno on
 * failure.
 */
#ifndef APQ_SELFTEST_TRACE_H
#define APQ_SELFTEST_TRACE_H

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "attribute.h"

#define INSTANCES	"/sys/kernel/tracing/instances/"

static inline int trace_write(const char *instance, const char *file,
			      const char *text)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), INSTANCES "%s/%s", instance, file);
	return attr_write(path, text);
}

static inline int trace_new(const char *instance)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), INSTANCES "%s", instance);
	return mkdir(path, 0700) ? -errno : 0;
}

/* Events must be off: an instance that is in use cannot go. */
static inline int trace_delete(const char *instance)
{
	char path[PATH_MAX];

	trace_write(instance, "events/enable", "0");
	snprintf(path, sizeof(path), INSTANCES "%s", instance);
	return rmdir(path) ? -errno : 0;
}

/* @filter may be NULL. */
static inline int trace_enable(const char *instance, const char *event,
			       const char *filter)
{
	char file[128];
	int ret;

	if (filter) {
		snprintf(file, sizeof(file), "events/apq/%s/filter", event);
		ret = trace_write(instance, file, filter);
		if (ret)
			return ret;
	}
	snprintf(file, sizeof(file), "events/apq/%s/enable", event);
	return trace_write(instance, file, "1");
}

static inline long long trace_cpu_count(const char *path)
{
	FILE *f = fopen(path, "r");
	long long entries, sum = 0;
	char line[128];

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "entries: %lld", &entries) == 1 ||
		    sscanf(line, "overrun: %lld", &entries) == 1)
			sum += entries;
	fclose(f);
	return sum;
}

/* Events so far, also those that were overwritten by others since. */
static inline long long trace_count(const char *instance)
{
	long long count, sum = 0;
	char path[PATH_MAX];
	unsigned int cpu;

	for (cpu = 0;; cpu++) {
		snprintf(path, sizeof(path), INSTANCES "%s/per_cpu/cpu%u/stats",
			 instance, cpu);
		count = trace_cpu_count(path);
		if (count < 0)
			return cpu ? sum : -ENOENT;
		sum += count;
	}
}

/* Lines with an event, into memory of the caller's; NULL on failure. */
static inline FILE *trace_lines(const char *instance)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), INSTANCES "%s/trace", instance);
	return fopen(path, "r");
}

#endif
