#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The real lszcrypt and chzcrypt read and change the module as they would the
# hardware. See ap_tools.sh for where they come from.
# apq-timeout: 200
set -u
here=$(dirname "$(readlink -f "$0")")
tools=$here/out/bin/ap_tools
apq=${APQ_MODULE:-$here/../kmod/apq.ko}
bus=/sys/bus/ap
out=''
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
		return
	fi
	echo "not ok $nr - $2"
	echo "$out" | sed 's/^/# /'
}

# run STATUS TOOL [ARG...] - keeps the output in $out
run() {
	want=$1 tool=$2
	shift 2
	out=$("$tools/$tool" "$@" 2>&1)
	[ $? -eq "$want" ]
}

# shows REGEX... - each is a whole line of $out, blanks of any number
shows() {
	for line; do
		echo "$out" | sed 's/  */ /g; s/^ //; s/ $//' | grep -Eqx -- "$line" ||
			return 1
	done
}

is() {
	[ "$(cat "$1")" = "$2" ]
}

[ "$(id -u)" = 0 ] || skip "only root can load modules"
[ -x "$tools/lszcrypt" ] || skip "no lszcrypt:" \
	"$(cat "$tools/reason" 2>/dev/null || echo "make -C selftests")"
[ -e "$apq" ] || skip "no kmod/apq.ko"
insmod "$apq" cards=2 domains=2 || exit 1
trap 'rmmod apq' EXIT
echo "TAP version 13"
echo "1..20"

run 0 lszcrypt &&
	shows '00 CEX8A Accelerator online [0-9]+' \
		'00\.0001 CEX8A Accelerator online [0-9]+' \
		'01\.0000 CEX8A Accelerator online [0-9]+'
result $? "lszcrypt lists cards and queues"

# Versions differ by one in what they make of the depth.
run 0 lszcrypt -V &&
	shows '00 CEX8A Accelerator online [0-9]+ 0 14 0[89] SMC-A-+ cex4card' \
		'01\.0001 CEX8A Accelerator online [0-9]+ 0 14 0[89] SMC-A-+ cex4queue'
result $? "lszcrypt -V shows types, functions and drivers"

run 0 lszcrypt -b &&
	shows 'ap_domain=0x0' 'ap_max_domain_id=0xf' 'ap_interrupts are disabled' \
		'config_time=30 \(seconds\)' 'poll_thread is disabled' \
		'poll_timeout=250000 \(nanoseconds\)'
result $? "lszcrypt -b shows the bus"

run 0 lszcrypt -c 0 && shows 'card00 provides capability for:'
result $? "lszcrypt -c finds the card"

run 0 lszcrypt -d && shows '00 B B( \.){14}' '10( \.){16}'
result $? "lszcrypt -d shows the domains"

run 0 chzcrypt -p && is $bus/poll_thread 1
result $? "chzcrypt -p starts the poll thread"
run 0 lszcrypt -b && shows 'poll_thread is enabled'
result $? "and lszcrypt -b says so"
run 0 chzcrypt -n && is $bus/poll_thread 0
result $? "chzcrypt -n stops it"

run 0 chzcrypt -t 500000 && is $bus/poll_timeout 500000
result $? "chzcrypt -t sets the poll timeout"
run 1 chzcrypt -t 0 && is $bus/poll_timeout 500000
result $? "chzcrypt -t 0 is refused"

run 0 chzcrypt -c 5 && is $bus/config_time 5
result $? "chzcrypt -c sets the time between scans"
run 1 chzcrypt -c 4 && is $bus/config_time 5
result $? "chzcrypt -c 4 is refused"

run 0 chzcrypt -q 1 && is $bus/ap_domain 1
result $? "chzcrypt -q sets the default domain"

run 0 chzcrypt -d 01 && is $bus/devices/card01/online 0 &&
	is $bus/devices/01.0001/online 0 && is $bus/devices/card00/online 1
result $? "chzcrypt -d takes a card offline"
run 1 chzcrypt -e 01.0001 && is $bus/devices/01.0001/online 0
result $? "chzcrypt -e of its queue is refused"
run 0 lszcrypt && shows '01 CEX8A Accelerator offline [0-9]+' \
	'01\.0000 CEX8A Accelerator offline [0-9]+'
result $? "lszcrypt says offline"
run 0 chzcrypt -e -a && is $bus/devices/card01/online 1 &&
	is $bus/devices/01.0001/online 1
result $? "chzcrypt -e -a takes all online"
run 0 chzcrypt -d 0.1 && is $bus/devices/00.0001/online 0 &&
	is $bus/devices/card00/online 1
result $? "chzcrypt -d takes a queue offline"

echo 0 >$bus/devices/card01/config
echo -0 >$bus/apmask
run 0 lszcrypt -V &&
	shows '01 CEX8A Accelerator deconfig - - 14 .* cex4card' \
		'00\.0000 CEX8A Accelerator .* - - 14 .* -no-driver-'
result $? "lszcrypt -V shows a deconfigured card and a masked queue"

run 1 chzcrypt -e 05
result $? "chzcrypt -e of a card that is not there is refused"
