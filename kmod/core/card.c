// SPDX-License-Identifier: GPL-2.0
/* Cards: register, unregister, online and offline, configured or not. */

#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "bus.h"
#include "model.h"
#include "service.h"

/* Cards and queues come and go one at a time; the order is in bus.h. */
DEFINE_MUTEX(apq_hotplug_lock);

/* Registered ones by id; changed under both locks, read under either. */
static struct apq_card *cards[APQ_MAX_CARDS];
static unsigned int nr_cards;

static void card_release(struct device *dev)
{
	struct apq_card *card = to_apq_card(dev);

	if (card->ops->destroy)
		card->ops->destroy(card);
	apq_service_free(card);
	kfree(card);
}

/**
 * apq_card_alloc() - make a card, not yet visible
 * @id: XX of cardXX, below APQ_MAX_CARDS
 * @ops: transport
 *
 * Return: the card with one reference, freed with put_device(), or ERR_PTR.
 */
struct apq_card *apq_card_alloc(unsigned int id, const struct apq_card_ops *ops)
{
	struct apq_card *card;
	int ret;

	card = kzalloc(sizeof(*card), GFP_KERNEL);
	if (!card)
		return ERR_PTR(-ENOMEM);
	card->id = id;
	card->ops = ops;
	card->depth = APQ_CARD_DEPTH;
	card->online = true;
	card->config = true;
	ret = apq_service_init(card);
	if (ret) {
		kfree(card);
		return ERR_PTR(ret);
	}
	apq_predict_init(&card->predictor);
	device_initialize(&card->dev);
	card->dev.parent = apq_bus_root();
	card->dev.bus = &apq_bus_type;
	card->dev.type = &apq_card_type;
	card->dev.release = card_release;
	ret = dev_set_name(&card->dev, "card%02x", id);
	if (ret) {
		put_device(&card->dev);
		return ERR_PTR(ret);
	}
	return card;
}

/* The blocks that a queue shares with its card. */
static void block_as_card(struct apq_queue *aq)
{
	const struct apq_card *card = aq->card;

	lockdep_assert_held(&apq_bus_lock);
	if (!card->online)
		apq_queue_block(aq, APQ_BLOCK_OFFLINE, true);
	if (!card->config)
		apq_queue_block(aq, APQ_BLOCK_DECONFIG, true);
	if (card->chkstop)
		apq_queue_block(aq, APQ_BLOCK_CHKSTOP, true);
}

/**
 * apq_card_add_queue() - put a queue of a registered card into service
 * @card: card
 * @domain: its number
 *
 * Context: process context, apq_hotplug_lock held.
 * Return: 0; -EINVAL: APQ_MAX_DOMAINS is the limit; -EEXIST; -ENOSPC:
 * APQ_MAX_QUEUES are there; -ENOMEM.
 */
int apq_card_add_queue(struct apq_card *card, unsigned int domain)
{
	struct apq_queue *aq;
	int ret;

	lockdep_assert_held(&apq_hotplug_lock);
	if (domain >= APQ_MAX_DOMAINS)
		return -EINVAL;
	if (card->queues[domain])
		return -EEXIST;
	aq = apq_queue_create(card, domain);
	if (IS_ERR(aq))
		return PTR_ERR(aq);
	mutex_lock(&apq_bus_lock);
	ret = apq_bus_add_queue(aq);
	if (!ret) {
		block_as_card(aq);
		card->queues[domain] = aq;
	}
	mutex_unlock(&apq_bus_lock);
	if (ret)
		goto out_put;
	/* Without the lock: the driver that binds to it takes it. */
	ret = device_add(&aq->dev);
	if (ret)
		goto out_del;
	return 0;

out_del:
	mutex_lock(&apq_bus_lock);
	card->queues[domain] = NULL;
	apq_bus_del_queue(aq);
	mutex_unlock(&apq_bus_lock);
out_put:
	apq_queue_put(aq);
	return ret;
}

