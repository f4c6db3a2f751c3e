// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Which process this is
 *
 * getpid() would be a system call for each request. Who makes processes with
 * clone() and not with fork() does without the library in the child.
 */
#include <pthread.h>

#include "backend.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
/* Written while the child has one thread only */
static unsigned int forks;

static void in_child(void)
{
	forks++;
}

static void start(void)
{
	/* out of memory: children are taken for their parent, as before */
	pthread_atfork(NULL, NULL, in_child);
}

void apq_fork_watch(void)
{
	pthread_once(&once, start);
}

unsigned int apq_fork_count(void)
{
	return forks;
}
