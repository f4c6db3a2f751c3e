// SPDX-License-Identifier: GPL-2.0
/* Data of a caller: copied, or its pages pinned while a request uses them. */

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "buffer.h"

/*
 * Up to so many bytes a loop over words costs less than the call, the checks
 * of the destination and the start-up of a string instruction.
 */
#define WORDS_MAX	256

/* Longest arrays that are kept for the next use: 256 KiB of pages. */
#define KEEP_ROOM	65

#ifdef CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS
#define FOUR_WORDS	(4 * sizeof(long))

static int copy_words_in(u8 *to, const u8 __user *from, unsigned int len)
{
	const unsigned long __user *at;
	unsigned long *word;

	if (!user_read_access_begin(from, len))
		return -EFAULT;
	for (; len >= FOUR_WORDS; len -= FOUR_WORDS) {
		word = (unsigned long *)to;
		at = (const unsigned long __user *)from;
		unsafe_get_user(word[0], at, fault);
		unsafe_get_user(word[1], at + 1, fault);
		unsafe_get_user(word[2], at + 2, fault);
		unsafe_get_user(word[3], at + 3, fault);
		to += FOUR_WORDS;
		from += FOUR_WORDS;
	}
	for (; len >= sizeof(long); len -= sizeof(long)) {
		unsafe_get_user(*(unsigned long *)to,
				(const unsigned long __user *)from, fault);
		to += sizeof(long);
		from += sizeof(long);
	}
	for (; len; len--)
		unsafe_get_user(*to++, from++, fault);
	user_read_access_end();
	return 0;

fault:
	user_read_access_end();
	return -EFAULT;
}

static int copy_words_out(u8 __user *to, const u8 *from, unsigned int len)
{
	const unsigned long *word;
	unsigned long __user *at;

	if (!user_write_access_begin(to, len))
		return -EFAULT;
	for (; len >= FOUR_WORDS; len -= FOUR_WORDS) {
		word = (const unsigned long *)from;
		at = (unsigned long __user *)to;
		unsafe_put_user(word[0], at, fault);
		unsafe_put_user(word[1], at + 1, fault);
		unsafe_put_user(word[2], at + 2, fault);
		unsafe_put_user(word[3], at + 3, fault);
		to += FOUR_WORDS;
		from += FOUR_WORDS;
	}
	for (; len >= sizeof(long); len -= sizeof(long)) {
		unsafe_put_user(*(const unsigned long *)from,
				(unsigned long __user *)to, fault);
		to += sizeof(long);
		from += sizeof(long);
	}
	for (; len; len--)
		unsafe_put_user(*from++, to++, fault);
	user_write_access_end();
	return 0;

fault:
	user_write_access_end();
	return -EFAULT;
}
#else
static int copy_words_in(u8 *to, const u8 __user *from, unsigned int len)
{
	return copy_from_user(to, from, len) ? -EFAULT : 0;
}

static int copy_words_out(u8 __user *to, const u8 *from, unsigned int len)
{
	return copy_to_user(to, from, len) ? -EFAULT : 0;
}
#endif

/* An address that a pointer cannot hold is none of user space. */
static bool fits(u64 addr)
{
	return addr == (unsigned long)addr;
}

/**
 * apq_copy_in() - copy from the caller
 * @to: memory of the kernel, @len bytes
 * @from: user address
 * @len: bytes
 *
 * Context: process context of the caller, may sleep.
 * Return: 0 or -EFAULT.
 */
int apq_copy_in(void *to, u64 from, unsigned int len)
{
	void __user *at = u64_to_user_ptr(from);

	if (!fits(from))
		return -EFAULT;
	might_fault();
	if (len <= WORDS_MAX)
		return copy_words_in(to, at, len);
	return copy_from_user(to, at, len) ? -EFAULT : 0;
}

/**
 * apq_copy_out() - copy to the caller
 * @to: user address
 * @from: memory of the kernel, @len bytes
 * @len: bytes
 *
 * Context: process context of the caller, may sleep.
 * Return: 0 or -EFAULT.
 */
int apq_copy_out(u64 to, const void *from, unsigned int len)
{
	void __user *at = u64_to_user_ptr(to);

	if (!fits(to))
		return -EFAULT;
	might_fault();
	if (len <= WORDS_MAX)
		return copy_words_out(at, from, len);
	return copy_to_user(at, from, len) ? -EFAULT : 0;
}

