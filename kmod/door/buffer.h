/* SPDX-License-Identifier: GPL-2.0 */
/* Data of a caller as a scatter list: small copied, large pinned. */
#ifndef APQ_DOOR_BUFFER_H
#define APQ_DOOR_BUFFER_H

#include <linux/mm.h>
#include <linux/scatterlist.h>
#include <linux/types.h>

/*
 * Bytes up to which data is copied. In the lab, AES-CBC of 256 bytes takes
 * 3,290 instructions copied and 4,340 pinned, 512 bytes 4,850 and 4,900, 1 KiB
 * 7,070 and 6,020. The lab counts one instruction for each byte of a copy,
 * where processors are faster: hence the larger of the two.
 */
#define APQ_COPY_MAX		1024

/**
 * struct apq_pinned - pages of a user, as a scatter list
 * @sg: the list; it may begin with entries that are not pages of the user
 * @pages: the pages
 * @room: entries that the two arrays have room for
 * @nr_sg: entries of @sg in use
 * @nr: pages that are pinned
 * @write: the card writes to them
 *
 * All zero is one without arrays. They are kept from one use to the next.
 */
struct apq_pinned {
	struct scatterlist *sg;
	struct page **pages;
	unsigned int room;
	unsigned int nr_sg;
	unsigned int nr;
	bool write;
};

int apq_copy_in(void *to, u64 from, unsigned int len);
int apq_copy_out(u64 to, const void *from, unsigned int len);
int apq_pin_begin(struct apq_pinned *p, unsigned int room, bool write);
void apq_pin_kernel(struct apq_pinned *p, void *buf, unsigned int len);
int apq_pin_user(struct apq_pinned *p, u64 addr, unsigned int len);
int apq_pin_range(struct apq_pinned *p, u64 addr, unsigned int len, bool write);
void apq_unpin(struct apq_pinned *p);
void apq_pinned_free(struct apq_pinned *p);

/* Pages that a range touches. */
static inline unsigned int apq_pin_pages(u64 addr, unsigned int len)
{
	return DIV_ROUND_UP(offset_in_page((unsigned long)addr) + len,
			    PAGE_SIZE);
}

/* Ends the list. */
static inline void apq_pin_end(struct apq_pinned *p)
{
	sg_mark_end(&p->sg[p->nr_sg - 1]);
}

#endif
