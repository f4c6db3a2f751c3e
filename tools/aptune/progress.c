// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Progress line on stderr.
 */
#include <stdio.h>
#include <unistd.h>

#include "clock.h"
#include "progress.h"

/* Between two lines where they pile up in a log. */
#define LOG_INTERVAL_NS	(10 * NS_PER_S)

void progress_start(struct progress *p, size_t total)
{
	*p = (struct progress){
		.total = total,
		.is_tty = isatty(STDERR_FILENO),
		.start = now_ns(),
	};
}

static void print_line(struct progress *p, const char *text)
{
	if (p->is_tty) {
		fprintf(stderr, "\r%s\033[K", text);
		p->is_open = 1;
	} else {
		fprintf(stderr, "%s\n", text);
	}
	fflush(stderr);
	p->printed = now_ns();
}

void progress_show(struct progress *p, size_t done, const char *label)
{
	uint64_t now = now_ns();
	char text[160], left[32] = "";

	if (!p->is_tty && p->printed && done < p->total &&
	    now - p->printed < LOG_INTERVAL_NS)
		return;
	if (done) {
		unsigned long s = (double)(now - p->start) / done *
				  (p->total - done) / NS_PER_S + 0.5;

		snprintf(left, sizeof(left), ", %lu:%02lu left", s / 60, s % 60);
	}
	snprintf(text, sizeof(text), "%zu/%zu%s%s%s", done, p->total, left,
		 *label ? ": " : "", label);
	print_line(p, text);
}

void progress_note(struct progress *p, const char *text)
{
	print_line(p, text);
}

void progress_end(struct progress *p)
{
	if (p->is_open)
		fputc('\n', stderr);
	p->is_open = 0;
}
