// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Listing the cards of the AP bus
 *
 * Cards can come and go while this runs. One that goes away while it is read
 * is left out; a card that is there but has files that do not parse is an
 * error, because a wrong count would not be seen by anybody.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sysfs.h"

/* cardXX, two lower case hex digits */
#define NR_IDS		256

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* The number in cardXX; -1 for queues (XX.YYYY) and everything else */
static int card_id(const char *name)
{
	int high, low;

	if (strncmp(name, "card", 4) || strlen(name) != 6)
		return -1;
	high = hex_digit(name[4]);
	low = hex_digit(name[5]);
	return high < 0 || low < 0 ? -1 : high * 16 + low;
}

static int read_u32(int dir, const char *name, unsigned int *value)
{
	uint64_t v;
	int ret = apq_sysfs_read_u64_at(dir, name, &v);

	if (ret)
		return ret;
	if (v > UINT_MAX)
		return -EIO;
	*value = v;
	return 0;
}

/* Text longer than the field is cut. */
static int read_text(int dir, const char *name, char *buf, size_t len)
{
	int ret = apq_sysfs_read_at(dir, name, buf, len);

	return ret < 0 ? ret : 0;
}

/* Requests that wait for a place in the card, and those inside */
static int read_pending(int dir, uint64_t *pending)
{
	uint64_t waiting, inside;
	int ret;

	ret = apq_sysfs_read_u64_at(dir, "requestq_count", &waiting);
	if (ret)
		return ret;
	ret = apq_sysfs_read_u64_at(dir, "pendingq_count", &inside);
	if (ret)
		return ret;
	*pending = waiting + inside;
	return 0;
}

/* engine and service_ns exist in apq.ko only, not on an s390 AP bus. */
static int read_extras(int dir, struct apq_card_info *card)
{
	int ret;

	ret = read_text(dir, "engine", card->engine, sizeof(card->engine));
	if (ret && ret != -ENODEV)
		return ret;
	ret = apq_sysfs_read_u64_at(dir, "service_ns", &card->service_ns);
	return ret == -ENODEV ? 0 : ret;
}

static int read_files(int dir, struct apq_card_info *card)
{
	unsigned int online;
	int ret;

	ret = read_text(dir, "type", card->type, sizeof(card->type));
	if (ret)
		return ret;
	ret = read_u32(dir, "online", &online);
	if (ret)
		return ret;
	if (online > 1)
		return -EIO;
	card->online = online;
	ret = read_u32(dir, "depth", &card->depth);
	if (ret)
		return ret;
	ret = apq_sysfs_read_u64_at(dir, "request_count", &card->requests);
	if (ret)
		return ret;
	ret = read_pending(dir, &card->pending);
	return ret ? ret : read_extras(dir, card);
}

/* Returns 1 for a card that was read, 0 for one that is gone, or -errno. */
static int read_card(int devices, unsigned int id, struct apq_card_info *card)
{
	char name[sizeof("cardXX")];
	struct stat st;
	int dir, ret;

	snprintf(name, sizeof(name), "card%02x", id & 0xff);
	memset(card, 0, sizeof(*card));
	card->id = id;

	dir = openat(devices, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return errno == ENOENT ? 0 : -errno;
	ret = read_files(dir, card);
	close(dir);
	if (!ret)
		return 1;
	/* a file is missing: because all of it went away? */
	if (ret == -ENODEV)
		return fstatat(devices, name, &st, 0) ? 0 : -EIO;
	return ret;
}

static int find_ids(DIR *dir, unsigned char *present)
{
	struct dirent *entry;
	int id;

	errno = 0;
	while ((entry = readdir(dir))) {
		id = card_id(entry->d_name);
		if (id >= 0)
			present[id] = 1;
	}
	return -errno;
}

static int list_cards(DIR *dir, struct apq_card_info *cards, size_t max)
{
	unsigned char present[NR_IDS] = { 0 };
	struct apq_card_info beyond;
	unsigned int id;
	size_t nr = 0;
	int ret;

	ret = find_ids(dir, present);
	if (ret)
		return ret;
	for (id = 0; id < NR_IDS; id++) {
		if (!present[id])
			continue;
		/* cards the caller has no room for are only counted */
		ret = read_card(dirfd(dir), id,
				nr < max ? &cards[nr] : &beyond);
		if (ret < 0)
			return ret;
		nr += ret;
	}
	return nr;
}

APQ_PUBLIC int apq_cards(struct apq_card_info *cards, size_t max)
{
	int saved_errno = errno;
	char path[PATH_MAX];
	DIR *dir;
	int ret;

	if (!cards && max)
		return -EINVAL;
	ret = apq_sysfs_path(path, sizeof(path), "/sys/bus/ap/devices");
	if (ret)
		return ret;

	dir = opendir(path);	/* close-on-exec by POSIX */
	if (dir) {
		ret = list_cards(dir, cards, max);
		closedir(dir);
	} else {
		ret = errno == ENOENT || errno == ENOTDIR ? -ENODEV : -errno;
	}
	errno = saved_errno;
	return ret;
}
