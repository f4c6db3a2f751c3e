/* SPDX-License-Identifier: GPL-2.0 */
/* Faults of cards, in debugfs; -errno on failure. */
#ifndef APQ_SELFTEST_FAULT_H
#define APQ_SELFTEST_FAULT_H

#include "attribute.h"

#define FAULTS		"/sys/kernel/debug/apq/fault/"
#define FAULT_ALWAYS	1000		/* probability, of 1000 */

static const char * const fault_kinds[] = {
	"lose", "delay", "duplicate", "reorder", "status", "full", "reset",
	"vanish", "mute",
};

#define NR_FAULT_KINDS	(sizeof(fault_kinds) / sizeof(fault_kinds[0]))

static inline int fault_set(const char *kind, const char *file, long value)
{
	char path[128], text[32];

	snprintf(path, sizeof(path), FAULTS "%s/%s", kind, file);
	snprintf(text, sizeof(text), "%ld", value);
	return attr_write(path, text);
}

static inline long long fault_get(const char *kind, const char *file)
{
	char path[128];

	snprintf(path, sizeof(path), FAULTS "%s/%s", kind, file);
	return attr_number(path);
}

static inline long long fault_injected(const char *kind)
{
	return fault_get(kind, "injected");
}

/* The next @times opportunities, -1 for all from now on. */
static inline int fault_on(const char *kind, long times)
{
	int ret = fault_set(kind, "times", times);

	return ret ? ret : fault_set(kind, "probability", FAULT_ALWAYS);
}

static inline int fault_off(const char *kind)
{
	return fault_set(kind, "probability", 0);
}

static inline int fault_off_all(void)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < NR_FAULT_KINDS && !ret; i++) {
		ret = fault_off(fault_kinds[i]);
		if (!ret)
			ret = fault_set(fault_kinds[i], "card", -1);
	}
	return ret;
}

#endif
