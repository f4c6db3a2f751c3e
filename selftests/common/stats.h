/* SPDX-License-Identifier: GPL-2.0 */
/* The file stats of a queue. */
#ifndef APQ_SELFTEST_STATS_H
#define APQ_SELFTEST_STATS_H

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "attribute.h"

#define STATS_LEN	4096

/* Reads the whole file; returns its length or -errno. */
static inline int stats_read(const char *queue, char text[STATS_LEN])
{
	char path[128];
	int fd, len;

	snprintf(path, sizeof(path), "%sstats", queue);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -errno;
	len = read(fd, text, STATS_LEN - 1);
	if (len < 0)
		len = -errno;
	else
		text[len] = '\0';
	close(fd);
	return len;
}

/* What follows @name and a blank at the start of a line; NULL: no such line. */
static inline const char *stats_line(const char *text, const char *name)
{
	size_t len = strlen(name);
	const char *line = text;

	while (line && *line) {
		if (!strncmp(line, name, len) &&
		    (line[len] == ' ' || line[len] == '\n'))
			return line + len;
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return NULL;
}

/* The number in the line @name, -1 if there is no such line. */
static inline long long stats_number(const char *text, const char *name)
{
	const char *line = stats_line(text, name);

	return line ? atoll(line) : -1;
}

static inline long long queue_stat(const char *queue, const char *name)
{
	char text[STATS_LEN];

	return stats_read(queue, text) < 0 ? -1 : stats_number(text, name);
}

/* Sum of the counts of a histogram, "<bound:count" each; -1: no such line. */
static inline long long stats_hist_sum(const char *text, const char *name)
{
	const char *p = stats_line(text, name);
	long long sum = 0;

	if (!p)
		return -1;
	for (; *p && *p != '\n'; p++)
		if (*p == ':')
			sum += atoll(p + 1);
	return sum;
}

#endif
