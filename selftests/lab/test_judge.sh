#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The judge of "make bench" with two cells whose verdicts are known.
set -u
here=$(dirname "$(readlink -f "$0")")
judge=$here/../out/bin/judge
fixture=$here/fixtures/judge.txt
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
number=0 bad=0

# result STATUS NAME
result() {
	number=$((number + 1))
	[ "$1" -eq 0 ] || { bad=1; printf 'not '; }
	echo "ok $number $2"
}

# json NAME VALUE BOUND HOLDS - an entry must say so
json() {
	grep -q "\"name\": \"$1\", \"value\": $2, .*\"bound\": $3, \"holds\": $4," \
		"$dir/json"
	result $? "$1 is $2, $4"
}

# says PATTERN NAME - a line of the table
says() {
	grep -q -e "$1" "$dir/table"
	result $? "$2"
}

run() {
	"$judge" --hz 250 --json "$dir/json" --heat "$dir/heat" "$@" \
		>"$dir/table" 2>"$dir/err"
}

echo 'TAP version 13'
echo 1..24
run "$fixture"
result $? 'two cells are judged'
python3 -c 'import json, sys; sys.exit(len(json.load(open(sys.argv[1]))) != 7)' \
	"$dir/json"
result $? 'JSON, 7 entries'
json regret_throughput_max 0.05 0.01 false
json regret_balanced_max 0.5 0.05 false
json cells_off_frontier 1 0 false
json hybrid_cpu_saving_median 0.45 0.2 true
json timer_cap_per_hz 1 1.1 true
json random_over_getrandom 2.4 2.5 false
json suite_lookup_ns_max 12 20 true
says 'instr_oneshot_64 *not measured' 'what is not there is not made up'
for text in 'T >= 0.99 x the best T' 'C <= that of the mode' \
	'T >= 0.95 x the best T' 'C <= 1.05 x' 'balanced: on the frontier' \
	'p99 <= 1.1 x that of the cheapest' 'x that of hybrid'; do
	says "$text.* 1 of 2  NOT HELD" "1 of 2: $text"
done
says 'throughput: on the frontier *2 of 2$' '2 of 2: throughput on the frontier'
says 'all of these *1 of 2' 'all bounds: 1 of 2'
grep -A 3 'worst cell first' "$dir/table" | grep -q '20 callers'
result $? 'the worst cell is first'
[ "$(cat "$dir/heat")" = '1 1 1 0.0167 0.0000 "aes128 2048 B, 10 us x 1"
2 5 20 0.5000 0.0500 "aes128 2048 B, 1 ms x 5, load 30 %"' ]
result $? 'heat map: one row and column each'

cat "$dir/json" "$dir/heat" "$dir/table" >"$dir/before"
tac "$fixture" >"$dir/reversed"
run "$dir/reversed" &&
	cat "$dir/json" "$dir/heat" "$dir/table" | cmp -s - "$dir/before"
result $? 'the order of the lines does not matter'
grep -v ' hybrid 1500' "$fixture" >"$dir/incomplete"
run "$dir/incomplete"
[ $? -eq 1 ] && grep -q '^1 cells are not complete' "$dir/table"
result $? 'a cell without one mode is refused'
sed 's/ irq 60000.0/ irq nan/' "$fixture" >"$dir/damaged"
run "$dir/damaged"
[ $? -eq 1 ] && grep -q 'cannot be' "$dir/err"
result $? 'a figure that is none is refused'
exit $bad
