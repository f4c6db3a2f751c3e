// SPDX-License-Identifier: GPL-2.0
/*
 * Faults: a card that misbehaves on demand, for tests of everything above it.
 *
 * Each kind has a folder in debugfs, apq/fault/KIND, with
 *   probability  of 1000 opportunities; 0, the default, switches it off
 *   times        how many times at the most, -1 for no limit
 *   card         number of the card, -1 for all
 *   injected     how many times it happened
 * and some a value of their own. Opportunities are a reply (lose, delay,
 * duplicate, reorder, status), a request on its way into a card (full, reset,
 * vanish), or a word to the completion mode, from the queue that it waits or
 * from the card that it has a reply (mute).
 *
 * All but mute runs under the lock of the queue concerned.
 */

#include <linux/bitmap.h>
#include <linux/debugfs.h>
#include <linux/random.h>
#include <linux/workqueue.h>
#include "../core/bus.h"
#include "../core/transport.h"
#include "fault.h"

#define PER_MILLE	1000

/* A reordered reply follows after so long if no other one comes. */
#define REORDER_MS	20

enum fault_kind {
	FAULT_LOSE,
	FAULT_DELAY,
	FAULT_DUPLICATE,
	FAULT_REORDER,
	FAULT_STATUS,
	FAULT_FULL,
	FAULT_RESET,
	FAULT_VANISH,
	FAULT_MUTE,
	NR_FAULTS
};

/**
 * struct fault - one kind
 * @name: folder
 * @value_name: file with @value, NULL if the kind has none
 * @value: milliseconds or reply code
 * @max_value: largest @value
 * @probability: of PER_MILLE
 * @card: card or -1
 * @times: left, -1 for no limit
 * @injected: happened
 */
struct fault {
	const char *name;
	const char *value_name;
	u32 value;
	u32 max_value;
	u32 probability;
	int card;
	atomic_t times;
	atomic_t injected;
};

static struct fault faults[NR_FAULTS] = {
	[FAULT_LOSE]	  = { .name = "lose" },
	[FAULT_DELAY]	  = { .name = "delay", .value_name = "delay_ms",
			      .value = 50, .max_value = 60000 },
	[FAULT_DUPLICATE] = { .name = "duplicate" },
	[FAULT_REORDER]	  = { .name = "reorder" },
	/* 0x90: transport error, which is worth another try */
	[FAULT_STATUS]	  = { .name = "status", .value_name = "code",
			      .value = 0x90, .max_value = 0xff },
	[FAULT_FULL]	  = { .name = "full" },
	[FAULT_RESET]	  = { .name = "reset" },
	[FAULT_VANISH]	  = { .name = "vanish", .value_name = "duration_ms",
			      .value = 500, .max_value = 60000 },
	[FAULT_MUTE]	  = { .name = "mute" },
};

DEFINE_STATIC_KEY_FALSE(apq_fault_key);

/*
 * Cards that are gone, and until when in jiffies. Written under the lock of
 * any queue of the card; a race only moves the moment of the return.
 */
static DECLARE_BITMAP(gone, APQ_MAX_CARDS);
static unsigned long gone_until[APQ_MAX_CARDS];

static void release_fn(struct work_struct *work);
static DECLARE_DELAYED_WORK(release_work, release_fn);

static bool hit(enum fault_kind kind, const struct apq_queue *aq)
{
	struct fault *f = &faults[kind];
	u32 probability = READ_ONCE(f->probability);
	int card = READ_ONCE(f->card);

	if (!probability || (card >= 0 && card != aq->card->id))
		return false;
	if (get_random_u32() % PER_MILLE >= probability)
		return false;
	if (atomic_read(&f->times) >= 0 && atomic_dec_if_positive(&f->times) < 0)
		return false;
	atomic_inc(&f->injected);
	return true;
}

static bool is_gone(const struct apq_queue *aq)
{
	unsigned int id = aq->card->id;

	if (!test_bit(id, gone))
		return false;
	if (time_before(jiffies, READ_ONCE(gone_until[id])))
		return true;
	clear_bit(id, gone);
	return false;
}

static bool hold(struct apq_queue *aq, const struct apq_reply *reply,
		 unsigned int ms)
{
	struct apq_held *h = &aq->held;

	if (h->nr == APQ_MAX_HELD)
		return false;
	h->reply[h->nr] = *reply;
	h->due[h->nr] = jiffies + msecs_to_jiffies(ms);
	h->nr++;
	/* It looks each jiffy: replies held for longer must not delay this. */
	if (ms)
		schedule_delayed_work(&release_work, 1);
	return true;
}

static int find_due(const struct apq_queue *aq)
{
	unsigned int i;

	for (i = 0; i < READ_ONCE(aq->held.nr); i++)
		if (time_after_eq(jiffies, READ_ONCE(aq->held.due[i])))
			return i;
	return -1;
}

static void take_held(struct apq_queue *aq, unsigned int i,
		      struct apq_reply *reply)
{
	struct apq_held *h = &aq->held;

	*reply = h->reply[i];
	h->nr--;
	h->reply[i] = h->reply[h->nr];
	h->due[i] = h->due[h->nr];
}

/* Calls for the replies whose time has come, as the card would. */
static void release_fn(struct work_struct *work)
{
	bool more = false;
	unsigned int i;

	rcu_read_lock();
	for (i = 0; i < APQ_MAX_QUEUES; i++) {
		struct apq_queue *aq = apq_bus_queue_rcu(i);

		if (!aq || !READ_ONCE(aq->held.nr))
			continue;
		more = true;
		if (find_due(aq) >= 0)
			apq_mode_reply(aq);
	}
	rcu_read_unlock();
	if (more)
		schedule_delayed_work(&release_work, 1);
}

