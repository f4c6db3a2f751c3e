#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In a guest: what requests of /dev/apq cost, "name value" lines.
# usage: device_cost_guest.sh MODULE APQ_COST cost|scaling
#   cost     in the lab: instructions
#   scaling  with two CPUs: rates of two callers as a multiple of one's, median
#            of several rounds; two cards, since a card computes one at a time
set -eu
module=$1 cost=$2 what=$3

case $what in
cost)
	insmod "$module" mode=caller hwrng=0
	echo "instr_oneshot_64 $("$cost" oneshot 64 400)"
	echo "instr_batch32_64 $("$cost" batch 64 15)"
	echo "instr_oneshot_16k $("$cost" oneshot 16384 24)"
	;;
scaling)
	insmod "$module" mode=caller hwrng=0
	for kind in file files; do
		for _ in 1 2 3 4 5 6 7; do
			one=$("$cost" rate one 0.7)
			two=$("$cost" rate "$kind" 0.7)
			echo "$one $two"
		done | awk '{ print $2 / $1 }' | sort -n |
			awk -v kind="$kind" '{ r[NR] = $1 }
				END { printf "two_cpu_scaling_%s %.2f\n",
					     kind, r[int((NR + 1) / 2)] }'
	done
	;;
esac
