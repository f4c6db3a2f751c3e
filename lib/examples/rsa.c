// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Raw RSA, numbers in hex
 * usage: rsa IN EXPONENT MODULUS
 *        rsa IN P Q DP DQ QINV MODULUS
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <libapq.h>

#include "hex.h"

#define MAX_LEN 512

/* The number at the end of a field of @len bytes, zeros before it */
static int number(const char *text, unsigned char *field, size_t len)
{
	unsigned char buf[MAX_LEN];
	char even[2 * MAX_LEN + 2];
	long n;

	/* numbers may have an odd number of digits */
	snprintf(even, sizeof(even), "%s%s", strlen(text) % 2 ? "0" : "", text);
	n = hex_read(even, buf, len);
	if (n < 0)
		return -1;
	memset(field, 0, len - n);
	memcpy(field + len - n, buf, n);
	return 0;
}

static int modexpo(struct apq *h, char **args, size_t len, unsigned char *out)
{
	unsigned char in[MAX_LEN], exp[MAX_LEN], mod[MAX_LEN];
	const struct apq_rsa_me op = {
		.len = len, .in = in, .exp = exp, .mod = mod, .out = out,
	};

	if (number(args[0], in, len) || number(args[1], exp, len) ||
	    number(args[2], mod, len))
		return -EINVAL;
	return apq_rsa_modexpo(h, &op);
}

static int crt(struct apq *h, char **args, size_t len, unsigned char *out)
{
	unsigned char in[MAX_LEN], half[5][MAX_LEN];
	const struct apq_rsa_crt op = {
		.len = len, .in = in, .p = half[0], .q = half[1],
		.dp = half[2], .dq = half[3], .qinv = half[4], .out = out,
	};
	int i;

	if (number(args[0], in, len))
		return -EINVAL;
	for (i = 0; i < 5; i++)
		if (number(args[i + 1], half[i], (len + 1) / 2))
			return -EINVAL;
	return apq_rsa_crt(h, &op);
}

int main(int argc, char **argv)
{
	unsigned char out[MAX_LEN];
	struct apq *h;
	size_t len;
	int ret;

	if (argc != 4 && argc != 8) {
		fprintf(stderr, "usage: rsa IN EXPONENT MODULUS\n"
				"       rsa IN P Q DP DQ QINV MODULUS\n");
		return 2;
	}
	len = (strlen(argv[argc - 1]) + 1) / 2;
	if (len < 2 || len > MAX_LEN) {
		fprintf(stderr, "rsa: a modulus of %zu bytes\n", len);
		return 2;
	}
	ret = apq_open_for(&h, APQ_CAP_RSA);
	if (!ret) {
		fprintf(stderr, "back end %s\n", apq_backend_name(h));
		ret = argc == 4 ? modexpo(h, argv + 1, len, out) :
		      crt(h, argv + 1, len, out);
		apq_close(h);
	}
	if (ret) {
		fprintf(stderr, "rsa: %s\n", strerror(-ret));
		return 1;
	}
	hex_print(out, len);
	return 0;
}