/**
 * apq_pin_begin() - start a list
 * @p: nothing is pinned in it
 * @room: entries it will get at the most
 * @write: whether the card will write there
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int apq_pin_begin(struct apq_pinned *p, unsigned int room, bool write)
{
	if (p->room < room) {
		apq_pinned_free(p);
		p->sg = kvmalloc_array(room, sizeof(*p->sg), GFP_KERNEL);
		p->pages = kvmalloc_array(room, sizeof(*p->pages),
					  GFP_KERNEL);
		if (!p->sg || !p->pages) {
			apq_pinned_free(p);
			return -ENOMEM;
		}
		p->room = room;
		sg_init_table(p->sg, room);
		sg_unmark_end(&p->sg[room - 1]);
	} else if (p->nr_sg) {
		sg_unmark_end(&p->sg[p->nr_sg - 1]);
	}
	p->nr_sg = 0;
	p->write = write;
	return 0;
}

/* Appends memory of the kernel to the list. */
void apq_pin_kernel(struct apq_pinned *p, void *buf, unsigned int len)
{
	sg_set_buf(&p->sg[p->nr_sg++], buf, len);
}

/* Appends @len bytes that begin at @offset of the first page. */
static void append_pages(struct apq_pinned *p, struct page **pages,
			 unsigned int offset, unsigned int len)
{
	struct scatterlist *sg = &p->sg[p->nr_sg];
	unsigned int part = min_t(unsigned int, len, PAGE_SIZE - offset);

	sg_set_page(sg++, *pages++, part, offset);
	for (len -= part; len > PAGE_SIZE; len -= PAGE_SIZE)
		sg_set_page(sg++, *pages++, PAGE_SIZE, 0);
	if (len)
		sg_set_page(sg++, *pages, len, 0);
	p->nr_sg = sg - p->sg;
}

/**
 * apq_pin_user() - append a range of the caller's memory to the list
 * @p: list with room for its pages
 * @addr: user address
 * @len: bytes, 1 or more
 *
 * Input is only read, so that a reference is enough: a page that the caller
 * or a fork replaces keeps what it held at the time of the call. Output is
 * pinned.
 *
 * Context: process context of the caller, may sleep.
 * Return: 0 or -EFAULT; apq_unpin() is due in either case.
 */
int apq_pin_user(struct apq_pinned *p, u64 addr, unsigned int len)
{
	unsigned int nr = apq_pin_pages(addr, len);
	struct page **pages = p->pages + p->nr;
	int ret;

	if (!fits(addr) || (unsigned long)addr + len < (unsigned long)addr)
		return -EFAULT;
	if (p->write)
		ret = pin_user_pages_fast(addr, nr, FOLL_WRITE, pages);
	else
		ret = get_user_pages_fast(addr, nr, 0, pages);
	if (ret > 0)
		p->nr += ret;
	if (ret != nr)
		return -EFAULT;
	append_pages(p, pages, offset_in_page((unsigned long)addr), len);
	return 0;
}

/**
 * apq_pin_range() - a list of one range of the caller's memory
 * @p: nothing is pinned in it
 * @addr: user address
 * @len: bytes, 1 or more
 * @write: whether the card will write there
 *
 * Context: process context of the caller, may sleep.
 * Return: 0, -EFAULT or -ENOMEM; apq_unpin() is due in any case.
 */
int apq_pin_range(struct apq_pinned *p, u64 addr, unsigned int len, bool write)
{
	int ret;

	ret = apq_pin_begin(p, apq_pin_pages(addr, len), write);
	if (!ret)
		ret = apq_pin_user(p, addr, len);
	if (!ret)
		apq_pin_end(p);
	return ret;
}

/* The card is through with the pages. Process context, may sleep. */
void apq_unpin(struct apq_pinned *p)
{
	unsigned int i;

	if (!p->nr)
		return;
	if (p->write) {
		unpin_user_pages_dirty_lock(p->pages, p->nr, true);
	} else {
		for (i = 0; i < p->nr; i++)
			put_page(p->pages[i]);
	}
	p->nr = 0;
	if (p->room > KEEP_ROOM)
		apq_pinned_free(p);
}

/* Nothing is pinned. */
void apq_pinned_free(struct apq_pinned *p)
{
	kvfree(p->sg);
	kvfree(p->pages);
	p->sg = NULL;
	p->pages = NULL;
	p->room = 0;
	p->nr_sg = 0;
}
