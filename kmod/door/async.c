// SPDX-License-Identifier: GPL-2.0
/*
 * Requests of /dev/apq that nobody waits for: submit, reap, cancel, poll.
 *
 * A request that its submitter could do himself (mode caller, idle software
 * card) is over when APQ_IOC_SUBMIT returns, and only its result is kept, in a
 * ring. Any other is on the list of requests in flight until a queue answers
 * or somebody takes it back, then on the list of those that are done; whoever
 * reaps it copies its output out or unpins its pages.
 *
 * Lifetime: the file outlives its requests. When it closes they are taken
 * back, and those that a card works on are waited for. Results belong to the
 * process whose memory they are for; a file whose process is gone, by exit or
 * exec, or that has nothing in flight, goes to the next one that submits.
 */

#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include "../core/bus.h"
#include "device.h"

#define RING_MASK	(APQ_MAX_IN_FLIGHT - 1)
/* Largest element that a later version may pass. */
#define MAX_ENTRY_SIZE	4096
/* Results that are copied out at a time. */
#define REAP_CHUNK	16
/* Results of one call that are kept before somebody is told. */
#define OVER_CHUNK	8

/* Somebody may wait for results. Context: any but hard interrupt. */
static void tell(struct apq_file *af)
{
	lockdep_assert_held(&af->lock);
	if (wq_has_sleeper(&af->wait))
		wake_up_poll(&af->wait, EPOLLIN | EPOLLRDNORM);
	if (af->eventfd)
		eventfd_signal(af->eventfd);
}

/* Results that can be taken. A stale answer is corrected by tell(). */
static unsigned int nr_ready(struct apq_file *af)
{
	return READ_ONCE(af->ring_tail) - READ_ONCE(af->ring_head) +
	       READ_ONCE(af->nr_done);
}

/* The limit of requests in flight sees to it that there is room. */
static void ring_put_locked(struct apq_file *af, u64 user_data, int result)
{
	struct apq_completion *c = &af->ring[af->ring_tail & RING_MASK];

	lockdep_assert_held(&af->lock);
	c->user_data = user_data;
	c->result = result;
	/* Pairs with the acquire in reap_ring(). */
	smp_store_release(&af->ring_tail, af->ring_tail + 1);
}

static void done_locked(struct apq_file *af, struct device_req *dr)
{
	lockdep_assert_held(&af->lock);
	list_move_tail(&dr->link, &af->done);
	WRITE_ONCE(af->nr_done, af->nr_done + 1);
}

/* The queue is through with it. The file cannot go before we drop the lock. */
static void async_complete(struct apq_req *req)
{
	struct device_req *dr = container_of(req, struct device_req, req);
	struct apq_file *af = req->priv;

	spin_lock_bh(&af->lock);
	done_locked(af, dr);
	tell(af);
	spin_unlock_bh(&af->lock);
}

/* Takes a request in flight back with this result; false: a card has it. */
static bool take_back_locked(struct apq_file *af, struct device_req *dr,
			     int ret)
{
	lockdep_assert_held(&af->lock);
	if (!apq_cancel(&dr->req))
		return false;
	dr->req.ret = ret;
	done_locked(af, dr);
	return true;
}

static void arm_expire_locked(struct apq_file *af, unsigned long at)
{
	unsigned long left = time_after(at, jiffies) ? at - jiffies : 0;

	lockdep_assert_held(&af->lock);
	if (af->expire_armed && time_before_eq(af->next_expire, at))
		return;
	af->expire_armed = true;
	af->next_expire = at;
	mod_delayed_work(system_wq, &af->expire, left);
}

