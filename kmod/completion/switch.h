/* SPDX-License-Identifier: GPL-2.0 */
/* Choosing a completion mode; parameters and sysfs use it. */
#ifndef APQ_COMPLETION_SWITCH_H
#define APQ_COMPLETION_SWITCH_H

#include "../core/completion.h"

/* Interval of mode hrtimer in nanoseconds: 4 kHz, as the AP bus in an LPAR. */
#define APQ_POLL_TIMEOUT_DEFAULT	250000ULL
/* The AP bus takes up to two minutes. */
#define APQ_POLL_TIMEOUT_MAX		120000000000ULL

/* How long a caller polls in mode caller before it sleeps; about two wake-ups. */
#define APQ_SPIN_NS_DEFAULT		20000U
#define APQ_SPIN_NS_MAX			10000000U

/* Longest time that mode adaptive lets a reply wait: two ticks of 250 Hz. */
#define APQ_LATENCY_US_DEFAULT		8000U
#define APQ_LATENCY_US_MAX		1000000U

int apq_mode_init(const char *name);
int apq_mode_set_first(const char *name, bool poll_thread);
void apq_mode_exit(void);
int apq_mode_set(const char *name);
int apq_poll_thread_set(bool on);
bool apq_mode_is(const struct apq_mode *mode);
bool apq_mode_wanted(struct apq_mode *mode);
ssize_t apq_mode_list(char *buf);
int apq_poll_timeout_set(u64 ns);
u64 apq_poll_timeout_get(void);
int apq_spin_ns_set(unsigned int ns);
unsigned int apq_spin_ns_get(void);
int apq_latency_us_set(unsigned int us);
unsigned int apq_latency_us_get(void);
void apq_preference_set(bool throughput);
bool apq_preference_get(void);
bool apq_caller_spin(struct apq_req *req, u64 ns);
bool apq_caller_sleep(struct apq_req *req, u64 until);
bool apq_mode_uncovered(struct apq_queue *aq);
void apq_irq_reply(struct apq_queue *aq);
void apq_irq_init(void);
void apq_irq_exit(void);
int apq_mode_sysfs_add(void);
void apq_mode_sysfs_remove(void);

#endif
