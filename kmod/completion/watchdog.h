/* SPDX-License-Identifier: GPL-2.0 */
#ifndef APQ_COMPLETION_WATCHDOG_H
#define APQ_COMPLETION_WATCHDOG_H

/* Longest stay of a request inside a card in milliseconds, and its range. */
#define APQ_REQUEST_TIMEOUT_DEFAULT	15000	/* zcrypt: CEX2A, CEX3A */
#define APQ_REQUEST_TIMEOUT_MIN		100
#define APQ_REQUEST_TIMEOUT_MAX		900000	/* zcrypt: CEX4 and newer */

int apq_request_timeout_set(unsigned int ms);
void apq_watchdog_exit(void);

#endif