/* Ends what is late, and looks again when the next one will be. */
static void expire_fn(struct work_struct *work)
{
	struct apq_file *af = container_of(to_delayed_work(work),
					   struct apq_file, expire);
	unsigned long next = jiffies + MAX_JIFFY_OFFSET;
	struct device_req *dr, *tmp;
	bool any = false, more;

	spin_lock_bh(&af->lock);
	af->expire_armed = false;
	list_for_each_entry_safe(dr, tmp, &af->flight, link) {
		unsigned long at = dr->deadline;

		if (time_after_eq(jiffies, at)) {
			if (take_back_locked(af, dr, -ETIMEDOUT)) {
				any = true;
				continue;
			}
			/* A card works on it: another look soon. */
			at = jiffies + max(1, HZ / 100);
		}
		if (time_before(at, next))
			next = at;
	}
	more = !list_empty(&af->flight);
	if (more)
		arm_expire_locked(af, next);
	if (any)
		tell(af);
	spin_unlock_bh(&af->lock);
}

/* Gives back what a request holds. Its result is known. Any process. */
static void let_go(struct apq_file *af, struct device_req *dr)
{
	if (dr->charged)
		account_locked_vm(af->mm, dr->charged, false);
	apq_device_req_put(af, dr);
}

/* Takes back what is in flight and waits for the rest, which cards work on. */
static void end_flight(struct apq_file *af)
{
	struct device_req *dr, *tmp;
	bool empty;

	do {
		spin_lock_bh(&af->lock);
		list_for_each_entry_safe(dr, tmp, &af->flight, link)
			take_back_locked(af, dr, -ECANCELED);
		empty = list_empty(&af->flight);
		spin_unlock_bh(&af->lock);
		if (!empty)
			wait_event_timeout(af->wait,
					   list_empty_careful(&af->flight),
					   max(1, HZ / 100));
	} while (!empty);
}

/* Forgets all requests and results. Nobody submits. */
static void flush(struct apq_file *af)
{
	struct device_req *dr;

	lockdep_assert_held(&af->reap_lock);
	end_flight(af);
	spin_lock_bh(&af->lock);
	while ((dr = list_first_entry_or_null(&af->done, struct device_req,
					      link))) {
		list_del(&dr->link);
		spin_unlock_bh(&af->lock);
		apq_device_finish(dr, -ECANCELED);
		let_go(af, dr);
		spin_lock_bh(&af->lock);
	}
	af->nr_done = 0;
	af->in_flight = 0;
	af->ring_head = af->ring_tail;
	spin_unlock_bh(&af->lock);
}

void apq_async_init(struct apq_file *af)
{
	mutex_init(&af->reap_lock);
	init_waitqueue_head(&af->wait);
	INIT_DELAYED_WORK(&af->expire, expire_fn);
	INIT_LIST_HEAD(&af->flight);
	INIT_LIST_HEAD(&af->done);
}

/* The file is closing: no call is inside it. */
void apq_async_exit(struct apq_file *af)
{
	mutex_lock(&af->reap_lock);
	flush(af);
	mutex_unlock(&af->reap_lock);
	/* Nothing is in flight that it would arm itself for. */
	cancel_delayed_work_sync(&af->expire);
	if (af->eventfd)
		eventfd_ctx_put(af->eventfd);
	if (af->mm)
		mmdrop(af->mm);
	kvfree(af->ring);
}

/* Whether the file works for the memory of this process. */
static bool is_mine(struct apq_file *af)
{
	return READ_ONCE(af->mm) == current->mm;
}

/* Makes the file this process's own, if it may be. */
static int adopt(struct apq_file *af)
{
	struct mm_struct *old;
	int ret = 0;

	mutex_lock(&af->reap_lock);
	if (!af->ring)
		af->ring = kvcalloc(APQ_MAX_IN_FLIGHT, sizeof(*af->ring),
				    GFP_KERNEL);
	if (!af->ring) {
		ret = -ENOMEM;
		goto unlock;
	}
	old = af->mm;
	if (old == current->mm)
		goto unlock;
	/* Nobody is left who could reap. An exec leaves the old memory, too. */
	if (old && !atomic_read(&old->mm_users))
		flush(af);
	spin_lock_bh(&af->lock);
	if (af->in_flight) {
		old = NULL;
		ret = -EPERM;
	} else {
		mmgrab(current->mm);
		WRITE_ONCE(af->mm, current->mm);
	}
	spin_unlock_bh(&af->lock);
	if (old)
		mmdrop(old);
unlock:
	mutex_unlock(&af->reap_lock);
	return ret;
}

