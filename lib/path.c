// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Where device nodes, sysfs and procfs are
 *
 * Tests set APQ_DEV_ROOT and APQ_SYSFS_ROOT to a directory that is put before
 * /dev, and before /sys and /proc. Programs that run with more rights than
 * their caller (setuid, file capabilities) do not look at the two variables.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "backend.h"

static int rooted_path(char *buf, size_t len, const char *variable,
		       const char *path)
{
	const char *root = secure_getenv(variable);
	int n = snprintf(buf, len, "%s%s", root ? root : "", path);

	return n < 0 || (size_t)n >= len ? -ENAMETOOLONG : 0;
}

int apq_sysfs_path(char *buf, size_t len, const char *path)
{
	return rooted_path(buf, len, "APQ_SYSFS_ROOT", path);
}

/* Returns a file descriptor, -ENODEV if the node is not there, or -errno. */
int apq_open_node(const char *path)
{
	char buf[PATH_MAX];
	int fd, ret;

	ret = rooted_path(buf, sizeof(buf), "APQ_DEV_ROOT", path);
	if (ret)
		return ret;

	fd = open(buf, O_RDWR | O_CLOEXEC);
	if (fd >= 0)
		return fd;

	switch (errno) {
	case ENOENT:
	case ENOTDIR:
	case ENXIO:	/* a node without a driver */
		return -ENODEV;
	case EPERM:
		return -EACCES;
	default:
		return -errno;
	}
}
