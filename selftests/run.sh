#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Run all tests: user-space ones on this machine, then the selftests in one
# guest. All of it must have been built.
# usage: run.sh [--tests DIR] [--kernel DIR] [--time-factor N] [--out DIR]
#               [PATTERN]
#   PATTERN      only tests whose name matches: the last part of the path,
#                with or without its suffix; shell wildcards
#   --tests DIR  the programs in DIR are the selftests, and nothing else runs
#   --kernel DIR boot this kernel, see vm.sh; only the selftests run, since
#                nothing else depends on it
#   --time-factor N
#                everything in the guest gets N times the time
#   --out DIR    results and logs (default selftests/out)
# V=1 shows all output. The last line is "N passed, N failed, N skipped", in
# single results. Exit status 0 only when none failed and every test that was
# to run did run.
#
# A test may say, in a comment near its top:
#   apq-timeout: SECONDS   instead of the one in the file settings; on a real
#                          machine, an emulated one gets several times that
#   apq-module: PARAMETERS the module is loaded with these before the test,
#                          "none" for not at all. Default: compiled tests find
#                          it loaded without parameters, scripts load it.
set -eu -o pipefail
here=$(dirname "$(readlink -f "$0")")
top=$(dirname "$here")
runner=$here/runner
# All of the guest together, however many tests it runs; in seconds.
guest_limit=1800

die() {
	echo "run.sh: $*" >&2
	exit 1
}

tests='' kernel='' factor=1 out=$here/out pattern='*'
while [ $# -gt 0 ]; do
	case $1 in
	--tests) tests=$(readlink -f "${2:?}"); shift ;;
	--kernel) kernel=$(readlink -f "${2:?}"); shift ;;
	--time-factor) factor=${2:?}; shift ;;
	--out) out=${2:?}; shift ;;
	-*) echo "run.sh: unknown option $1" >&2; exit 2 ;;
	*) pattern=$1 ;;
	esac
	shift
done
mkdir -p "$out"
out=$(readlink -f "$out")
rm -f "$out"/*.tap "$out/results" "$out/list" "$out/splat-attributed"
: >"$out/results"
extra_failed=0

# Does the test PATH have the name that was asked for?
wanted() {
	local base=${1##*/}

	# The pattern is one.
	# shellcheck disable=SC2254
	case $base in $pattern) return 0 ;; esac
	# shellcheck disable=SC2254
	case ${base%.*} in $pattern) return 0 ;; esac
	return 1
}

# option NAME FILE DEFAULT - what FILE says about itself
option() {
	local value

	value=$(head -n 40 "$2" | sed -n "s/.*apq-$1: *//p" | head -n 1)
	value=${value%\*/}
	# A C comment may end on the line; its blanks go too.
	value=${value%"${value##*[![:space:]]}"}
	printf '%s' "${value:-$3}"
}

time_limit() {
	local default

	default=$(sed -n 's/^timeout=//p' "$here/settings")
	option timeout "$1" "${default:-45}"
}

# The file to read options from: a compiled test's source is beside it, or in
# the folder of that name outside of build/.
source_of() {
	local file

	for file in "$1.c" "${1/\/build\//\/}.c" \
		"$here/$(basename "$1").c" "$1"; do
		[ ! -f "$file" ] || { echo "$file"; return; }
	done
}

host_tests() {
	[ -z "$tests$kernel" ] || return 0
	local dir

	for dir in lib tools; do
		make -s --no-print-directory -C "$top/$dir" list-tests |
			sed "s|^[^/]|$top/$dir/&|" || return 1
	done
	printf '%s\n' "$runner"/test_*.sh "$here"/lab/test_*.sh
}

guest_tests() {
	if [ -n "$tests" ]; then
		find -L "$tests" -maxdepth 1 -type f -executable | LC_ALL=C sort
		return
	fi
	make -s --no-print-directory -C "$here" list-tests || return 1
	make -s --no-print-directory -C "$top/lib" list-vm-tests |
		sed "s|^[^/]|$top/lib/&|"
}

# The wanted ones of the paths on stdin.
select_tests() {
	local path

	while read -r path; do
		if [ -n "$path" ] && wanted "$path"; then
			echo "$path"
		fi
	done
}

run_on_host() {
	local path source

	for path in "$@"; do
		source=$(source_of "$path")
		V=${V:-} "$runner/one.sh" "$out" "${path#"$top"/}" \
			"$(time_limit "$source")" - "$path" || true
	done
}

# What one.sh calls MODULE.
module_of() {
	local default='' value

	case $1 in *.sh) default=none ;; esac
	value=$(option module "$1" "$default")
	case $value in
	none) echo - ;;
	*) echo "+$value" ;;
	esac
}

run_in_guest() {
	local path source limit total=60 ended=0

	for path in "$@"; do
		source=$(source_of "$path")
		limit=$(($(time_limit "$source") * factor))
		total=$((total + limit * 5))
		printf '%s\t%s\t%s\t%s\n' "${path#"$top"/}" "$limit" \
			"$(module_of "$source")" "$path" >>"$out/list"
	done
	guest_limit=$((guest_limit * factor))
	"$here/vm/vm.sh" ${kernel:+--kernel "$kernel"} --share "$out" \
		--console "$out/console.log" --env V --env STORM_SECONDS \
		--limit $((total < guest_limit ? total : guest_limit)) \
		-- "$runner/guest.sh" "$out" || ended=$?
	if [ $ended -eq 99 ] && [ -e "$out/splat-attributed" ]; then
		return
	fi
	[ $ended -eq 0 ] || guest_failed "$ended"
}

# guest_failed STATUS - what no single test answers for
guest_failed() {
	local name

	case $1 in
	99) echo "not ok - kernel log outside of any test, see above" ;;
	*) echo "not ok - the guest, vm.sh's exit status $1" ;;
	esac
	extra_failed=1
	while IFS=$'\t' read -r name _; do
		grep -q "^$name	" "$out/results" && continue
		echo "not ok - $name # did not run"
		extra_failed=$((extra_failed + 1))
	done <"$out/list"
}

host_list=$(host_tests) || die "cannot list the tests on the host"
guest_list=$(guest_tests) || die "cannot list the tests in the guest"
mapfile -t on_host < <(select_tests <<<"$host_list")
mapfile -t in_guest < <(select_tests <<<"$guest_list")
if [ $((${#on_host[@]} + ${#in_guest[@]})) -eq 0 ]; then
	echo "run.sh: no test is named $pattern" >&2
	exit 2
fi
echo "TAP version 13"
echo "1..$((${#on_host[@]} + ${#in_guest[@]}))"
[ ${#on_host[@]} -eq 0 ] || run_on_host "${on_host[@]}"
[ ${#in_guest[@]} -eq 0 ] || run_in_guest "${in_guest[@]}"

read -r passed failed skipped < <(awk -F '\t' -v failed="$extra_failed" '
	{ passed += $2; failed += $3; skipped += $4 }
	END { printf "%d %d %d\n", passed, failed, skipped }' "$out/results")
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
