/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * Short requests computed in the caller, see apq_software_below()
 */
#ifndef APQ_SOFT_H
#define APQ_SOFT_H

#include "backend.h"

struct apq_soft;

/* 0, -ELIBACC without libcrypto */
int apq_soft_load(void);

/* @soft is NULL if libcrypto has no such algorithm. */
int apq_soft_new(const struct apq_alg_info *info, const void *key,
		 size_t key_len, struct apq_soft **soft);
void apq_soft_free(struct apq_soft *soft);
long apq_soft_crypt(struct apq_soft *soft, enum apq_direction dir,
		    const void *iv, const void *src, void *dst, size_t len);
uint64_t apq_soft_requests(const struct apq_soft *soft);

#endif /* APQ_SOFT_H */
