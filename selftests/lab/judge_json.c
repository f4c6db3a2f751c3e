// SPDX-License-Identifier: GPL-2.0
/*
 * results/bench.json: a list of {name, value, unit, bound, holds, peers}. Also
 * the measurements of others, which are known here by name.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "judge.h"

/* @peers: what others reach, as the members of a JSON object */
struct other {
	const char *name, *unit;
	double bound;
	bool at_least;		/* the value must be; else it must be below */
	const char *peers;
	double value;
	bool there;
};

static struct other others[] = {
	{ "instr_oneshot_64", "instructions", 2800, false,
	  "\"bare ioctl\": 2000, \"cryptodev-linux\": 4300, \"AF_ALG, libkcapi\": 22000",
	  0, false },
	{ "instr_batch32_64", "instructions", 1700, false,
	  "\"bare ioctl of 32\": 1290, \"cipher alone\": 735", 0, false },
	{ "instr_oneshot_16k", "instructions", 43000, false,
	  "\"cipher alone\": 38200, \"cryptodev-linux\": 45200, \"AF_ALG, libkcapi\": 92400",
	  0, false },
	{ "two_cpu_scaling", "ratio", 1.8, true, "", 0, false },
	{ "random_over_getrandom", "ratio", 2.5, true, "\"getrandom\": 1",
	  0, false },
	{ "random_scaling", "ratio", 0.95, true,
	  "\"shared source of a JDK, 8 threads\": 0.078", 0, false },
	{ "suite_lookup_ns_max", "ns", 20, false, "", 0, false },
};

#define NR_OTHERS (sizeof(others) / sizeof(others[0]))

static bool other_holds(const struct other *o)
{
	return o->at_least ? o->value >= o->bound : o->value < o->bound;
}

/* What has another name is somebody's note. */
void read_other(const char *line)
{
	char name[64];
	unsigned int i;
	double value;

	if (sscanf(line, "%63s %lf", name, &value) != 2)
		return;
	for (i = 0; i < NR_OTHERS; i++) {
		if (strcmp(others[i].name, name))
			continue;
		others[i].value = value;
		others[i].there = true;
	}
}

void print_others(void)
{
	unsigned int i;

	printf("\nDoor and library, each measured apart\n");
	for (i = 0; i < NR_OTHERS; i++) {
		const struct other *o = &others[i];

		if (!o->there) {
			printf("  %-24s not measured\n", o->name);
			continue;
		}
		printf("  %-24s %10.2f %-12s %s %-8g %-9s %s\n", o->name,
		       o->value, o->unit, o->at_least ? ">=" : "< ", o->bound,
		       other_holds(o) ? "holds" : "NOT HELD", o->peers);
	}
}

static bool first;	/* no comma before the next entry */

static void entry(FILE *f, const char *name, double value, const char *unit,
		  double bound, bool ok)
{
	fprintf(f, "%s\t{\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", ",
		first ? "" : ",\n", name, value, unit);
	fprintf(f, "\"bound\": %g, \"holds\": %s, \"peers\": {", bound,
		ok ? "true" : "false");
	first = false;
}

static void end_entry(FILE *f)
{
	fprintf(f, "}}");
}

static double max_regret(const struct cell *cells, unsigned int nr, int mode,
			 bool balanced)
{
	double max = 0;
	unsigned int i;

	for (i = 0; i < nr; i++)
		max = fmax(max, balanced ? cells[i].balanced[mode].regret :
			   cells[i].throughput[mode].regret);
	return max;
}

/* The peers are the fixed modes, had each been chosen everywhere. */
static void regret(FILE *f, const struct cell *cells, unsigned int nr,
		   bool balanced)
{
	int first_bound = balanced ? 2 : 0, m;
	bool ok = nr_holding(cells, nr, first_bound) == nr &&
		  nr_holding(cells, nr, first_bound + 1) == nr;

	entry(f, balanced ? "regret_balanced_max" : "regret_throughput_max",
	      max_regret(cells, nr, balanced ? ADAPTIVE : THROUGHPUT, balanced),
	      "ratio, modelled", 1 - (balanced ? BALANCED_T : THROUGHPUT_T), ok);
	for (m = 0; m < NR_FIXED; m++)
		fprintf(f, "%s\"%s\": %.6g", m ? ", " : "", mode_name(m),
			max_regret(cells, nr, m, balanced));
	end_entry(f);
}

void print_json(FILE *f, const struct cell *cells, unsigned int nr, double hz)
{
	double v = median_saving(cells, nr);
	unsigned int i;

	first = true;
	fprintf(f, "[\n");
	regret(f, cells, nr, false);
	regret(f, cells, nr, true);
	i = nr_off_frontier(cells, nr);
	entry(f, "cells_off_frontier", i, "cells, modelled", 0, i == 0);
	end_entry(f);
	entry(f, "hybrid_cpu_saving_median", v, "ratio, modelled",
	      HYBRID_SAVING, v >= HYBRID_SAVING);
	fprintf(f, "\"hybrid\": 0");
	end_entry(f);
	v = timer_cap(cells, nr, hz);
	entry(f, "timer_cap_per_hz", v, "replies per tick, modelled", TIMER_CAP,
	      v <= TIMER_CAP && v >= 2 - TIMER_CAP);
	end_entry(f);
	for (i = 0; i < NR_OTHERS; i++) {
		const struct other *o = &others[i];

		if (!o->there)
			continue;
		entry(f, o->name, o->value, o->unit, o->bound, other_holds(o));
		fprintf(f, "%s", o->peers);
		end_entry(f);
	}
	fprintf(f, "\n]\n");
}
