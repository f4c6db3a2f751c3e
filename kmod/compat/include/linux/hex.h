/* SPDX-License-Identifier: GPL-2.0 */
/* 6.4 brought this header; 7.0 (24c776355f40) dropped it from kernel.h. */
#include <linux/kernel.h>
