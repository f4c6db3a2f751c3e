/* SPDX-License-Identifier: GPL-2.0 */
/* Loading and removing apq.ko, and what the kernel log says of it. */
#ifndef APQ_SELFTEST_MODULE_H
#define APQ_SELFTEST_MODULE_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * APQ_MODULE, or kmod/apq.ko of the checkout in which this program was built,
 * as selftests/out/bin/NAME.
 */
static inline const char *module_path(char path[PATH_MAX])
{
	const char *given = getenv("APQ_MODULE");
	ssize_t len;
	int up;

	if (given)
		return given;
	len = readlink("/proc/self/exe", path, PATH_MAX - 16);
	if (len < 0)
		abort();
	path[len] = '\0';
	for (up = 0; up < 4 && strrchr(path, '/'); up++)
		*strrchr(path, '/') = '\0';
	strcat(path, "/kmod/apq.ko");
	return path;
}

static inline int module_load(const char *parameters)
{
	char path[PATH_MAX];
	int fd = open(module_path(path), O_RDONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	ret = syscall(SYS_finit_module, fd, parameters, 0) ? -errno : 0;
	close(fd);
	return ret;
}

/* -EBUSY where the system call says EWOULDBLOCK, as rmmod does too. */
static inline int module_remove(void)
{
	if (!syscall(SYS_delete_module, "apq", O_NONBLOCK))
		return 0;
	return errno == EWOULDBLOCK ? -EBUSY : -errno;
}

/* The kernel log from here on. */
static inline int log_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd < 0 ? -errno : fd;
}

/* How many of its lines are of level error or worse; the last of them. */
static inline int log_errors(int fd, char *line, size_t size)
{
	char record[1024];
	ssize_t len;
	int nr = 0;

	while ((len = read(fd, record, sizeof(record) - 1)) > 0) {
		char *text;

		record[len] = '\0';
		text = strchr(record, ';');
		/* The lower three bits of the first number are the level. */
		if (!text || (atoi(record) & 7) > 3)
			continue;
		snprintf(line, size, "%s", text + 1);
		nr++;
	}
	return nr;
}

/* Objects in use in the caches from which structures with a device come. */
static inline long slab_objects(void)
{
	FILE *f = fopen("/proc/slabinfo", "r");
	char line[512];
	long sum = 0;

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f)) {
		long active;

		if (sscanf(line, "kmalloc-1k %ld", &active) == 1 ||
		    sscanf(line, "kmalloc-2k %ld", &active) == 1)
			sum += active;
	}
	fclose(f);
	return sum;
}

#endif
