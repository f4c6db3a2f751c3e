// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Option tables: parsing, help text, complaints.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <libapq.h>

#include "cli.h"

#define MAX_OPTIONS	32
#define HELP_COLUMN	26	/* where the text of an option begins */
#define HELP_WIDTH	79

void complain(const char *what, const char *why, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, why);
	vsnprintf(text, sizeof(text), why, ap);
	va_end(ap);
	/* In one piece and behind what was said before, in a shared log. */
	fflush(stdout);
	fprintf(stderr, "aptune: %s: %s\n", what, text);
}

const char *why(int err)
{
	switch (err) {
	case -ENODEV:
		return "not there; is the module apq loaded?";
	case -EACCES:
	case -EPERM:
		return "permission denied; run as root";
	default:
		return strerror(-err);
	}
}

int cli_number(const struct cli_option *opt, const char *value,
	       unsigned long long min, unsigned long long max, const char *unit,
	       unsigned long long *number)
{
	char what[64], *end;

	/* Too many digits give ULLONG_MAX, which is above every limit. */
	*number = strtoull(value, &end, 10);
	if (isdigit((unsigned char)value[0]) && !*end &&
	    *number >= min && *number <= max)
		return 0;
	snprintf(what, sizeof(what), "--%s", opt->name);
	complain(what, "\"%s\" is not a number of %s from %llu to %llu", value,
		 unit, min, max);
	return -1;
}

int cli_next(const struct cli_option *opt, const char **list, char *item,
	     size_t len)
{
	size_t n;

	if (!*list)
		return 0;
	n = strcspn(*list, ",");
	if (n == 0 || n >= len) {
		char what[64];

		snprintf(what, sizeof(what), "--%s", opt->name);
		complain(what, n ? "item \"%.*s\" is longer than %zu characters" :
			 "the list has an empty item", (int)n, *list, len - 1);
		return -1;
	}
	memcpy(item, *list, n);
	item[n] = '\0';
	*list = (*list)[n] ? *list + n + 1 : NULL;
	return 1;
}

/* Print @text word by word from column @at, broken at HELP_WIDTH. */
static void print_wrapped(FILE *out, const char *text, int at)
{
	int column = at;

	while (*text) {
		int n = strcspn(text, " ");

		if (column > at && column + 1 + n > HELP_WIDTH) {
			fprintf(out, "\n%*s", at, "");
			column = at;
		}
		if (column > at) {
			fputc(' ', out);
			column++;
		}
		fwrite(text, 1, n, out);
		column += n;
		text += n;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

static void print_option(FILE *out, const struct cli_option *opt)
{
	char head[64], text[1024];
	int n;

	n = snprintf(head, sizeof(head), "  --%s%s%s", opt->name,
		     opt->arg ? " " : "", opt->arg ? opt->arg : "");
	fputs(head, out);
	if (n >= HELP_COLUMN) {
		fputc('\n', out);
		n = 0;
	}
	fprintf(out, "%*s", HELP_COLUMN - n, "");
	snprintf(text, sizeof(text), "%s%s%s", opt->help,
		 opt->preset ? " Default: " : "",
		 opt->preset ? opt->preset : "");
	print_wrapped(out, text, HELP_COLUMN);
}

void cli_help(FILE *out, const struct cli_command *cmd)
{
	const struct cli_option *opt;
	int i;

	fprintf(out, "usage: aptune%s%s [options]\n", *cmd->name ? " " : "",
		cmd->name);
	if (!*cmd->name) {
		for (i = 1; cli_commands[i]; i++)
			fprintf(out, "       aptune %s [options]\n",
				cli_commands[i]->name);
	}
	fprintf(out, "\n%s.\n\nOptions:\n", cmd->summary);
	for (opt = cmd->options; opt->name; opt++)
		print_option(out, opt);
	if (*cmd->name)
		return;
	fputs("\nCommands:\n", out);
	for (i = 1; cli_commands[i]; i++) {
		fprintf(out, "  %-*s", HELP_COLUMN - 2, cli_commands[i]->name);
		print_wrapped(out, cli_commands[i]->summary, HELP_COLUMN);
	}
}

static int unknown_option(const struct cli_command *cmd, char **argv, int code)
{
	const char *arg = argv[optind - 1];

	/* getopt says '?' for an unknown option, ':' for a missing value. */
	if (code == ':')
		complain(arg, "needs a value");
	else
		complain(arg, "unknown option or unexpected value; aptune%s%s --help lists them",
			 *cmd->name ? " " : "", cmd->name);
	return STATUS_USAGE;
}

/* --help and --version */
static int print_information(const struct cli_command *cmd,
			     const struct cli_option *opt)
{
	if (!strcmp(opt->name, "help"))
		cli_help(stdout, cmd);
	else
		printf("aptune %s\n", apq_version());
	return CLI_DONE;
}

int cli_parse(const struct cli_command *cmd, void *settings, int argc,
	      char **argv)
{
	struct option longopts[MAX_OPTIONS + 1] = { 0 };
	const struct cli_option *opt;
	int i, code;

	for (i = 0; cmd->options[i].name && i < MAX_OPTIONS; i++) {
		longopts[i].name = cmd->options[i].name;
		longopts[i].has_arg = cmd->options[i].arg ?
			required_argument : no_argument;
		longopts[i].val = 256 + i;
	}
	opterr = 0;
	optind = 1;
	while ((code = getopt_long(argc, argv, ":", longopts, NULL)) != -1) {
		if (code < 256)
			return unknown_option(cmd, argv, code);
		opt = &cmd->options[code - 256];
		if (!opt->set)
			return print_information(cmd, opt);
		if (opt->set(settings, opt, optarg))
			return STATUS_USAGE;
	}
	if (optind < argc) {
		complain(argv[optind], "unexpected word; aptune%s%s takes only options",
			 *cmd->name ? " " : "", cmd->name);
		return STATUS_USAGE;
	}
	return STATUS_OK;
}
