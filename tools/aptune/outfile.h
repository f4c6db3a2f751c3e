/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is either whole or not there: written beside its place, then
 * renamed. A killed run leaves the file of the run before.
 */
#ifndef APTUNE_OUTFILE_H
#define APTUNE_OUTFILE_H

#include <limits.h>
#include <stdio.h>

struct outfile {
	FILE *stream;
	char path[PATH_MAX], temporary[PATH_MAX + 8];
};

/* Both return 0, or -1 after they complained. */
int outfile_open(struct outfile *out, const char *path);

/* Put the file into its place, or throw it away if @failed. */
int outfile_close(struct outfile *out, int failed);

/* Make directory @dir if it is missing, and prove that files can be made. */
int outfile_check_dir(const char *dir);

#endif
