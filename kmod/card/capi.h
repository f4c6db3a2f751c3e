/* SPDX-License-Identifier: GPL-2.0 */
#ifndef APQ_CARD_CAPI_H
#define APQ_CARD_CAPI_H

#include <linux/types.h>

int apq_capi_init(unsigned int cards, unsigned int domains, int engine_cpu,
		  bool legacy);
void apq_capi_exit(void);

#endif
