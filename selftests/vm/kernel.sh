#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Name, headers and image of the kernel that the guest boots.
# usage: kernel.sh version
#            the newest Debian kernel whose headers are installed
#        kernel.sh headers [VERSION]
#            the directory to build modules against
#        kernel.sh root [VERSION]
#            a directory with boot/vmlinuz-VERSION and lib/modules/VERSION,
#            fetched from the archive when the machine does not have it
#        kernel.sh unpack VMLINUZ
#            the same kernel unpacked, which saves the 3 s that an emulated
#            CPU needs for that at every boot
# VERSION is what uname -r prints in the guest.
set -eu
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=selftests/vm/cache.sh
. "$here/cache.sh"

die() {
	echo "kernel.sh: $*" >&2
	exit 1
}

arch() {
	local arch
	arch=$(dpkg --print-architecture)
	[ "$arch" = amd64 ] || die "guests are x86 only, this machine is $arch"
	echo "$arch"
}

# Flavours other than the plain one lack drivers that the guest needs.
version() {
	local arch version
	arch=$(arch)
	version=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' \
		'linux-headers-*' 2>/dev/null |
		sed -n "s/^installed linux-headers-\([0-9].*-$arch\)$/\1/p" |
		grep -v -e cloud -e '-rt-' | sort -V | tail -n 1)
	[ -n "$version" ] || die "no kernel headers are installed;" \
		"selftests/vm/packages.sh installs them"
	echo "$version"
}

headers() {
	local dir=/usr/src/linux-headers-$1

	[ -d "$dir" ] || die "no headers for kernel $1 in $dir"
	echo "$dir"
}

# fetch VERSION PACKAGE_VERSION DIR - called by cache_entry
fetch() {
	local image=linux-image-$1 dir=$3

	echo "fetching $image ($2), once" >&2
	# _apt may not write into somebody's cache, so the download stays ours.
	(cd "$dir" && apt-get download -qq -o APT::Sandbox::User=root \
		"$image=$2") || {
		echo "kernel.sh: the archive has no $image $2; bring the" \
			"headers up to date: apt-get update &&" \
			"apt-get install linux-headers-amd64" >&2
		return 1
	}
	dpkg -x "$dir"/linux-image-*.deb "$dir" &&
		rm -f "$dir"/linux-image-*.deb &&
		depmod -b "$dir" "$1" &&
		[ -s "$dir/boot/vmlinuz-$1" ]
}

root() {
	local package=linux-headers-$1 revision

	if [ -r "/boot/vmlinuz-$1" ] && [ -d "/lib/modules/$1/kernel" ]; then
		echo /
		return
	fi
	# Headers and image of one build: the ABI number alone may outlive it.
	revision=$(dpkg-query -W -f '${Version}' "$package" 2>/dev/null) ||
		die "package $package is not installed"
	cache_entry "kernels/$1_$revision" fetch "$1" "$revision"
}

# An ELF file with the note that gives QEMU an entry (CONFIG_PVH): note 18,
# XEN_ELFNOTE_PHYS32_ENTRY.
bootable() {
	[ "$(head -c 4 "$1" | tail -c 3)" = ELF ] &&
		readelf -n "$1" | grep '(0x0*12)$' >/dev/null
}

# extract VMLINUZ DIR - called by cache_entry. The payload starts at the first
# xz magic that unpacks to an ELF file; what follows it is not part of it, so
# xz's complaint about trailing data is expected.
extract() {
	local offset

	while read -r offset; do
		tail -c "+$((offset + 1))" "$1" | xz -dc 2>/dev/null \
			>"$2/vmlinux" || true
		bootable "$2/vmlinux" && return
	done < <(LC_ALL=C grep -abo $'\xfd7zXZ' "$1" | cut -d : -f 1)
	# Not packed, packed otherwise or without that entry: QEMU boots it as
	# it is.
	rm -f "$2/vmlinux"
	ln -s "$1" "$2/vmlinux"
}

unpack() {
	local key entry

	[ -r "$1" ] || die "cannot read the kernel image $1"
	key=$({
		stat -Lc '%s %Y' "$1"
		declare -f extract bootable
	} | sha256sum | cut -c 1-16)
	entry=$(cache_entry "vmlinux/${1##*/vmlinuz-}-$key" extract "$1")
	echo "$entry/vmlinux"
}

command=${1:-}
case $command in
version) version ;;
headers|root)
	wanted=${2:-$(version)}
	"$command" "$wanted" ;;
unpack) unpack "${2:?kernel.sh unpack needs a VMLINUZ}" ;;
*) die "usage: kernel.sh version | headers|root [VERSION] | unpack VMLINUZ" ;;
esac
