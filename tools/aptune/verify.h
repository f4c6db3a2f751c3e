/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Real input: a file's bytes through a path must equal what OpenSSL makes of
 * them, before that path is timed.
 */
#ifndef APTUNE_VERIFY_H
#define APTUNE_VERIFY_H

#include <stddef.h>
#include <stdint.h>

#include "op.h"
#include "sweep.h"

struct verify_file;

/* Limit of the file in bytes: it is held in memory, twice per cipher. */
#define VERIFY_MAX_FILE	67108864

/* Returns 0, or -1 after it complained. */
int verify_open(const char *name, struct verify_file **file);
void verify_close(struct verify_file *file);

/*
 * Check @path with the operations, sizes and modes of @settings; @record gets
 * one entry per operation, *@nr of them so far. Returns 0, -EINTR if a signal
 * came, or -1 with the sentence in @failure.
 */
int verify_path(struct verify_file *file, const struct path *path,
		const struct sweep_settings *settings,
		struct verify_record *record, size_t *nr, char *failure,
		size_t failure_len);

#endif
