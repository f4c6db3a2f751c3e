#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Run one test program under a time limit and judge it.
# usage: one.sh OUT NAME SECONDS MODULE COMMAND [ARG...]
#
# OUT receives the program's output and a line in results:
#	NAME <tab> passed <tab> failed <tab> skipped
# In a guest the kernel log is marked, and what the kernel complained about
# during the program counts as one failure of it. MODULE is "-", or "+" and the
# parameters to load apq.ko with before; the module is taken out afterwards
# whoever loaded it, so that a reference that was never dropped shows.
set -u
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../..")

out=$1 name=$2 limit=$3 module=$4
shift 4
log=$out/${name//\//-}.tap
failures=()
# An emulated CPU is slow, and its host has other work as well.
[ "${APQ_GUEST:-}" != tcg ] || limit=$((limit * 4))

mark() {
	[ -n "${APQ_GUEST:-}" ] && echo "apq-selftest: $1 $name" >/dev/kmsg
}

module_in() {
	local text

	[ "$module" = - ] && return 0
	# Parameters are words, meant to be split.
	# shellcheck disable=SC2086
	text=$(insmod "$top/kmod/apq.ko" ${module#+} 2>&1) && return 0
	failures+=("${text:-insmod failed} (parameters: ${module#+})")
	return 1
}

module_out() {
	local text

	[ -n "${APQ_GUEST:-}" ] && [ -d /sys/module/apq ] || return 0
	[ "$module" = - ] && echo "# left apq.ko loaded" >>"$log"
	text=$(rmmod apq 2>&1) || failures+=("$text")
}

# The kernel log since mark begin, scanned.
splats() {
	local text

	[ -n "${APQ_GUEST:-}" ] || return 0
	text=$(dmesg | awk -v mark="apq-selftest: begin $name" '
		substr($0, length($0) - length(mark) + 1) == mark {
			since = ""; next }
		{ since = since $0 "\n" }
		END { printf "%s", since }' | "$top/selftests/vm/splat.sh") &&
		return 0
	: >"$out/splat-attributed"
	failures+=("kernel log: ${text//$'\n'/$'\n#   '}")
}

seconds() {
	date +%s.%N
}

started=$(seconds)
mark begin
status=0
: >"$log"
if module_in; then
	# The outer one is for a program that even SIGKILL does not end, since
	# it sleeps in the kernel.
	timeout -s KILL $((limit + 10)) timeout -k 5 "$limit" "$@" \
		>"$log" 2>&1 </dev/null || status=$?
	judged=$(awk -v status="$status" -v limit="$limit" \
		-f "$here/tap.awk" "$log") || judged="0 1 0"
else
	judged="0 0 0"
fi
module_out
splats
mark end

read -r passed failed skipped <<<"${judged%%$'\n'*}"
failed=$((failed + ${#failures[@]}))
printf '%s\t%d\t%d\t%d\n' "$name" "$passed" "$failed" "$skipped" \
	>>"$out/results"
took=$(awk -v a="$started" -v b="$(seconds)" 'BEGIN { printf "%.1f", b - a }')
counts="$passed passed, $failed failed, $skipped skipped, $took s"

[ "${V:-}" != 1 ] || sed 's/^/#   /' "$log"
if [ "$failed" -eq 0 ]; then
	echo "ok - $name # $counts"
	sed -n 's/^.*# *\(SKIP.*\)/#   \1/p' "$log"
	exit 0
fi
echo "not ok - $name # $counts"
[ "${V:-}" = 1 ] || grep -a -B 8 '^not ok' "$log" | sed 's/^/#   /'
tail -n +2 <<<"$judged" | sed '/./s/^/#   /'
for text in ${failures[@]+"${failures[@]}"}; do
	echo "#   $text"
done
echo "#   its output: $log"
exit 1
