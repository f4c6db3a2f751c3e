// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * aptune status - cards, their real engines, modes
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <libapq.h>

#include "cards.h"
#include "commands.h"
#include "mode.h"
#include "table.h"

static const struct cli_option status_options[] = {
	CLI_HELP, CLI_END
};

static const struct table_column card_columns[] = {
	{ .name = "CARD" },
	{ .name = "TYPE" },
	{ .name = "ENGINE", .left = 1 },
	{ .name = "ONLINE" },
	{ .name = "DEPTH" },
	{ .name = "REQUESTS" },
	{ .name = "PENDING" },
	{ .name = NULL }
};

static int print_cards(const struct card_list *cards)
{
	struct table *t;
	size_t i;
	int ret;

	t = table_new(card_columns);
	if (!t)
		return -1;
	for (i = 0; i < cards->nr; i++) {
		const struct apq_card_info *c = &cards->card[i];

		table_row(t);
		table_cell(t, "card%02x", c->id);
		table_cell(t, "%s", c->type);
		table_cell(t, "%s", c->engine);
		table_cell(t, "%s", c->online ? "yes" : "no");
		table_cell(t, "%u", c->depth);
		table_cell(t, "%" PRIu64, c->requests);
		table_cell(t, "%" PRIu64, c->pending);
	}
	ret = table_print(t, stdout);
	table_free(t);
	return ret;
}

/* All modes on one line, the active one in brackets, as sysfs shows them. */
static void print_modes(char *list, const char *active)
{
	char *mode, *save;

	fputs("modes:", stdout);
	for (mode = strtok_r(list, " ", &save); mode;
	     mode = strtok_r(NULL, " ", &save))
		printf(strcmp(mode, active) ? " %s" : " [%s]", mode);
	putchar('\n');
}

static int run_status(const struct cli_command *cmd, int argc, char **argv)
{
	char list[MODE_LIST_LEN];
	struct mode_state state;
	struct card_list cards;
	int ret;

	ret = cli_parse(cmd, NULL, argc, argv);
	if (ret)
		return ret == CLI_DONE ? STATUS_OK : ret;
	if (mode_read(&state))
		return STATUS_FAILED;
	ret = apq_mode_list(list, sizeof(list));
	if (ret < 0) {
		complain("mode list", "%s", why(ret));
		return STATUS_FAILED;
	}
	if (cards_read(&cards))
		return STATUS_FAILED;
	print_modes(list, state.mode);
	printf("poll timeout: %" PRIu64 " ns\n", state.poll_timeout);
	ret = print_cards(&cards);
	cards_free(&cards);
	if (ret)
		complain("status", "out of memory");
	return ret ? STATUS_FAILED : STATUS_OK;
}

const struct cli_command cmd_status = {
	.name = "status",
	.summary = "Show modes, interval, and the cards with what really computes behind them",
	.description =
"Prints all completion modes with the active one in brackets, the interval of\n"
"mode hrtimer, and one line per card: its AP type, the kernel drivers that\n"
"really compute (*ENGINE*), whether it takes requests, how many requests one\n"
"of its queues holds at once (*DEPTH*), requests answered since load or the\n"
"last reset (*REQUESTS*) and requests in flight (*PENDING*).",
	.options = status_options,
	.run = run_status,
};
