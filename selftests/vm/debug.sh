#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Run the selftests on the debug kernel: see debug-kernel.sh and debug.config.
# Whatever it complains about fails the test that ran then; memory that leaked
# fails the run.
# usage: debug.sh [PATTERN]
#   PATTERN  only these tests, see run.sh
# Output, last line and exit status as those of run.sh.
set -eu
here=$(dirname "$(readlink -f "$0")")
# KASAN and lockdep cost about this much, under emulation as well.
time_factor=6

kernel=$("$here/debug-kernel.sh") || exit 1
"$here/suite.sh" --kernel "$kernel" --headers "$kernel/headers" \
	--time-factor $time_factor --out "$here/../out/debug" "$@"
