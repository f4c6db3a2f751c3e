#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Where a real AP bus or zcrypt is present, its names are left alone: one clear
# line in the log for each, no complaint of the kernel, and everything else
# works. modules/ap_names.ko stands in for them.
# apq-timeout: 90
set -u
here=$(dirname "$(readlink -f "$0")")
names=$here/modules/ap_names.ko
apq=${APQ_MODULE:-$here/../kmod/apq.ko}
nr=0

skip() {
	echo "1..0 # SKIP $*"
	exit 4
}

# result STATUS NAME
result() {
	nr=$((nr + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $nr - $2"
	else
		echo "not ok $nr - $2"
	fi
}

check() {
	name=$1
	shift
	"$@"
	result $? "$name"
}

# Lines of the kernel log since mark() that have the text.
mark() {
	marked=$(dmesg | wc -l)
}

logged() {
	[ "$(dmesg | tail -n +$((marked + 1)) | grep -c -- "$1")" -eq "$2" ]
}

# What the core prints when a name is registered twice.
no_complaint() {
	! dmesg | tail -n +$((marked + 1)) |
		grep -e 'cannot create duplicate' -e 'Call Trace' -e 'WARNING:'
}

absent() {
	[ ! -e "$1" ]
}

load() {
	mark
	# Parameters are words, meant to be split.
	# shellcheck disable=SC2086
	insmod "$names" $1 || exit 1
	insmod "$apq" cards=1
}

unload() {
	rmmod apq
	rmmod ap_names
}

# The random number generator asks every card for something.
computes() {
	[ "$(head -c 16 /dev/zero | wc -c)" -eq 16 ] &&
		grep -q 'cbc-aes-apq' /proc/crypto &&
		[ "$(cat "$1/card00/request_count")" -gt 0 ]
}

[ "$(id -u)" = 0 ] || skip "only root can load modules"
[ -e "$names" ] || skip "no modules/ap_names.ko: make -C selftests/modules"
[ -e "$apq" ] || skip "no kmod/apq.ko"
echo "TAP version 13"
echo "1..20"

load bus=1
result $? "loads beside a bus ap"
check "one line about the bus" logged 'apq: there is a bus ap already' 1
check "one line about the node" logged 'apq: /dev/z90crypt belongs to' 1
check "no complaint" no_complaint
check "its own bus is apq" test -e /sys/bus/apq/completion
check "cards are there" test -e /sys/devices/apq/card00/00.0000/online
check "drivers are bound" test -e /sys/bus/apq/drivers/cex4queue/00.0000
check "the other bus is left alone" absent /sys/bus/ap/completion
check "no /dev/z90crypt" absent /dev/z90crypt
check "/dev/apq is there" test -c /dev/apq
check "algorithms are there" computes /sys/devices/apq
unload

load node=1
result $? "loads beside a device z90crypt"
check "one line about the device" logged 'apq: /dev/z90crypt belongs to' 1
check "no complaint about the device" no_complaint
check "the free name of the bus is taken" test -e /sys/bus/ap/completion
check "/dev/apq is there too" test -c /dev/apq
unload

load other=1
result $? "loads beside other devices of those names"
check "which do not matter to the node" test -c /dev/z90crypt
check "nor to the bus" test -e /sys/bus/ap/completion
unload
check "nothing is left" absent /sys/bus/ap
