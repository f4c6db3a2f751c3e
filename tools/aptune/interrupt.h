/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef APTUNE_INTERRUPT_H
#define APTUNE_INTERRUPT_H

/*
 * From here on the first SIGINT, SIGTERM or SIGHUP is only noted, so that
 * results are kept and the mode is restored. A second one kills.
 */
void interrupt_catch(void);

/* Number of the signal that came, or 0. */
int interrupt_signal(void);

#endif