enum apq_response apq_fault_enqueue(struct apq_queue *aq, struct apq_req *req)
{
	unsigned int id = aq->card->id;

	if (hit(FAULT_VANISH, aq)) {
		WRITE_ONCE(gone_until[id], jiffies +
			   msecs_to_jiffies(faults[FAULT_VANISH].value));
		set_bit(id, gone);
	}
	if (is_gone(aq))
		return APQ_RESP_NOT_AVAIL;
	if (hit(FAULT_FULL, aq))
		return APQ_RESP_FULL;
	if (hit(FAULT_RESET, aq))
		return APQ_RESP_RESET;
	return apq_real_enqueue(aq, req);
}

/* Whether this reply does not come now, or not as it is. */
static bool disturb(struct apq_queue *aq, struct apq_reply *reply)
{
	if (hit(FAULT_LOSE, aq))
		return true;
	if (hit(FAULT_DELAY, aq) &&
	    hold(aq, reply, READ_ONCE(faults[FAULT_DELAY].value)))
		return true;
	if (hit(FAULT_REORDER, aq) && hold(aq, reply, REORDER_MS))
		return true;
	if (hit(FAULT_DUPLICATE, aq))
		hold(aq, reply, 0);
	if (hit(FAULT_STATUS, aq))
		reply->code = READ_ONCE(faults[FAULT_STATUS].value);
	return false;
}

enum apq_response apq_fault_dequeue(struct apq_queue *aq,
				    struct apq_reply *reply)
{
	enum apq_response resp;
	int i = find_due(aq);

	if (is_gone(aq))
		return APQ_RESP_NOT_AVAIL;
	if (i >= 0) {
		take_held(aq, i, reply);
		return APQ_RESP_OK;
	}
	do {
		resp = apq_real_dequeue(aq, reply);
	} while (resp == APQ_RESP_OK && disturb(aq, reply));
	return resp;
}

bool apq_fault_has_reply(struct apq_queue *aq)
{
	/* A card that is gone says so to whoever asks. */
	return find_due(aq) >= 0 || is_gone(aq) ||
	       apq_real_has_reply(aq);
}

/* Whether the completion mode is not told. Context: any. */
bool apq_fault_mute(struct apq_queue *aq)
{
	return hit(FAULT_MUTE, aq);
}

int apq_fault_cancel(struct apq_queue *aq, u64 psmid)
{
	int ret = apq_real_cancel(aq, psmid);
	unsigned int i;

	for (i = 0; ret == -ENOENT && i < aq->held.nr; i++)
		if (aq->held.reply[i].psmid == psmid)
			ret = 0;
	return ret;
}

enum apq_response apq_fault_reset(struct apq_queue *aq)
{
	struct apq_reply reply;
	enum apq_response resp;

	/* Even a card that is gone first lets go of the requests' memory. */
	if (is_gone(aq))
		while (apq_real_dequeue(aq, &reply) == APQ_RESP_OK)
			;
	resp = apq_real_reset(aq);
	if (resp == APQ_RESP_OK && is_gone(aq))
		return APQ_RESP_NOT_AVAIL;
	return resp;
}

static int probability_get(void *data, u64 *val)
{
	struct fault *f = data;

	*val = f->probability;
	return 0;
}

static int probability_set(void *data, u64 val)
{
	struct fault *f = data;

	if (val > PER_MILLE)
		return -EINVAL;
	/*
	 * Once on, the key stays on: switching it off could lose replies that
	 * are held, which is a fault nobody asked for.
	 */
	if (val)
		static_branch_enable(&apq_fault_key);
	/* Pairs with READ_ONCE() in hit(). */
	WRITE_ONCE(f->probability, val);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(probability_fops, probability_get, probability_set,
			 "%llu\n");

static int card_get(void *data, u64 *val)
{
	struct fault *f = data;

	*val = f->card;
	return 0;
}

static int card_set(void *data, u64 val)
{
	struct fault *f = data;
	s64 card = val;

	if (card < -1 || card >= APQ_MAX_CARDS)
		return -EINVAL;
	/* Pairs with READ_ONCE() in hit(). */
	WRITE_ONCE(f->card, card);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE_SIGNED(card_fops, card_get, card_set, "%lld\n");

static int value_get(void *data, u64 *val)
{
	struct fault *f = data;

	*val = f->value;
	return 0;
}

static int value_set(void *data, u64 val)
{
	struct fault *f = data;

	if (val > f->max_value)
		return -EINVAL;
	/* Pairs with the READ_ONCE() where the fault happens. */
	WRITE_ONCE(f->value, val);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(value_fops, value_get, value_set, "%llu\n");

/**
 * apq_fault_init() - make the folders
 * @root: folder of the module in debugfs
 */
void apq_fault_init(struct dentry *root)
{
	struct dentry *all = debugfs_create_dir("fault", root);
	unsigned int i;

	for (i = 0; i < NR_FAULTS; i++) {
		struct fault *f = &faults[i];
		struct dentry *dir = debugfs_create_dir(f->name, all);

		f->card = -1;
		atomic_set(&f->times, -1);
		debugfs_create_file("probability", 0600, dir, f,
				    &probability_fops);
		debugfs_create_file("card", 0600, dir, f, &card_fops);
		debugfs_create_atomic_t("times", 0600, dir, &f->times);
		debugfs_create_atomic_t("injected", 0400, dir, &f->injected);
		if (f->value_name)
			debugfs_create_file(f->value_name, 0600, dir, f,
					    &value_fops);
	}
}

/* The folders are gone and so are all queues. */
void apq_fault_exit(void)
{
	cancel_delayed_work_sync(&release_work);
}
