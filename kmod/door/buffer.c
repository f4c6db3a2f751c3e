// SPDX-License-Identifier: GPL-2.0
/* Pages of a caller, pinned while a request uses them. */

#include <linux/mm.h>
#include <linux/slab.h>
#include "buffer.h"

/**
 * apq_pin() - pin a range of the caller's memory
 * @p: filled on success
 * @addr: user address
 * @len: bytes, 1 or more
 * @write: whether the card will write there
 *
 * Context: process context of the caller, may sleep.
 * Return: 0, -EFAULT, -ENOMEM.
 */
int apq_pin(struct apq_pinned *p, u64 addr, unsigned int len, bool write)
{
	unsigned long start = addr;
	int ret;

	if (start != addr || start + len < start)
		return -EFAULT;
	p->nr = DIV_ROUND_UP(offset_in_page(start) + len, PAGE_SIZE);
	p->write = write;
	p->pages = kvmalloc_array(p->nr, sizeof(*p->pages), GFP_KERNEL);
	if (!p->pages)
		return -ENOMEM;
	ret = pin_user_pages_fast(start, p->nr, write ? FOLL_WRITE : 0,
				  p->pages);
	if (ret < 0 || ret != p->nr) {
		if (ret > 0)
			unpin_user_pages(p->pages, ret);
		ret = -EFAULT;
		goto out_free;
	}
	ret = sg_alloc_table_from_pages(&p->sgt, p->pages, p->nr,
					offset_in_page(start), len,
					GFP_KERNEL);
	if (ret)
		goto out_unpin;
	return 0;

out_unpin:
	unpin_user_pages(p->pages, p->nr);
out_free:
	kvfree(p->pages);
	p->pages = NULL;
	return ret;
}

/* The card is through with the pages. Process context, may sleep. */
void apq_unpin(struct apq_pinned *p)
{
	if (!p->pages)
		return;
	sg_free_table(&p->sgt);
	unpin_user_pages_dirty_lock(p->pages, p->nr, p->write);
	kvfree(p->pages);
	p->pages = NULL;
}
