// SPDX-License-Identifier: GPL-2.0
/* Cards: register, unregister, online and offline. */

#include <linux/slab.h>
#include "bus.h"

static unsigned int nr_cards;	/* registered; under apq_bus_lock */

static void card_release(struct device *dev)
{
	struct apq_card *card = to_apq_card(dev);

	if (card->ops->destroy)
		card->ops->destroy(card);
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
	device_initialize(&card->dev);
	card->dev.parent = apq_bus_root();
	card->dev.bus = &apq_bus_type;
	card->dev.groups = apq_card_groups;
	card->dev.release = card_release;
	ret = dev_set_name(&card->dev, "card%02x", id);
	if (ret) {
		put_device(&card->dev);
		return ERR_PTR(ret);
	}
	return card;
}

static int add_queue(struct apq_card *card, unsigned int domain)
{
	struct apq_queue *aq;
	int ret;

	aq = apq_queue_create(card, domain);
	if (IS_ERR(aq))
		return PTR_ERR(aq);
	ret = apq_bus_add_queue(aq);
	if (ret)
		goto out_put;
	ret = device_add(&aq->dev);
	if (ret)
		goto out_del;
	card->queues[domain] = aq;
	return 0;
out_del:
	apq_bus_del_queue(aq);
out_put:
	apq_queue_put(aq);
	return ret;
}

/*
 * Ends the service of all queues. They leave the device model later, without
 * the lock: device_del() waits for sysfs writers, and those take the lock.
 */
static void stop_queues(struct apq_card *card, struct apq_queue **gone)
{
	unsigned int i;

	lockdep_assert_held(&apq_bus_lock);
	card->online = false;
	apq_dispatch_rebuild();
	for (i = 0; i < APQ_MAX_DOMAINS; i++) {
		gone[i] = card->queues[i];
		if (!gone[i])
			continue;
		apq_queue_shutdown(gone[i]);
		apq_bus_del_queue(gone[i]);
		card->queues[i] = NULL;
	}
}

static void remove_devices(struct apq_card *card, struct apq_queue **gone)
{
	unsigned int i;

	for (i = 0; i < APQ_MAX_DOMAINS; i++) {
		if (!gone[i])
			continue;
		device_del(&gone[i]->dev);
		apq_queue_put(gone[i]);
	}
	device_del(&card->dev);
}

/**
 * apq_card_register() - put a card with its queues into service
 * @card: card, complete
 * @domains: how many queues, 1 to APQ_MAX_DOMAINS
 *
 * Return: 0 or -errno, with the card out of service and the reference still
 * the caller's.
 */
int apq_card_register(struct apq_card *card, unsigned int domains)
{
	struct apq_queue *gone[APQ_MAX_DOMAINS];
	unsigned int i;
	int ret;

	mutex_lock(&apq_bus_lock);
	ret = device_add(&card->dev);
	if (ret) {
		mutex_unlock(&apq_bus_lock);
		return ret;
	}
	for (i = 0; i < domains && !ret; i++)
		ret = add_queue(card, i);
	if (ret) {
		stop_queues(card, gone);
	} else {
		nr_cards++;
		apq_dispatch_rebuild();
	}
	mutex_unlock(&apq_bus_lock);
	if (ret)
		remove_devices(card, gone);
	else
		dev_info(&card->dev, "%s card, computed by %s\n",
			 card->ops->name, card->engine);
	return ret;
}

/**
 * apq_card_unregister() - take a card out of service and drop its reference
 * @card: card
 *
 * Its requests finish on other cards, or get -ENODEV where there is none.
 */
void apq_card_unregister(struct apq_card *card)
{
	struct apq_queue *gone[APQ_MAX_DOMAINS];

	mutex_lock(&apq_bus_lock);
	stop_queues(card, gone);
	nr_cards--;
	mutex_unlock(&apq_bus_lock);
	remove_devices(card, gone);
	put_device(&card->dev);
}

/* Registered cards, online or not. */
unsigned int apq_card_count(void)
{
	return READ_ONCE(nr_cards);
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
	unsigned int i;
	int ret = 0;

	mutex_lock(&apq_bus_lock);
	if (online && (!card->config || card->chkstop)) {
		ret = -ENODEV;
		goto out_unlock;
	}
	card->online = online;
	/* Taken out of the table first, so that retries look elsewhere. */
	if (!online)
		apq_dispatch_rebuild();
	for (i = 0; i < APQ_MAX_DOMAINS; i++)
		if (card->queues[i])
			apq_queue_set_online(card->queues[i], online);
	if (online)
		apq_dispatch_rebuild();
out_unlock:
	mutex_unlock(&apq_bus_lock);
	return ret;
}