/* Makes room for up to @nr requests. Returns for how many, or -errno. */
static int reserve(struct apq_file *af, unsigned int nr)
{
	int ret;

	if (!is_mine(af)) {
		ret = adopt(af);
		if (ret)
			return ret;
	}
	spin_lock_bh(&af->lock);
	if (!is_mine(af)) {
		ret = -EPERM;
	} else {
		ret = min_t(unsigned int, nr,
			    APQ_MAX_IN_FLIGHT - af->in_flight);
		af->in_flight += ret;
		if (!ret)
			ret = -EAGAIN;
	}
	spin_unlock_bh(&af->lock);
	return ret;
}

/* Hands a request to a queue, unless RLIMIT_MEMLOCK is against it. */
static int launch(struct apq_file *af, struct device_req *dr,
		  unsigned int timeout_ms)
{
	unsigned int pages = dr->src.nr + dr->dst.nr;
	struct apq_req *req = &dr->req;
	int ret;

	dr->charged = 0;
	if (pages) {
		if (account_locked_vm(af->mm, pages, true))
			return -ENOBUFS;
		dr->charged = pages;
	}
	req->priv = af;
	req->complete = async_complete;
	dr->deadline = jiffies + msecs_to_jiffies(timeout_ms);
	spin_lock_bh(&af->lock);
	list_add_tail(&dr->link, &af->flight);
	arm_expire_locked(af, dr->deadline);
	spin_unlock_bh(&af->lock);
	/* Whoever cancels before this has ended is told that a card has it. */
	ret = apq_submit(req);
	if (ret) {
		spin_lock_bh(&af->lock);
		list_del(&dr->link);
		spin_unlock_bh(&af->lock);
		account_locked_vm(af->mm, dr->charged, false);
		dr->charged = 0;
	}
	return ret;
}

/**
 * struct batch - one call of APQ_IOC_SUBMIT
 * @session: of the last entry, with a reference, or NULL
 * @id: its number
 * @dr: a request that is not in use, or NULL
 * @nr_over: results in @over
 * @over: of requests that are over already; they go to the ring together
 */
struct batch {
	struct apq_session *session;
	u32 id;
	struct device_req *dr;
	unsigned int nr_over;
	struct apq_completion over[OVER_CHUNK];
};

/* The results that were kept go to the ring. */
static void flush_over(struct apq_file *af, struct batch *b)
{
	unsigned int i;

	spin_lock_bh(&af->lock);
	for (i = 0; i < b->nr_over; i++)
		ring_put_locked(af, b->over[i].user_data, b->over[i].result);
	if (i)
		tell(af);
	spin_unlock_bh(&af->lock);
	b->nr_over = 0;
}

static void keep_over(struct apq_file *af, struct batch *b, u64 user_data,
		      int result)
{
	b->over[b->nr_over].user_data = user_data;
	b->over[b->nr_over].result = result;
	if (++b->nr_over == OVER_CHUNK)
		flush_over(af, b);
}

/* The session of an entry, held by the batch until the next one's is. */
static struct apq_session *find_session(struct apq_file *af, struct batch *b,
					const struct apq_entry *e)
{
	if (!b->session || b->id != e->session) {
		if (b->session)
			apq_session_put(b->session);
		b->id = e->session;
		b->session = apq_device_session(af, e->session);
	}
	return b->session;
}

/* The request is over, without a card that could still have it. */
static void over(struct batch *b, struct device_req *dr)
{
	dr->req.session = NULL;
	b->dr = dr;
}

