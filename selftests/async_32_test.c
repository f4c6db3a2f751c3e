// SPDX-License-Identifier: GPL-2.0
/* The same from a 32-bit program: compat ioctls. apq-timeout: 120 */
#include "async_test.c"
