// SPDX-License-Identifier: GPL-2.0
/* The verdicts as text: all figures, regret worst first, the bounds, history. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "judge.h"

static const char *const bound_texts[NR_BOUNDS] = {
	"preference throughput: T >= 0.99 x the best T",
	"preference throughput: C <= that of the mode with the best T",
	"preference balanced: T >= 0.95 x the best T",
	"preference balanced: C <= 1.05 x the lowest of modes with 0.95 x best T",
	"preference throughput: on the frontier",
	"preference balanced: on the frontier",
	"preference throughput: p99 <= 1.1 x that of the mode with the best T",
	"preference balanced: p99 <= 1.1 x that of the cheapest such mode",
	"preference balanced: T >= 0.99 x that of hybrid",
};

/* In the list of cells, where there is no room. */
static const char *const bound_names[NR_BOUNDS] = {
	"thr-T", "thr-C", "bal-T", "bal-C", "thr-off", "bal-off", "thr-p99",
	"bal-p99", "hybrid-T",
};

int holds(const struct cell *c, int bound)
{
	const struct verdict *b = &c->balanced[ADAPTIVE];
	const struct verdict *t = &c->throughput[THROUGHPUT];
	const bool ok[NR_BOUNDS] = {
		t->t >= THROUGHPUT_T, t->c <= THROUGHPUT_C,
		b->t >= BALANCED_T, b->c <= BALANCED_C,
		t->beaten_by < 0, b->beaten_by < 0,
		t->p99 <= P99, b->p99 <= P99, c->hybrid_t >= HYBRID_T,
	};

	return ok[bound];
}

unsigned int nr_holding(const struct cell *cells, unsigned int nr, int bound)
{
	unsigned int i, sum = 0;

	for (i = 0; i < nr; i++)
		sum += holds(&cells[i], bound);
	return sum;
}

unsigned int nr_off_frontier(const struct cell *cells, unsigned int nr)
{
	unsigned int i, sum = 0;

	for (i = 0; i < nr; i++)
		sum += !holds(&cells[i], 4) || !holds(&cells[i], 5);
	return sum;
}

static int compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double median_saving(const struct cell *cells, unsigned int nr)
{
	double *v = calloc(nr + 1, sizeof(*v)), median;
	unsigned int i;

	if (!v)
		die("no memory");
	for (i = 0; i < nr; i++)
		v[i] = cells[i].hybrid_saving;
	qsort(v, nr, sizeof(*v), compare_double);
	median = nr % 2 ? v[nr / 2] : nr ? (v[nr / 2 - 1] + v[nr / 2]) / 2 : 0;
	free(v);
	return median;
}

/*
 * Mode timer with one caller that waits for each answer: T / HZ where it is
 * farthest from 1, of the cards that could do twice as much.
 */
double timer_cap(const struct cell *cells, unsigned int nr, double hz)
{
	double cap = 0, v;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		const struct cell *c = &cells[i];

		if (c->callers != 1 || c->load || 1e9 / c->service < 2 * hz)
			continue;
		v = c->f[TIMER].t / hz;
		if (!cap || fabs(v - 1) > fabs(cap - 1))
			cap = v;
	}
	return cap;
}

static void print_service(FILE *f, unsigned int ns)
{
	if (ns % 1000000 == 0)
		fprintf(f, "%u ms", ns / 1000000);
	else
		fprintf(f, "%g us", ns / 1000.0);
}

static void print_row_name(FILE *f, const struct cell *c)
{
	fprintf(f, "%s %u B, ", c->op, c->len);
	print_service(f, c->service);
	fprintf(f, " x %u", c->engines);
	if (c->jitter)
		fprintf(f, " +-%u %%", c->jitter);
	if (c->load)
		fprintf(f, ", load %u %%", c->load);
}

static void print_cell_name(const struct cell *c)
{
	print_row_name(stdout, c);
	printf(", %u caller%s", c->callers, c->callers == 1 ? "" : "s");
}

static void print_figures(const struct cell *c)
{
	int m;

	print_cell_name(c);
	printf("\n");
	for (m = 0; m < NR_MODES; m++) {
		const struct figure *f = &c->f[m];

		printf("  %-10s %10.1f %10.0f %12.0f %12.0f", mode_name(m),
		       f->t, f->c, f->p50, f->p99);
		printf("%s%s\n", m == c->best ? "  best T" : "",
		       m == c->cheapest ? "  cheapest" : "");
	}
}

static double worst_regret(const struct cell *c)
{
	return fmax(c->balanced[ADAPTIVE].regret,
		    c->throughput[THROUGHPUT].regret);
}

static int by_regret(const void *a, const void *b)
{
	const struct cell *const *x = a, *const *y = b;
	double p = worst_regret(*x), q = worst_regret(*y);

	return (p < q) - (p > q);
}

static void print_verdict(const char *name, const struct verdict *v)
{
	printf("  %s %6.3f  T %5.3f  C %6.3f  p99 %6.2f  of %-7s", name,
	       v->regret, v->t, v->c, v->p99, mode_name(v->ref));
}

