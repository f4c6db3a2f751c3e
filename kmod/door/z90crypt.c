// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/z90crypt: RSA requests of the s390 accelerator ABI, with its errors in
 * its order. What tells of the state of cards is in z90status.c.
 */

#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <uapi/linux/z90crypt.h>
#include "../core/bus.h"
#include "door.h"

/* Bytes in front of the fields that belong to p; nobody looks at them. */
#define CRT_PAD		8

#ifdef CONFIG_COMPAT
struct modexpo32 {
	compat_uptr_t inputdata;
	u32 inputdatalength;
	compat_uptr_t outputdata;
	u32 outputdatalength;
	compat_uptr_t b_key;
	compat_uptr_t n_modulus;
};

struct crt32 {
	compat_uptr_t inputdata;
	u32 inputdatalength;
	compat_uptr_t outputdata;
	u32 outputdatalength;
	compat_uptr_t bp_key;
	compat_uptr_t bq_key;
	compat_uptr_t np_prime;
	compat_uptr_t nq_prime;
	compat_uptr_t u_mult_inv;
};

/* struct ep11_urb with its three addresses half as long. */
#define EP11_URB32_SIZE	(sizeof(struct ep11_urb) - \
			 3 * (sizeof(void *) - sizeof(compat_uptr_t)))
#endif

/* Open files of the node, for the callers that ask. */
static atomic_t open_count;
static bool registered;

/* One operand of the caller. */
struct operand {
	const void __user *from;
	unsigned int len;
};

/* A request with its operands and result behind it. */
struct rsa_req {
	struct apq_req req;
	u8 data[];
};

static void rsa_req_release(struct apq_req *req)
{
	kfree_sensitive(container_of(req, struct rsa_req, req));
}

/* Checks in the order of the real driver, before any operand is read. */
static int check_lengths(unsigned int alg, u32 in_len, u32 out_len)
{
	if (out_len < in_len || !in_len)
		return -EINVAL;
	if (in_len > Z90CRYPT_MAX_MOD_LEN ||
	    !(apq_dispatch_algs(false) & BIT_ULL(alg)))
		return -ENODEV;
	return 0;
}

/* Makes a request and copies its operands; @at receives where they went. */
static struct rsa_req *rsa_req_create(unsigned int alg, unsigned int len,
				      const struct operand *op,
				      unsigned int nr, const u8 **at)
{
	unsigned int i, sum = len;
	struct rsa_req *rr;
	u8 *to;

	for (i = 0; i < nr; i++)
		sum += op[i].len;
	rr = kmalloc(sizeof(*rr) + sum, GFP_KERNEL);
	if (!rr)
		return ERR_PTR(-ENOMEM);
	apq_req_init(&rr->req, alg, 0, rsa_req_release);
	rr->req.rsa.len = len;
	rr->req.rsa.part_len = (len + 1) / 2;
	to = rr->data;
	for (i = 0; i < nr; i++) {
		if (copy_from_user(to, op[i].from, op[i].len)) {
			/* The rest was never written, but some of it is key. */
			kfree_sensitive(rr);
			return ERR_PTR(-EFAULT);
		}
		at[i] = to;
		to += op[i].len;
	}
	rr->req.rsa.out = to;
	return rr;
}

/* Runs the request, copies the result out and ends it. */
static long run(struct rsa_req *rr, void __user *out, u32 __user *out_len)
{
	struct apq_rsa *rsa = &rr->req.rsa;
	long ret;

	ret = apq_submit_wait(&rr->req, 0);
	/* A card may have come back since the last scan. */
	if (ret == -ENODEV && apq_scan())
		ret = apq_submit_wait(&rr->req, 0);
	if (!ret && (copy_to_user(out, rsa->out, rsa->len) ||
		     put_user(rsa->len, out_len)))
		ret = -EFAULT;
	apq_req_put(&rr->req);
	return ret;
}

static long modexpo(const struct ica_rsa_modexpo *mex, u32 __user *out_len)
{
	unsigned int len = mex->inputdatalength;
	const struct operand op[] = {
		{ mex->inputdata, len },
		{ mex->b_key, len },
		{ mex->n_modulus, len },
	};
	const u8 *at[ARRAY_SIZE(op)];
	struct rsa_req *rr;
	int ret;

	ret = check_lengths(APQ_ALG_RSA_ME, len, mex->outputdatalength);
	if (ret)
		return ret;
	rr = rsa_req_create(APQ_ALG_RSA_ME, len, op, ARRAY_SIZE(op), at);
	if (IS_ERR(rr))
		return PTR_ERR(rr);
	rr->req.rsa.in = at[0];
	rr->req.rsa.exp = at[1];
	rr->req.rsa.mod = at[2];
	return run(rr, mex->outputdata, out_len);
}

static long crt(const struct ica_rsa_modexpo_crt *crt, u32 __user *out_len)
{
	unsigned int len = crt->inputdatalength;
	unsigned int part = (len + 1) / 2;
	const struct operand op[] = {
		{ crt->inputdata, len },
		{ crt->np_prime + CRT_PAD, part },
		{ crt->nq_prime, part },
		{ crt->bp_key + CRT_PAD, part },
		{ crt->bq_key, part },
		{ crt->u_mult_inv + CRT_PAD, part },
	};
	const u8 *at[ARRAY_SIZE(op)];
	struct rsa_req *rr;
	int ret;

	ret = check_lengths(APQ_ALG_RSA_CRT, len, crt->outputdatalength);
	if (ret)
		return ret;
	rr = rsa_req_create(APQ_ALG_RSA_CRT, len, op, ARRAY_SIZE(op), at);
	if (IS_ERR(rr))
		return PTR_ERR(rr);
	rr->req.rsa.in = at[0];
	rr->req.rsa.p = at[1];
	rr->req.rsa.q = at[2];
	rr->req.rsa.dp = at[3];
	rr->req.rsa.dq = at[4];
	rr->req.rsa.qinv = at[5];
	return run(rr, crt->outputdata, out_len);
}

