#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The cost of a request must not grow with the number of queues: 256 queues
# and 8 threads take at most 1.3 times the instructions of one queue. Counted
# in the lab, where the figures repeat. apq-timeout: 600
set -u
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../..")
limit=130	# percent

text=$(mktemp)
trap 'rm -f "$text"' EXIT
echo 'TAP version 13'
if ! "$top/selftests/vm/vm.sh" --lab --limit 580 \
	--console "$top/selftests/out/lab-console.log" -- \
	"$here/queue_cost_guest.sh" "$top/kmod/apq.ko" \
	"$top/selftests/out/bin/burst" > "$text"; then
	sed 's/^/# /' "$text"
	echo 'Bail out! the lab guest failed'
	exit 1
fi
awk -v limit="$limit" '
	$2 == 1 { one[$1] = $3 }
	$2 == 256 { many[$1] = $3; nr++ }
	END {
		print "1.." nr
		for (mode in many) {
			if (!one[mode])
				exit 1
			percent = 100 * many[mode] / one[mode]
			bad = percent > limit
			printf "# mode %s: 1 queue %d, 256 queues %d instructions per request\n",
			       mode, one[mode], many[mode]
			printf "%sok %d mode %s: 256 queues cost %d %% of one, limit %d %%\n",
			       bad ? "not " : "", ++i, mode, percent, limit
			failed += bad
		}
		exit failed > 0 || nr == 0
	}' "$text"
