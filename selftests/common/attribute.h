/* SPDX-License-Identifier: GPL-2.0 */
/* Files of the module in sysfs. All return -errno on failure. */
#ifndef APQ_SELFTEST_ATTRIBUTE_H
#define APQ_SELFTEST_ATTRIBUTE_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ATTR_LEN	512
#define BUS		"/sys/bus/ap/"
#define CARD0		"/sys/devices/ap/card00/"
#define CARD1		"/sys/devices/ap/card01/"
#define QUEUE0		CARD0 "00.0000/"
#define QUEUE0_1	CARD0 "00.0001/"
#define QUEUE1		CARD1 "01.0000/"
#define QUEUE1_1	CARD1 "01.0001/"

/* Reads the whole file without the newline at its end; returns its length. */
static inline int attr_read(const char *path, char text[ATTR_LEN])
{
	int fd = open(path, O_RDONLY);
	int len;

	text[0] = '\0';
	if (fd < 0)
		return -errno;
	len = read(fd, text, ATTR_LEN - 1);
	if (len < 0)
		len = -errno;
	close(fd);
	if (len < 0)
		return len;
	if (len && text[len - 1] == '\n')
		len--;
	text[len] = '\0';
	return len;
}

/* Writes in one call, as echo does. */
static inline int attr_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	int ret = 0;

	if (fd < 0)
		return -errno;
	/* A write of no bytes never reaches the kernel's store function. */
	if (write(fd, text, strlen(text)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

/* Number in a file; -1 if there is none, which no file of ours can hold. */
static inline long long attr_number(const char *path)
{
	char text[ATTR_LEN], *end;
	long long value;

	if (attr_read(path, text) <= 0)
		return -1;
	value = strtoll(text, &end, 10);
	return *end ? -1 : value;
}

static inline bool attr_is(const char *path, const char *want)
{
	char text[ATTR_LEN];

	return attr_read(path, text) >= 0 && !strcmp(text, want);
}

/* Name of the active completion mode: the one in brackets. */
static inline bool mode_is(const char *name)
{
	char text[ATTR_LEN], want[ATTR_LEN];

	if (attr_read(BUS "completion", text) < 0)
		return false;
	snprintf(want, sizeof(want), "[%s]", name);
	return strstr(text, want);
}

static inline int mode_set(const char *name)
{
	return attr_write(BUS "completion", name);
}

#endif
