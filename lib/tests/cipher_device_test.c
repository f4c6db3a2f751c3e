// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Ciphers over /dev/apq; needs apq.ko
 */
#include <errno.h>
#include <linux/apq.h>
#include <unistd.h>

#include "cipher_suite.h"
#include "tap.h"

static void device_only(struct apq *h)
{
	static struct apq_cipher *c[APQ_MAX_SESSIONS + 1];
	static const uint8_t key[16];
	int i, ret = 0;

	for (i = 0; i <= APQ_MAX_SESSIONS && !ret; i++)
		ret = apq_cipher_new(h, APQ_AES_CBC, NULL, key, 16, &c[i]);
	tap_is(ret, -ENOSPC, "one key more than a handle takes");
	tap_is(i - 1, APQ_MAX_SESSIONS, "which is this many");
	while (i--) {
		apq_cipher_free(c[i]);
		c[i] = NULL;
	}
	ret = apq_cipher_new(h, APQ_AES_CBC, NULL, key, 16, &c[0]);
	tap_is(ret, 0, "after freeing them there is room");
	apq_cipher_free(c[0]);
}

int main(void)
{
	static const struct cipher_suite suite = {
		.backend = APQ_BACKEND_DEVICE,
		.extra = device_only,
		.nr_extra = 3,
	};

	if (access("/dev/apq", F_OK))
		tap_skip_all("no /dev/apq: apq.ko is not loaded");
	return cipher_suite_run(&suite);
}
