#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build the module for every kernel of the matrix and run the selftests on
# each: one line a kernel, and what failed below it. The last line is
# "N passed, N failed, N skipped", in single results.
# usage: matrix.sh [--pattern PATTERN] [KERNEL...]
#   KERNEL   as "matrix-kernel.sh list" has it; default all
#   PATTERN  only these tests, see run.sh
# V=1 shows everything. A kernel that cannot be had or built for is a failure.
set -eu -o pipefail
here=$(dirname "$(readlink -f "$0")")
out=$(readlink -f "$here/../out" 2>/dev/null || echo "$here/../out")/matrix

pattern=()
if [ "${1:-}" = --pattern ]; then
	pattern=("${2:?}")
	shift 2
fi
if [ $# -gt 0 ]; then
	kernels=("$@")
else
	mapfile -t kernels < <("$here/matrix-kernel.sh" list)
fi
passed=0 failed=0 skipped=0
shown=/dev/null
[ "${V:-}" != 1 ] || shown=/dev/stdout

# The line that ends a run's output, added to the sums.
add() {
	local p f s

	read -r p f s < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' \
		<<<"$1")
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

# What went wrong or was left out, without the tests that are fine.
findings() {
	awk '/^ok / { head = $0; next }
		/^#   SKIP/ { if (head != "") print head; head = ""; print; next }
		/^not ok/ { keep = 1 }
		/^(#|not ok)/ { if (keep) print "    " $0; next }
		{ keep = 0 }' "$1"
}

# run NAME - one kernel
run() {
	local name=$1 dir=$out/$1 kernel counts status=0 started=$SECONDS

	mkdir -p "$dir"
	if ! kernel=$("$here/matrix-kernel.sh" get "$name" 2> >(tee "$dir/get.log" >&2)); then
		failed=$((failed + 1))
		echo "not ok - $name: no such kernel to be had:" \
			"$(tail -n 1 "$dir/get.log")"
		return
	fi
	echo "matrix.sh: building for $name and running the tests there" >&2
	"$here/suite.sh" --kernel "$kernel" --system "$kernel/root" \
		--out "$dir" ${pattern[@]+"${pattern[@]}"} 2>&1 |
		tee "$dir/suite.log" >"$shown" || status=1
	counts=$(tail -n 1 "$dir/suite.log")
	case $counts in
	*' passed, '*' skipped') add "$counts" ;;
	*)
		counts="ended early: $counts"
		status=1 failed=$((failed + 1)) ;;
	esac
	echo "$([ $status -eq 0 ] || echo 'not ')ok - $name" \
		"($(cat "$kernel/version")): $counts, $((SECONDS - started)) s"
	findings "$dir/suite.log"
	[ $status -eq 0 ] || echo "    # all of it: $dir/suite.log"
}

echo "1..${#kernels[@]}"
for name in "${kernels[@]}"; do
	run "$name"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
