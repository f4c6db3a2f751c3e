// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/apq: sessions and requests, as include/uapi/linux/apq.h has them.
 *
 * Lifetime: an open file holds its sessions, a request holds the session it
 * uses. A request with copied data may outlive its caller inside a card; one
 * with pinned pages does not, apq_cancel() sees to that.
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
#include "buffer.h"
#include "door.h"

/* Seconds that a request of this door waits if it names no limit itself. */
#define DEFAULT_TIMEOUT_MS	15000

struct apq_file {
	struct xarray sessions;		/* by number, xa_lock for changes */
};

/* A request with its data; copied input and output follow the structure. */
struct device_req {
	struct apq_req req;
	struct scatterlist src_sg;
	struct scatterlist dst_sg;
	struct apq_pinned src;
	struct apq_pinned dst;
	u8 data[] __aligned(ARCH_KMALLOC_MINALIGN);
};

static int device_open(struct inode *inode, struct file *file)
{
	struct apq_file *af = kzalloc(sizeof(*af), GFP_KERNEL);

	if (!af)
		return -ENOMEM;
	xa_init_flags(&af->sessions, XA_FLAGS_ALLOC1);
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

static long session_create(struct apq_file *af,
			   struct apq_session_create __user *arg)
{
	struct apq_session_create c;
	struct apq_session *s;
	u32 id;
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
	ret = xa_alloc(&af->sessions, &id, s,
		       XA_LIMIT(1, APQ_MAX_SESSIONS), GFP_KERNEL);
	if (ret) {
		ret = ret == -EBUSY ? -ENOSPC : ret;
		goto out_put;
	}
	return id;

out_put:
	apq_session_put(s);
	return ret;
}

static long session_destroy(struct apq_file *af, unsigned long id)
{
	struct apq_session *s = xa_erase(&af->sessions, id);

	if (!s)
		return -ENOENT;
	apq_session_put(s);
	return 0;
}

/* A session of this file with a reference, NULL if there is none. */
static struct apq_session *session_find(struct apq_file *af, u32 id)
{
	struct apq_session *s;

	xa_lock(&af->sessions);
	s = xa_load(&af->sessions, id);
	if (s)
		apq_session_get(s);
	xa_unlock(&af->sessions);
	return s;
}

static int check_op(const struct apq_op *op, const struct apq_alg_info *info)
{
	if ((op->op != APQ_OP_ENCRYPT && op->op != APQ_OP_DECRYPT) ||
	    op->flags || op->reserved || op->reserved2 || op->user_data)
		return -EINVAL;
	if (memchr_inv(op->iv + info->ivsize, 0, APQ_IV_LEN - info->ivsize))
		return -EINVAL;
	if (op->src_len > APQ_MAX_DATA_LEN)
		return -EMSGSIZE;
	if (!op->src_len || op->src_len % info->blocksize)
		return -EINVAL;
	if (op->dst_len < op->src_len)
		return -ENOSPC;
	return 0;
}

static void device_req_release(struct apq_req *req)
{
	struct device_req *dr = container_of(req, struct device_req, req);

	apq_session_put(req->session);
	kfree(dr);
}

static int copy_data_in(struct device_req *dr, const struct apq_op *op)
{
	u8 *out = dr->data + ALIGN(op->src_len, ARCH_KMALLOC_MINALIGN);

	if (copy_from_user(dr->data, u64_to_user_ptr(op->src), op->src_len))
		return -EFAULT;
	sg_init_one(&dr->src_sg, dr->data, op->src_len);
	sg_init_one(&dr->dst_sg, out, op->src_len);
	dr->req.cipher.src = &dr->src_sg;
	dr->req.cipher.dst = &dr->dst_sg;
	return 0;
}

static int pin_data(struct device_req *dr, const struct apq_op *op)
{
	struct apq_req *req = &dr->req;
	int ret;

	req->pinned = true;
	req->in_place = op->src == op->dst;
	ret = apq_pin(&dr->dst, op->dst, op->src_len, true);
	if (ret)
		return ret;
	req->cipher.dst = dr->dst.sgt.sgl;
	req->cipher.src = req->cipher.dst;
	if (req->in_place)
		return 0;
	ret = apq_pin(&dr->src, op->src, op->src_len, false);
	if (ret) {
		apq_unpin(&dr->dst);
		return ret;
	}
	req->cipher.src = dr->src.sgt.sgl;
	return 0;
}

static long run_op(struct device_req *dr, const struct apq_op *op)
{
	struct apq_req *req = &dr->req;
	bool copied = op->src_len <= APQ_COPY_MAX;
	int ret;

	ret = copied ? copy_data_in(dr, op) : pin_data(dr, op);
	if (ret)
		return ret;
	ret = apq_submit_wait(req, op->timeout_ms ?: DEFAULT_TIMEOUT_MS);
	apq_unpin(&dr->src);
	apq_unpin(&dr->dst);
	if (ret)
		return ret;
	if (copied && copy_to_user(u64_to_user_ptr(op->dst),
				   sg_virt(&dr->dst_sg), op->src_len))
		return -EFAULT;
	return op->src_len;
}

static void random_req_release(struct apq_req *req)
{
	kfree_sensitive(container_of(req, struct device_req, req));
}

static long device_random(const struct apq_op *op)
{
	struct device_req *dr;
	struct apq_req *req;
	long ret;

	if (op->session || op->flags || op->reserved || op->reserved2 ||
	    op->user_data || op->src || op->src_len || !op->dst_len ||
	    memchr_inv(op->iv, 0, APQ_IV_LEN))
		return -EINVAL;
	if (op->dst_len > APQ_MAX_RANDOM_LEN)
		return -EMSGSIZE;
	dr = kmalloc(struct_size(dr, data, op->dst_len), GFP_KERNEL);
	if (!dr)
		return -ENOMEM;
	req = &dr->req;
	apq_req_init(req, APQ_ALG_RANDOM, op->op, random_req_release);
	req->random.out = dr->data;
	req->random.len = op->dst_len;
	ret = apq_submit_wait(req, op->timeout_ms ?: DEFAULT_TIMEOUT_MS);
	if (!ret && copy_to_user(u64_to_user_ptr(op->dst), dr->data,
				 op->dst_len))
		ret = -EFAULT;
	apq_req_put(req);
	return ret ?: op->dst_len;
}

static long device_cipher(struct apq_file *af, const struct apq_op *op)
{
	struct apq_session *s;
	struct device_req *dr;
	size_t room = 0;
	long ret;

	s = session_find(af, op->session);
	if (!s)
		return -ENOENT;
	ret = check_op(op, s->info);
	if (ret) {
		apq_session_put(s);
		return ret;
	}
	if (op->src_len <= APQ_COPY_MAX)
		room = 2 * ALIGN(op->src_len, ARCH_KMALLOC_MINALIGN);
	dr = kmalloc(sizeof(*dr) + room, GFP_KERNEL);
	if (!dr) {
		apq_session_put(s);
		return -ENOMEM;
	}
	dr->src.pages = NULL;
	dr->dst.pages = NULL;
	apq_req_init(&dr->req, s->alg, op->op, device_req_release);
	dr->req.session = s;
	dr->req.cipher.len = op->src_len;
	memcpy(dr->req.cipher.iv, op->iv, APQ_IV_LEN);
	ret = run_op(dr, op);
	apq_req_put(&dr->req);
	return ret;
}

static long device_crypt(struct apq_file *af, struct apq_op __user *arg)
{
	struct apq_op op;

	if (copy_from_user(&op, arg, sizeof(op)))
		return -EFAULT;
	if (op.op == APQ_OP_RANDOM)
		return device_random(&op);
	return device_cipher(af, &op);
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
