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
	apq_req_detach(&dr->req);
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
struct apq_session *apq_device_session(struct apq_file *af, u32 id)
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

/* The ranges of one side as the caller passed them; their sum is @len. */
static int load_iov(struct apq_iovec *iov, unsigned int *nr, u64 addr,
		    unsigned int len, unsigned int nr_entry)
{
	unsigned int i;
	u64 sum = 0;

	if (nr_entry > APQ_MAX_IOV)
		return -EINVAL;
	if (apq_copy_in(iov, addr, nr_entry * sizeof(*iov)))
		return -EFAULT;
	for (i = 0; i < nr_entry; i++) {
		if (!iov[i].len || iov[i].len > len)
			return -EINVAL;
		sum += iov[i].len;
	}
	if (sum != len)
		return -EINVAL;
	*nr = nr_entry;
	return 0;
}

/* Leaves @len bytes of the ranges. Returns how many ranges that are. */
static unsigned int trim_iov(struct apq_iovec *iov, unsigned int nr,
			     unsigned int len)
{
	unsigned int i;

	for (i = 0; i < nr && len; i++) {
		iov[i].len = min_t(u64, iov[i].len, len);
		len -= iov[i].len;
	}
	return i;
}

static int copy_in(u8 *to, const struct apq_iovec *iov, unsigned int nr)
{
	int ret = 0;

	for (; nr && !ret; nr--, iov++) {
		ret = apq_copy_in(to, iov->base, iov->len);
		to += iov->len;
	}
	return ret;
}

static int copy_out(const struct apq_iovec *iov, unsigned int nr, const u8 *from)
{
	int ret = 0;

	for (; nr && !ret; nr--, iov++) {
		ret = apq_copy_out(iov->base, from, iov->len);
		from += iov->len;
	}
	return ret;
}

/* Bytes of output of a symmetric request, or -errno. */
static int check_cipher(const struct apq_entry *e, const struct apq_session *s)
{
	const struct apq_alg_info *info = s->info;
	unsigned int out = e->src_len, min_len = info->min_len;

	if (e->op != APQ_OP_ENCRYPT && e->op != APQ_OP_DECRYPT)
		return -EINVAL;
	if (info->ivsize < APQ_IV_LEN &&
	    memchr_inv(e->iv + info->ivsize, 0, APQ_IV_LEN - info->ivsize))
		return -EINVAL;
	if (e->src_len > APQ_MAX_DATA_LEN)
		return -EMSGSIZE;
	if (info->kind == APQ_KIND_AEAD) {
		if (e->aad_len > APQ_MAX_AAD_LEN)
			return -EMSGSIZE;
		if (e->op == APQ_OP_DECRYPT)
			min_len = s->tag_len;
		out += e->op == APQ_OP_ENCRYPT ? s->tag_len : -s->tag_len;
	} else if (e->aad_len) {
		return -EINVAL;
	}
	if (e->src_len < min_len || e->src_len & (info->blocksize - 1))
		return -EINVAL;
	if (out > APQ_MAX_DATA_LEN)
		return -EMSGSIZE;
	return out;
}

static int check_rsa(const struct apq_entry *e, const struct apq_session *s)
{
	if (e->op != APQ_OP_RSA || e->aad_len ||
	    memchr_inv(e->iv, 0, APQ_IV_LEN) || e->src_len != s->mod_len)
		return -EINVAL;
	return s->mod_len;
}

static int check_random(const struct apq_entry *e)
{
	if (e->session || e->src || e->src_len || e->src_nr || e->aad_len ||
	    !e->dst_len || memchr_inv(e->iv, 0, APQ_IV_LEN))
		return -EINVAL;
	return e->dst_len > APQ_MAX_RANDOM_LEN ? -EMSGSIZE : e->dst_len;
}

/* Bytes of output of a request that is as it should be, or -errno. */
static int check_entry(const struct apq_entry *e, const struct apq_session *s)
{
	int out;

	if (e->flags || e->reserved || e->reserved2[0] || e->reserved2[1])
		return -EINVAL;
	if (!s)
		out = check_random(e);
	else if (s->info->kind == APQ_KIND_RSA)
		out = check_rsa(e, s);
	else
		out = check_cipher(e, s);
	if (out >= 0 && e->dst_len < out)
		return -ENOSPC;
	return out;
}

