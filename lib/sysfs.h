/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * Reading sysfs files, for sysfs.c and cards.c
 */
#ifndef APQ_SYSFS_H
#define APQ_SYSFS_H

#include <stddef.h>
#include <stdint.h>

#include "backend.h"

/* Longest line with all mode names, 32 modes of 15 characters in brackets */
#define APQ_MODE_LINE_MAX	512

int apq_sysfs_read_at(int dir, const char *name, char *buf, size_t len);
int apq_sysfs_read_u64_at(int dir, const char *name, uint64_t *value);

#endif /* APQ_SYSFS_H */
