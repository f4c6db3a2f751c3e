/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle-priority soaker: what is left of each CPU, measured by using it up.
 */
#ifndef APTUNE_SOAKER_H
#define APTUNE_SOAKER_H

#include <stdint.h>

struct soaker;

/**
 * struct soaker_state - how far the soaker can be trusted
 * @cpus: CPUs it runs on
 * @units_per_s: sum of the calibrated rates, for the record
 * @noise_percent: spread of the rate while it was calibrated; a smaller share of
 *		   the machine cannot be told from nothing
 * @busy_percent: share of the CPUs that others had during the calibration
 * @drift_percent: largest deviation that a recheck found
 * @checks: rechecks made
 * @recalibrations: rechecks after which the rate was changed
 */
struct soaker_state {
	unsigned int cpus;
	double units_per_s;
	double noise_percent;
	double busy_percent;
	double drift_percent;
	unsigned int checks, recalibrations;
};

/**
 * struct soaker_sample - work done up to a moment
 * @time: CLOCK_MONOTONIC in ns
 * @cpu: per CPU the units done and the CPU time used for them so far, exact
 */
struct soaker_sample {
	uint64_t time;
	struct {
		uint64_t units, run_ns;
	} *cpu;
};

/*
 * Start the soaker's processes, parked. Call before other threads exist.
 * Returns 0, or -1 after it complained.
 */
int soaker_create(struct soaker **s);
void soaker_destroy(struct soaker *s);

/*
 * Learn how fast the machine is; takes half a second, on a busy machine up to
 * four. 0, -EINTR if a signal came, -ESRCH if the soaker is gone, -EBUSY if it
 * got next to nothing of some CPU, -ENOMEM.
 */
int soaker_calibrate(struct soaker *s);

/*
 * Compare the rate of the machine now with the one in force. A
 * deviation over SOAKER_DRIFT_MAX that a second look confirms replaces it.
 * Takes 0.1 to 0.2 s. Returns as soaker_calibrate().
 */
#define SOAKER_DRIFT_MAX	3.0	/* percent */
int soaker_check(struct soaker *s);

void soaker_run(struct soaker *s);
void soaker_park(struct soaker *s);

/* Room for a sample of this soaker. Returns 0, or -1 out of memory. */
int soaker_sample_init(const struct soaker *s, struct soaker_sample *sample);
void soaker_sample_free(struct soaker_sample *sample);

void soaker_read(const struct soaker *s, struct soaker_sample *sample);

/* Percent of the machine that others had between two samples: 0 to 100. */
double soaker_used(const struct soaker *s, const struct soaker_sample *from,
		   const struct soaker_sample *to);

/* The same from the scheduler's exact account of the soaker's run time. */
double soaker_used_by_time(const struct soaker *s,
			   const struct soaker_sample *from,
			   const struct soaker_sample *to);

/*
 * Speed of the soaker while it had a CPU, relative to its calibrated rate; NAN
 * if it had none.
 */
double soaker_speed(const struct soaker *s, const struct soaker_sample *from,
		    const struct soaker_sample *to);

const struct soaker_state *soaker_state(const struct soaker *s);

#endif
