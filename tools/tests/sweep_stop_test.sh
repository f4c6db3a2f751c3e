#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# apq-timeout: 120
# Sweeps on a mock library that are stopped: modes that do not stick, no module,
# ^C.
set -u
# shellcheck source=tools/tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"
# shellcheck source=tools/tests/sweep_common.sh
. "$(dirname "$(readlink -f "$0")")/sweep_common.sh"

# Every process of ours has our MOCK_STATE in its environment; others on this
# machine may run sweeps too.
is_alone() {
	! grep -lsqa "MOCK_STATE=$work/state" /proc/[0-9]*/environ
}

test_mode_slips() {
	sweep MOCK_MODE_SLIPS=1 --paths apq --threads 1 --sizes 64
	ok "a mode that does not stick: exit 1" \
		fails_with 1 'asked for timer, but the module runs hrtimer'
	sweep MOCK_ABSENT=1
	ok "no module: exit 1" fails_with 1 'is the module apq loaded'
}

# interrupt SIGNAL: a sweep that gets it while in its third cell
interrupt() {
	rm -rf "$work/results"
	echo "hrtimer 123456" >"$work/state"
	# A shell starts background jobs with SIGINT ignored, and what is
	# ignored stays so; env undoes that.
	env --default-signal=INT "$aptune" sweep --out "$work/results" \
		--time 300 --paths apq >"$work/out" 2>"$work/err" &
	local pid=$!
	wait_for grep -q '^thread' "$work/state"
	kill "-$1" $pid
	wait $pid
	status=$?
}

test_interrupt() {
	interrupt INT
	ok "^C: exit 130" fails_with 130 'interrupted by Interrupt after .* of 108'
	ok "finished cells are written" \
		is_json "2 <= len(r['cells']) < 108 and not r['complete']"
	ok "CSV too" [ "$(grep -c '^apq,' "$csv")" -gt 0 ]
	ok "mode and poll timeout are restored" is_restored
	interrupt TERM
	ok "SIGTERM: exit 143" fails_with 143 'interrupted by Terminated'
	ok "restored" is_restored
	unset MOCK_STATE	# grep itself must not have it
	ok "no process is left, the soaker neither" wait_for is_alone
}

plan 9
test_mode_slips
test_interrupt
finish
