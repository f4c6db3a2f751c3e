#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The kernels of "make check-matrix", each with a place to build modules for
# it: fetched from Debian's archive once and kept in the cache.
# usage: matrix-kernel.sh list
#            the kernels' short names, oldest first
#        matrix-kernel.sh get NAME
#            print a directory with
#            version              what uname -r prints in the guest
#            boot/vmlinuz-VERSION and lib/modules/VERSION
#            root                 a minimal system of the kernel's own Debian
#                                 release with its headers, compiler and make
# Only root can make the system in root, by debootstrap.
set -eu -o pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=selftests/vm/cache.sh
. "$here/cache.sh"

# Short name and the Debian release that ships it; a line more is a kernel
# more. Of several builds the newest is taken.
kernels='
5.10	bullseye
6.1	bookworm
6.12	trixie
7.2	forky
'
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
arch=amd64
# Package lists are read again when they are older than this; in minutes.
stale_after=1440
# For one kernel while it is unpacked; in KiB.
room_needed=$((2 * 1024 * 1024))

die() {
	echo "matrix-kernel.sh: $*" >&2
	exit 1
}

say() {
	echo "matrix-kernel.sh: $*" >&2
}

suite_of() {
	awk -F '\t' -v name="$1" '$1 == name { print $2 }' <<<"$kernels"
}

# Where this machine takes its own packages from has the other releases too.
archive() {
	local own

	# shellcheck source=/dev/null
	own=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	# The parentheses are apt's.
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(REPO_URI)' "Codename: $own" |
		LC_ALL=C sort -u | head -n 1
}

# suite_apt SUITE COMMAND... - apt for another release, apart from this
# machine's own: it sees no package as installed and changes nothing.
suite_apt() {
	local state=$cache_top/matrix/apt-$1 command=$2

	shift 2
	"$command" -o Dir::Etc::sourcelist="$state/sources.list" \
		-o Dir::Etc::sourceparts=/dev/null \
		-o Dir::Etc::preferencesparts=/dev/null \
		-o Dir::State::lists="$state/lists" \
		-o Dir::State::status=/dev/null -o Dir::Cache="$state/cache" \
		-o APT::Sandbox::User=root -o APT::Architecture=$arch \
		-o APT::Architectures=$arch "$@"
}

# Bring the package lists of SUITE up to date; apt checks their signature.
update() {
	local suite=$1 state=$cache_top/matrix/apt-$1 uri

	[ -z "$(find "$state/fresh" -mmin "-$stale_after" 2>/dev/null)" ] ||
		return 0
	uri=$(archive)
	[ -n "$uri" ] || die "apt knows no archive for this machine's release"
	mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
	echo "deb [signed-by=$keyring] $uri $suite main" \
		>"$state/sources.list"
	suite_apt "$suite" apt-get update -qq --error-on=any >&2 || return 1
	touch "$state/fresh"
}

