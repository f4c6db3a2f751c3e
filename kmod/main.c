// SPDX-License-Identifier: GPL-2.0
/* apq: parameters, and the order in which the parts start and stop. */

#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include "card/capi.h"
#include "card/fault.h"
#include "card/null.h"
#include "completion/switch.h"
#include "completion/watchdog.h"
#include "core/bus.h"
#include "core/session.h"
#include "door/door.h"

static char *mode = "hrtimer";
module_param(mode, charp, 0444);
MODULE_PARM_DESC(mode, "completion mode at load: timer, hrtimer, thread, irq, caller, hybrid, adaptive");

static bool poll_thread;
module_param(poll_thread, bool, 0444);
MODULE_PARM_DESC(poll_thread, "1: mode thread at load, as z90crypt has it");

static ulong poll_timeout = APQ_POLL_TIMEOUT_DEFAULT;
module_param(poll_timeout, ulong, 0444);
MODULE_PARM_DESC(poll_timeout, "interval of mode hrtimer in ns, 1 to 120000000000");

static uint request_timeout = APQ_REQUEST_TIMEOUT_DEFAULT;
module_param(request_timeout, uint, 0444);
MODULE_PARM_DESC(request_timeout, "longest stay of a request inside a card in ms, 100 to 900000");

static uint cards = 1;
module_param(cards, uint, 0444);
MODULE_PARM_DESC(cards, "software cards, 1 to 64; with null=1 also 0");

/* For the lab: see card/null.c. */
static bool null;
module_param(null, bool, 0444);
MODULE_PARM_DESC(null, "1: one more card, which answers without computing");

static uint domains = 1;
module_param(domains, uint, 0444);
MODULE_PARM_DESC(domains, "queues of each card, 1 to 16");

static int engine_cpu = -1;
module_param(engine_cpu, int, 0444);
MODULE_PARM_DESC(engine_cpu, "CPU that computes, -1 for any");

/*
 * Below 100, which the slowest drivers of the kernel have: our algorithms are
 * only used where somebody names them.
 */
static int prio = 10;
module_param(prio, int, 0444);
MODULE_PARM_DESC(prio, "priority of our drivers in the crypto API");

/* The kernel reads from its hwrng now and then, which measurements notice. */
static bool hwrng = true;
module_param(hwrng, bool, 0444);
MODULE_PARM_DESC(hwrng, "0: no hwrng device");

static bool legacy;
module_param(legacy, bool, 0444);
MODULE_PARM_DESC(legacy, "1: RC4 too, which is insecure");

/* Folder of the module in debugfs; without debugfs an error pointer, fine. */
static struct dentry *debug_dir;

static int __init apq_init(void)
{
	int ret;

	ret = apq_poll_timeout_set(poll_timeout);
	if (ret) {
		pr_err("poll_timeout=%lu: must be 1 to %llu ns\n",
		       poll_timeout, APQ_POLL_TIMEOUT_MAX);
		return ret;
	}
	ret = apq_request_timeout_set(request_timeout);
	if (ret) {
		pr_err("request_timeout=%u: must be %u to %u ms\n",
		       request_timeout, APQ_REQUEST_TIMEOUT_MIN,
		       APQ_REQUEST_TIMEOUT_MAX);
		return ret;
	}
	if (!cards && !null) {
		pr_err("cards=0: must be 1 to %u\n", APQ_MAX_CARDS);
		return -EINVAL;
	}
	ret = apq_session_init();
	if (ret)
		return ret;
	ret = apq_bus_init();
	if (ret)
		goto out_session;
	ret = apq_mode_init(mode);
	if (ret)
		goto out_bus;
	ret = apq_mode_sysfs_add();
	if (ret)
		goto out_mode;
	debug_dir = debugfs_create_dir("apq", NULL);
	apq_fault_init(debug_dir);
	apq_chkstop_init(debug_dir);
	ret = apq_capi_init(cards, domains, engine_cpu, legacy);
	if (ret)
		goto out_debug;
	ret = null ? apq_null_init(cards, domains) : 0;
	if (ret)
		goto out_capi;
	apq_scan_start();
	ret = apq_skcipher_init(prio);
	if (ret)
		goto out_null;
	ret = apq_mode_set_first(mode, poll_thread);
	if (ret)
		goto out_skcipher;
	ret = apq_z90crypt_init();
	if (ret)
		goto out_skcipher;
	ret = hwrng ? apq_hwrng_init() : 0;
	if (ret)
		goto out_z90crypt;
	ret = apq_device_init();
	if (ret)
		goto out_hwrng;
	return 0;

out_hwrng:
	if (hwrng)
		apq_hwrng_exit();
out_z90crypt:
	apq_z90crypt_exit();
out_skcipher:
	apq_skcipher_exit();
out_null:
	apq_scan_stop();
	apq_null_exit();
out_capi:
	apq_capi_exit();
out_debug:
	debugfs_remove_recursive(debug_dir);
	apq_fault_exit();
	apq_mode_sysfs_remove();
out_mode:
	apq_mode_exit();
out_bus:
	apq_dispatch_exit();
	apq_bus_exit();
out_session:
	apq_session_exit();
	rcu_barrier();
	return ret;
}

/*
 * The module cannot go while a file of ours is open or an algorithm in use,
 * so no request can come; one that a killed caller left behind may still be
 * inside a card, whose unregistration waits for it.
 */
static void __exit apq_exit(void)
{
	apq_device_exit();
	if (hwrng)
		apq_hwrng_exit();
	apq_z90crypt_exit();
	apq_skcipher_exit();
	apq_scan_stop();
	apq_retry_flush();
	apq_null_exit();
	apq_capi_exit();
	debugfs_remove_recursive(debug_dir);
	apq_fault_exit();
	apq_mode_sysfs_remove();
	apq_mode_exit();
	apq_dispatch_exit();
	apq_bus_exit();
	apq_session_exit();
	/* Queues and tables are freed after a grace period. */
	rcu_barrier();
}

module_init(apq_init);
module_exit(apq_exit);
MODULE_DESCRIPTION("AP-style crypto adapter queue with selectable completion");
MODULE_AUTHOR("The apq maintainers");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1.0");
