/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef APTUNE_PROGRESS_H
#define APTUNE_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

struct progress {
	size_t total;
	int is_tty;
	uint64_t start;		/* of the first cell; now_ns() */
	uint64_t printed;	/* when the last line went out; 0 if none */
	int is_open;		/* a line without newline stands on the terminal */
};

void progress_start(struct progress *p, size_t total);

/*
 * @done cells are finished and @label begins. Redraws one line on a terminal;
 * elsewhere prints a line now and then.
 */
void progress_show(struct progress *p, size_t done, const char *label);

/* A remark outside the count, like what is being prepared. */
void progress_note(struct progress *p, const char *text);

/* Leave the terminal's line, before anything else is printed. */
void progress_end(struct progress *p);

#endif