/* Input into memory of ours, output behind it. */
static int copy_data(struct device_req *dr, const struct apq_entry *e)
{
	unsigned int aad = e->aad_len;
	struct apq_req *req = &dr->req;
	int ret;

	ret = reserve_buf(dr, aad + max(e->src_len, dr->out_len));
	if (ret)
		return ret;
	if (aad && apq_copy_in(dr->buf, e->aad, aad))
		return -EFAULT;
	if (e->src_len) {
		ret = copy_in(dr->buf + aad, dr->src_iov, dr->src_nr);
		if (ret)
			return ret;
	}
	if (!req->session) {
		req->random.out = dr->buf + dr->half;
		req->random.len = dr->out_len;
	} else if (apq_req_is_rsa(req)) {
		apq_session_rsa(req->session, &req->rsa);
		req->rsa.in = dr->buf;
		req->rsa.out = dr->buf + dr->half;
	} else {
		dr->src_sg.length = aad + e->src_len;
		dr->dst_sg.length = aad + dr->out_len;
		req->cipher.src = &dr->src_sg;
		req->cipher.dst = &dr->dst_sg;
	}
	return 0;
}

static int pin_ranges(struct device_req *dr, struct apq_pinned *p,
		      const struct apq_iovec *iov, unsigned int nr, bool write)
{
	unsigned int room, i;
	int ret;

	if (nr == 1 && !dr->aad_len)
		return apq_pin_range(p, iov[0].base, iov[0].len, write);
	room = apq_pin_pages(iov[0].base, iov[0].len) + !!dr->aad_len;
	for (i = 1; i < nr; i++)
		room += apq_pin_pages(iov[i].base, iov[i].len);
	ret = apq_pin_begin(p, room, write);
	if (ret)
		return ret;
	if (dr->aad_len)
		apq_pin_kernel(p, dr->buf, dr->aad_len);
	for (i = 0; i < nr && !ret; i++)
		ret = apq_pin_user(p, iov[i].base, iov[i].len);
	if (!ret)
		apq_pin_end(p);
	return ret;
}

/*
 * Whether output goes where input is, range by range. They may differ at the
 * end, by the tag of an AEAD.
 */
static bool is_in_place(const struct device_req *dr)
{
	unsigned int nr = min(dr->src_nr, dr->dst_nr), i;

	for (i = 0; i < nr; i++)
		if (dr->src_iov[i].base != dr->dst_iov[i].base ||
		    (i + 1 < nr && dr->src_iov[i].len != dr->dst_iov[i].len))
			return false;
	return true;
}

static int pin_data(struct device_req *dr, const struct apq_entry *e)
{
	struct apq_req *req = &dr->req;
	struct apq_iovec *iov = dr->dst_iov;
	bool shared;
	int ret;

	if (dr->aad_len) {
		ret = reserve_buf(dr, dr->aad_len);
		if (ret)
			return ret;
		if (apq_copy_in(dr->buf, e->aad, dr->aad_len))
			return -EFAULT;
	}
	req->pinned = true;
	req->in_place = is_in_place(dr);
	shared = req->in_place && dr->src_nr == dr->dst_nr;
	if (shared && e->src_len > dr->out_len)
		iov = dr->src_iov;
	ret = pin_ranges(dr, &dr->dst, iov, dr->dst_nr, true);
	if (ret)
		return ret;
	req->cipher.dst = dr->dst.sg;
	req->cipher.src = req->cipher.dst;
	if (shared)
		return 0;
	ret = pin_ranges(dr, &dr->src, dr->src_iov, dr->src_nr, false);
	req->cipher.src = dr->src.sg;
	return ret;
}

static int load_data(struct device_req *dr, const struct apq_entry *e)
{
	unsigned int len = max(e->src_len, dr->out_len) + e->aad_len;
	int ret;

	dr->src_iov[0].base = e->src;
	dr->src_iov[0].len = e->src_len;
	dr->dst_iov[0].base = e->dst;
	dr->dst_iov[0].len = dr->out_len;
	dr->src_nr = 1;
	dr->dst_nr = 1;
	if (e->src_nr) {
		ret = load_iov(dr->src_iov, &dr->src_nr, e->src, e->src_len,
			       e->src_nr);
		if (ret)
			return ret;
	}
	if (e->dst_nr) {
		ret = load_iov(dr->dst_iov, &dr->dst_nr, e->dst, e->dst_len,
			       e->dst_nr);
		if (ret)
			return ret;
		dr->dst_nr = trim_iov(dr->dst_iov, dr->dst_nr, dr->out_len);
	}
	dr->aad_len = e->aad_len;
	dr->copied = len <= READ_ONCE(copy_max) || !e->src_len ||
		     !dr->out_len || apq_req_is_rsa(&dr->req);
	return dr->copied ? copy_data(dr, e) : pin_data(dr, e);
}

static void unpin(struct device_req *dr)
{
	apq_unpin(&dr->src);
	apq_unpin(&dr->dst);
}

/**
 * apq_device_prepare() - make a request of what a caller passed
 * @af: file
 * @e: what he passed, read once
 * @s: its session, NULL for random bytes; the caller's reference becomes the
 *     request's on success
 * @dr: a request that is not in use, NULL: take one
 *
 * Context: process context of the caller, may sleep.
 * Return: a request to submit, whose data is copied or pinned; ERR_PTR.
 */
