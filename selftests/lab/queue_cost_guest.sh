#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the lab guest: instructions per request with one queue and with 256, in
# every mode that does not wait for a clock. Prints "MODE QUEUES INSTRUCTIONS".
# usage: queue_cost_guest.sh MODULE BURST
set -eu
module=$1 burst=$2

# Ticks and high-resolution timers would be most of the time.
modes='thread irq caller'

for shape in '1 1' '16 16'; do
	cards=${shape% *} domains=${shape#* }
	insmod "$module" cards="$cards" domains="$domains" hwrng=0
	for mode in $modes; do
		echo "$mode" > /sys/bus/ap/completion
		# The first round makes every queue's memory warm.
		"$burst" 8 500 > /dev/null
		echo "$mode $((cards * domains)) $("$burst" 8 1000)"
	done
	rmmod apq
done
