// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * aptune --mode M [--poll-timeout NS]
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "mode.h"

struct mode_settings {
	char mode[MODE_NAME_LEN];
	uint64_t poll_timeout;	/* 0: leave it */
};

static int set_mode(void *settings, const struct cli_option *opt,
		    const char *value)
{
	struct mode_settings *s = settings;

	(void)opt;
	if (!*value || strlen(value) >= sizeof(s->mode)) {
		complain("--mode", "\"%s\" is not a name of 1 to %zu characters",
			 value, sizeof(s->mode) - 1);
		return -1;
	}
	strcpy(s->mode, value);
	return 0;
}

static int set_poll_timeout(void *settings, const struct cli_option *opt,
			    const char *value)
{
	struct mode_settings *s = settings;
	unsigned long long ns;

	if (cli_number(opt, value, POLL_TIMEOUT_MIN, POLL_TIMEOUT_MAX,
		       "nanoseconds", &ns))
		return -1;
	s->poll_timeout = ns;
	return 0;
}

static const struct cli_option mode_options[] = {
	{
		.name = "mode", .arg = "MODE", .set = set_mode,
		.help = "Set the completion mode of the module, read it back and print what is active. aptune status lists the modes that the module has.",
	}, {
		.name = "poll-timeout", .arg = "NS", .set = set_poll_timeout,
		.help = "Set the interval of mode hrtimer in nanoseconds, 1 to 120000000000, and read it back.",
	},
	CLI_HELP, CLI_VERSION, CLI_END
};

static int run_mode(const struct cli_command *cmd, int argc, char **argv)
{
	struct mode_settings s = { 0 };
	struct mode_state before, now;
	int ret;

	ret = cli_parse(cmd, &s, argc, argv);
	if (ret)
		return ret == CLI_DONE ? STATUS_OK : ret;
	if (mode_read(&before))
		return STATUS_FAILED;
	/* Interval first, so that the new mode starts with the right one. */
	if (s.poll_timeout && mode_set_timeout(s.poll_timeout))
		return STATUS_FAILED;
	if (*s.mode && mode_set(s.mode)) {
		if (s.poll_timeout)
			mode_set_timeout(before.poll_timeout);
		return STATUS_FAILED;
	}
	if (mode_read(&now))
		return STATUS_FAILED;
	printf("mode %s, poll timeout %" PRIu64 " ns\n", now.mode,
	       now.poll_timeout);
	return STATUS_OK;
}

const struct cli_command cmd_mode = {
	.name = "",
	.summary = "Set, show and measure how replies of the adapter queue are noticed",
	.description =
"Without a command aptune sets the completion mode, the interval of mode\n"
"hrtimer, or both. Each is read back; if the module then reports something\n"
"else, that is an error. If the mode cannot be set, the interval keeps its\n"
"old value.",
	.options = mode_options,
	.run = run_mode,
};