static void print_regrets(const struct cell *cells, unsigned int nr)
{
	const struct cell **sorted = calloc(nr + 1, sizeof(*sorted));
	unsigned int i;
	int b;

	if (!sorted)
		die("no memory");
	for (i = 0; i < nr; i++)
		sorted[i] = &cells[i];
	qsort(sorted, nr, sizeof(*sorted), by_regret);
	printf("\nRegret of mode adaptive, worst cell first: what is lost of the best T, or\n"
	       "spent above the C of the mode that is compared with; and what is not held\n");
	for (i = 0; i < nr; i++) {
		const struct cell *c = sorted[i];

		print_cell_name(c);
		printf("\n");
		print_verdict("balanced  ", &c->balanced[ADAPTIVE]);
		printf("  C %6.3f T %5.3f of hybrid\n", 1 - c->hybrid_saving,
		       c->hybrid_t);
		print_verdict("throughput", &c->throughput[THROUGHPUT]);
		for (b = 0; b < NR_BOUNDS; b++)
			if (!holds(c, b))
				printf(" %s", bound_names[b]);
		printf("\n");
	}
	free(sorted);
}

/* What the poll thread gains over the timer, one row for each card. */
static void print_gain(const struct cell *cells, unsigned int nr)
{
	const struct cell *c, *row = NULL;
	unsigned int i;

	printf("\nT of mode thread over that of mode timer, by callers: what the poll thread gains\n");
	for (i = 0; i < nr; i++) {
		c = &cells[i];
		if (c->load || strcmp(c->op, "aes128") || c->len != 2048)
			continue;
		if (!row || row->service != c->service ||
		    row->engines != c->engines) {
			printf("%s  ", row ? "\n" : "");
			print_row_name(stdout, c);
			printf(":");
		}
		row = c;
		printf("  %u: %.2f", c->callers, c->f[THREAD].t / c->f[TIMER].t);
	}
	printf("\n");
}

static void print_bounds(const struct cell *cells, unsigned int nr, double hz)
{
	unsigned int n, i, all = 0;
	int b;

	printf("\nBounds, and the cells that hold them\n");
	for (b = 0; b < NR_BOUNDS; b++) {
		n = nr_holding(cells, nr, b);
		printf("  %-72s %4u of %u%s\n", bound_texts[b], n, nr,
		       n == nr ? "" : "  NOT HELD");
	}
	for (i = 0; i < nr; i++) {
		for (b = 0; b < NR_BOUNDS && holds(&cells[i], b); b++)
			;
		all += b == NR_BOUNDS;
	}
	printf("  %-72s %4u of %u\n", "all of these", all, nr);
	printf("  CPU per request saved against hybrid, median: %.3f, at least %.2f%s\n",
	       median_saving(cells, nr), HYBRID_SAVING,
	       median_saving(cells, nr) >= HYBRID_SAVING ? "" : "  NOT HELD");
	printf("  mode timer, one caller: replies per tick (HZ = %g): %.3f\n", hz,
	       timer_cap(cells, nr, hz));
}

void print_table(const struct cell *cells, unsigned int nr, double hz)
{
	unsigned int i;

	printf("Modelled card (null engine under the service model) in the lab (emulated CPU, one\n"
	       "instruction is one virtual ns): nothing here is the time of a real machine.\n"
	       "\n  %-10s %10s %10s %12s %12s\n", "mode", "T, 1/s", "C, ns",
	       "p50, ns", "p99, ns");
	for (i = 0; i < nr; i++)
		print_figures(&cells[i]);
	print_regrets(cells, nr);
	print_gain(cells, nr);
	print_others();
	print_bounds(cells, nr, hz);
}

static bool same_row(const struct cell *a, const struct cell *b)
{
	return !strcmp(a->op, b->op) && a->len == b->len &&
	       a->service == b->service && a->engines == b->engines &&
	       a->load == b->load && a->jitter == b->jitter;
}

/* "row column callers regret-balanced regret-throughput "name"" for heat.gp */
void print_heat(FILE *f, const struct cell *cells, unsigned int nr)
{
	static const unsigned int columns[] = { 1, 2, 4, 8, 20 };
	unsigned int i, j, row = 0, col;

	for (i = 0; i < nr; i++) {
		const struct cell *c = &cells[i];

		for (j = 0; j < i && !same_row(&cells[j], c); j++)
			;
		if (j < i)
			continue;
		row++;
		for (j = i; j < nr; j++) {
			const struct cell *d = &cells[j];

			if (!same_row(c, d))
				continue;
			for (col = 0; col < 4 && columns[col] < d->callers; col++)
				;
			fprintf(f, "%u %u %u %.4f %.4f \"", row, col + 1,
				d->callers, d->balanced[ADAPTIVE].regret,
				d->throughput[THROUGHPUT].regret);
			print_row_name(f, d);
			fprintf(f, "\"\n");
		}
	}
}
