// SPDX-License-Identifier: GPL-2.0
/*
 * The same from a 32-bit program: compat ioctls.
 * apq-module: cards=3 domains=2
 * apq-timeout: 60
 */
#include "ap_status_test.c"
