#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What requests of /dev/apq cost: "name value" lines. All must be built.
# usage: device_cost.sh [cost|scaling]...	(default: both)
set -eu
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../..")
[ $# -gt 0 ] || set -- cost scaling

guest() {
	"$top/selftests/vm/vm.sh" "${@:2}" --limit 280 \
		--console "$top/selftests/out/device-cost-console.log" -- \
		"$here/device_cost_guest.sh" "$top/kmod/apq.ko" \
		"$top/selftests/out/bin/apq_cost" "$1"
}

for what; do
	case $what in
	cost)
		guest cost --lab ;;
	scaling)
		# The lower of the two is the figure.
		guest scaling | awk '{ print; if (!min || $2 < min) min = $2 }
			END { print "two_cpu_scaling " min }' ;;
	*)
		echo "device_cost.sh: cost or scaling, not $what" >&2
		exit 2 ;;
	esac
done
