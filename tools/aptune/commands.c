// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of commands, apart from main() so that genman can link it.
 */
#include <stddef.h>

#include "commands.h"

const struct cli_command *const cli_commands[] = {
	&cmd_mode,		/* first: the options of aptune itself */
	&cmd_status,
	&cmd_sweep,
	NULL
};
