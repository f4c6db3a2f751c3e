// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Random bytes of the kernel, fetched a page at a time for each thread
 *
 * Context and lifetime: a thread's pool is a page of its own that no other
 * thread looks at, so nothing here locks. A thread makes it when it first
 * asks and the destructor of a thread-specific value gives it back. Bytes are
 * wiped when they are handed out.
 *
 * fork: the page is MADV_WIPEONFORK, so a child finds zeros, which mean that
 * nothing is left. Where the kernel does not do that there are no pools and
 * every call goes to the kernel.
 *
 * Signals: a handler may interrupt a call and make one itself, or even fork.
 * The flag @busy, which a child inherits, sends calls in a handler to the
 * kernel, so that only the interrupted one uses the pool; the field @alive,
 * which a child does not inherit, tells that one that its bytes are gone.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "backend.h"

/* The smallest page there is; a multiple would fork and wipe as well. */
#define POOL_SIZE	4096
/* Beyond this a copy from the pool costs more than a system call saves. */
#define POOLED_MAX	1024

/*
 * @alive: not 0 while a call uses the pool; 0 then means this is a child
 * @left: how many bytes at the end of @bytes nobody has had yet
 */
struct pool {
	volatile uint32_t alive;
	volatile uint32_t left;
	uint8_t bytes[POOL_SIZE - 8];
};

_Static_assert(sizeof(struct pool) == POOL_SIZE, "one page");

/* initial-exec: 16 bytes that are found without a call */
static __thread struct {
	struct pool *pool;
	volatile int busy;
} mine __attribute__((tls_model("initial-exec")));

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
/* Set when the kernel turned out not to wipe; only ever goes from 0 to 1 */
static atomic_int no_pools;

/* Never waits: a kernel that has no entropy yet answers EAGAIN. */
static int ask_kernel(uint8_t *buf, size_t len)
{
	while (len) {
		ssize_t n = getrandom(buf, len, GRND_NONBLOCK);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		buf += n;
		len -= n;
	}
	return 0;
}

static void free_pool(void *pool)
{
	/* a call from a later destructor makes a new one */
	mine.pool = NULL;
	explicit_bzero(pool, sizeof(struct pool));
	munmap(pool, sizeof(struct pool));
}

static void make_key(void)
{
	if (pthread_key_create(&key, free_pool))
		atomic_store_explicit(&no_pools, 1, memory_order_relaxed);
}

static struct pool *new_pool(void)
{
	struct pool *pool;

	pthread_once(&once, make_key);
	if (atomic_load_explicit(&no_pools, memory_order_relaxed))
		return NULL;
	pool = mmap(NULL, sizeof(*pool), PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pool == MAP_FAILED)
		return NULL;
	if (madvise(pool, sizeof(*pool), MADV_WIPEONFORK)) {
		atomic_store_explicit(&no_pools, 1, memory_order_relaxed);
		goto out_unmap;
	}
	/* Best effort: these bytes become somebody's keys. */
	madvise(pool, sizeof(*pool), MADV_DONTDUMP);
	if (pthread_setspecific(key, pool))
		goto out_unmap;
	mine.pool = pool;
	return pool;

out_unmap:
	munmap(pool, sizeof(*pool));
	return NULL;
}

/*
 * @len bytes out of the pool. @left is a copy, since a handler that forks makes
 * the one in the pool 0 at any moment: what a child draws is void, but it must
 * stay inside the pool.
 */
static int draw(struct pool *pool, uint8_t *buf, size_t len)
{
	size_t left = pool->left;

	while (len) {
		uint8_t *from;
		size_t n;
		int ret;

		if (!left) {
			ret = ask_kernel(pool->bytes, sizeof(pool->bytes));
			if (ret)
				return ret;
			left = sizeof(pool->bytes);
		}
		from = pool->bytes + sizeof(pool->bytes) - left;
		n = left < len ? left : len;
		memcpy(buf, from, n);
		explicit_bzero(from, n);
		left -= n;
		pool->left = left;
		buf += n;
		len -= n;
	}
	return 0;
}

static int from_pool(uint8_t *buf, size_t len)
{
	struct pool *pool = mine.pool ? mine.pool : new_pool();
	int ret;

	if (!pool)
		return ask_kernel(buf, len);
	pool->alive = 1;
	atomic_signal_fence(memory_order_seq_cst);
	ret = draw(pool, buf, len);
	atomic_signal_fence(memory_order_seq_cst);
	if (pool->alive)
		return ret;
	/* A handler forked and this is the child: what is in there is stale. */
	pool->left = 0;
	explicit_bzero(pool->bytes, sizeof(pool->bytes));
	return ask_kernel(buf, len);
}

APQ_PUBLIC int apq_random(void *buf, size_t len)
{
	int saved_errno = errno;
	int ret;

	if (!len)
		return 0;
	if (!buf)
		return -EINVAL;
	if (len > POOLED_MAX || mine.busy) {
		ret = ask_kernel(buf, len);
	} else {
		mine.busy = 1;
		atomic_signal_fence(memory_order_seq_cst);
		ret = from_pool(buf, len);
		atomic_signal_fence(memory_order_seq_cst);
		mine.busy = 0;
	}
	errno = saved_errno;
	return ret;
}
