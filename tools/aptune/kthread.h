/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exact CPU accounts of the module's kernel threads, from /proc.
 */
#ifndef APTUNE_KTHREAD_H
#define APTUNE_KTHREAD_H

#include <stdint.h>
#include <sys/types.h>

/* Names that the module gives them; engines go on with "/XX". */
#define KTHREAD_POLL	"appoll"
#define KTHREAD_ENGINE	"apq_engine"

#define MAX_KTHREADS	256

struct kthread_list {
	unsigned int nr;
	pid_t pid[MAX_KTHREADS];
};

/**
 * struct kthread_time - sum over a list
 * @run_ns: on a CPU
 * @wait_ns: ready to run, but another task was on the CPU (run_delay)
 */
struct kthread_time {
	uint64_t run_ns;
	uint64_t wait_ns;
};

/*
 * Find the threads called @name or "@name/...". A mode that needs no thread
 * may have ended its own, so look again after each switch.
 */
void kthread_find(const char *name, struct kthread_list *list);

void kthread_read(const struct kthread_list *list, struct kthread_time *time);

#endif
