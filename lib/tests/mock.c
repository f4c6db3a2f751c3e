// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mock.h"
#include "tap.h"

static char root[64] = "/tmp/libapq-test.XXXXXX";
static pid_t owner;

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void remove_all(const char *path)
{
	nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void remove_root(void)
{
	if (getpid() == owner)
		remove_all(root);
}

void mock_init(void)
{
	const char *tmp = getenv("TMPDIR");

	if (tmp && strlen(tmp) < sizeof(root) - 24)
		snprintf(root, sizeof(root), "%s/libapq-test.XXXXXX", tmp);
	if (!mkdtemp(root))
		tap_bail("cannot make %s", root);
	owner = getpid();
	atexit(remove_root);
	setenv("APQ_SYSFS_ROOT", root, 1);
	setenv("APQ_DEV_ROOT", root, 1);
}

static const char *full(const char *path)
{
	static char buf[PATH_MAX];

	snprintf(buf, sizeof(buf), "%s%s", root, path);
	return buf;
}

static void make_parents(char *path)
{
	char *slash = path + strlen(root);

	while ((slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
}

void mock_file(const char *path, const char *content)
{
	char name[PATH_MAX];
	FILE *f;

	snprintf(name, sizeof(name), "%s", full(path));
	make_parents(name);
	f = fopen(name, "w");
	if (!f || fputs(content, f) == EOF || fclose(f))
		tap_bail("cannot write %s", name);
}

void mock_dir(const char *path)
{
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%s", full(path));
	make_parents(name);
	mkdir(name, 0755);
}

void mock_remove(const char *path)
{
	remove_all(full(path));
}

const char *mock_read(const char *path)
{
	static char buf[512];
	FILE *f = fopen(full(path), "r");
	size_t n = f ? fread(buf, 1, sizeof(buf) - 1, f) : 0;

	if (f)
		fclose(f);
	buf[n] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return buf;
}
