#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The soaker of aptune in the lab, where no host disturbs it: one window says
# what five medians say elsewhere, and there is no reason to skip.
# apq-timeout: 180
set -u
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../..")

status=0
"$top/selftests/vm/vm.sh" --lab --limit 160 \
	--console "$top/selftests/out/lab-soaker-console.log" -- \
	"$top/tools/build/tests/soaker_test" 1 || status=$?
if [ $status -eq 4 ]; then
	echo 'Bail out! skipped, although nothing disturbs the lab'
	exit 1
fi
exit $status