/*
 * Waits for an answer that the caller could not compute. Returns 0 or why it
 * was not accepted.
 */
static int launch_entry(struct apq_file *af, struct device_req *dr,
			unsigned int timeout_ms)
{
	int ret;

	if (dr->req.session)
		apq_session_get(dr->req.session);
	ret = launch(af, dr, timeout_ms);
	if (!ret)
		return 0;
	apq_device_finish(dr, ret);
	apq_device_req_put(af, dr);
	return ret;
}

static int submit_entry(struct apq_file *af, struct batch *b,
			const struct apq_entry *e)
{
	struct device_req *dr = b->dr;
	struct apq_session *s = NULL;
	unsigned int timeout_ms = 0;
	int ret;

	if (e->op != APQ_OP_RANDOM) {
		s = find_session(af, b, e);
		if (!s)
			return -ENOENT;
	}
	b->dr = NULL;
	dr = apq_device_prepare(af, e, s, dr);
	if (IS_ERR(dr))
		return PTR_ERR(dr);
	if (e->deadline_ns)
		timeout_ms = apq_device_timeout(e->deadline_ns);
	if (e->deadline_ns && !timeout_ms) {
		ret = apq_device_finish(dr, -ETIMEDOUT);
	} else if (apq_run(&dr->req)) {
		ret = apq_device_finish(dr, dr->req.ret);
	} else {
		dr->user_data = e->user_data;
		return launch_entry(af, dr,
				    timeout_ms ?: apq_device_timeout(0));
	}
	over(b, dr);
	keep_over(af, b, e->user_data, ret);
	return 0;
}

/* Reads an entry, of which we may know only the beginning. */
static int load_entry(struct apq_entry *e, u64 at, unsigned int size)
{
	int ret;

	if (size == sizeof(*e))
		return apq_copy_in(e, at, sizeof(*e));
	ret = check_zeroed_user(u64_to_user_ptr(at + sizeof(*e)),
				size - sizeof(*e));
	if (ret <= 0)
		return ret ?: -E2BIG;
	return apq_copy_in(e, at, sizeof(*e));
}

/* Submits up to @nr entries; counts in @accepted. Returns 0 or -errno. */
static int submit_entries(struct apq_file *af, const struct apq_submit *s,
			  unsigned int nr, unsigned int *accepted)
{
	struct batch b;
	struct apq_entry e;
	u64 at = s->entries;
	int ret = 0;

	b.session = NULL;
	b.dr = NULL;
	b.nr_over = 0;

	for (*accepted = 0; *accepted < nr; (*accepted)++) {
		if (*accepted && signal_pending(current)) {
			ret = -EINTR;
			break;
		}
		ret = load_entry(&e, at, s->entry_size);
		if (ret)
			break;
		ret = submit_entry(af, &b, &e);
		if (ret)
			break;
		at += s->entry_size;
	}
	if (b.session)
		apq_session_put(b.session);
	if (b.dr)
		apq_device_req_put(af, b.dr);
	flush_over(af, &b);
	spin_lock_bh(&af->lock);
	af->in_flight -= nr - *accepted;
	spin_unlock_bh(&af->lock);
	return ret;
}

/* APQ_IOC_SUBMIT */
long apq_async_submit(struct apq_file *af, u64 arg)
{
	u64 out = arg + offsetof(struct apq_submit, accepted);
	struct apq_submit s;
	int nr, ret;

	if (apq_copy_in(&s, arg, offsetof(struct apq_submit, accepted)))
		return -EFAULT;
	if (s.flags || s.reserved || !s.nr ||
	    s.entry_size < sizeof(struct apq_entry) ||
	    s.entry_size > MAX_ENTRY_SIZE)
		return -EINVAL;
	/* So that a bad address is found before anything is submitted. */
	s.accepted = 0;
	s.error = 0;
	if (apq_copy_out(out, &s.accepted, 2 * sizeof(u32)))
		return -EFAULT;
	nr = reserve(af, s.nr);
	if (nr < 0)
		return nr;
	ret = submit_entries(af, &s, nr, &s.accepted);
	if (!s.accepted)
		return ret;
	if (s.accepted < s.nr)
		s.error = ret ? -ret : EAGAIN;
	if (apq_copy_out(out, &s.accepted, 2 * sizeof(u32)))
		return -EFAULT;
	return s.accepted;
}

