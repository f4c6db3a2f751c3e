#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# In the lab guest: load the module with the null card and run the grid.
# usage: grid_guest.sh MODULE GRID < CELLS
set -eu
sysctl -q -w kernel.sched_autogroup_enabled=0 2>/dev/null || true
insmod "$1" cards=0 null=1 hwrng=0 mode=irq
cat /sys/bus/ap/devices/card00/engine >&2
"$2" /sys/bus/ap/devices/card00/service_model < "$3"
rmmod apq