/*
 * Ends the service of a queue. It leaves the device model later, without the
 * lock: device_del() waits for sysfs writers, and those take the lock.
 */
static void retire_queue(struct apq_queue *aq)
{
	lockdep_assert_held(&apq_bus_lock);
	apq_queue_shutdown(aq);
	apq_bus_del_queue(aq);
	aq->card->queues[aq->domain] = NULL;
}

/*
 * The end of a queue that was retired, is in no table any more, and that no
 * reader of an older table can still take a reference to.
 */
static void remove_device(struct apq_queue *aq)
{
	device_del(&aq->dev);
	apq_queue_put(aq);
}

/**
 * apq_card_remove_queue() - take a queue of a registered card out of service
 * @card: card
 * @domain: its number
 *
 * Its requests finish on other queues, or get -ENODEV where there is none.
 *
 * Context: process context, apq_hotplug_lock held.
 * Return: 0 or -ENOENT.
 */
int apq_card_remove_queue(struct apq_card *card, unsigned int domain)
{
	struct apq_queue *aq;

	lockdep_assert_held(&apq_hotplug_lock);
	aq = domain < APQ_MAX_DOMAINS ? card->queues[domain] : NULL;
	if (!aq)
		return -ENOENT;
	mutex_lock(&apq_bus_lock);
	retire_queue(aq);
	apq_dispatch_rebuild();
	mutex_unlock(&apq_bus_lock);
	synchronize_rcu();
	remove_device(aq);
	return 0;
}

static void remove_all_queues(struct apq_card *card)
{
	struct apq_queue *gone[APQ_MAX_DOMAINS];
	unsigned int i;

	mutex_lock(&apq_bus_lock);
	/* Out of the table first, so that retries look at other cards. */
	card->gone = true;
	apq_dispatch_rebuild();
	for (i = 0; i < APQ_MAX_DOMAINS; i++) {
		gone[i] = card->queues[i];
		if (gone[i])
			retire_queue(gone[i]);
	}
	apq_service_stop(card);
	mutex_unlock(&apq_bus_lock);
	synchronize_rcu();
	for (i = 0; i < APQ_MAX_DOMAINS; i++)
		if (gone[i])
			remove_device(gone[i]);
}

static void set_registered(struct apq_card *card, bool registered)
{
	mutex_lock(&apq_bus_lock);
	cards[card->id] = registered ? card : NULL;
	WRITE_ONCE(nr_cards, nr_cards + (registered ? 1 : -1));
	mutex_unlock(&apq_bus_lock);
}

/**
 * apq_card_register() - put a card with its queues into service
 * @card: card, complete
 * @domains: how many queues, 1 to APQ_MAX_DOMAINS
 *
 * Context: process context, apq_hotplug_lock held.
 * Return: 0 or -errno, with the card out of service and the reference still
 * the caller's. -EEXIST: the id is in use; -ENOSPC: APQ_MAX_QUEUES.
 */
int apq_card_register(struct apq_card *card, unsigned int domains)
{
	unsigned int i;
	int ret;

	lockdep_assert_held(&apq_hotplug_lock);
	if (cards[card->id])
		return -EEXIST;
	ret = device_add(&card->dev);
	if (ret)
		return ret;
	for (i = 0; i < domains && !ret; i++)
		ret = apq_card_add_queue(card, i);
	if (ret) {
		remove_all_queues(card);
		device_del(&card->dev);
		return ret;
	}
	set_registered(card, true);
	dev_info(&card->dev, "%s card, computed by %s\n", card->ops->name,
		 card->engine);
	return 0;
}

/**
 * apq_card_unregister() - take a card out of service and drop its reference
 * @card: card
 *
 * Its requests finish on other cards, or get -ENODEV where there is none.
 *
 * Context: process context, apq_hotplug_lock held.
 */
void apq_card_unregister(struct apq_card *card)
{
	lockdep_assert_held(&apq_hotplug_lock);
	remove_all_queues(card);
	set_registered(card, false);
	device_del(&card->dev);
	put_device(&card->dev);
}

