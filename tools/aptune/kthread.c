// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CPU accounts of kernel threads.
 *
 * Run time comes from the thread's CPU clock, which the scheduler brings up to
 * date on each read; wait time from /proc/PID/schedstat, which it adds to
 * whenever the thread gets a CPU. Neither is sampled by ticks.
 */
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "kthread.h"

static int read_file(const char *pid, const char *name, char *buf, int len)
{
	char path[64];
	FILE *f;
	int ok;

	snprintf(path, sizeof(path), "/proc/%s/%s", pid, name);
	f = fopen(path, "re");
	if (!f)
		return -1;
	ok = !!fgets(buf, len, f);
	fclose(f);
	buf[strcspn(buf, "\n")] = '\0';
	return ok ? 0 : -1;
}

static int is_named(const char *comm, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(comm, name, len) && (!comm[len] || comm[len] == '/');
}

void kthread_find(const char *name, struct kthread_list *list)
{
	DIR *proc = opendir("/proc");
	struct dirent *d;
	char comm[64];

	list->nr = 0;
	if (!proc)
		return;
	while ((d = readdir(proc)) && list->nr < MAX_KTHREADS) {
		if (!isdigit((unsigned char)d->d_name[0]) ||
		    read_file(d->d_name, "comm", comm, sizeof(comm)))
			continue;
		if (is_named(comm, name))
			list->pid[list->nr++] = atoi(d->d_name);
	}
	closedir(proc);
}

void kthread_read(const struct kthread_list *list, struct kthread_time *time)
{
	unsigned int i;

	memset(time, 0, sizeof(*time));
	for (i = 0; i < list->nr; i++) {
		char pid[16], line[128];
		clockid_t clock;
		uint64_t wait;

		if (!clock_getcpuclockid(list->pid[i], &clock))
			time->run_ns += clock_ns(clock);
		snprintf(pid, sizeof(pid), "%d", list->pid[i]);
		if (!read_file(pid, "schedstat", line, sizeof(line)) &&
		    sscanf(line, "%*u %" SCNu64, &wait) == 1)
			time->wait_ns += wait;
	}
}
