// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Ciphers over AF_ALG with the drivers that apq.ko registers
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <libapq.h>

#include "cipher_suite.h"
#include "tap.h"

/*
 * Linux 7 masks asynchronous drivers out of AF_ALG (AF_ALG_CRYPTOAPI_MASK), and
 * those of apq.ko are. On any other kernel a missing one is a failure.
 */
static int async_hidden(void)
{
	static const unsigned char key[16];
	struct apq_cipher *c;
	struct utsname u;
	struct apq *h;
	int ret;

	if (uname(&u) || atoi(u.release) < 7 ||
	    apq_open(&h, APQ_BACKEND_AFALG))
		return 0;
	ret = apq_cipher_new(h, APQ_AES_CBC, "cbc-aes-apq", key, sizeof(key),
			     &c);
	if (!ret)
		apq_cipher_free(c);
	apq_close(h);
	return ret == -ENOENT;
}

int main(void)
{
	/* no driver names: the library has to know them */
	static const struct cipher_suite suite = {
		.backend = APQ_BACKEND_AFALG,
	};

	if (access("/sys/module/apq", F_OK))
		tap_skip_all("apq.ko is not loaded");
	if (async_hidden())
		tap_skip_all("AF_ALG of this kernel takes no asynchronous drivers");
	return cipher_suite_run(&suite);
}
