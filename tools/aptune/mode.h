/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Completion mode and interval of the module, read back after each change.
 */
#ifndef APTUNE_MODE_H
#define APTUNE_MODE_H

#include <stdint.h>

#define MODE_NAME_LEN	16
#define MODE_LIST_LEN	256
#define MAX_MODES	16

/* Limits of poll_timeout in nanoseconds (sysfs contract of the module). */
#define POLL_TIMEOUT_MIN	1ULL
#define POLL_TIMEOUT_MAX	120000000000ULL

/**
 * struct mode_state - what the module runs with
 * @mode: active mode
 * @poll_timeout: interval of mode hrtimer in nanoseconds
 */
struct mode_state {
	char mode[MODE_NAME_LEN];
	uint64_t poll_timeout;
};

/* All return 0, or a negative errno after they complained. */
int mode_read(struct mode_state *state);
int mode_set(const char *mode);
int mode_set_timeout(uint64_t ns);
int mode_restore(const struct mode_state *state);

#endif
