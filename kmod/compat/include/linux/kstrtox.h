/* SPDX-License-Identifier: GPL-2.0 */
/* 5.14: 4c52729377ea moved these here, from kernel.h. */
#include <linux/kernel.h>
