#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# apq-timeout: 120
# Complete sweeps on a mock library: grid, figures, outputs.
set -u
# shellcheck source=tools/tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"
# shellcheck source=tools/tests/sweep_common.sh
. "$(dirname "$(readlink -f "$0")")/sweep_common.sh"

test_complete() {
	head -c 100000 "$aptune" >"$work/input"
	sweep MOCK_SERVICE_US=100 MOCK_TIMER_US=2000 --verify-file "$work/input" \
		--sizes 64,20K --threads 1,4 \
		--ciphers aes-128-cbc,3des-cbc,rsa-2048-crt
	ok "sweep exits 0" [ "$status" -eq 0 ]
	# 2 paths x 2 ciphers x 2 sizes x 2 threads x 3 modes, and RSA 2 x 3
	ok "all cells of the grid are there" is_json "len(r['cells']) == 54"
	ok "and none twice" is_json "54 == len({(c['path'], c['cipher'],
		c['size'], c['threads'], c['mode']) for c in r['cells']})"
	ok "it is complete" is_json "r['complete'] and r['failure'] is None"
	ok "modes of a cell stand together" is_json "all(
		[c['mode'] for c in r['cells'][i:i+3]] ==
		['timer', 'hrtimer', 'thread'] and
		len({(c['size'], c['threads']) for c in r['cells'][i:i+3]}) == 1
		for i in range(0, 54, 3))"
	ok "mode and poll timeout are restored" is_restored
	ok "progress went to stderr" grep -q '54/54' "$work/err"
	ok "no more lines of it than a log bears" \
		[ "$(wc -l <"$work/err")" -lt 20 ]
	ok "the table has a row per cell" \
		[ "$(grep -c '^\(afalg\|apq\|z90crypt\) ' "$work/out")" -eq 54 ]
	ok "the file went through every cipher path" is_json "len(r['verify']) == 5
		and all(v['bytes'] >= 2 * 100000 for v in r['verify']
		if v['path'] != 'z90crypt')"
	ok "every thread checked an answer in every cell" \
		is_json "all(c['checked'] >= c['threads'] for c in r['cells'])"
}

# The mock sleeps: latency and rate follow from its service time.
test_figures() {
	sweep MOCK_SERVICE_US=20000 MOCK_TIMER_US=60000 --paths apq --threads 4 \
		--ciphers aes-128-cbc --sizes 1K --time 2000
	ok "p50 is the service time" is_json "all(abs(c['p50_ns'] / t - 1) < 0.25
		for c, t in zip(r['cells'], [6e7, 2e7, 2e7]))"
	# A busy machine wakes the threads late; nothing wakes them early.
	ok "rate is threads / service time" is_json "all(
		0.3 < c['ops_per_s'] / (4e9 / t) < 1.05
		for c, t in zip(r['cells'], [6e7, 2e7, 2e7]))"
	ok "throughput is rate x size" is_json "all(abs(c['throughput'] /
		(c['ops_per_s'] * 1024 / 1e6) - 1) < 1e-6 for c in r['cells'])"
	ok "ratios are those to mode timer" is_json "all(abs(
		c['throughput_ratio'] * r['cells'][0]['throughput'] -
		c['throughput']) < 1e-6 for c in r['cells'])"
	# Less than two requests fit into the window: parts of them must count.
	sweep MOCK_SERVICE_US=100000 --paths apq --threads 1 --modes hrtimer \
		--ciphers aes-128-cbc --sizes 1K --time 400
	ok "requests across the edge of a window count in part" \
		is_json "3 < r['cells'][0]['ops_per_s'] < 10.5"
}

plan 16
test_complete
test_figures
finish
