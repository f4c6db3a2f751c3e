/* SPDX-License-Identifier: GPL-2.0 */
/* Kernel threads as /proc shows them. */
#ifndef APQ_SELFTEST_PROCESS_H
#define APQ_SELFTEST_PROCESS_H

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct process {
	int pid;
	char state;
	long nice;
	unsigned long ticks;		/* user and system */
	unsigned long long run_ns;	/* exact, from the scheduler */
};

/* Fields of /proc/PID/stat; the name in parentheses is the second. */
static inline bool process_stat(struct process *p, char *name, size_t size)
{
	unsigned long utime, stime;
	char path[64], line[1024], *open, *close;
	FILE *f;
	bool good;

	snprintf(path, sizeof(path), "/proc/%d/stat", p->pid);
	f = fopen(path, "r");
	if (!f)
		return false;
	good = fgets(line, sizeof(line), f);
	fclose(f);
	if (!good)
		return false;
	open = strchr(line, '(');
	close = strrchr(line, ')');
	if (!open || !close)
		return false;
	snprintf(name, size, "%.*s", (int)(close - open - 1), open + 1);
	if (sscanf(close + 1,
		   " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %ld",
		   &p->state, &utime, &stime, &p->nice) != 4)
		return false;
	p->ticks = utime + stime;
	return true;
}

static inline bool process_schedstat(struct process *p)
{
	char path[64];
	bool good;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", p->pid);
	f = fopen(path, "r");
	if (!f)
		return false;
	good = fscanf(f, "%llu", &p->run_ns) == 1;
	fclose(f);
	return good;
}

/* How many have a name that starts with @prefix; @p receives the last. */
static inline int process_search(const char *prefix, struct process *p)
{
	struct dirent *entry;
	struct process one;
	char name[64];
	int nr = 0;
	DIR *dir;

	dir = opendir("/proc");
	if (!dir)
		return 0;
	while ((entry = readdir(dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		one.pid = atoi(entry->d_name);
		if (!process_stat(&one, name, sizeof(name)) ||
		    strncmp(name, prefix, strlen(prefix)))
			continue;
		*p = one;
		nr++;
	}
	closedir(dir);
	return nr;
}

static inline int process_count(const char *prefix)
{
	struct process p;

	return process_search(prefix, &p);
}

/* The only one with that name; false: there is none, or more. */
static inline bool process_find(const char *prefix, struct process *p)
{
	return process_search(prefix, p) == 1 && process_schedstat(p);
}

static inline bool process_sleeps(const char *prefix)
{
	struct process p;

	return process_find(prefix, &p) && (p.state == 'S' || p.state == 'D');
}

#endif
