// SPDX-License-Identifier: GPL-2.0
/*
 * A hwrng device on the queues: random bytes of whatever cards are online.
 *
 * The software card has no source of entropy of its own, so the kernel must
 * not credit any for what it reads here.
 */

#include <linux/hw_random.h>
#include <linux/slab.h>
#include "../core/bus.h"
#include "door.h"

/* A kernel thread reads here; it must not hang on a card for long. */
#define READ_TIMEOUT_MS		5000

struct hwrng_req {
	struct apq_req req;
	u8 data[];
};

static void hwrng_req_release(struct apq_req *req)
{
	kfree_sensitive(container_of(req, struct hwrng_req, req));
}

static int hwrng_read(struct hwrng *rng, void *buf, size_t max, bool wait)
{
	struct hwrng_req *hr;
	int ret;

	/* Without waiting there is nothing that could be ready. */
	if (!wait)
		return 0;
	max = min_t(size_t, max, APQ_MAX_RANDOM_LEN);
	/* A signal leaves the request to the card, so not into the buffer. */
	hr = kmalloc(struct_size(hr, data, max), GFP_KERNEL);
	if (!hr)
		return -ENOMEM;
	apq_req_init(&hr->req, APQ_ALG_RANDOM, APQ_OP_RANDOM,
		     hwrng_req_release);
	hr->req.random.out = hr->data;
	hr->req.random.len = max;
	ret = apq_submit_wait(&hr->req, READ_TIMEOUT_MS);
	if (!ret)
		memcpy(buf, hr->data, max);
	apq_req_put(&hr->req);
	return ret ?: max;
}

static struct hwrng rng = {
	.name = "apq",
	.read = hwrng_read,
	.quality = APQ_HWRNG_NO_QUALITY,
};

int apq_hwrng_init(void)
{
	return hwrng_register(&rng);
}

void apq_hwrng_exit(void)
{
	hwrng_unregister(&rng);
}
