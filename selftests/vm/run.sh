#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The demo behind "make run": load the module in a guest, choose a completion
# mode and measure; results/ in the checkout receives JSON and CSV.
# usage: [FULL=1] [HOST=1] run.sh [check]
# With check: only say whether it can work, before anything is built.
set -eu
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../..")
demo=$here/demo.sh
results=$top/results
# A guest that takes longer than this hangs; in seconds. The default grid takes
# under 5 minutes on 2 emulated CPUs.
limit=900
[ "${FULL:-}" != 1 ] || limit=7200

die() {
	echo "make run: $*" >&2
	exit 1
}

# HOST=1: refuse early, in one sentence, what cannot work.
check_host() {
	local release

	release=$(uname -r)
	[ -e /proc/modules ] ||
		die "the running kernel $release takes no modules (no" \
			"/proc/modules): leave out HOST=1 to use a guest"
	[ -d "/lib/modules/$release/build" ] ||
		die "no headers for the running kernel $release: install" \
			"linux-headers-$release or leave out HOST=1"
	[ "$(id -u)" = 0 ] || die "HOST=1 loads a module: only root can"
	[ ! -d /sys/module/apq ] ||
		die "apq is loaded already: rmmod apq first"
}

[ "${HOST:-}" != 1 ] || check_host
[ "${1:-}" != check ] || exit 0
mkdir -p "$results"
if [ "${HOST:-}" = 1 ]; then
	APQ_KERNEL_IMAGE=/boot/vmlinuz-$(uname -r) exec "$demo"
fi

# On a terminal the sweep's progress should be one line that moves.
APQ_COLUMNS=''
if [ -t 1 ] && [ -t 2 ]; then
	APQ_COLUMNS=$(stty size <&1 | cut -d ' ' -f 2)
fi
export APQ_COLUMNS FULL
exec "$here/vm.sh" --share "$results" --limit "$limit" \
	--console "$top/selftests/out/run-console.log" \
	--env FULL --env APQ_COLUMNS -- "$demo"
