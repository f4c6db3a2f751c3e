#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Print "kvm" when KVM brings a guest to user space here, else "tcg".
# usage: accel.sh KERNEL INITRAMFS
#
# /dev/kvm alone proves nothing: nested and paging-only hypervisors offer it
# and hang stock kernels. So a guest is tried, once per boot of this machine,
# QEMU version and kernel.
set -eu
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=selftests/vm/cache.sh
. "$here/cache.sh"

# A guest takes about 1 s on working KVM; in seconds.
probe_limit=10
kernel=$1 initramfs=$2

if [ ! -w /dev/kvm ]; then
	echo tcg
	exit 0
fi

key=$({
	cat /proc/sys/kernel/random/boot_id
	qemu-system-x86_64 --version
	stat -c '%n %s %Y' "$kernel" "$initramfs"
} | sha256sum | cut -c 1-16)
verdict=$cache_top/accel/$key
if [ -s "$verdict" ]; then
	cat "$verdict"
	exit 0
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# QEMU may abort; the group keeps the shell from telling.
{
	timeout -k 1 "$probe_limit" qemu-system-x86_64 -accel kvm -cpu host \
		-smp 2 -m 512M -nodefaults -display none -no-reboot \
		-serial "file:$log" -kernel "$kernel" -initrd "$initramfs" \
		-append "console=ttyS0 panic=-1 apq.probe=1" \
		</dev/null >/dev/null || true
} 2>/dev/null
accel=tcg
grep -q 'apq-vm: probe ok' "$log" && accel=kvm

mkdir -p "$(dirname "$verdict")"
echo "$accel" >"$verdict.$$"
mv "$verdict.$$" "$verdict"
echo "$accel"
