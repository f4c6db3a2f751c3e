#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A request of /dev/apq must stay cheap: limits in instructions, counted in the
# lab, where the figures repeat. apq-timeout: 300
set -u
here=$(dirname "$(readlink -f "$0")")

echo 'TAP version 13'
if ! text=$("$here/device_cost.sh" cost); then
	echo 'Bail out! the lab guest failed'
	exit 1
fi
awk '
	BEGIN {
		limit["instr_oneshot_64"] = 2800
		limit["instr_batch32_64"] = 1700
		limit["instr_oneshot_16k"] = 43000
		print "1..3"
	}
	$1 in limit {
		bad = $2 >= limit[$1]
		printf "%sok %d %s: %d instructions, less than %d\n",
		       bad ? "not " : "", ++nr, $1, $2, limit[$1]
		failed += bad
	}
	END { exit failed > 0 || nr != 3 }' <<<"$text"
