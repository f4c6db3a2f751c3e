#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
#
# Runs abi_layout_32_test, or says that this system runs no 32-bit programs.
# The compiler has asserted the same values when the program was built.
set -u
program=$(cd "$(dirname "$0")" && pwd)/abi_layout_32_test

if [ ! -x "$program" ]; then
	echo "Bail out! abi_layout_32_test was not built"
	exit 1
fi
# 126: found, but the kernel does not execute it
"$program" 2>/dev/null
ret=$?
if [ "$ret" -eq 126 ]; then
	echo "TAP version 13"
	echo "1..0 # SKIP this system does not run 32-bit programs"
	exit 4
fi
exit "$ret"
