/* SPDX-License-Identifier: GPL-2.0 */
#ifndef APQ_CARD_NULL_H
#define APQ_CARD_NULL_H

int apq_null_init(unsigned int id, unsigned int domains);
void apq_null_exit(void);

#endif
