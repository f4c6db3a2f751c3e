// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Say what a TLS cipher suite is, and encrypt with its cipher
 * usage: suite NAME [KEY IV DATA]	in hex, DATA whole blocks
 *
 * The ciphertext, of an AEAD with its tag, goes to stdout, the rest to stderr.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <libapq.h>

#include "hex.h"

#define MAX_DATA 4096
#define MAX_TAG 16

static int fail(const char *what, long ret)
{
	fprintf(stderr, "suite: %s: %s\n", what, strerror((int)-ret));
	return 1;
}

static void describe(const struct apq_suite *s)
{
	fprintf(stderr, "0x%04X: key exchange %s, cipher %s, %u bits, MAC %s\n",
		s->number, apq_suite_kx_name(s->kx),
		apq_suite_cipher_name(s->cipher), s->key_bits,
		apq_suite_mac_name(s->mac));
}

static int encrypt(struct apq *h, enum apq_cipher_alg alg, char **args)
{
	unsigned char key[64], iv[16], data[MAX_DATA + MAX_TAG];
	long key_len = hex_read(args[0], key, sizeof(key));
	long iv_len = hex_read(args[1], iv, sizeof(iv));
	long len = hex_read(args[2], data, MAX_DATA), ret;
	struct apq_cipher *c;

	if (key_len < 0 || iv_len < 0 || len < 0)
		return fail("KEY, IV or DATA is no hex or too long", -EINVAL);
	ret = apq_cipher_new(h, alg, NULL, key, key_len, &c);
	if (ret)
		return fail("key", ret);
	if ((size_t)iv_len != apq_cipher_ivsize(c))
		ret = -EINVAL;
	else if (apq_cipher_tagsize(c))
		ret = apq_aead_encrypt(c, iv, NULL, 0, data, data, len);
	else
		ret = apq_encrypt(c, iv, data, data, len);
	apq_cipher_free(c);
	if (ret < 0)
		return fail("encrypt", ret);
	hex_print(data, ret);
	return 0;
}

int main(int argc, char **argv)
{
	const struct apq_suite *s;
	enum apq_cipher_alg alg;
	struct apq *h;
	int ret;

	if (argc != 2 && argc != 5) {
		fprintf(stderr, "usage: suite NAME [KEY IV DATA]\n");
		return 2;
	}
	ret = apq_suite_by_name(argv[1], &s);
	if (ret)
		return fail(argv[1], ret);
	describe(s);
	ret = apq_suite_alg(s, &alg);
	if (ret)
		return fail("its cipher", ret);
	if (argc == 2)
		return 0;

	ret = apq_open_for(&h, APQ_CAP_CIPHER);
	if (ret)
		return fail("no back end", ret);
	fprintf(stderr, "back end %s\n", apq_backend_name(h));
	ret = encrypt(h, alg, argv + 2);
	apq_close(h);
	return ret;
}
