/* SPDX-License-Identifier: GPL-2.0 */
/* Data of a caller as a scatter list: small copied, large pinned. */
#ifndef APQ_DOOR_BUFFER_H
#define APQ_DOOR_BUFFER_H

#include <linux/scatterlist.h>
#include <linux/types.h>

/*
 * Bytes up to which data is copied. A page costs about as much to pin as to
 * copy, and pinning keeps its advantage from there on.
 */
#define APQ_COPY_MAX		PAGE_SIZE

/**
 * struct apq_pinned - pages of a user, as a scatter list
 * @sgt: the list
 * @pages: the pages
 * @nr: their number
 * @write: the card writes to them
 */
struct apq_pinned {
	struct sg_table sgt;
	struct page **pages;
	unsigned int nr;
	bool write;
};

int apq_pin(struct apq_pinned *p, u64 addr, unsigned int len, bool write);
void apq_unpin(struct apq_pinned *p);

#endif
