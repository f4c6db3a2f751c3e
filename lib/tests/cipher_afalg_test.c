// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Ciphers over AF_ALG with the drivers that apq.ko registers
 */
#include <unistd.h>

#include "cipher_suite.h"
#include "tap.h"

int main(void)
{
	/* no driver names: the library has to know them */
	static const struct cipher_suite suite = {
		.backend = APQ_BACKEND_AFALG,
	};

	if (access("/sys/module/apq", F_OK))
		tap_skip_all("apq.ko is not loaded");
	return cipher_suite_run(&suite);
}
