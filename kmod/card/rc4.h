/* SPDX-License-Identifier: GPL-2.0 */
#ifndef APQ_CARD_RC4_H
#define APQ_CARD_RC4_H

#include "../core/req.h"

struct rc4_key;

bool rc4_present(void);
struct rc4_key *rc4_key_new(void);
int rc4_key_set(struct rc4_key *key, const u8 *data, unsigned int len);
void rc4_key_free(struct rc4_key *key);
int rc4_run(const struct rc4_key *key, const struct apq_cipher *c);

#endif
