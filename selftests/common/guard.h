/* SPDX-License-Identifier: GPL-2.0 */
/* Buffers beside memory that must not be touched. */
#ifndef APQ_SELFTEST_GUARD_H
#define APQ_SELFTEST_GUARD_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static inline size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

static inline uint8_t *map_pages(size_t nr)
{
	void *at = mmap(NULL, nr * page_size(), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		abort();
	return at;
}

/*
 * @len zero bytes, and no memory that can be accessed from their end on: a
 * kernel that reads or writes too much gets a fault, the test an EFAULT.
 */
static inline uint8_t *guard_alloc(size_t len)
{
	size_t nr = (len + page_size() - 1) / page_size();
	uint8_t *at = map_pages(nr + 1);
	uint8_t *end = at + nr * page_size();

	if (mprotect(end, page_size(), PROT_NONE))
		abort();
	return end - len;
}

/* An address that is valid and cannot be accessed. */
static inline uint8_t *guard_page(void)
{
	return guard_alloc(0);
}

#endif
