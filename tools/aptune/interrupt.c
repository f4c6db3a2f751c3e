// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ^C and its relatives as a flag.
 */
#include <signal.h>
#include <stddef.h>

#include "interrupt.h"

static volatile sig_atomic_t signal_seen;

static void note(int number)
{
	signal_seen = number;
}

void interrupt_catch(void)
{
	/* Without SA_RESTART: the sleep of the main thread must end. */
	struct sigaction action = { .sa_handler = note, .sa_flags = SA_RESETHAND };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

int interrupt_signal(void)
{
	return signal_seen;
}
