#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Print the path of an initramfs that can mount the host's root by 9p.
# usage: initramfs.sh KERNEL_ROOT VERSION
# KERNEL_ROOT is what "kernel.sh root" prints.
set -eu
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=selftests/vm/cache.sh
. "$here/cache.sh"

# A debug kernel has these built in; modprobe then lists nothing.
modules=(9p 9pnet_virtio virtio_pci virtio_console)
root=$1 version=$2

# build DIR - called by cache_entry
build() {
	local dir=$1/tree module number=10 files unpacked

	mkdir -p "$dir"/{bin,proc,sys,dev,root,modules}
	cp "$(command -v busybox)" "$dir/bin/busybox"
	cp "$here/guest-run" "$dir/"
	cp "$here/guest-init" "$dir/init"
	chmod 755 "$dir/init"
	files=$(for module in "${modules[@]}"; do
		modprobe -d "$root" -S "$version" --show-depends "$module" ||
			exit 1
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }') || return 1
	# The number keeps the order in which they must be loaded.
	for module in $files; do
		number=$((number + 1))
		unpacked=$dir/modules/$number-$(basename "${module%.xz}")
		case $module in
		*.xz) xz -dc "$module" >"$unpacked" ;;
		*) cp "$module" "$unpacked" ;;
		esac || return 1
	done
	(cd "$dir" && find . | LC_ALL=C sort |
		cpio --quiet -o -H newc -R 0:0 | gzip -1) >"$1/initramfs.gz"
	rm -rf "$dir"
}

command -v busybox >/dev/null || {
	echo "initramfs.sh: needs the package busybox-static" >&2
	exit 1
}
key=$(cat "$here/guest-init" "$here/guest-run" "$0" "$(command -v busybox)" \
	"$root/lib/modules/$version/modules.dep" | sha256sum | cut -c 1-16)
entry=$(cache_entry "initramfs/$version-$key" build)
echo "$entry/initramfs.gz"
