/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command line: one table per command describes its options. Parsing, --help
 * and the man page (genman.c) are all made from that table.
 */
#ifndef APTUNE_CLI_H
#define APTUNE_CLI_H

#include <stdio.h>

/* Exit statuses; 4 is left to test programs that skip. */
enum {
	STATUS_OK	= 0,
	STATUS_FAILED	= 1,
	STATUS_USAGE	= 2,
};

/* Answer of cli_parse() when --help or --version did all there was to do. */
#define CLI_DONE	(-1)

/**
 * struct cli_option - one option
 * @name: long name without dashes; NULL ends a table
 * @arg: name of the value in the help, NULL if the option takes none
 * @preset: value in force without the option as the help shows it, or NULL
 * @help: what it does, in one or more sentences
 * @set: takes the value (NULL without @arg) into the command's settings;
 *	 returns 0, or -1 after it complained. NULL for --help and --version
 */
struct cli_option {
	const char *name;
	const char *arg;
	const char *preset;
	const char *help;
	int (*set)(void *settings, const struct cli_option *opt,
		   const char *value);
};

/**
 * struct cli_command - a subcommand
 * @name: its word, "" for options that stand before any word
 * @summary: one line for the list of commands
 * @description: paragraphs for the man page, reStructuredText
 * @options: table, ended by CLI_END
 * @run: parses and executes; returns the exit status
 */
struct cli_command {
	const char *name;
	const char *summary;
	const char *description;
	const struct cli_option *options;
	int (*run)(const struct cli_command *cmd, int argc, char **argv);
};

#define CLI_HELP	{ .name = "help", .help = "Print this text and exit." }
#define CLI_VERSION	{ .name = "version", .help = "Print the version and exit." }
#define CLI_END		{ .name = NULL }

/* aptune.c: all commands, ended by one whose name is NULL */
extern const struct cli_command *const cli_commands[];

/*
 * Parse argv[1..] with the table of @cmd. Words that are no options are a
 * usage error. Returns STATUS_OK, STATUS_USAGE or CLI_DONE.
 */
int cli_parse(const struct cli_command *cmd, void *settings, int argc,
	      char **argv);

/* The text of --help. */
void cli_help(FILE *out, const struct cli_command *cmd);

/* "aptune: <what>: <why>" on stderr. */
void complain(const char *what, const char *why, ...)
	__attribute__((format(printf, 2, 3)));

/* Text for a negative errno of libapq, naming what to do where that is known. */
const char *why(int err);

/*
 * Decimal number of @value in [@min, @max]. Returns 0, or -1 after it
 * complained about option @opt, naming the limits and @unit.
 */
int cli_number(const struct cli_option *opt, const char *value,
	       unsigned long long min, unsigned long long max, const char *unit,
	       unsigned long long *number);

/*
 * Walk a comma separated list: copies the next item to @item (@len bytes) and
 * moves @list behind it. Returns 1, 0 at the end, -1 after it complained that
 * an item of option @opt is empty or too long.
 */
int cli_next(const struct cli_option *opt, const char **list, char *item,
	     size_t len);

#endif
