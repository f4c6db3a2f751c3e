// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/apq: sessions and requests, as include/uapi/linux/apq.h has them.
 *
 * Lifetime: an open file holds its sessions, a request holds the session it
 * uses.
 */

#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/xarray.h>
#include <uapi/linux/apq.h>
#include "../core/bus.h"
#include "../core/session.h"
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
	file->private_data = af;
	return 0;
}

static int device_release(struct inode *inode, struct file *file)
{
	struct apq_file *af = file->private_data;
	struct apq_session *s;
	unsigned long id;

	xa_for_each(&af->sessions, id, s)
		apq_session_put(s);
	xa_destroy(&af->sessions);
	apq_device_req_drain(af);
	kfree(af);
	return 0;
}

static long device_info(struct apq_info __user *arg)
{
	struct apq_info info = {
		.abi_version = APQ_ABI_VERSION,
		.nr_cards = apq_card_count(),
		.algs = apq_dispatch_algs(),
		.max_data_len = APQ_MAX_DATA_LEN,
		.max_sessions = APQ_MAX_SESSIONS,
	};

	return copy_to_user(arg, &info, sizeof(info)) ? -EFAULT : 0;
}

static int load_key(struct apq_session *s, const struct apq_session_create *c)
{
	u8 key[APQ_MAX_KEY_LEN];
	int ret;

	if (copy_from_user(key, u64_to_user_ptr(c->key), c->key_len))
		ret = -EFAULT;
	else
		ret = apq_session_setkey(s, key, c->key_len);
	memzero_explicit(key, sizeof(key));
	return ret;
}

/* Gives a session a number of the file, which it returns, or -errno. */
static int session_add(struct apq_file *af, struct apq_session *s)
{
	u32 id;
	int ret;

	xa_lock(&af->sessions);
	ret = __xa_alloc(&af->sessions, &id, s, XA_LIMIT(1, APQ_MAX_SESSIONS),
			 GFP_KERNEL);
	if (!ret && id < APQ_FILE_FIRST)
		rcu_assign_pointer(af->first[id], s);
	xa_unlock(&af->sessions);
	if (ret)
		return ret == -EBUSY ? -ENOSPC : ret;
	return id;
}

static long session_create(struct apq_file *af,
			   struct apq_session_create __user *arg)
{
	struct apq_session_create c;
	struct apq_session *s;
	int ret;

	if (copy_from_user(&c, arg, sizeof(c)))
		return -EFAULT;
	if (c.flags || memchr_inv(c.reserved, 0, sizeof(c.reserved)) ||
	    c.key_len > APQ_MAX_KEY_LEN)
		return -EINVAL;
	s = apq_session_create(c.alg);
	if (IS_ERR(s))
		return PTR_ERR(s);
	ret = load_key(s, &c);
	if (ret)
		goto out_put;
	ret = session_add(af, s);
	if (ret > 0)
		return ret;
out_put:
	apq_session_put(s);
	return ret;
}

static long session_destroy(struct apq_file *af, unsigned long id)
{
	struct apq_session *s;

	xa_lock(&af->sessions);
	s = xa_load(&af->sessions, id);
	if (s && id < APQ_FILE_FIRST)
		RCU_INIT_POINTER(af->first[id], NULL);
	__xa_erase(&af->sessions, id);
	xa_unlock(&af->sessions);
	if (!s)
		return -ENOENT;
	apq_session_put(s);
	return 0;
}

static long device_crypt(struct apq_file *af, struct apq_op __user *arg)
{
	struct apq_op op;

	if (apq_copy_in(&op, (unsigned long)arg, sizeof(op)))
		return -EFAULT;
	if (op.op == APQ_OP_RANDOM)
		return apq_device_random(af, &op);
	return apq_device_crypt(af, &op);
}

static long device_ioctl(struct file *file, unsigned int cmd,
			 unsigned long arg)
{
	struct apq_file *af = file->private_data;
	void __user *uarg = (void __user *)arg;

	switch (cmd) {
	case APQ_IOC_INFO:
		return device_info(uarg);
	case APQ_IOC_SESSION_CREATE:
		return session_create(af, uarg);
	case APQ_IOC_SESSION_DESTROY:
		return session_destroy(af, arg);
	case APQ_IOC_CRYPT:
		return device_crypt(af, uarg);
	default:
		return -ENOTTY;
	}
}

static const struct file_operations device_fops = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.unlocked_ioctl = device_ioctl,
	/* Same layout for 32-bit callers; a number fits either way. */
	.compat_ioctl = device_ioctl,
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
