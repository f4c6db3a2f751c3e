// SPDX-License-Identifier: GPL-2.0
/* The same from a 32-bit program: compat ioctls. apq-timeout: 60 */
#include "async_process_test.c"