struct device_req *apq_device_prepare(struct apq_file *af,
				      const struct apq_entry *e,
				      struct apq_session *s,
				      struct device_req *dr)
{
	struct apq_req *req;
	int ret;

	ret = check_entry(e, s);
	if (ret < 0)
		goto out_spare;
	dr = dr ?: take_spare(af) ?: kzalloc(sizeof(*dr), GFP_KERNEL);
	if (!dr)
		return ERR_PTR(-ENOMEM);
	dr->out_len = ret;
	req = &dr->req;
	req->release = device_req_release;
	apq_req_reinit(req, s ? s->alg : APQ_ALG_RANDOM, e->op);
	req->mode = READ_ONCE(af->mode);
	req->lab = true;
	if (s && s->info->kind != APQ_KIND_RSA) {
		req->cipher.len = e->src_len;
		req->cipher.aad_len = e->aad_len;
		memcpy(req->cipher.iv, e->iv, APQ_IV_LEN);
	}
	req->session = s;
	ret = load_data(dr, e);
	if (!ret)
		return dr;
	req->session = NULL;
	unpin(dr);
out_spare:
	if (dr)
		keep_spare(af, dr);
	return ERR_PTR(ret);
}

/**
 * apq_device_finish() - hand the output to the caller
 * @dr: request that is answered or taken back
 * @ret: 0 or why there is no output
 *
 * Context: process context of the caller, may sleep. If @ret is not 0, any
 * process.
 * Return: bytes of output or -errno.
 */
int apq_device_finish(struct device_req *dr, int ret)
{
	u8 *out = dr->buf + dr->half;

	if (!dr->copied) {
		/* Drivers decrypt before they look at the tag. */
		if (ret == -EBADMSG)
			sg_zero_buffer(dr->dst.sg, dr->dst.nr_sg, dr->out_len,
				       dr->aad_len);
		unpin(dr);
		return ret ?: dr->out_len;
	}
	if (!ret) {
		out += dr->aad_len;
		ret = copy_out(dr->dst_iov, dr->dst_nr, out);
		/* Nobody may find again what somebody used as a key. */
		if (dr->req.alg == APQ_ALG_RANDOM)
			memzero_explicit(out, dr->out_len);
	}
	return ret ?: dr->out_len;
}

static unsigned int default_timeout(void)
{
	return 2 * apq_request_timeout_get();
}

/* Milliseconds from now, 0: it is over. */
unsigned int apq_device_timeout(u64 deadline_ns)
{
	u64 now = ktime_get_ns();

	if (!deadline_ns)
		return default_timeout();
	if (deadline_ns <= now)
		return 0;
	return min_t(u64, div_u64(deadline_ns - now, NSEC_PER_MSEC) + 1,
		     UINT_MAX);
}

static long run_entry(struct apq_file *af, const struct apq_entry *e,
		      unsigned int timeout_ms)
{
	struct apq_session *s = NULL;
	struct device_req *dr;
	int ret;

	if (e->op != APQ_OP_RANDOM) {
		s = apq_device_session(af, e->session);
		if (!s)
			return -ENOENT;
	}
	dr = apq_device_prepare(af, e, s, NULL);
	if (IS_ERR(dr)) {
		if (s)
			apq_session_put(s);
		return PTR_ERR(dr);
	}
	ret = apq_submit_wait(&dr->req, timeout_ms);
	ret = apq_device_finish(dr, ret);
	apq_device_req_put(af, dr);
	return ret;
}

/* APQ_IOC_CRYPT */
long apq_device_crypt(struct apq_file *af, u64 arg)
{
	struct apq_entry e = {};
	struct apq_op op;

	if (apq_copy_in(&op, arg, sizeof(op)))
		return -EFAULT;
	if (op.flags || op.reserved || op.reserved2 || op.user_data)
		return -EINVAL;
	e.session = op.session;
	e.op = op.op;
	e.src = op.src;
	e.dst = op.dst;
	e.src_len = op.src_len;
	e.dst_len = op.dst_len;
	memcpy(e.iv, op.iv, APQ_IV_LEN);
	return run_entry(af, &e, op.timeout_ms ?: default_timeout());
}

/* APQ_IOC_RUN */
long apq_device_run(struct apq_file *af, u64 arg)
{
	struct apq_entry e;
	unsigned int timeout_ms;

	if (apq_copy_in(&e, arg, sizeof(e)))
		return -EFAULT;
	timeout_ms = apq_device_timeout(e.deadline_ns);
	if (!timeout_ms)
		return -ETIMEDOUT;
	return run_entry(af, &e, timeout_ms);
}
