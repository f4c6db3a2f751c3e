/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine that a result belongs to.
 */
#ifndef APTUNE_ENVIRONMENT_H
#define APTUNE_ENVIRONMENT_H

#include "cards.h"
#include "mode.h"

/**
 * struct environment - stamp of a result
 * @date: UTC, ISO 8601
 * @kernel: system, release, version, machine
 * @cmdline: of the kernel
 * @cpu_model: from /proc/cpuinfo
 * @hypervisor: "none", "TCG", "KVM", ..., or "unknown"
 * @banner: a warning that must stand over every output, or NULL
 * @clocksource: of the kernel
 * @cpus: online
 * @hz: ticks per second, from the resolution of the coarse clock
 * @modes: that the module has
 * @cards: with their real engines
 */
struct environment {
	char date[32];
	char kernel[512];
	char cmdline[2048];
	char cpu_model[128];
	char hypervisor[32];
	const char *banner;
	char clocksource[32];
	unsigned int cpus, hz;
	char modes[MODE_LIST_LEN];
	struct card_list cards;
};

/* Returns 0, or -1 after it complained (module not there). */
int environment_read(struct environment *env);
void environment_free(struct environment *env);

#endif
