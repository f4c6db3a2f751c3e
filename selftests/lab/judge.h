/* SPDX-License-Identifier: GPL-2.0 */
/* The cells of the grid, their verdicts, and who prints them. */
#ifndef APQ_LAB_JUDGE_H
#define APQ_LAB_JUDGE_H

#include <stdio.h>

/* The bounds; ratios. */
#define THROUGHPUT_T	0.99	/* of the best T */
#define THROUGHPUT_C	1.00	/* of the C of the mode with the best T */
#define BALANCED_T	0.95	/* of the best T */
#define BALANCED_C	1.05	/* of the lowest C of modes with BALANCED_T */
#define OFF_FRONTIER	0.02	/* another mode better in both by more */
#define P99		1.10	/* of the mode that is compared with */
#define HYBRID_T	0.99	/* of hybrid's */
#define HYBRID_SAVING	0.20	/* of hybrid's C, median of the cells */
#define TIMER_CAP	1.10	/* of HZ; and no less than 0.9 */

enum mode {
	TIMER, HRTIMER, THREAD, IRQ, CALLER, HYBRID,
	NR_FIXED,
	ADAPTIVE = NR_FIXED,	/* preference balanced */
	THROUGHPUT,		/* adaptive with preference throughput */
	NR_MODES
};

/* Requests per second, CPU ns per request, latency in ns */
struct figure {
	double t, c, p50, p99;
};

/*
 * One mode against @ref, the mode it should match: ratios, and the larger of
 * the T that is lost and the C that is spent in excess
 */
struct verdict {
	int ref;
	int beaten_by;		/* a mode that is better in T and C, or -1 */
	double t, c, p99;
	double regret;
};

struct cell {
	char op[16];
	unsigned int len, callers, service, engines, load, jitter;
	unsigned int nr_there;
	struct figure f[NR_MODES];
	int best;		/* the fixed mode with the highest T */
	int cheapest;		/* with the lowest C where T is good enough */
	struct verdict balanced[NR_MODES];
	struct verdict throughput[NR_MODES];
	double hybrid_t, hybrid_saving;
};

/* judge.c: */
_Noreturn void die(const char *what);
const char *mode_name(int mode);

/* judge_print.c: */
double timer_cap(const struct cell *cells, unsigned int nr, double hz);
double median_saving(const struct cell *cells, unsigned int nr);
unsigned int nr_off_frontier(const struct cell *cells, unsigned int nr);
void print_table(const struct cell *cells, unsigned int nr, double hz);
void print_heat(FILE *f, const struct cell *cells, unsigned int nr);

/* judge_json.c: */
void read_other(const char *line);
void print_others(void);
void print_json(FILE *f, const struct cell *cells, unsigned int nr, double hz);

/* The bounds that every cell must hold, by number; see judge_print.c. */
#define NR_BOUNDS 9
int holds(const struct cell *c, int bound);
unsigned int nr_holding(const struct cell *cells, unsigned int nr, int bound);

#endif