# The newest kernel NAME in SUITE; flavours such as cloud and rt lack drivers
# that the guest needs.
newest() {
	local name=${2//./\\.}

	suite_apt "$1" apt-cache pkgnames linux-image- |
		sed -nE "s/^linux-image-($name\.[^-]+(-[0-9]+)?-$arch)$/\1/p" |
		sort -V | tail -n 1
}

revision() {
	suite_apt "$1" apt-cache show --no-all-versions "linux-image-$2" |
		sed -n 's/^Version: //p'
}

# A system with what building a module takes: the headers depend on the
# compiler that built the kernel. In a mount namespace of its own, so that
# nothing stays mounted however this ends.
make_root() {
	local suite=$1 version=$2 dir=$3 script=/usr/share/debootstrap/scripts

	# A release younger than debootstrap works as unstable does.
	if [ -e "$script/$suite" ]; then
		script=$script/$suite
	else
		script=$script/sid
	fi
	unshare --mount --propagation private \
		debootstrap --variant=minbase --arch=$arch --keyring="$keyring" \
		--include="make,linux-headers-$version" \
		"$suite" "$dir/root" "$(archive)" "$script" >"$dir/log" 2>&1 || {
		tail -n 5 "$dir/log"
		[ ! -f "$dir/root/debootstrap/debootstrap.log" ] ||
			tail -n 5 "$dir/root/debootstrap/debootstrap.log"
		return 1
	}
	rm -rf "$dir"/root/var/cache/apt/* "$dir"/root/var/lib/apt/lists/*
	[ -e "$dir/root/usr/src/linux-headers-$version/Makefile" ]
}

# The kernel and its modules. Since 7.1 they come in packages of their own,
# which the one named image only depends on, and all below usr.
unpack_kernel() {
	local suite=$1 version=$2 dir=$3 package packages file

	mkdir "$dir/debs"
	packages=$(suite_apt "$suite" apt-cache pkgnames linux- |
		grep -xE "linux-(image|binary|modules|base)-${version//+/\\+}")
	for package in $packages; do
		(cd "$dir/debs" && suite_apt "$suite" apt-get download -qq \
			"$package") >&2 || return 1
	done
	for file in "$dir"/debs/*.deb; do
		dpkg -x "$file" "$dir" || return 1
	done
	if [ ! -e "$dir/lib/modules" ]; then
		mkdir -p "$dir/boot"
		ln -s usr/lib "$dir/lib"
	fi
	file=$dir/usr/lib/modules/$version/vmlinuz
	[ ! -e "$file" ] || mv "$file" "$dir/boot/vmlinuz-$version" || return 1
	rm -rf "$dir/debs"
	depmod -b "$dir" "$version" && [ -s "$dir/boot/vmlinuz-$version" ]
}

# fill SUITE VERSION DIR - called by cache_entry
fill() {
	[ "$(id -u)" = 0 ] || die "only root can make a system of $1"
	command -v debootstrap >/dev/null || die "needs the package debootstrap"
	[ "$(df -kP "$3" | awk 'NR == 2 { print $4 }')" -ge $room_needed ] ||
		die "less than $((room_needed / 1024 / 1024)) GiB free below $3"
	say "fetching kernel $2 and a $1 to build for it, once"
	unpack_kernel "$@" || die "cannot unpack kernel $2 of $1"
	make_root "$@" || die "cannot make a $1 with linux-headers-$2"
	echo "$2" >"$3/version"
}

# The newest entry of NAME that is there already.
cached() {
	local entry

	find "$cache_top/matrix" -mindepth 1 -maxdepth 1 -type d \
		-name "$1_*" ! -name '*.part' 2>/dev/null | sort -rV |
		while read -r entry; do
			if cache_whole "$entry"; then
				echo "$entry"
				break
			fi
		done
}

get() {
	local name=$1 suite version entry

	suite=$(suite_of "$name")
	[ -n "$suite" ] || die "no kernel $name in the matrix, only:" \
		"$(list | tr '\n' ' ')"
	mkdir -p "$cache_top/matrix"
	exec 8>"$cache_top/matrix/apt-$suite.lock"
	flock 8
	cache_sweep matrix
	version=''
	if update "$suite"; then
		version=$(newest "$suite" "$name")
		[ -n "$version" ] || say "$suite has no kernel $name any more"
	else
		say "the package lists of $suite cannot be had now"
	fi
	if [ -n "$version" ]; then
		cache_entry "matrix/${name}_${version}_$(revision "$suite" \
			"$version")" fill "$suite" "$version" 8>&- && return
	fi
	entry=$(cached "$name")
	[ -n "$entry" ] || die "no kernel $name: not in the archive's $suite" \
		"and not in $cache_top/matrix"
	say "using the cached ${entry##*/}"
	echo "$entry"
}

list() {
	awk -F '\t' 'NF { print $1 }' <<<"$kernels"
}

case ${1:-} in
list) list ;;
get) get "${2:?matrix-kernel.sh get needs a NAME}" ;;
*) die "usage: matrix-kernel.sh list | get NAME" ;;
esac
