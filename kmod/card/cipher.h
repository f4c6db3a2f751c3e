/* SPDX-License-Identifier: GPL-2.0 */
#ifndef APQ_CARD_CIPHER_H
#define APQ_CARD_CIPHER_H

#include <linux/types.h>

struct apq_backend;
struct engine_slot;

extern struct apq_backend apq_cipher_backend;

void apq_cipher_find(bool legacy, char *names, size_t size);
void apq_cipher_forget(void);
void apq_cipher_work(struct engine_slot *slot);

#endif
