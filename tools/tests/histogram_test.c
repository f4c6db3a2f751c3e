// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Quantiles of the log-linear histogram against those of the sorted values.
 */
#include <math.h>
#include <stdlib.h>

#include "histogram.h"
#include "tap.h"

#define NR	20000

/* What histogram.h promises: half of 1/2^HIST_SUB_BITS. */
#define ACCURACY	0.004

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Largest relative error of the quantiles of NR values around 2^@low..@high. */
static double worst_error(double low, double high)
{
	static const double q[] = { 0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1 };
	static struct histogram h;
	static uint64_t value[NR];
	double worst = 0;
	unsigned int i;

	hist_reset(&h);
	srand48(1);
	for (i = 0; i < NR; i++) {
		value[i] = exp2(low + drand48() * (high - low));
		hist_add(&h, value[i]);
	}
	qsort(value, NR, sizeof(*value), compare);
	for (i = 0; i < sizeof(q) / sizeof(*q); i++) {
		double exact = value[(unsigned int)ceil(q[i] * NR) - 1];

		worst = fmax(worst, fabs(hist_quantile(&h, q[i]) - exact) /
				    exact);
	}
	return worst;
}

static void test_merge(void)
{
	static struct histogram a, b;
	unsigned int i;

	hist_reset(&a);
	hist_reset(&b);
	for (i = 1; i <= 100; i++)
		hist_add(i % 2 ? &a : &b, i);
	hist_merge(&a, &b);
	tap_is(a.count, 100, "merged count");
	tap_is(a.min, 1, "merged minimum");
	tap_is(a.max, 100, "merged maximum");
	tap_is(hist_quantile(&a, 0.5), 50, "median of 1..100, exact");
	tap_is(hist_quantile(&a, 0.99), 99, "p99 of 1..100, exact");
	tap_is(hist_quantile(&a, 1), 100, "p100 of 1..100, exact");
	hist_reset(&b);
	hist_merge(&a, &b);
	tap_is(a.count * 1000 + a.min, 100001, "merging nothing changes nothing");
}

static void test_edges(void)
{
	static struct histogram h;

	hist_reset(&h);
	tap_is(hist_quantile(&h, 0.5), 0, "no values: 0");
	hist_add(&h, 1234567);
	tap_is(hist_quantile(&h, 0.5), 1234567, "one value is exact");
	tap_is(hist_quantile(&h, 0), 1234567, "also its lowest quantile");
	hist_add(&h, 1);
	hist_add(&h, 2000000);
	tap_is(hist_quantile(&h, 0.5) / 10000, 123, "median of three is the second");
	hist_reset(&h);
	hist_add(&h, 0);
	hist_add(&h, 1);
	hist_add(&h, UINT64_MAX);
	tap_is(hist_quantile(&h, 0), 0, "zero is a value");
	tap_ok(hist_quantile(&h, 1) == UINT64_MAX, "beyond the range: maximum is exact");
}

int main(void)
{
	double worst;
	int i;

	tap_plan(13 + 5);
	/* Small, usual and very long times; and over the switch to log scale. */
	for (i = 0; i < 5; i++) {
		static const double low[] = { 7, 9, 14, 22, 34 };

		worst = worst_error(low[i], low[i] + 5);
		tap_ok(worst <= ACCURACY, "2^%.0f to 2^%.0f ns: off by %.3f %%",
		       low[i], low[i] + 5, 100 * worst);
	}
	test_merge();
	test_edges();
	return tap_exit();
}
