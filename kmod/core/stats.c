// SPDX-License-Identifier: GPL-2.0
/*
 * Counts of a queue as text, one fact in a line: a name, its qualifiers, the
 * numbers. Programs split at white space; new lines may come at any place.
 */

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include "queue.h"

static const char * const alg_names[APQ_NR_ALGS] = {
	[APQ_ALG_AES_ECB]  = "aes-ecb",
	[APQ_ALG_AES_CBC]  = "aes-cbc",
	[APQ_ALG_AES_CTR]  = "aes-ctr",
	[APQ_ALG_AES_XTS]  = "aes-xts",
	[APQ_ALG_AES_GCM]  = "aes-gcm",
	[APQ_ALG_DES3_CBC] = "des3-cbc",
	[APQ_ALG_RC4]	   = "rc4",
	[APQ_ALG_RSA_ME]   = "rsa-me",
	[APQ_ALG_RSA_CRT]  = "rsa-crt",
	[APQ_ALG_RANDOM]   = "random",
};

static const char * const class_names[NR_APQ_CLASSES] = {
	"small", "medium", "large",
};

static int show_counts(const struct apq_stats *st, char *buf, int len)
{
	unsigned int alg, c;

	for (alg = 0; alg < APQ_NR_ALGS; alg++)
		for (c = 0; alg_names[alg] && c < NR_APQ_CLASSES; c++)
			if (st->count[alg][c])
				len += sysfs_emit_at(buf, len,
						     "requests %s %s %llu\n",
						     alg_names[alg],
						     class_names[c],
						     st->count[alg][c]);
	return len;
}

/* Only classes that hold something, each as its upper end in ns and count. */
static int show_hist(const u64 *hist, const char *name, char *buf, int len)
{
	unsigned int i;

	len += sysfs_emit_at(buf, len, "%s_ns", name);
	for (i = 0; i < APQ_HIST_CLASSES; i++)
		if (hist[i])
			len += sysfs_emit_at(buf, len, " <%llu:%llu",
					     1ULL << i, hist[i]);
	return len + sysfs_emit_at(buf, len, "\n");
}

static int show_polls(const struct apq_stats *st, u64 empty, char *buf,
		      int len)
{
	unsigned int i;

	len += sysfs_emit_at(buf, len, "polls %llu\nempty_polls %llu\n",
			     st->polls + empty, st->batch[0] + empty);
	len += sysfs_emit_at(buf, len, "replies_per_poll");
	for (i = 1; i <= APQ_MAX_BATCH; i++)
		len += sysfs_emit_at(buf, len, " %llu", st->batch[i]);
	return len + sysfs_emit_at(buf, len, "\n");
}

/* Adds what callers did by themselves. */
static void add_inline(struct apq_stats *st, const struct apq_inline_stats *in)
{
	unsigned int alg, i;

	for (alg = 0; alg < APQ_NR_ALGS; alg++)
		for (i = 0; i < NR_APQ_CLASSES; i++)
			st->count[alg][i] += atomic64_read(&in->count[alg][i]);
	st->errors += atomic64_read(&in->errors);
	for (i = 0; i < APQ_HIST_CLASSES; i++)
		st->service[i] += atomic64_read(&in->service[i]);
}

static void clear_inline(struct apq_inline_stats *in)
{
	unsigned int alg, i;

	for (alg = 0; alg < APQ_NR_ALGS; alg++)
		for (i = 0; i < NR_APQ_CLASSES; i++)
			atomic64_set(&in->count[alg][i], 0);
	atomic64_set(&in->errors, 0);
	for (i = 0; i < APQ_HIST_CLASSES; i++)
		atomic64_set(&in->service[i], 0);
}

/* Decisions of mode adaptive by reason, and how often it became another. */
static int show_plan(const struct apq_queue *aq, char *buf, int len)
{
	const struct apq_predictor *p = &aq->card->predictor;
	const struct apq_plan *plan = &aq->plan;
	unsigned int why;

	len += sysfs_emit_at(buf, len,
			     "predictor engines %u error_ns %u wake_ns %u\n",
			     READ_ONCE(p->engines), READ_ONCE(p->error_ns),
			     apq_plan_wake_ns());

	len += sysfs_emit_at(buf, len, "adaptive changes %llu",
			     READ_ONCE(plan->changes));
	for (why = 0; why < NR_APQ_PLAN_WHYS; why++)
		len += sysfs_emit_at(buf, len, " %s %llu", apq_plan_names[why],
				     READ_ONCE(plan->count[why]));
	return len + sysfs_emit_at(buf, len, "\n");
}

/**
 * apq_stats_show() - counts of a queue as text
 * @aq: queue
 * @buf: a page
 *
 * Context: may sleep.
 * Return: bytes, or -ENOMEM.
 */
ssize_t apq_stats_show(struct apq_queue *aq, char *buf)
{
	u64 dropped, unknown, rescues, timeouts, expired;
	struct apq_stats *st;
	int len = 0;

	st = kmalloc(sizeof(*st), GFP_KERNEL);
	if (!st)
		return -ENOMEM;
	spin_lock_bh(&aq->lock);
	*st = aq->stats;
	dropped = aq->dropped;
	unknown = aq->unknown;
	rescues = aq->rescues;
	timeouts = aq->timeouts;
	expired = aq->expired;
	spin_unlock_bh(&aq->lock);
	add_inline(st, &aq->inline_stats);

	len = show_counts(st, buf, len);
	len += sysfs_emit_at(buf, len,
			     "errors %llu\ndropped %llu\nunknown %llu\nrescues %llu\ntimeouts %llu\nexpired %llu\ntimed %llu\n",
			     st->errors, dropped, unknown, rescues, timeouts,
			     expired, st->timed);
	len = show_polls(st, atomic64_read(&aq->empty_polls), buf, len);
	len = show_plan(aq, buf, len);
	len = show_hist(st->service, "service", buf, len);
	len = show_hist(st->wait, "wait", buf, len);
	len = show_hist(st->oversleep, "oversleep", buf, len);
	kfree(st);
	return len;
}

/* Zeroes all counts, which is what a write to request_count does. */
void apq_stats_clear(struct apq_queue *aq)
{
	spin_lock_bh(&aq->lock);
	memset(&aq->stats, 0, sizeof(aq->stats));
	aq->dropped = 0;
	aq->unknown = 0;
	aq->rescues = 0;
	aq->timeouts = 0;
	aq->expired = 0;
	memset(aq->plan.count, 0, sizeof(aq->plan.count));
	aq->plan.changes = 0;
	spin_unlock_bh(&aq->lock);
	clear_inline(&aq->inline_stats);
	atomic64_set(&aq->empty_polls, 0);
	atomic64_set(&aq->request_count, 0);
}
