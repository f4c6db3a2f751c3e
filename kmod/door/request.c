// SPDX-License-Identifier: GPL-2.0
/*
 * Requests of /dev/apq: what a caller passed, checked and made into a request
 * of core.
 *
 * Lifetime: a file keeps some requests with their memory for the next use,
 * because to allocate one costs as much as a small cipher. A request with
 * copied data may outlive its caller inside a card, and is freed there; one
 * with pinned pages does not, apq_cancel() sees to that.
 */

#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include "../core/completion.h"
#include "device.h"

/* Data memory of a request is at least this, and kept up to this. */
#define BUF_MIN		1024

/*
 * Bytes of input up to which data is copied; the rest is pinned. Both work at
 * any length, the limit is where they cost the same.
 */
static uint copy_max = APQ_COPY_MAX;
module_param(copy_max, uint, 0644);
MODULE_PARM_DESC(copy_max, "bytes up to which /dev/apq copies data, above it pins pages");

static void device_req_free(struct device_req *dr)
{
	apq_pinned_free(&dr->src);
	apq_pinned_free(&dr->dst);
	kfree_sensitive(dr->buf);
	kfree(dr);
}

/* The last reference is gone: a card that kept it, or a file that closes. */
static void device_req_release(struct apq_req *req)
{
	struct device_req *dr = container_of(req, struct device_req, req);

	if (req->session)
		apq_session_put(req->session);
	device_req_free(dr);
}

static struct device_req *take_spare(struct apq_file *af)
{
	struct device_req *dr = xchg(&af->spare, NULL);

	if (dr)
		return dr;
	spin_lock_bh(&af->lock);
	dr = list_first_entry_or_null(&af->spares, struct device_req, link);
	if (dr) {
		list_del(&dr->link);
		af->nr_spares--;
	}
	spin_unlock_bh(&af->lock);
	return dr;
}

/**
 * apq_device_req_get() - a request that is not in use
 * @af: file
 *
 * Context: may sleep.
 * Return: the request, to be prepared; NULL: no memory.
 */
struct device_req *apq_device_req_get(struct apq_file *af)
{
	return take_spare(af) ?: kzalloc(sizeof(struct device_req), GFP_KERNEL);
}

/* A request that nobody else knows: kept for the next use, or freed. */
static void keep_spare(struct apq_file *af, struct device_req *dr)
{
	bool kept = false;

	if (dr->half > BUF_MIN) {
		kfree_sensitive(dr->buf);
		dr->buf = NULL;
		dr->half = 0;
	}
	if (!cmpxchg(&af->spare, NULL, dr))
		return;
	spin_lock_bh(&af->lock);
	if (af->nr_spares < APQ_FILE_SPARES) {
		list_add(&dr->link, &af->spares);
		af->nr_spares++;
		kept = true;
	}
	spin_unlock_bh(&af->lock);
	if (!kept)
		device_req_free(dr);
}

/**
 * apq_device_req_put() - the request is answered or taken back
 * @af: file
 * @dr: its request
 *
 * Context: process context, nothing is pinned.
 */
void apq_device_req_put(struct apq_file *af, struct device_req *dr)
{
	struct apq_req *req = &dr->req;

	/* Where a card still holds a reference, its is the last. */
	if (refcount_read(&req->ref) != 1) {
		apq_req_put(req);
		return;
	}
	if (req->session)
		apq_session_put(req->session);
	apq_req_detach(req);
	keep_spare(af, dr);
}

/* Frees the requests that are not in use. The file is closing. */
void apq_device_req_drain(struct apq_file *af)
{
	struct device_req *dr;

	while ((dr = take_spare(af)))
		device_req_free(dr);
}

/* A session of this file with a reference, NULL if there is none. */
static struct apq_session *session_find(struct apq_file *af, u32 id)
{
	struct apq_session *s;

	rcu_read_lock();
	s = id < APQ_FILE_FIRST ? rcu_dereference(af->first[id]) :
				  xa_load(&af->sessions, id);
	if (s && !apq_session_tryget(s))
		s = NULL;
	rcu_read_unlock();
	return s;
}

static int check_op(const struct apq_op *op, const struct apq_alg_info *info)
{
	if ((op->op != APQ_OP_ENCRYPT && op->op != APQ_OP_DECRYPT) ||
	    op->flags || op->reserved || op->reserved2 || op->user_data)
		return -EINVAL;
	if (info->ivsize < APQ_IV_LEN &&
	    memchr_inv(op->iv + info->ivsize, 0, APQ_IV_LEN - info->ivsize))
		return -EINVAL;
	if (op->src_len > APQ_MAX_DATA_LEN)
		return -EMSGSIZE;
	if (!op->src_len || op->src_len & (info->blocksize - 1))
		return -EINVAL;
	if (op->dst_len < op->src_len)
		return -ENOSPC;
	return 0;
}

