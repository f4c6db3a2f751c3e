/* SPDX-License-Identifier: GPL-2.0 */
#ifndef APQ_CARD_RSA_H
#define APQ_CARD_RSA_H

#include "../core/req.h"

unsigned int apq_rsa_run(unsigned int alg, const struct apq_rsa *rsa);

#endif
