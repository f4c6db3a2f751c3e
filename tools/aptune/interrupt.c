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

/* What was ignored when we started, as by nohup, stays ignored. */
static void catch(int number)
{
	/* Without SA_RESTART: the sleep of the main thread must end. */
	struct sigaction action = { .sa_handler = note, .sa_flags = SA_RESETHAND };
	struct sigaction before;

	sigemptyset(&action.sa_mask);
	if (!sigaction(number, NULL, &before) && before.sa_handler != SIG_IGN)
		sigaction(number, &action, NULL);
}

void interrupt_catch(void)
{
	catch(SIGINT);
	catch(SIGTERM);
	catch(SIGHUP);
}

int interrupt_signal(void)
{
	return signal_seen;
}