/*
 * Requests to CCA and EP11 coprocessors, of which there is none here. The
 * caller's structure, @size bytes, is read and written back all the same.
 */
static long no_coprocessor(void __user *arg, size_t size)
{
	union {
		struct ica_xcRB cca;
		struct ep11_urb ep11;
	} block;

	if (copy_from_user(&block, arg, size) ||
	    copy_to_user(arg, &block, size))
		return -EFAULT;
	return -ENODEV;
}

static long z90crypt_ioctl(struct file *file, unsigned int cmd,
			   unsigned long arg)
{
	struct ica_rsa_modexpo_crt __user *ucrt = (void __user *)arg;
	struct ica_rsa_modexpo __user *umex = (void __user *)arg;
	struct ica_rsa_modexpo_crt c;
	struct ica_rsa_modexpo mex;

	switch (cmd) {
	case ICARSAMODEXPO:
		if (copy_from_user(&mex, umex, sizeof(mex)))
			return -EFAULT;
		return modexpo(&mex, &umex->outputdatalength);
	case ICARSACRT:
		if (copy_from_user(&c, ucrt, sizeof(c)))
			return -EFAULT;
		return crt(&c, &ucrt->outputdatalength);
	case ZSECSENDCPRB:
		return no_coprocessor(umex, sizeof(struct ica_xcRB));
	case ZSENDEP11CPRB:
		return no_coprocessor(umex, sizeof(struct ep11_urb));
	case Z90STAT_TOTALOPEN_COUNT:
		return put_user(atomic_read(&open_count), (int __user *)arg);
	default:
		return apq_z90status_ioctl(cmd, (void __user *)arg);
	}
}

#ifdef CONFIG_COMPAT
static long modexpo_compat(struct modexpo32 __user *u)
{
	struct ica_rsa_modexpo mex = {};
	struct modexpo32 m;

	if (copy_from_user(&m, u, sizeof(m)))
		return -EFAULT;
	mex.inputdata = compat_ptr(m.inputdata);
	mex.inputdatalength = m.inputdatalength;
	mex.outputdata = compat_ptr(m.outputdata);
	mex.outputdatalength = m.outputdatalength;
	mex.b_key = compat_ptr(m.b_key);
	mex.n_modulus = compat_ptr(m.n_modulus);
	return modexpo(&mex, &u->outputdatalength);
}

static long crt_compat(struct crt32 __user *u)
{
	struct ica_rsa_modexpo_crt c = {};
	struct crt32 m;

	if (copy_from_user(&m, u, sizeof(m)))
		return -EFAULT;
	c.inputdata = compat_ptr(m.inputdata);
	c.inputdatalength = m.inputdatalength;
	c.outputdata = compat_ptr(m.outputdata);
	c.outputdatalength = m.outputdatalength;
	c.bp_key = compat_ptr(m.bp_key);
	c.bq_key = compat_ptr(m.bq_key);
	c.np_prime = compat_ptr(m.np_prime);
	c.nq_prime = compat_ptr(m.nq_prime);
	c.u_mult_inv = compat_ptr(m.u_mult_inv);
	return crt(&c, &u->outputdatalength);
}

static long z90crypt_compat_ioctl(struct file *file, unsigned int cmd,
				  unsigned long arg)
{
	switch (cmd) {
	case ICARSAMODEXPO:
		return modexpo_compat(compat_ptr(arg));
	case ICARSACRT:
		return crt_compat(compat_ptr(arg));
	case ZSENDEP11CPRB:
		return no_coprocessor(compat_ptr(arg), EP11_URB32_SIZE);
	default:
		/* The same layout for all; struct ica_xcRB pads addresses. */
		return z90crypt_ioctl(file, cmd,
				      (unsigned long)compat_ptr(arg));
	}
}
#endif

static int z90crypt_open(struct inode *inode, struct file *file)
{
	atomic_inc(&open_count);
	return nonseekable_open(inode, file);
}

static int z90crypt_release(struct inode *inode, struct file *file)
{
	atomic_dec(&open_count);
	return 0;
}

/* EPERM, as the real node answers; without them it would be EINVAL. */
static ssize_t z90crypt_read(struct file *file, char __user *buf,
			     size_t count, loff_t *pos)
{
	return -EPERM;
}

static ssize_t z90crypt_write(struct file *file, const char __user *buf,
			      size_t count, loff_t *pos)
{
	return -EPERM;
}

static const struct file_operations z90crypt_fops = {
	.owner = THIS_MODULE,
	.open = z90crypt_open,
	.release = z90crypt_release,
	.read = z90crypt_read,
	.write = z90crypt_write,
	.unlocked_ioctl = z90crypt_ioctl,
#ifdef CONFIG_COMPAT
	.compat_ioctl = z90crypt_compat_ioctl,
#endif
};

static struct miscdevice z90crypt_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "z90crypt",
	.fops = &z90crypt_fops,
	.mode = 0666,
};

int apq_z90crypt_init(void)
{
	int ret;

	if (apq_bus_zcrypt_present()) {
		pr_notice("/dev/z90crypt belongs to real adapters or another module, use /dev/apq\n");
		return 0;
	}
	ret = misc_register(&z90crypt_misc);
	registered = !ret;
	return ret;
}

void apq_z90crypt_exit(void)
{
	if (registered)
		misc_deregister(&z90crypt_misc);
	registered = false;
}