/* The registered card with this id or NULL; it stays while the lock is held. */
struct apq_card *apq_card_find(unsigned int id)
{
	lockdep_assert_held(&apq_hotplug_lock);
	return id < APQ_MAX_CARDS ? cards[id] : NULL;
}

/* Registered cards, online or not. */
unsigned int apq_card_count(void)
{
	return READ_ONCE(nr_cards);
}

/* Blocks or unblocks all queues of a card, after a change of its own state. */
static void block_queues(struct apq_card *card, enum apq_block why, bool block)
{
	unsigned int i;

	lockdep_assert_held(&apq_bus_lock);
	/* Taken out of the table first, so that retries look elsewhere. */
	if (block)
		apq_dispatch_rebuild();
	for (i = 0; i < APQ_MAX_DOMAINS; i++) {
		struct apq_queue *aq = card->queues[i];

		if (!aq || !!(aq->blocked & why) == block)
			continue;
		apq_queue_block(aq, why, block);
		if (why == APQ_BLOCK_OFFLINE)
			apq_uevent_online(&aq->dev, !block);
		else if (why == APQ_BLOCK_DECONFIG)
			apq_uevent_config(&aq->dev, !block);
	}
	if (!block)
		apq_dispatch_rebuild();
}

/**
 * apq_card_set_online() - let a card take requests or not
 * @card: card
 * @online: what all its queues become too
 *
 * Return: 0, or -ENODEV: deconfigured or broken cards stay offline.
 */
int apq_card_set_online(struct apq_card *card, bool online)
{
	int ret = 0;

	mutex_lock(&apq_bus_lock);
	if (online && (!card->config || card->chkstop)) {
		ret = -ENODEV;
		goto out_unlock;
	}
	card->online = online;
	apq_uevent_online(&card->dev, online);
	block_queues(card, APQ_BLOCK_OFFLINE, !online);
out_unlock:
	mutex_unlock(&apq_bus_lock);
	return ret;
}

/**
 * apq_queue_set_online() - let one queue take requests or not
 * @aq: queue
 * @online: false flushes it
 *
 * Return: 0; -ENODEV: its card is deconfigured or broken; -EINVAL: its card
 * is offline.
 */
int apq_queue_set_online(struct apq_queue *aq, bool online)
{
	const struct apq_card *card = aq->card;
	int ret = 0;

	mutex_lock(&apq_bus_lock);
	if (online && (!card->config || card->chkstop)) {
		ret = -ENODEV;
	} else if (online && !card->online) {
		ret = -EINVAL;
	} else {
		apq_queue_block(aq, APQ_BLOCK_OFFLINE, !online);
		apq_dispatch_rebuild();
		apq_uevent_online(&aq->dev, online);
	}
	mutex_unlock(&apq_bus_lock);
	return ret;
}

/**
 * apq_card_set_config() - configure a card or deconfigure it
 * @card: card
 * @config: false flushes its queues and puts them into the error state that a
 *	    deconfigured card causes; true resets them
 */
void apq_card_set_config(struct apq_card *card, bool config)
{
	mutex_lock(&apq_bus_lock);
	card->config = config;
	block_queues(card, APQ_BLOCK_DECONFIG, !config);
	apq_uevent_config(&card->dev, config);
	mutex_unlock(&apq_bus_lock);
}

/**
 * apq_card_set_chkstop() - a card stops by itself for good, or is repaired
 * @card: card
 * @chkstop: true flushes its queues and puts them into the error state that a
 *	     checkstopped card causes; false resets them
 */
void apq_card_set_chkstop(struct apq_card *card, bool chkstop)
{
	mutex_lock(&apq_bus_lock);
	card->chkstop = chkstop;
	block_queues(card, APQ_BLOCK_CHKSTOP, chkstop);
	mutex_unlock(&apq_bus_lock);
}
