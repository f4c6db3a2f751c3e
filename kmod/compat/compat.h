/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between kernel versions. Included before every file (Kbuild);
 * the other folders are written for the newest kernel, and what follows maps
 * its names to what older ones have. Each block names the release and the
 * mainline commit that brought the new form: when that release is the oldest
 * one supported, the block goes.
 */
#ifndef APQ_COMPAT_H
#define APQ_COMPAT_H

#include <linux/version.h>
#include <linux/device.h>
#include <linux/hrtimer.h>
#include <linux/preempt.h>
#include <linux/timer.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 10, 0)
#error "apq needs Linux 5.10 or newer"
#endif

/* 5.11: 15115830c887 renamed in_irq(). */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0)
#define in_hardirq		in_irq
#endif

/* 6.2: 9b13df3fb64e renamed del_timer_sync(), bb663f0f3c39 del_timer(). */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define timer_delete_sync	del_timer_sync
#define timer_delete		del_timer
#endif

/* 6.13: 908a1d775422 made hrtimer_init() and the callback one call. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void apq_hrtimer_setup(struct hrtimer *timer,
				     enum hrtimer_restart (*fn)(struct hrtimer *),
				     clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = fn;
}

#define hrtimer_setup		apq_hrtimer_setup
#endif

/*
 * 6.4: 75cff725d956 made the bus that attributes are shown for const. The
 * storage class that a user puts before the macro goes to its first function.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define APQ_BUS_ATTR_SHOW(_name)					\
	ssize_t _name##_show_compat(struct bus_type *bus, char *buf)	\
	{								\
		return _name##_show(bus, buf);				\
	}
#define APQ_BUS_ATTR_STORE(_name)					\
	ssize_t _name##_store_compat(struct bus_type *bus,		\
				     const char *buf, size_t count)	\
	{								\
		return _name##_store(bus, buf, count);			\
	}
#undef BUS_ATTR_RW
#define BUS_ATTR_RW(_name)						\
	APQ_BUS_ATTR_SHOW(_name)					\
	static APQ_BUS_ATTR_STORE(_name)				\
	static struct bus_attribute bus_attr_##_name =			\
		__ATTR(_name, 0644, _name##_show_compat,		\
		       _name##_store_compat)
#undef BUS_ATTR_RO
#define BUS_ATTR_RO(_name)						\
	APQ_BUS_ATTR_SHOW(_name)					\
	static struct bus_attribute bus_attr_##_name =			\
		__ATTR(_name, 0444, _name##_show_compat, NULL)
#undef BUS_ATTR_WO
#define BUS_ATTR_WO(_name)						\
	APQ_BUS_ATTR_STORE(_name)					\
	static struct bus_attribute bus_attr_##_name =			\
		__ATTR(_name, 0200, NULL, _name##_store_compat)
#endif

/* 6.3: 2a81ada32f0e made the device of bus_type.uevent const. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
#define APQ_UEVENT_CONST
#else
#define APQ_UEVENT_CONST	const
#endif

/* 6.11: d69d80484598 made the driver of bus_type.match const. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
#define APQ_MATCH_CONST
#else
#define APQ_MATCH_CONST		const
#endif

/* 6.3: 255e48eb1768 passes the data pointer instead of the request. */
#include <linux/crypto.h>
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
#define apq_crypto_data(req)	((req)->data)
#define APQ_CRYPTO_DATA_TYPE	struct crypto_async_request
#else
#define apq_crypto_data(data)	(data)
#define APQ_CRYPTO_DATA_TYPE	void
#endif

/*
 * 6.0: f145d411a67e exported mpi_mul(). What mpi_mulm() did before that is
 * the same with a modulus that no product of the two reaches, 256^n.
 */
#include <linux/mpi.h>
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 0, 0)
#include <linux/slab.h>

static inline int apq_mpi_mul(MPI w, MPI u, MPI v)
{
	unsigned int bits = mpi_get_nbits(u) + mpi_get_nbits(v);
	unsigned int len = DIV_ROUND_UP(bits, 8) + 1;
	u8 *power = kzalloc(len, GFP_KERNEL);
	MPI mod;

	if (!power)
		return -ENOMEM;
	power[0] = 1;
	mod = mpi_read_raw_data(power, len);
	kfree(power);
	if (!mod)
		return -ENOMEM;
	mpi_mulm(w, u, v, mod);
	mpi_free(mod);
	return 0;
}

#define mpi_mul			apq_mpi_mul
#elif LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#define mpi_mul(w, u, v)	((mpi_mul)(w, u, v), 0)
#endif

/* 6.12: 8e3a67f2de87 made these, and mpi_mul(), report that memory ran out. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#define mpi_add(w, u, v)	((mpi_add)(w, u, v), 0)
#define mpi_subm(w, u, v, m)	((mpi_subm)(w, u, v, m), 0)
#define mpi_mulm(w, u, v, m)	((mpi_mulm)(w, u, v, m), 0)
#endif

/*
 * 6.2: 16bdbae39428 reads a quality of 0 as "not stated" and credits all; the
 * least that can be stated is then 1 of 1024.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define APQ_HWRNG_NO_QUALITY	0
#else
#define APQ_HWRNG_NO_QUALITY	1
#endif

/* 6.8: 3652117f8548 took the count away, which everybody had as 1. */
#include <linux/eventfd.h>
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
#define eventfd_signal(ctx)	(eventfd_signal)(ctx, 1)
#endif

#endif
