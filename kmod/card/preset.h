/* SPDX-License-Identifier: GPL-2.0 */
/* Service times of cards by name, and as text. */
#ifndef APQ_CARD_PRESET_H
#define APQ_CARD_PRESET_H

#include "../core/service.h"

int apq_preset_parse(struct apq_service_times *times, const char *text);
int apq_preset_emit(const struct apq_service_times *times, char *buf);

#endif
