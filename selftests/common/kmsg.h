/* SPDX-License-Identifier: GPL-2.0 */
/* Looking for a sentence in the kernel log. */
#ifndef APQ_SELFTEST_KMSG_H
#define APQ_SELFTEST_KMSG_H

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The kernel log from here on; -errno on failure. */
static inline int kmsg_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd < 0 ? -errno : fd;
}

/* How many lines since the last look have @text in them. */
static inline int kmsg_count(int fd, const char *text)
{
	char record[2048];
	ssize_t len;
	int nr = 0;

	/* EPIPE: lines were lost, what follows is still there. */
	while ((len = read(fd, record, sizeof(record) - 1)) > 0 ||
	       (len < 0 && errno == EPIPE)) {
		if (len < 0)
			continue;
		record[len] = '\0';
		if (strstr(record, text))
			nr++;
	}
	return nr;
}

#endif
