#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The judge of the test runner against programs that are known to be good or
# bad: it must find what each of them does wrong, and nothing else.
set -u
here=$(dirname "$(readlink -f "$0")")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# fixture, passed, failed, skipped, what the report must say
cases="
pass	1	0	1	^ok - pass
fail	1	1	0	^#   not ok 2 bad
short	1	1	0	1 results, 3 planned
noplan	1	1	0	no plan
exit	1	1	0	exit status 3 without a failed result
silent	0	1	0	no plan
signal	1	1	0	killed by signal 11
hang	1	1	0	no end within 2 s
skip	0	0	1	no such device
noreason	0	1	0	without a \"# SKIP reason\" line
"
cases=$(sed '/^$/d' <<<"$cases")
echo "1..$(wc -l <<<"$cases")"
number=0 bad=0
while IFS=$'\t' read -r name passed failed skipped report; do
	number=$((number + 1))
	status=0
	text=$(APQ_GUEST='' V='' "$here/one.sh" "$out" "$name" 2 - \
		"$here/fixtures/tap/$name.sh" 2>&1) || status=1
	want=$(printf '%s\t%d\t%d\t%d' "$name" "$passed" "$failed" "$skipped")
	if [ "$(tail -n 1 "$out/results")" = "$want" ] &&
	   [ $status -eq $((failed > 0)) ] && grep -q -e "$report" <<<"$text"; then
		echo "ok $number $name"
	else
		echo "not ok $number $name"
		echo "# ${text//$'\n'/$'\n# '}"
		bad=1
	fi
done <<<"$cases"
exit $bad