/* So many results were handed over. */
static void reaped(struct apq_file *af, unsigned int nr)
{
	bool full;

	spin_lock_bh(&af->lock);
	full = af->in_flight == APQ_MAX_IN_FLIGHT;
	af->in_flight -= nr;
	spin_unlock_bh(&af->lock);
	if (full)
		wake_up_poll(&af->wait, EPOLLOUT | EPOLLWRNORM);
}

/* Up to @max results from the ring to @to. Returns how many, or -EFAULT. */
static int reap_ring(struct apq_file *af, u64 to, unsigned int max)
{
	unsigned int head = af->ring_head, nr = 0;
	/* Pairs with the release in ring_put_locked(). */
	unsigned int tail = smp_load_acquire(&af->ring_tail);

	lockdep_assert_held(&af->reap_lock);
	while (nr < max && head != tail) {
		unsigned int part = min3(max - nr, tail - head,
					 APQ_MAX_IN_FLIGHT - (head & RING_MASK));

		part = min_t(unsigned int, part, REAP_CHUNK);
		if (apq_copy_out(to, &af->ring[head & RING_MASK],
				 part * sizeof(struct apq_completion)))
			break;
		to += part * sizeof(struct apq_completion);
		head += part;
		nr += part;
	}
	if (!nr && head != tail)
		return -EFAULT;
	if (nr) {
		WRITE_ONCE(af->ring_head, head);
		reaped(af, nr);
	}
	return nr;
}

/* The results of requests that are done go to the ring. */
static void finish_done(struct apq_file *af, unsigned int max)
{
	lockdep_assert_held(&af->reap_lock);
	while (max--) {
		struct device_req *dr;
		u64 user_data;
		int ret;

		spin_lock_bh(&af->lock);
		dr = list_first_entry_or_null(&af->done, struct device_req,
					      link);
		if (dr)
			list_del(&dr->link);
		spin_unlock_bh(&af->lock);
		if (!dr)
			return;
		user_data = dr->user_data;
		ret = apq_device_finish(dr, dr->req.ret);
		let_go(af, dr);
		spin_lock_bh(&af->lock);
		WRITE_ONCE(af->nr_done, af->nr_done - 1);
		ring_put_locked(af, user_data, ret);
		spin_unlock_bh(&af->lock);
	}
}

/* Takes what is there. Returns how many, or -EFAULT, -EPERM. */
static int take(struct apq_file *af, u64 to, unsigned int max)
{
	int ret;

	mutex_lock(&af->reap_lock);
	if (READ_ONCE(af->nr_done))
		finish_done(af, max);
	ret = reap_ring(af, to, max);
	mutex_unlock(&af->reap_lock);
	return ret;
}

/* Whether to stop waiting for @want more results. */
static bool enough(struct apq_file *af, unsigned int want)
{
	unsigned int ready = nr_ready(af);

	/* A stale @in_flight costs one round more of the loop around us. */
	return ready >= want || ready >= READ_ONCE(af->in_flight);
}

static int wait_ready(struct apq_file *af, unsigned int want, ktime_t end)
{
	ktime_t left;

	if (end == KTIME_MAX)
		return wait_event_interruptible(af->wait, enough(af, want));
	left = ktime_sub(end, ktime_get());
	if (left <= 0)
		return -ETIME;
	return wait_event_interruptible_hrtimeout(af->wait, enough(af, want),
						  left);
}