/* Memory for @len bytes of input, and as much for output behind it. */
static int reserve_buf(struct device_req *dr, unsigned int len)
{
	unsigned int half = max_t(unsigned int, len, BUF_MIN);
	u8 *buf;

	if (dr->half >= len)
		return 0;
	half = ALIGN(half, ARCH_KMALLOC_MINALIGN);
	buf = kmalloc(2 * half, GFP_KERNEL);
	if (!buf)
		return -ENOMEM;
	kfree_sensitive(dr->buf);
	dr->buf = buf;
	dr->half = half;
	sg_init_one(&dr->src_sg, buf, half);
	sg_init_one(&dr->dst_sg, buf + half, half);
	return 0;
}

static int copy_data_in(struct device_req *dr, const struct apq_op *op)
{
	int ret;

	ret = reserve_buf(dr, op->src_len);
	if (ret)
		return ret;
	dr->src_sg.length = op->src_len;
	dr->dst_sg.length = op->src_len;
	dr->req.cipher.src = &dr->src_sg;
	dr->req.cipher.dst = &dr->dst_sg;
	return apq_copy_in(dr->buf, op->src, op->src_len);
}

static int pin_range(struct apq_pinned *p, u64 addr, unsigned int len,
		     bool write)
{
	int ret;

	ret = apq_pin_begin(p, apq_pin_pages(addr, len), write);
	if (ret)
		return ret;
	ret = apq_pin_user(p, addr, len);
	if (!ret)
		apq_pin_end(p);
	return ret;
}

static int pin_data(struct device_req *dr, const struct apq_op *op)
{
	struct apq_req *req = &dr->req;
	int ret;

	req->pinned = true;
	req->in_place = op->src == op->dst;
	ret = pin_range(&dr->dst, op->dst, op->src_len, true);
	if (ret)
		return ret;
	req->cipher.dst = dr->dst.sg;
	req->cipher.src = req->cipher.dst;
	if (req->in_place)
		return 0;
	ret = pin_range(&dr->src, op->src, op->src_len, false);
	req->cipher.src = dr->src.sg;
	return ret;
}

static unsigned int timeout_of(const struct apq_op *op)
{
	return op->timeout_ms ?: 2 * apq_request_timeout_get();
}

static long run_op(struct device_req *dr, const struct apq_op *op)
{
	struct apq_req *req = &dr->req;
	bool copied = op->src_len <= READ_ONCE(copy_max);
	int ret;

	ret = copied ? copy_data_in(dr, op) : pin_data(dr, op);
	if (!ret)
		ret = apq_submit_wait(req, timeout_of(op));
	if (!copied) {
		apq_unpin(&dr->src);
		apq_unpin(&dr->dst);
	} else if (!ret) {
		ret = apq_copy_out(op->dst, dr->buf + dr->half, op->src_len);
	}
	return ret ?: op->src_len;
}

/* One cipher request, and wait for it. Returns the bytes or -errno. */
long apq_device_crypt(struct apq_file *af, const struct apq_op *op)
{
	struct device_req *dr;
	struct apq_session *s;
	long ret;

	s = session_find(af, op->session);
	if (!s)
		return -ENOENT;
	ret = check_op(op, s->info);
	if (ret)
		goto out_session;
	dr = apq_device_req_get(af);
	if (!dr) {
		ret = -ENOMEM;
		goto out_session;
	}
	apq_req_init(&dr->req, s->alg, op->op, device_req_release);
	dr->req.session = s;
	dr->req.cipher.len = op->src_len;
	memcpy(dr->req.cipher.iv, op->iv, APQ_IV_LEN);
	ret = run_op(dr, op);
	apq_device_req_put(af, dr);
	return ret;

out_session:
	apq_session_put(s);
	return ret;
}

/* Random bytes. Returns how many or -errno. */
long apq_device_random(struct apq_file *af, const struct apq_op *op)
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
	dr = apq_device_req_get(af);
	if (!dr)
		return -ENOMEM;
	req = &dr->req;
	apq_req_init(req, APQ_ALG_RANDOM, op->op, device_req_release);
	ret = reserve_buf(dr, op->dst_len);
	if (ret)
		goto out_put;
	req->random.out = dr->buf;
	req->random.len = op->dst_len;
	ret = apq_submit_wait(req, timeout_of(op));
	if (!ret)
		ret = apq_copy_out(op->dst, dr->buf, op->dst_len);
	/* Nobody may find again what somebody used as a key. */
	if (refcount_read(&req->ref) == 1)
		memzero_explicit(dr->buf, op->dst_len);
out_put:
	apq_device_req_put(af, dr);
	return ret ?: op->dst_len;
}
