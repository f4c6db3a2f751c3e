#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Run the selftests that OUT/list names, in a guest.
# usage: guest.sh OUT
# A line of the list: NAME <tab> SECONDS <tab> MODULE <tab> PROGRAM; see one.sh.
set -u
here=$(dirname "$(readlink -f "$0")")
out=$1
cd "$(dirname "$here")" || exit 1

# A sleeper that nobody wakes should show within the run.
echo 40 >/proc/sys/kernel/hung_task_timeout_secs
# Tests load the module by insmod, which does not load what it depends on, as
# hw_random where that is a module.
for needed in $(modinfo -F depends ../kmod/apq.ko | tr , ' '); do
	modprobe "$needed"
done
while IFS=$'\t' read -r name limit module program; do
	"$here/one.sh" "$out" "$name" "$limit" "$module" "$program"
done <"$out/list"
# Only a debug kernel has it. The second scan reports what the first aged; its
# line in the kernel log fails the run, the file says what leaked.
leaks=/sys/kernel/debug/kmemleak
if [ -w $leaks ]; then
	echo scan >$leaks
	sleep 6
	echo scan >$leaks
	cat $leaks >"$out/kmemleak"
	head -n 60 "$out/kmemleak" | sed 's/^/#   /'
fi
exit 0
