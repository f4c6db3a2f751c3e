// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Files of the AP bus: completion mode and poll timeout
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sysfs.h"

#define BUS		"/sys/bus/ap/"
/* ns; the limit of the module, which took it over from the s390 AP bus */
#define POLL_TIMEOUT_MAX	120000000000ULL

/* What a failed system call on a sysfs file means to the caller */
static int sysfs_error(void)
{
	switch (errno) {
	case ENOENT:
	case ENOTDIR:
		return -ENODEV;
	case EPERM:
		return -EACCES;
	default:
		return -errno;
	}
}

/*
 * Reads one line and cuts the newline. A line that does not fit into @len
 * bytes with its end is cut too; returns 1 then, 0 if it is complete.
 */
int apq_sysfs_read_at(int dir, const char *name, char *buf, size_t len)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	ssize_t n;
	char *end;

	if (fd < 0)
		return sysfs_error();
	n = read(fd, buf, len - 1);
	if (n < 0) {
		int ret = sysfs_error();

		close(fd);
		return ret;
	}
	close(fd);
	buf[n] = '\0';
	end = strchr(buf, '\n');
	if (end)
		*end = '\0';
	return !end && (size_t)n == len - 1;
}

/* A decimal number and nothing else, -EIO otherwise */
int apq_sysfs_read_u64_at(int dir, const char *name, uint64_t *value)
{
	unsigned long long v;
	char buf[32];
	char *end;
	int ret;

	ret = apq_sysfs_read_at(dir, name, buf, sizeof(buf));
	if (ret)
		return ret < 0 ? ret : -EIO;
	if (buf[0] < '0' || buf[0] > '9')
		return -EIO;
	errno = 0;
	v = strtoull(buf, &end, 10);
	if (*end || errno)
		return -EIO;
	*value = v;
	return 0;
}

static int bus_read(const char *file, char *buf, size_t len)
{
	char path[PATH_MAX];
	int ret = apq_sysfs_path(path, sizeof(path), file);

	return ret ? ret : apq_sysfs_read_at(AT_FDCWD, path, buf, len);
}

/* The kernel takes what comes in one write() as one value. */
static int bus_write(const char *file, const char *value)
{
	size_t len = strlen(value);
	char path[PATH_MAX];
	int fd, ret;
	ssize_t n;

	ret = apq_sysfs_path(path, sizeof(path), file);
	if (ret)
		return ret;
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return sysfs_error();
	n = write(fd, value, len);
	if (n < 0)
		ret = sysfs_error();
	else if ((size_t)n != len)
		ret = -EIO;
	close(fd);
	return ret;
}

/*
 * Turns "timer [hrtimer] thread" into the list "timer hrtimer thread" in
 * place and points @active to a copy of the name that was in brackets, in
 * @copy, which is as large as @line.
 */
static int parse_modes(char *line, char *copy)
{
	char *word, *save, *out = line;
	int nr_active = 0;

	for (word = strtok_r(line, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		size_t len = strlen(word);

		if (word[0] == '[') {
			if (len < 3 || word[len - 1] != ']')
				return -EIO;
			word++;
			len -= 2;
			memcpy(copy, word, len);
			copy[len] = '\0';
			nr_active++;
		}
		if (memchr(word, '[', len) || memchr(word, ']', len))
			return -EIO;
		/* never overtakes the word: a separator goes for each blank */
		if (out != line)
			*out++ = ' ';
		memmove(out, word, len);
		out += len;
	}
	*out = '\0';
	return nr_active == 1 ? 0 : -EIO;
}

struct mode_file {
	char list[APQ_MODE_LINE_MAX];
	char active[APQ_MODE_LINE_MAX];
};

static int read_modes(struct mode_file *m)
{
	int ret = bus_read(BUS "completion", m->list, sizeof(m->list));

	if (ret)
		return ret < 0 ? ret : -EIO;
	return parse_modes(m->list, m->active);
}

static int copy_out(char *buf, size_t len, const char *value)
{
	size_t need = strlen(value) + 1;

	if (need > len)
		return -ENOSPC;
	memcpy(buf, value, need);
	return 0;
}

APQ_PUBLIC int apq_mode_get(char *buf, size_t len)
{
	int saved_errno = errno;
	struct mode_file m;
	int ret;

	if (!buf)
		return -EINVAL;
	ret = read_modes(&m);
	errno = saved_errno;
	return ret ? ret : copy_out(buf, len, m.active);
}

APQ_PUBLIC int apq_mode_list(char *buf, size_t len)
{
	int saved_errno = errno;
	struct mode_file m;
	int ret;

	if (!buf)
		return -EINVAL;
	ret = read_modes(&m);
	errno = saved_errno;
	return ret ? ret : copy_out(buf, len, m.list);
}

/*
 * Which names exist is the module's knowledge. A string that is no name at
 * all is stopped here: the kernel would cut a trailing newline and accept it.
 */
APQ_PUBLIC int apq_mode_set(const char *mode)
{
	int saved_errno = errno;
	int ret;

	if (!mode || !*mode || strpbrk(mode, " \t\n[]") ||
	    strlen(mode) >= APQ_MODE_LINE_MAX)
		return -EINVAL;
	ret = bus_write(BUS "completion", mode);
	errno = saved_errno;
	return ret;
}

APQ_PUBLIC int apq_poll_timeout_get(uint64_t *ns)
{
	int saved_errno = errno;
	char path[PATH_MAX];
	int ret;

	if (!ns)
		return -EINVAL;
	ret = apq_sysfs_path(path, sizeof(path), BUS "poll_timeout");
	if (!ret)
		ret = apq_sysfs_read_u64_at(AT_FDCWD, path, ns);
	errno = saved_errno;
	return ret;
}

APQ_PUBLIC int apq_poll_timeout_set(uint64_t ns)
{
	int saved_errno = errno;
	char value[24];
	int ret;

	if (!ns || ns > POLL_TIMEOUT_MAX)
		return -EINVAL;
	snprintf(value, sizeof(value), "%llu", (unsigned long long)ns);
	ret = bus_write(BUS "poll_timeout", value);
	errno = saved_errno;
	return ret;
}
