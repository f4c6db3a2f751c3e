// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/apq: sessions and requests, as include/uapi/linux/apq.h has them. Which
 * call goes where; the calls themselves are in keys.c, request.c, async.c.
 *
 * Lifetime: an open file holds its sessions, a request holds the session it
 * uses. No request of APQ_IOC_SUBMIT outlives its file.
 */

#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "../core/bus.h"
#include "device.h"
#include "door.h"

static int device_open(struct inode *inode, struct file *file)
{
	struct apq_file *af = kzalloc(sizeof(*af), GFP_KERNEL);

	if (!af)
		return -ENOMEM;
	xa_init_flags(&af->sessions, XA_FLAGS_ALLOC1);
	spin_lock_init(&af->lock);
	INIT_LIST_HEAD(&af->spares);
	apq_async_init(af);
	file->private_data = af;
	return 0;
}

static int device_release(struct inode *inode, struct file *file)
{
	struct apq_file *af = file->private_data;

	apq_async_exit(af);
	apq_keys_drop(af);
	apq_device_req_drain(af);
	if (af->mode)
		apq_mode_unuse(af->mode);
	kfree(af);
	return 0;
}

static long device_info(struct apq_info __user *arg)
{
	struct apq_info info = {
		.abi_version = APQ_ABI_VERSION,
		.nr_cards = apq_card_count(),
		.algs = apq_dispatch_algs(true),
		.max_data_len = APQ_MAX_DATA_LEN,
		.max_sessions = APQ_MAX_SESSIONS,
		.max_in_flight = APQ_MAX_IN_FLIGHT,
		.max_iov = APQ_MAX_IOV,
		.max_aad_len = APQ_MAX_AAD_LEN,
	};

	return copy_to_user(arg, &info, sizeof(info)) ? -EFAULT : 0;
}

/*
 * Once and for all: a change would have to wait for every request of the
 * file, and another mode is another open away.
 */
static long device_set_mode(struct apq_file *af,
			    struct apq_file_mode __user *arg)
{
	struct apq_file_mode m;
	struct apq_mode *mode;

	if (copy_from_user(&m, arg, sizeof(m)))
		return -EFAULT;
	if (m.flags || memchr_inv(m.reserved, 0, sizeof(m.reserved)) ||
	    !memchr(m.name, 0, sizeof(m.name)))
		return -EINVAL;
	mode = apq_mode_use(m.name);
	if (IS_ERR(mode))
		return PTR_ERR(mode);
	/* Its readers need no order: a mode is ready before it is shown. */
	if (cmpxchg(&af->mode, NULL, mode)) {
		apq_mode_unuse(mode);
		return -EBUSY;
	}
	return 0;
}

static long device_ioctl(struct file *file, unsigned int cmd,
			 unsigned long arg)
{
	struct apq_file *af = file->private_data;
	void __user *uarg = (void __user *)arg;

	switch (cmd) {
	case APQ_IOC_CRYPT:
		return apq_device_crypt(af, arg);
	case APQ_IOC_SUBMIT:
		return apq_async_submit(af, arg);
	case APQ_IOC_REAP:
		return apq_async_reap(af, arg);
	case APQ_IOC_RUN:
		return apq_device_run(af, arg);
	case APQ_IOC_CANCEL:
		return apq_async_cancel(af, arg);
	case APQ_IOC_EVENTFD:
		return apq_async_eventfd(af, arg);
	case APQ_IOC_SET_MODE:
		return device_set_mode(af, uarg);
	case APQ_IOC_INFO:
		return device_info(uarg);
	case APQ_IOC_SESSION_CREATE:
		return apq_keys_create(af, uarg);
	case APQ_IOC_SESSION_DESTROY:
		return apq_keys_destroy(af, arg);
	case APQ_IOC_SESSION_EXPORT:
		return apq_keys_export(af, arg);
	case APQ_IOC_SESSION_IMPORT:
		return apq_keys_import(af, arg);
	default:
		return -ENOTTY;
	}
}

static __poll_t device_poll(struct file *file, struct poll_table_struct *wait)
{
	return apq_async_poll(file->private_data, file, wait);
}

static const struct file_operations device_fops = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.unlocked_ioctl = device_ioctl,
	/* Same layout for 32-bit callers; a number fits either way. */
	.compat_ioctl = device_ioctl,
	.poll = device_poll,
	.llseek = noop_llseek,
};

static struct miscdevice device_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "apq",
	.fops = &device_fops,
	.mode = 0666,
};

int apq_device_init(void)
{
	return misc_register(&device_misc);
}

void apq_device_exit(void)
{
	misc_deregister(&device_misc);
}
