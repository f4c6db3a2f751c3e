# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Test Anything Protocol for the shell tests of aptune. Defines: $aptune, $work
# (removed at exit), plan, ok, run, fails_with, finish.

tests=$(dirname "$(readlink -f "$0")")
build=$(readlink -f "$tests/../build")
aptune=$build/aptune
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nr=0 failed=0 planned=0

if [ ! -x "$aptune" ] || [ ! -e "$build/tests/mock/libapq.so.0" ]; then
	echo "1..0 # SKIP not built: make -C tools tests"
	exit 4
fi

# The library without a module, see mock_libapq.c.
export LD_LIBRARY_PATH=$build/tests/mock
export MOCK_STATE=$work/state

plan() {
	planned=$1
	echo "TAP version 13"
	echo "1..$1"
}

# ok NAME COMMAND...: passes if the command succeeds
ok() {
	local name=$1
	shift
	nr=$((nr + 1))
	if "$@"; then
		echo "ok $nr - $name"
	else
		echo "not ok $nr - $name"
		failed=$((failed + 1))
		sed 's/^/# /' "$work/out" "$work/err" 2>/dev/null | tail -20
	fi
}

# run [VARIABLE=VALUE...] ARGS...: aptune; leaves $status, $work/out, $work/err
run() {
	local settings=()
	while [[ ${1-} == MOCK_*=* ]]; do
		settings+=("$1")
		shift
	done
	env "${settings[@]}" "$aptune" "$@" >"$work/out" 2>"$work/err"
	status=$?
}

# Is $status this number, and is there a line on stderr like this?
fails_with() {
	[ "$status" -eq "$1" ] && grep -q -- "$2" "$work/err"
}

finish() {
	[ "$nr" -eq "$planned" ] || echo "# $planned tests planned, $nr ran"
	echo "# $((nr - failed)) passed, $failed failed"
	[ "$failed" -eq 0 ] && [ "$nr" -eq "$planned" ]
	exit
}
