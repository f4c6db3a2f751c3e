/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef APTUNE_CARDS_H
#define APTUNE_CARDS_H

#include <stddef.h>

#include <libapq.h>

struct card_list {
	struct apq_card_info *card;
	size_t nr;
};

/* Returns 0, or a negative errno after it complained. */
int cards_read(struct card_list *list);
void cards_free(struct card_list *list);

#endif
