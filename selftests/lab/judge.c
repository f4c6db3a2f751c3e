// SPDX-License-Identifier: GPL-2.0
/*
 * Judges what grid measured: how far mode adaptive is, in each cell, from the
 * best choice that was possible there. The bounds are those of
 * Documentation/measuring.rst.
 *
 * usage: judge --hz HZ [--json FILE] [--heat FILE] FILE...
 * Reads grid's lines, and "name value" lines of other measurements, which it
 * knows by name. The table goes to stdout. Exit status: 0 judged, whatever
 * came out; 1 a cell is not complete, or there is none; 2 usage.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "judge.h"

#define MAX_CELLS	2048

static const char *const mode_names[NR_MODES] = {
	"timer", "hrtimer", "thread", "irq", "caller", "hybrid", "adaptive",
	"throughput",
};

static struct cell cells[MAX_CELLS];
static unsigned int nr_cells;

_Noreturn void die(const char *what)
{
	fprintf(stderr, "judge: %s\n", what);
	exit(1);
}

const char *mode_name(int mode)
{
	return mode_names[mode];
}

/* The cell with the same coordinates as @key, added if it is new. */
static struct cell *cell_of(const struct cell *key)
{
	unsigned int i;

	for (i = nr_cells; i-- > 0;) {
		const struct cell *c = &cells[i];

		if (!strcmp(c->op, key->op) && c->len == key->len &&
		    c->callers == key->callers && c->service == key->service &&
		    c->engines == key->engines && c->load == key->load &&
		    c->jitter == key->jitter)
			return &cells[i];
	}
	if (nr_cells == MAX_CELLS)
		die("too many cells");
	cells[nr_cells] = *key;
	return &cells[nr_cells++];
}

static int mode_of(const char *name)
{
	int m;

	for (m = 0; m < NR_MODES; m++)
		if (!strcmp(mode_names[m], name))
			return m;
	die("a mode that nobody knows");
}

static void read_figure(const char *line)
{
	struct cell key = { .nr_there = 0 }, *c;
	struct figure f;
	char mode[16];
	int m;

	if (sscanf(line, "modelled %15s %u %u %u %u %u %u %15s %lf %lf %lf %lf",
		   key.op, &key.len, &key.callers, &key.service, &key.engines,
		   &key.load, &key.jitter, mode, &f.t, &f.c, &f.p50,
		   &f.p99) != 12)
		die("not a line of grid");
	if (!(f.t > 0) || !(f.c > 0) || !(f.p99 > 0))
		die("a figure that cannot be");
	m = mode_of(mode);
	c = cell_of(&key);
	if (!c->f[m].t)
		c->nr_there++;
	c->f[m] = f;
}

static void read_file(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[256];

	if (!f)
		die(path);
	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, "modelled ", 9))
			read_figure(line);
		else
			read_other(line);
	}
	fclose(f);
}

/* Only cells with all modes can be judged. */
static unsigned int drop_incomplete(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < nr_cells; i++)
		if (cells[i].nr_there == NR_MODES)
			cells[nr++] = cells[i];
	i = nr_cells - nr;
	nr_cells = nr;
	return i;
}

static int order(unsigned int x, unsigned int y)
{
	return (x > y) - (x < y);
}

/* Guests take turns at the cells: back into the order of a table. */
static int compare_cells(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;
	int o = order(x->load, y->load);

	o = o ? o : strcmp(x->op, y->op);
	o = o ? o : order(x->len, y->len);
	o = o ? o : order(x->jitter, y->jitter);
	o = o ? o : order(x->service, y->service);
	o = o ? o : order(x->engines, y->engines);
	return o ? o : order(x->callers, y->callers);
}

/* Is @m at once better than @me by more than OFF_FRONTIER in both? */
static bool beats(const struct figure *m, const struct figure *me)
{
	return m->t > me->t * (1 + OFF_FRONTIER) &&
	       m->c < me->c * (1 - OFF_FRONTIER);
}

static double worse(double lost, double spent)
{
	return lost > spent ? lost : spent;
}

/* @mode against @ref, the fixed mode that it should be as good as */
static void compare(struct cell *c, int mode, int ref, struct verdict *v)
{
	int m;

	v->ref = ref;
	v->t = c->f[mode].t / c->f[c->best].t;
	v->c = c->f[mode].c / c->f[ref].c;
	v->p99 = c->f[mode].p99 / c->f[ref].p99;
	v->regret = worse(1 - v->t, v->c - 1);
	if (v->regret < 0)
		v->regret = 0;
	v->beaten_by = -1;
	for (m = 0; m < NR_FIXED; m++)
		if (beats(&c->f[m], &c->f[mode]))
			v->beaten_by = m;
}

static void judge(struct cell *c)
{
	int m;

	c->best = 0;
	for (m = 1; m < NR_FIXED; m++)
		if (c->f[m].t > c->f[c->best].t)
			c->best = m;
	c->cheapest = c->best;
	for (m = 0; m < NR_FIXED; m++)
		if (c->f[m].t >= BALANCED_T * c->f[c->best].t &&
		    c->f[m].c < c->f[c->cheapest].c)
			c->cheapest = m;
	for (m = 0; m < NR_MODES; m++) {
		compare(c, m, c->cheapest, &c->balanced[m]);
		compare(c, m, c->best, &c->throughput[m]);
	}
	c->hybrid_t = c->f[ADAPTIVE].t / c->f[HYBRID].t;
	c->hybrid_saving = 1 - c->f[ADAPTIVE].c / c->f[HYBRID].c;
}

static double option_number(const char *text)
{
	char *end;
	double v = strtod(text, &end);

	if (*end || !(v > 0))
		die("--hz takes a number");
	return v;
}

static FILE *create(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		die(path);
	return f;
}

static void finish(FILE *f)
{
	if (ferror(f) || fclose(f))
		die("cannot write");
}

int main(int argc, char **argv)
{
	const char *json = NULL, *heat = NULL;
	unsigned int i, missing;
	double hz = 0;
	FILE *f;
	int arg;

	for (arg = 1; arg + 1 < argc && argv[arg][0] == '-'; arg += 2) {
		if (!strcmp(argv[arg], "--hz"))
			hz = option_number(argv[arg + 1]);
		else if (!strcmp(argv[arg], "--json"))
			json = argv[arg + 1];
		else if (!strcmp(argv[arg], "--heat"))
			heat = argv[arg + 1];
		else
			break;
	}
	if (!hz || arg >= argc || argv[arg][0] == '-') {
		fprintf(stderr, "usage: judge --hz HZ [--json FILE] [--heat FILE] FILE...\n");
		return 2;
	}
	for (; arg < argc; arg++)
		read_file(argv[arg]);
	missing = drop_incomplete();
	qsort(cells, nr_cells, sizeof(cells[0]), compare_cells);
	for (i = 0; i < nr_cells; i++)
		judge(&cells[i]);
	print_table(cells, nr_cells, hz);
	if (missing)
		printf("%u cells are not complete and were not judged\n",
		       missing);
	if (json) {
		f = create(json);
		print_json(f, cells, nr_cells, hz);
		finish(f);
	}
	if (heat) {
		f = create(heat);
		print_heat(f, cells, nr_cells);
		finish(f);
	}
	if (fflush(stdout))
		die("cannot write");
	return missing || !nr_cells;
}
