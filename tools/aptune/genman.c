// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fill the marks of the man page's template (stdin) from the tables that the
 * program itself uses; output is reStructuredText.
 */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "result.h"

/* "*" and "|" mean something in reStructuredText. */
static void put_escaped(const char *text)
{
	for (; *text; text++) {
		if (strchr("*|`_\\", *text))
			putchar('\\');
		putchar(*text);
	}
}

static void put_options(const struct cli_command *cmd)
{
	const struct cli_option *opt;

	for (opt = cmd->options; opt->name; opt++) {
		printf("``--%s``", opt->name);
		if (opt->arg)
			printf(" *%s*", opt->arg);
		printf("\n    ");
		put_escaped(opt->help);
		if (opt->preset) {
			printf(" Default: ");
			put_escaped(opt->preset);
		}
		printf("\n\n");
	}
}

static void put_synopsis(void)
{
	int i;

	printf("| **aptune** [**--mode** *MODE*] [**--poll-timeout** *NS*]\n");
	for (i = 1; cli_commands[i]; i++)
		printf("| **aptune** **%s** [*options*]\n",
		       cli_commands[i]->name);
}

static void put_commands(void)
{
	char title[64];
	int i;

	for (i = 0; cli_commands[i]; i++) {
		const struct cli_command *cmd = cli_commands[i];

		snprintf(title, sizeof(title), "aptune%s%s",
			 *cmd->name ? " " : "", cmd->name);
		printf("%s\n%.*s\n\n", title, (int)strlen(title),
		       "------------------------------------------------");
		printf("%s.\n\n%s\n\n", cmd->summary, cmd->description);
		put_options(cmd);
	}
}

static void put_fields(void)
{
	const struct result_field *f;

	for (f = result_fields; f->name; f++) {
		printf("``%s``\n    ", f->name);
		put_escaped(f->help);
		printf("\n\n");
	}
}

int main(void)
{
	static const struct {
		const char *mark;
		void (*put)(void);
	} marks[] = {
		{ "@SYNOPSIS@\n", put_synopsis },
		{ "@COMMANDS@\n", put_commands },
		{ "@FIELDS@\n", put_fields },
	};
	char line[512];
	size_t i;

	while (fgets(line, sizeof(line), stdin)) {
		for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
			if (!strcmp(line, marks[i].mark))
				break;
		}
		if (i < sizeof(marks) / sizeof(marks[0]))
			marks[i].put();
		else
			fputs(line, stdout);
	}
	return ferror(stdin) || fflush(stdout);
}
