#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Print a directory with a kernel that watches itself (KASAN, lockdep,
# DEBUG_OBJECTS, kmemleak, fault injection), built once from Debian's
# linux-source package and the options in debug.config:
#	boot/vmlinuz-VERSION	and its configuration
#	lib/modules/VERSION	its modules
#	headers			to build other modules against
# usage: debug-kernel.sh
# APQ_JOBS is how many compilers run at a time (default 2).
set -eu -o pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=selftests/vm/cache.sh
. "$here/cache.sh"

package=linux-source-6.1
tarball=/usr/src/$package.tar.xz
fragment=$here/debug.config
# The unpacked tree and its objects, while it builds; in KiB.
room_needed=$((5 * 1024 * 1024))
# Somebody may be using the machine.
make=(nice -n 19 make -s "-j${APQ_JOBS:-2}" LOCALVERSION=
	KBUILD_BUILD_USER=apq KBUILD_BUILD_HOST=apq)

die() {
	echo "debug-kernel.sh: $*" >&2
	exit 1
}

# The options of the fragment that the configuration FILE does not have: one
# that is not there is as good as one that is off.
options_lost() {
	local line name

	grep -E '^(CONFIG_|# CONFIG_)' "$fragment" | while read -r line; do
		name=${line#\# }
		name=${name%%[ =]*}
		grep -qxF -e "$line" "$1" && continue
		[ "${line#\#}" = "$line" ] || grep -q "^$name=" "$1" || continue
		echo "$line"
	done
}

configure() {
	local lost

	"${make[@]}" tinyconfig >/dev/null 2>&1 || return 1
	scripts/kconfig/merge_config.sh -m .config "$fragment" >/dev/null 2>&1 ||
		return 1
	"${make[@]}" olddefconfig 2>/dev/null || return 1
	lost=$(options_lost .config)
	[ -z "$lost" ] && return
	echo "debug-kernel.sh: debug.config asks for what this kernel cannot" \
		"have:" >&2
	printf '%s\n' "$lost" >&2
	return 1
}

# What building a module needs, as Debian's headers packages have it.
install_headers() {
	{
		find . arch/x86 -maxdepth 1 -name 'Makefile*'
		find include scripts -type f -o -type l
		find arch/x86 -name Kbuild.platforms -o -name Platform
		find arch/x86 \( -name include -o -name scripts \) -type d \
			-exec find {} -type f \;
		printf '%s\n' .config Module.symvers
		[ ! -e tools/objtool/objtool ] || echo tools/objtool/objtool
	} | LC_ALL=C sort -u | tar -c -T - | tar -x -C "$1"
}

# build DIR - called by cache_entry
build() (
	local dir=$1 version

	[ "$(df -kP "$dir" | awk 'NR == 2 { print $4 }')" -ge $room_needed ] ||
		die "less than $((room_needed / 1024 / 1024)) GiB free below $dir"
	echo "building the debug kernel, once: 15 to 30 minutes of one CPU" >&2
	mkdir "$dir/tree" "$dir/headers" "$dir/boot" || exit 1
	tar -C "$dir/tree" --strip-components=1 -xf "$tarball" || exit 1
	cd "$dir/tree" || exit 1
	{
		configure && "${make[@]}" bzImage modules &&
			"${make[@]}" INSTALL_MOD_PATH="$dir" modules_install
	} >"$dir/log" 2>&1 || {
		grep -aE -m 20 'error|Error|debug-kernel|CONFIG_' "$dir/log" ||
			tail -n 20 "$dir/log"
		exit 1
	}
	version=$("${make[@]}" kernelrelease) || exit 1
	cp arch/x86/boot/bzImage "$dir/boot/vmlinuz-$version" || exit 1
	install_headers "$dir/headers" || exit 1
	cp .config "$dir/boot/config-$version" || exit 1
	rm -f "$dir/lib/modules/$version/build" \
		"$dir/lib/modules/$version/source"
	cd / && rm -rf "$dir/tree"
)

[ -r "$tarball" ] || die "needs the package $package;" \
	"selftests/vm/packages.sh installs it"
# How it is built and the compiler belong to the key as the options do: they
# decide what comes out.
revision=$(dpkg-query -W -f '${Version}' "$package")
key=$({
	grep -v '^#$' "$fragment"
	declare -f configure install_headers build
	gcc --version | head -n 1
	ld --version | head -n 1
} | sha256sum | cut -c 1-16)
cache_sweep debug
cache_entry "debug/${package}_$revision-$key" build
