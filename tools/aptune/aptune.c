// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * aptune - set, show and measure the completion modes of the adapter queue
 */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "commands.h"

int main(int argc, char **argv)
{
	const struct cli_command *top = cli_commands[0];
	int i, ret;

	if (argc < 2) {
		cli_help(stderr, top);
		return STATUS_USAGE;
	}
	if (argv[1][0] == '-') {
		ret = top->run(top, argc, argv);
		goto out;
	}
	for (i = 1; cli_commands[i]; i++) {
		if (!strcmp(argv[1], cli_commands[i]->name)) {
			ret = cli_commands[i]->run(cli_commands[i], argc - 1,
						   argv + 1);
			goto out;
		}
	}
	complain(argv[1], "unknown command; aptune --help lists them");
	return STATUS_USAGE;
out:
	/* Results that did not reach their reader are a failure. */
	if (fflush(stdout) && ret == STATUS_OK) {
		complain("standard output", "cannot write");
		ret = STATUS_FAILED;
	}
	return ret;
}
