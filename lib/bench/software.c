// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * What a request costs on the way to the accelerator and in the caller, by
 * length: where to put apq_software_below()
 *
 * usage: software [apq|afalg [DRIVER]]
 *
 * Lines "name value unit", AES-128-CBC. The two ways take turns within one run, a
 * figure is the median of its windows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libapq.h"

#define NR_WINDOWS	15
#define WINDOW_BYTES	65536	/* and at least MIN_CALLS */
#define MIN_CALLS	8

static const size_t lens[] = { 16, 64, 256, 1024, 4096, 16384, 65536 };

#define NR_LENS (sizeof(lens) / sizeof(lens[0]))

static unsigned char data[65536];

static void die(const char *what, long ret)
{
	fprintf(stderr, "software: %s: %s\n", what, strerror((int)-ret));
	exit(1);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Nanoseconds of a request */
static double window(struct apq_cipher *c, size_t len)
{
	int calls = WINDOW_BYTES / len, i;
	unsigned char iv[16] = { 0 };
	double begin;
	long ret;

	if (calls < MIN_CALLS)
		calls = MIN_CALLS;
	begin = now();
	for (i = 0; i < calls; i++) {
		ret = apq_encrypt(c, iv, data, data, len);
		if (ret != (long)len)
			die("encrypt", ret);
	}
	return (now() - begin) / calls;
}

static void measure(struct apq_cipher *c[2], size_t len, double *median)
{
	double ns[2][NR_WINDOWS];
	int i, way;

	for (way = 0; way < 2; way++)
		window(c[way], len);
	for (i = 0; i < NR_WINDOWS; i++)
		for (way = 0; way < 2; way++)
			ns[way][i] = window(c[way], len);
	for (way = 0; way < 2; way++) {
		qsort(ns[way], NR_WINDOWS, sizeof(double), compare);
		median[way] = ns[way][NR_WINDOWS / 2];
	}
}

static struct apq_cipher *cipher(struct apq *h, const char *driver,
				 size_t below)
{
	static const unsigned char key[16];
	struct apq_cipher *c;
	long ret = apq_software_below(h, below);

	if (ret)
		die("software path", ret);
	ret = apq_cipher_new(h, APQ_AES_CBC, driver, key, sizeof(key), &c);
	if (ret)
		die("cipher", ret);
	return c;
}

int main(int argc, char **argv)
{
	const char *driver = argc > 2 ? argv[2] : NULL;
	struct apq_cipher *c[2];
	size_t i, below = 0;
	struct apq *h;
	int ret;

	if (argc > 1)
		ret = apq_open(&h, strcmp(argv[1], "afalg") ?
			       APQ_BACKEND_DEVICE : APQ_BACKEND_AFALG);
	else
		ret = apq_open_for(&h, APQ_CAP_CIPHER);
	if (ret)
		die("no back end", ret);
	c[0] = cipher(h, driver, 0);
	c[1] = cipher(h, driver, (1 << 20) + 1);
	for (i = 0; i < NR_LENS; i++) {
		double ns[2];

		measure(c, lens[i], ns);
		printf("%s_%zu %.0f ns\n", apq_backend_name(h), lens[i], ns[0]);
		printf("software_%zu %.0f ns\n", lens[i], ns[1]);
		if (ns[1] < ns[0])
			below = lens[i];
	}
	printf("# in software: %llu requests\n",
	       (unsigned long long)apq_software_requests(c[1]));
	printf("software_faster_to %zu bytes\n", below);
	apq_cipher_free(c[1]);
	apq_cipher_free(c[0]);
	apq_close(h);
	return 0;
}
