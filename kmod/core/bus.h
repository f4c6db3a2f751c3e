/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The adapter bus: all cards and queues, and the walk over those at work.
 *
 * Order of locks, outermost first:
 *  1. apq_mode_lock	switching of completion modes
 *  2. apq_hotplug_lock	cards and queues come and go; held over device_add()
 *			and device_del(), so a writer of an attribute that
 *			device_del() waits for must not sleep on it
 *  3. device locks	of the driver core, around probe and remove
 *  4. apq_bus_lock	tables of cards and queues, and their states
 *  5. apq_queue.lock	one queue (BH off); never two of them at once
 *  6. locks of a card	inside the queue's lock (BH off)
 *  7. retry list	leaf
 */
#ifndef APQ_CORE_BUS_H
#define APQ_CORE_BUS_H

#include <linux/device.h>
#include <linux/mutex.h>
#include "card.h"
#include "completion.h"
#include "queue.h"

extern struct mutex apq_bus_lock;

/* model.c */
extern struct bus_type apq_bus_type;
int apq_bus_init(void);
void apq_bus_exit(void);
struct device *apq_bus_root(void);
bool apq_bus_zcrypt_present(void);

/* bus.c */
enum apq_wait apq_bus_poll(void);
bool apq_bus_busy(void);
void apq_bus_replan(void);
void apq_bus_poll_slow(void);
bool apq_bus_slow(void);
void apq_bus_watch(unsigned int limit_ms);
void apq_bus_mark_busy(struct apq_queue *aq, bool busy, bool slow);
int apq_bus_add_queue(struct apq_queue *aq);
void apq_bus_del_queue(struct apq_queue *aq);
struct apq_queue *apq_bus_queue(unsigned int index);
struct apq_queue *apq_bus_queue_rcu(unsigned int index);

/* dispatch.c: call after every change of what is usable */
void apq_dispatch_rebuild(void);
void apq_dispatch_exit(void);
struct apq_queue *apq_dispatch_pick(struct apq_req *req);
struct apq_queue *apq_dispatch_idle(struct apq_req *req);
void apq_dispatch_drop(struct apq_queue *aq, struct apq_req *req);
u64 apq_dispatch_algs(bool lab);
bool apq_dispatch_runs(void);

/* req.c */
void apq_retry_flush(void);

/* chkstop.c */
struct dentry;
void apq_chkstop_init(struct dentry *dir);

/* scan.c */
void apq_scan_start(void);
void apq_scan_stop(void);
bool apq_scan(void);
int apq_domain_get(void);

#endif
