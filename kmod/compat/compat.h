/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between kernel versions. Included before every file (Kbuild);
 * the other folders are written for the newest kernel. Each block names the
 * release that brought the new form and goes when that is the oldest one.
 */
#ifndef APQ_COMPAT_H
#define APQ_COMPAT_H

#include <linux/version.h>
#include <linux/device.h>
#include <linux/hrtimer.h>
#include <linux/timer.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 10, 0)
#error "apq needs Linux 5.10 or newer"
#endif

/* 6.2: bb663f0f3c39 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define timer_delete_sync	del_timer_sync
#endif

/* 6.15: 908a1d775422 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
static inline void apq_hrtimer_setup(struct hrtimer *timer,
				     enum hrtimer_restart (*fn)(struct hrtimer *),
				     clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = fn;
}
#define hrtimer_setup		apq_hrtimer_setup
#endif

/* 6.4: 75cff725d956 made the argument of bus attributes const. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define APQ_BUS_ATTR_RW(_name)						\
	ssize_t _name##_show_compat(struct bus_type *bus, char *buf)	\
	{								\
		return _name##_show(bus, buf);				\
	}								\
	static ssize_t _name##_store_compat(struct bus_type *bus,	\
					    const char *buf, size_t n)	\
	{								\
		return _name##_store(bus, buf, n);			\
	}								\
	static struct bus_attribute bus_attr_##_name =			\
		__ATTR(_name, 0644, _name##_show_compat,		\
		       _name##_store_compat)
#define bus_create_file(bus, attr)					\
	(bus_create_file)(bus, (struct bus_attribute *)(attr))
#define bus_remove_file(bus, attr)					\
	(bus_remove_file)(bus, (struct bus_attribute *)(attr))
#define APQ_BUS_ATTR_RO(_name)						\
	ssize_t _name##_show_compat(struct bus_type *bus, char *buf)	\
	{								\
		return _name##_show(bus, buf);				\
	}								\
	static struct bus_attribute bus_attr_##_name =			\
		__ATTR(_name, 0444, _name##_show_compat, NULL)
#define APQ_BUS_ATTR_WO(_name)						\
	ssize_t _name##_store_compat(struct bus_type *bus,		\
				     const char *buf, size_t n)		\
	{								\
		return _name##_store(bus, buf, n);			\
	}								\
	static struct bus_attribute bus_attr_##_name =			\
		__ATTR(_name, 0200, NULL, _name##_store_compat)
#else
#define APQ_BUS_ATTR_RW(_name)	BUS_ATTR_RW(_name)
#define APQ_BUS_ATTR_RO(_name)	BUS_ATTR_RO(_name)
#define APQ_BUS_ATTR_WO(_name)	BUS_ATTR_WO(_name)
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

/* 6.12: 8e3a67f2de87 made these report that memory ran out. */
#include <linux/mpi.h>
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#define mpi_add(w, u, v)	((mpi_add)(w, u, v), 0)
#define mpi_mul(w, u, v)	((mpi_mul)(w, u, v), 0)
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

#endif
