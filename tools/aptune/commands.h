/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef APTUNE_COMMANDS_H
#define APTUNE_COMMANDS_H

#include "cli.h"

extern const struct cli_command cmd_mode;	/* options before any word */
extern const struct cli_command cmd_status;
extern const struct cli_command cmd_sweep;

#endif
