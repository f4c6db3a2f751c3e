/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * Known answers and comparison with OpenSSL for one back end
 */
#ifndef APQ_CIPHER_SUITE_H
#define APQ_CIPHER_SUITE_H

#include "libapq.h"

/*
 * @backend: which one
 * @driver: name of the kernel driver for an algorithm, or NULL
 * @extra: more tests of this back end, may be NULL
 * @nr_extra: TAP lines of @extra
 */
struct cipher_suite {
	enum apq_backend backend;
	const char *(*driver)(enum apq_cipher_alg alg);
	void (*extra)(struct apq *h);
	unsigned int nr_extra;
};

/* Returns the exit status of the program. */
int cipher_suite_run(const struct cipher_suite *suite);

#endif /* APQ_CIPHER_SUITE_H */
