# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What the tests of aptune sweep share; source it after tap.sh. Defines: $json,
# $csv, sweep, is_json, is_restored, has_no_files, wait_for.

# shellcheck disable=SC2154 # work comes from tap.sh
json=$work/results/sweep.json
csv=$work/results/sweep.csv

# is_json EXPRESSION: true of sweep.json, called r
is_json() {
	python3 -c "import json, sys
r = json.load(open('$json'))
sys.exit(not ($1))"
}

sweep() {
	local settings=()
	while [[ ${1-} == MOCK_*=* ]]; do
		settings+=("$1")
		shift
	done
	rm -rf "$work/results"
	echo "hrtimer 123456" >"$work/state"
	run "${settings[@]}" sweep --out "$work/results" --time 60 "$@"
}

is_restored() {
	grep -qx 'hrtimer 123456' "$work/state"
}

has_no_files() {
	[ ! -e "$json" ] && [ ! -e "$csv" ]
}

# Wait up to 20 s for a condition.
wait_for() {
	local deadline=$((SECONDS + 20))
	until "$@"; do
		[ $SECONDS -lt $deadline ] || return 1
		sleep 0.05
	done
}
