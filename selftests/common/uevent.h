/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the kernel's objects, as udev hears them. */
#ifndef APQ_SELFTEST_UEVENT_H
#define APQ_SELFTEST_UEVENT_H

#include <errno.h>
#include <linux/netlink.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "clock.h"

#define UEVENT_LEN	8192
/* Room for the events of 256 queues that nobody reads for a while. */
#define UEVENT_ROOM	(4 << 20)

/* An event: "ACTION@PATH", then VARIABLE=VALUE, each with a zero at its end. */
struct uevent {
	char text[UEVENT_LEN + 1];
	ssize_t len;
};

/* A socket that hears what happens from now on; -errno on failure. */
static inline int uevent_open(void)
{
	struct sockaddr_nl address = {
		.nl_family = AF_NETLINK,
		.nl_groups = 1,
	};
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC,
			NETLINK_KOBJECT_UEVENT);
	int room = UEVENT_ROOM;

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	if (bind(fd, (struct sockaddr *)&address, sizeof(address))) {
		int ret = -errno;

		close(fd);
		return ret;
	}
	return fd;
}

/* The next event; false: none came for @seconds. */
static inline bool uevent_next(int fd, struct uevent *e, int seconds)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	if (poll(&p, 1, seconds * 1000) != 1)
		return false;
	e->len = recv(fd, e->text, UEVENT_LEN, 0);
	if (e->len < 0)
		return false;
	e->text[e->len] = '\0';
	return true;
}

/* Whether it is @head, "ACTION@PATH", and has each of the variables. */
static inline bool uevent_is(const struct uevent *e, const char *head,
			     const char * const *variables)
{
	if (strcmp(e->text, head))
		return false;
	for (; *variables; variables++) {
		const char *at = e->text;

		while (at < e->text + e->len && strcmp(at, *variables))
			at += strlen(at) + 1;
		if (at >= e->text + e->len)
			return false;
	}
	return true;
}

/* Whether any variable has this name; @name ends with '='. */
static inline bool uevent_names(const struct uevent *e, const char *name)
{
	const char *at;

	for (at = e->text; at < e->text + e->len; at += strlen(at) + 1)
		if (!strncmp(at, name, strlen(name)))
			return true;
	return false;
}

/* Skips others until one is there that uevent_is(). */
static inline bool uevent_wait(int fd, const char *head,
			       const char * const *variables, int seconds)
{
	uint64_t end = now_ns() + seconds * NSEC_PER_SEC;
	struct uevent e;

	while (now_ns() < end && uevent_next(fd, &e, seconds))
		if (uevent_is(&e, head, variables))
			return true;
	return false;
}

#endif
