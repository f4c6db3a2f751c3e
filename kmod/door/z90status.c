// SPDX-License-Identifier: GPL-2.0
/* /dev/z90crypt: the requests that tell of the state of cards and queues. */

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <uapi/linux/z90crypt.h>
#include "../core/bus.h"
#include "door.h"

/* Bits of the facilities that the status structures have no room for. */
#define FUNCTIONS_SHIFT		26

/*
 * The queue with this index if it has its driver, as only such queues are
 * known to zcrypt, and is in @domain, any if negative. NULL otherwise.
 */
static const struct apq_queue *visible_queue(unsigned int index, int domain)
{
	const struct apq_queue *aq = apq_bus_queue(index);

	if (!aq || READ_ONCE(aq->blocked) & APQ_BLOCK_UNBOUND)
		return NULL;
	return domain < 0 || aq->domain == domain ? aq : NULL;
}

static bool is_online(const struct apq_queue *aq)
{
	return !(READ_ONCE(aq->blocked) & APQ_BLOCK_OFFLINE);
}

static void fill_status_ext(void *matrix, const struct apq_queue *aq)
{
	struct zcrypt_device_matrix_ext *m = matrix;
	struct zcrypt_device_status_ext *s;

	s = &m->device[aq->card->id * MAX_ZDEV_DOMAINS_EXT + aq->domain];
	s->hwtype = aq->card->hwtype;
	s->qid = aq->card->id << 8 | aq->domain;
	s->online = is_online(aq);
	s->functions = aq->card->functions >> FUNCTIONS_SHIFT;
}

static void fill_status(void *matrix, const struct apq_queue *aq)
{
	struct zcrypt_device_matrix *m = matrix;
	struct zcrypt_device_status *s;

	s = &m->device[aq->card->id * MAX_ZDEV_DOMAINS + aq->domain];
	s->hwtype = aq->card->hwtype;
	s->qid = aq->card->id << 8 | aq->domain;
	s->online = is_online(aq);
	s->functions = aq->card->functions >> FUNCTIONS_SHIFT;
}

/* Accelerators from CEX4, type 10, on; those after CEX6 say they are one. */
static void fill_type(void *mask, const struct apq_queue *aq)
{
	u8 *type = mask;

	type += aq->card->id;
	if (!aq->card->online)
		*type = ZCRYPT_STATUS_OFFLINE;
	else
		*type = min(aq->card->hwtype - 10 + ZCRYPT_STATUS_CEX4,
			    ZCRYPT_STATUS_CEX6);
}

static void fill_depth(void *mask, const struct apq_queue *aq)
{
	u8 *depth = mask;

	depth[aq->card->id] = READ_ONCE(aq->requestq_count) +
			      READ_ONCE(aq->pendingq_count);
}

static void fill_requests(void *mask, const struct apq_queue *aq)
{
	u32 *requests = mask;

	requests[aq->card->id] = min_t(u64, U32_MAX,
				       atomic64_read(&aq->request_count));
}

static void add_requestq(void *sum, const struct apq_queue *aq)
{
	*(int *)sum += READ_ONCE(aq->requestq_count);
}

static void add_pendingq(void *sum, const struct apq_queue *aq)
{
	*(int *)sum += READ_ONCE(aq->pendingq_count);
}

typedef void (fill_fn)(void *result, const struct apq_queue *aq);

/* Lets @fill see every queue of the domain, then gives the result out. */
static long collect(void __user *arg, size_t size, fill_fn *fill, int domain)
{
	void *result = kvzalloc(size, GFP_KERNEL);
	unsigned int i;
	long ret = 0;

	if (!result)
		return -ENOMEM;
	mutex_lock(&apq_bus_lock);
	for (i = 0; i < APQ_MAX_QUEUES; i++) {
		const struct apq_queue *aq = visible_queue(i, domain);

		if (aq)
			fill(result, aq);
	}
	mutex_unlock(&apq_bus_lock);
	if (copy_to_user(arg, result, size))
		ret = -EFAULT;
	kvfree(result);
	return ret;
}

/* Only queues in the default domain; without one there are none. */
static long collect_default(void __user *arg, size_t size, fill_fn *fill)
{
	int domain = apq_domain_get();

	return collect(arg, size, fill, domain < 0 ? INT_MAX : domain);
}

/**
 * apq_z90status_ioctl() - a request of /dev/z90crypt that asks for a state
 * @cmd: its number
 * @arg: where the caller wants it; the same layout for 32-bit callers
 *
 * Return: 0; -ENOTTY: no such request; -EFAULT; -ENOMEM.
 */
long apq_z90status_ioctl(unsigned int cmd, void __user *arg)
{
	/* Deprecated forms have room for as many cards as there can be. */
	BUILD_BUG_ON(APQ_MAX_CARDS > MAX_ZDEV_CARDIDS);

	switch (cmd) {
	case ZCRYPT_DEVICE_STATUS:
		return collect(arg, sizeof(struct zcrypt_device_matrix_ext),
			       fill_status_ext, -1);
	case ZDEVICESTATUS:
		return collect(arg, sizeof(struct zcrypt_device_matrix),
			       fill_status, -1);
	case ZCRYPT_STATUS_MASK:
	case Z90STAT_STATUS_MASK:
		return collect_default(arg, _IOC_SIZE(cmd), fill_type);
	case ZCRYPT_QDEPTH_MASK:
	case Z90STAT_QDEPTH_MASK:
		return collect_default(arg, _IOC_SIZE(cmd), fill_depth);
	case ZCRYPT_PERDEV_REQCNT:
	case Z90STAT_PERDEV_REQCNT:
		return collect_default(arg, _IOC_SIZE(cmd), fill_requests);
	case Z90STAT_REQUESTQ_COUNT:
		return collect_default(arg, sizeof(int), add_requestq);
	case Z90STAT_PENDINGQ_COUNT:
		return collect_default(arg, sizeof(int), add_pendingq);
	case Z90STAT_DOMAIN_INDEX:
		return put_user(apq_domain_get(), (int __user *)arg);
	default:
		return -ENOTTY;
	}
}
