#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The commands of the demo, each shown before it runs, so that a reader can
# type them too. Runs as root, in a guest or on the machine itself; run.sh
# starts it. APQ_KERNEL_IMAGE is the file that the sweep encrypts and decrypts
# before it times anything.
set -eu
top=$(readlink -f "$(dirname "$0")/../..")
PATH=$top/tools/build:$PATH
module=$top/kmod/apq.ko

# show SHOWN COMMAND... - print SHOWN, run COMMAND
show() {
	printf '\n# %s\n' "$1"
	shift
	"$@"
}

# A terminal of its own, where the caller has one: its width is APQ_COLUMNS.
on_terminal() {
	if [ -n "${APQ_COLUMNS:-}" ]; then
		script -qefc "stty cols $APQ_COLUMNS; exec $*" /dev/null
	else
		"$@"
	fi
}

show "insmod apq.ko poll_thread=1" insmod "$module" poll_thread=1
trap 'rmmod apq' EXIT
show "aptune --mode hrtimer" aptune --mode hrtimer
show "aptune status" aptune status

set -- aptune sweep --verify-file "$APQ_KERNEL_IMAGE" --out "$top/results"
[ "${FULL:-}" != 1 ] || set -- "$@" --full
show "$*" on_terminal "$@"
