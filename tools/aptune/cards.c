// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list of cards at one moment.
 */
#include <errno.h>
#include <stdlib.h>

#include "cards.h"
#include "cli.h"

/* Cards of a bus can come between two calls; an AP bus has at most 256. */
#define MAX_CARDS	256

int cards_read(struct card_list *list)
{
	int ret;

	list->nr = 0;
	list->card = calloc(MAX_CARDS, sizeof(*list->card));
	ret = list->card ? apq_cards(list->card, MAX_CARDS) : -ENOMEM;
	if (ret < 0) {
		complain("cards", "%s", why(ret));
		cards_free(list);
		return ret;
	}
	list->nr = ret < MAX_CARDS ? ret : MAX_CARDS;
	return 0;
}

void cards_free(struct card_list *list)
{
	free(list->card);
	list->card = NULL;
	list->nr = 0;
}