static int reap(struct apq_file *af, const struct apq_reap *r)
{
	ktime_t end = r->timeout_ns < 0 ? KTIME_MAX : 0;
	unsigned int nr = 0;
	int ret;

	for (;;) {
		ret = take(af, r->completions +
			   nr * sizeof(struct apq_completion), r->max - nr);
		if (ret < 0)
			break;
		nr += ret;
		if (nr >= r->min || !READ_ONCE(af->in_flight))
			break;
		if (!end)
			end = ktime_add_safe(ktime_get(),
					     ns_to_ktime(r->timeout_ns));
		if (!r->timeout_ns)
			break;
		ret = wait_ready(af, r->min - nr, end);
		if (ret == -ETIME)
			ret = 0;
		if (ret || (end != KTIME_MAX && !nr_ready(af) &&
			    ktime_after(ktime_get(), end)))
			break;
	}
	return nr ?: ret;
}

/* APQ_IOC_REAP */
long apq_async_reap(struct apq_file *af, u64 arg)
{
	struct apq_reap r;

	if (apq_copy_in(&r, arg, sizeof(r)))
		return -EFAULT;
	if (r.flags || r.reserved || !r.max || r.min > r.max ||
	    r.timeout_ns < -1 ||
	    r.completion_size != sizeof(struct apq_completion))
		return -EINVAL;
	/* More than there can be; keeps sums below far from any limit. */
	r.max = min_t(unsigned int, r.max, APQ_MAX_IN_FLIGHT);
	r.min = min(r.min, r.max);
	if (!is_mine(af))
		return READ_ONCE(af->mm) ? -EPERM : 0;
	return reap(af, &r);
}

/* APQ_IOC_CANCEL */
long apq_async_cancel(struct apq_file *af, u64 arg)
{
	struct device_req *dr, *tmp;
	unsigned int nr = 0, found = 0;
	struct apq_cancel c;
	bool all;

	if (apq_copy_in(&c, arg, sizeof(c)))
		return -EFAULT;
	all = c.flags & APQ_CANCEL_ALL;
	if (c.flags & ~APQ_CANCEL_ALL || c.reserved || (all && c.user_data))
		return -EINVAL;
	if (!is_mine(af))
		return READ_ONCE(af->mm) ? -EPERM : -ENOENT;
	spin_lock_bh(&af->lock);
	list_for_each_entry_safe(dr, tmp, &af->flight, link) {
		if (!all && dr->user_data != c.user_data)
			continue;
		found++;
		nr += take_back_locked(af, dr, -ECANCELED);
	}
	if (nr)
		tell(af);
	spin_unlock_bh(&af->lock);
	if (!found)
		return -ENOENT;
	return nr ?: -EALREADY;
}

/* APQ_IOC_EVENTFD */
long apq_async_eventfd(struct apq_file *af, unsigned long fd)
{
	struct eventfd_ctx *ctx = NULL;

	if ((int)fd != -1) {
		ctx = eventfd_ctx_fdget((int)fd);
		if (IS_ERR(ctx))
			return PTR_ERR(ctx);
	}
	spin_lock_bh(&af->lock);
	swap(af->eventfd, ctx);
	/* Those that are there already would else never be told. */
	if (af->eventfd && nr_ready(af))
		eventfd_signal(af->eventfd);
	spin_unlock_bh(&af->lock);
	if (ctx)
		eventfd_ctx_put(ctx);
	return 0;
}

/* Readable: there are results. Writable: another request may be submitted. */
__poll_t apq_async_poll(struct apq_file *af, struct file *file,
			struct poll_table_struct *wait)
{
	__poll_t mask = 0;

	poll_wait(file, &af->wait, wait);
	if (nr_ready(af))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (READ_ONCE(af->in_flight) < APQ_MAX_IN_FLIGHT)
		mask |= EPOLLOUT | EPOLLWRNORM;
	return mask;
}
