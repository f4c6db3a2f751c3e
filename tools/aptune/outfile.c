// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Output files, whole or not at all.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "outfile.h"

int outfile_open(struct outfile *out, const char *path)
{
	int fd;

	snprintf(out->path, sizeof(out->path), "%s", path);
	snprintf(out->temporary, sizeof(out->temporary), "%s.XXXXXX", path);
	fd = mkstemp(out->temporary);
	out->stream = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out->stream) {
		complain(path, "cannot write: %s", strerror(errno));
		return -1;
	}
	/* mkstemp() makes it private; results are for everybody. */
	fchmod(fd, 0644);
	return 0;
}

int outfile_close(struct outfile *out, int failed)
{
	failed |= ferror(out->stream);
	failed |= fflush(out->stream) || fsync(fileno(out->stream));
	failed |= fclose(out->stream);
	if (!failed && !rename(out->temporary, out->path))
		return 0;
	complain(out->path, "cannot write: %s",
		 errno ? strerror(errno) : "no room");
	unlink(out->temporary);
	return -1;
}

int outfile_check_dir(const char *dir)
{
	char probe[PATH_MAX];
	int fd;

	if (mkdir(dir, 0755) && errno != EEXIST) {
		complain(dir, "cannot make the directory: %s", strerror(errno));
		return -1;
	}
	if (snprintf(probe, sizeof(probe), "%s/.probe.XXXXXX", dir) >=
	    (int)sizeof(probe)) {
		complain(dir, "path is longer than %d bytes", PATH_MAX - 1);
		return -1;
	}
	fd = mkstemp(probe);
	if (fd < 0) {
		complain(dir, "cannot write there: %s", strerror(errno));
		return -1;
	}
	close(fd);
	unlink(probe);
	return 0;
}
