/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measure one cell: run the workload through its windows, weigh the CPUs.
 */
#ifndef APTUNE_MEASURE_H
#define APTUNE_MEASURE_H

#include "kthread.h"
#include "result.h"
#include "soaker.h"
#include "workload.h"

/**
 * struct meter - what measuring a cell needs besides the workload
 * @soaker: calibrated
 * @poll, @engine: kernel threads, found after the mode was set
 * @from, @to: samples around the soaked window
 */
struct meter {
	struct soaker *soaker;
	struct kthread_list poll, engine;
	struct soaker_sample from, to;
};

/* Returns 0, or -1 after it complained. */
int meter_create(struct meter *m);
void meter_destroy(struct meter *m);

/*
 * Measure @load for @time_ms in the mode that is set, and fill the measured
 * fields of @r. Returns 0, -EINTR if a signal came, -EIO if a request failed or
 * was answered wrongly (see workload_failure()), or another negative errno after
 * it complained.
 */
int measure_cell(struct meter *m, struct workload *load, unsigned int time_ms,
		 struct result *r);

#endif
