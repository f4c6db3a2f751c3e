// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * What AF_ALG of the running kernel lets a program have
 *
 * The kernel does not say which driver a socket got. It does count users: the
 * driver whose refcnt in /proc/crypto grew by binding is the one, as long as
 * nobody else came or went at the same moment.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/if_alg.h>

#include "kcapi.h"
#include "sysfs.h"

/* Drivers of one algorithm; more than any kernel has */
#define MAX_DRIVERS	64
/* How often others may come in between */
#define TRIES		4

/* One that goes by the name that was asked for */
struct driver {
	char name[sizeof(((struct apq_afalg_info *)0)->driver)];
	unsigned long refcnt;
	int async;
};

struct drivers {
	struct driver list[MAX_DRIVERS];
	size_t nr;
};

/* "name         : cbc(aes)"; an empty line ends a driver */
struct record {
	char name[128], driver[128], type[32];
	unsigned long refcnt;
	int async;
};

/* Text that is too long is cut. */
static void copy(char *to, size_t len, const char *from)
{
	size_t n = strnlen(from, len - 1);

	memcpy(to, from, n);
	to[n] = '\0';
}

static void take_field(struct record *r, const char *field, const char *value)
{
	if (!strcmp(field, "name"))
		copy(r->name, sizeof(r->name), value);
	else if (!strcmp(field, "driver"))
		copy(r->driver, sizeof(r->driver), value);
	else if (!strcmp(field, "type"))
		copy(r->type, sizeof(r->type), value);
	else if (!strcmp(field, "refcnt"))
		r->refcnt = strtoul(value, NULL, 10);
	else if (!strcmp(field, "async"))
		r->async = !strcmp(value, "yes");
}

/* Kinds of driver that have no line "async", since they cannot be */
static int always_sync(const char *type)
{
	return !strcmp(type, "lskcipher") || !strcmp(type, "shash") ||
	       !strcmp(type, "rng");
}

static void take_record(struct drivers *d, const struct record *r,
			const char *name)
{
	struct driver *driver = &d->list[d->nr];

	/* a larval is a name that is just being looked for */
	if (!strcmp(r->type, "larval") || d->nr == MAX_DRIVERS ||
	    (strcmp(r->name, name) && strcmp(r->driver, name)))
		return;
	copy(driver->name, sizeof(driver->name), r->driver);
	driver->refcnt = r->refcnt;
	driver->async = r->async < 0 && always_sync(r->type) ? 0 : r->async;
	d->nr++;
}

static int read_drivers(struct drivers *d, const char *name)
{
	char path[PATH_MAX], line[256], field[32], value[128];
	struct record r;
	FILE *f;
	int ret;

	d->nr = 0;
	ret = apq_sysfs_path(path, sizeof(path), "/proc/crypto");
	if (ret)
		return ret;
	f = fopen(path, "re");
	if (!f)
		return -errno;
	memset(&r, 0, sizeof(r));
	r.async = -1;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%31s : %127s", field, value) == 2) {
			take_field(&r, field, value);
			continue;
		}
		take_record(d, &r, name);
		memset(&r, 0, sizeof(r));
		r.async = -1;
	}
	take_record(d, &r, name);
	fclose(f);
	return 0;
}

static const struct driver *find(const struct drivers *d, const char *name)
{
	size_t i;

	for (i = 0; i < d->nr; i++)
		if (!strcmp(d->list[i].name, name))
			return &d->list[i];
	return NULL;
}

/*
 * The only driver that has more users than before, or NULL. The count begins
 * with 1; what binding itself brought in was not there before.
 */
static const struct driver *grown(const struct drivers *before,
				  const struct drivers *after)
{
	const struct driver *found = NULL;
	size_t i;

	for (i = 0; i < after->nr; i++) {
		const struct driver *now = &after->list[i];
		const struct driver *old = find(before, now->name);

		if (now->refcnt <= (old ? old->refcnt : 1))
			continue;
		if (found)
			return NULL;
		found = now;
	}
	return found;
}

static int afalg_socket(void)
{
	int fd = socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd >= 0)
		return fd;
	switch (errno) {
	case EAFNOSUPPORT:
	case EPROTONOSUPPORT:
	case ESOCKTNOSUPPORT:
		return -ENODEV;
	case EPERM:
		return -EACCES;
	default:
		return -errno;
	}
}

static int bind_to(const char *type, const char *name)
{
	struct sockaddr_alg sa = { .salg_family = AF_ALG };
	int fd, ret = 0;

	fd = afalg_socket();
	if (fd < 0)
		return fd;
	copy((char *)sa.salg_type, sizeof(sa.salg_type), type);
	copy((char *)sa.salg_name, sizeof(sa.salg_name), name);
	if (bind(fd, (struct sockaddr *)&sa, sizeof(sa)))
		ret = errno == EPERM ? -EACCES : -errno;
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

/* Returns 0 with the answer in @info, 1 if others were in between, or -errno. */
static int try_name(const char *type, const char *name,
		    struct apq_afalg_info *info, struct drivers *before,
		    struct drivers *after)
{
	const struct driver *driver = NULL;
	int fd, known;

	known = !read_drivers(before, name);
	fd = bind_to(type, name);
	if (fd < 0)
		return fd;
	if (known && !read_drivers(after, name))
		driver = grown(before, after);
	close(fd);
	if (!driver)
		return 1;
	copy(info->driver, sizeof(info->driver), driver->name);
	info->async = driver->async;
	return 0;
}

static int probe_name(const char *type, const char *name,
		      struct apq_afalg_info *info)
{
	struct drivers *d = malloc(2 * sizeof(*d));
	int i, ret = 1;

	if (!d)
		return -ENOMEM;
	for (i = 0; i < TRIES && ret > 0; i++)
		ret = try_name(type, name, info, &d[0], &d[1]);
	free(d);
	info->name = ret < 0 ? ret : 0;
	return 0;
}

static int read_restricted(void)
{
	char path[PATH_MAX];
	uint64_t level;

	if (apq_sysfs_path(path, sizeof(path),
			   "/proc/sys/crypto/af_alg_restrict") ||
	    apq_sysfs_read_u64_at(AT_FDCWD, path, &level) || level > INT_MAX)
		return -1;
	return level;
}

static int probe(const char *type, const char *name,
		 struct apq_afalg_info *info)
{
	int fd;

	memset(info, 0, sizeof(*info));
	info->async = -1;
	info->restricted = read_restricted();
	info->library = apq_kcapi() ? 0 : -ELIBACC;
	fd = afalg_socket();
	if (fd < 0) {
		info->family = fd;
		info->name = fd;
		return 0;
	}
	close(fd);
	return name ? probe_name(type, name, info) : 0;
}

APQ_PUBLIC int apq_afalg_probe(const char *type, const char *name,
			       struct apq_afalg_info *info)
{
	const struct sockaddr_alg *sa = NULL;
	int saved_errno = errno;
	int ret;

	if (!info || (name && !type))
		return -EINVAL;
	/* what does not fit would be cut, and another name be asked for */
	if (name && (strlen(type) >= sizeof(sa->salg_type) ||
		     strlen(name) >= sizeof(sa->salg_name)))
		return -EINVAL;
	ret = probe(type, name, info);
	errno = saved_errno;
	return ret;
}
