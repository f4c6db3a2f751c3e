#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The test runner and the guest: a run with tests that fail, hang, skip and
# make the kernel complain must be counted so; a guest that dies or outlives
# its limit must not look like a good one. apq-timeout: 600
set -u
here=$(dirname "$(readlink -f "$0")")
selftests=$(dirname "$here")
vm=$selftests/vm/vm.sh
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
number=0 bad=0

# result NAME CONDITION... - CONDITION is a command
result() {
	local name=$1

	shift
	number=$((number + 1))
	if "$@"; then
		echo "ok $number $name"
	else
		echo "not ok $number $name"
		sed 's/^/# /' "$out/text"
		bad=1
	fi
}

# result calls the conditions, unseen by shellcheck.
# shellcheck disable=SC2317
said() {
	grep -q -e "$1" "$out/text"
}

# shellcheck disable=SC2317
last_line_is() {
	[ "$(tail -n 1 "$out/text")" = "$1" ]
}

# shellcheck disable=SC2317
status_is() {
	[ "$status" -eq "$1" ]
}

# guest COMMAND... - run it in a guest; the limit is for a busy host
guest() {
	status=0
	"$vm" --limit 200 --console "$out/console.log" -- "$@" \
		>"$out/text" 2>&1 || status=$?
}

echo 1..9
status=0
V='' "$selftests/run.sh" --tests "$here/fixtures/guest" --out "$out/run" \
	>"$out/text" 2>&1 || status=$?
result "the run fails" status_is 1
result "the count" last_line_is "4 passed, 3 failed, 2 skipped"
result "the splat belongs to its test" said "^not ok - .*guest/splat.sh # 1 p"
result "the splat's line is shown" said "#   kernel log: .*WARNING: CPU: 0"

guest sh -c 'echo out; exit 37'
result "the exit status comes back" status_is 37
result "the output comes back" said '^out$'
guest sh -c 'echo "BUG: made up" >/dev/kmsg'
result "a splat spoils a good exit status" status_is 99
guest sh -c 'echo c >/proc/sysrq-trigger'
result "a guest that dies is no success" status_is 125
status=0
"$vm" --limit 6 --console "$out/console.log" -- sleep 1000 \
	>"$out/text" 2>&1 || status=$?
result "a guest that hangs is ended" status_is 124
exit $bad
