#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Make DIR/lszcrypt and DIR/chzcrypt, the real ones, for test_ap_01.sh.
#
# Debian builds them for s390x only. They are programs for a terminal and for
# sysfs, so the user mode emulation of QEMU runs them here as they are: what is
# tested is byte for byte what a mainframe has. All of it comes from the
# archive once, is kept in the cache, and nothing is installed.
# usage: ap_tools.sh DIR
# Without the packages, DIR/reason says why, in one line; that is no failure.
set -eu -o pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=selftests/vm/cache.sh
. "$here/vm/cache.sh"

dir=${1:?usage: ap_tools.sh DIR}
package=s390-tools
arch=s390x
tools='lszcrypt chzcrypt'
# Releases of Debian, the best first: bookworm's tools do not know a CEX8, but
# an archive need not have all packages of a release at any time.
suites='trixie forky bookworm'
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
# Package lists are read again when they are older than this; in minutes.
stale_after=1440

give_up() {
	echo "ap_tools.sh: $*" >&2
	echo "$*" >"$dir/reason"
	exit 0
}

# Where this machine takes its own packages from has the other releases and
# architectures too.
archive() {
	local own

	# shellcheck source=/dev/null
	own=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	# The parentheses are apt's.
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(REPO_URI)' "Codename: $own" |
		LC_ALL=C sort -u | head -n 1
}

# apt for the other architecture, apart from this machine's own: it sees no
# package as installed and changes nothing.
other_apt() {
	local state=$cache_top/$package/apt-$1 command=$2

	shift 2
	"$command" -o Dir::Etc::sourcelist="$state/sources.list" \
		-o Dir::Etc::sourceparts=/dev/null \
		-o Dir::Etc::preferencesparts=/dev/null \
		-o Dir::State::lists="$state/lists" \
		-o Dir::State::status=/dev/null -o Dir::Cache="$state/cache" \
		-o APT::Sandbox::User=root -o APT::Architecture=$arch \
		-o APT::Architectures=$arch "$@"
}

update() {
	local suite=$1 state=$cache_top/$package/apt-$1 uri

	[ -z "$(find "$state/fresh" -mmin "-$stale_after" 2>/dev/null)" ] ||
		return 0
	uri=$(archive)
	[ -n "$uri" ] || return 1
	mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
	echo "deb [signed-by=$keyring] $uri $suite main" \
		>"$state/sources.list"
	other_apt "$suite" apt-get update -qq --error-on=any >&2 || return 1
	# Asking apt for it each time would take seconds.
	other_apt "$suite" apt-cache show --no-all-versions "$package" |
		sed -n 's/^Version: //p' >"$state/version"
	touch "$state/fresh"
}

# take FROM NAME TO - the file, wherever its package has it
take() {
	find "$1" -type f -name "$2" ! -path '*/share/*' \
		-exec cp {} "$3" \; -quit && [ -e "$3/$2" ]
}

# What a program of s390x needs to start, and nothing else of its packages.
unpack_programs() {
	local suite=$1 to=$2 from=$2/unpacked file

	(cd "$to" && other_apt "$suite" apt-get download -qq "$package" libc6) ||
		return 1
	for file in "$to"/*_"$arch".deb; do
		dpkg -x "$file" "$from" || return 1
	done
	mkdir -p "$to/root/lib"
	take "$from" ld64.so.1 "$to/root/lib/" || return 1
	take "$from" libc.so.6 "$to/root/lib/" || return 1
	for file in $tools; do
		take "$from" "$file" "$to/root/" || return 1
	done
	rm -rf "$from" "$to"/*.deb
}

unpack_emulator() {
	local to=$1

	(cd "$to" && apt-get download -qq -o APT::Sandbox::User=root \
		qemu-user-static) || return 1
	dpkg --fsys-tarfile "$to"/qemu-user-static_*.deb |
		tar -xO ./usr/bin/qemu-$arch-static >"$to/qemu" || return 1
	chmod +x "$to/qemu"
	rm -f "$to"/qemu-user-static_*.deb
}

make_wrapper() {
	cat >"$1/$2" <<-WRAPPER
	#!/bin/sh
	# $2 of Debian's $package for $arch, by user mode emulation
	here=\$(dirname "\$(readlink -f "\$0")")
	exec "\$here/qemu" -L "\$here/root" "\$here/root/$2" "\$@"
	WRAPPER
	chmod +x "$1/$2"
}

# fill SUITE DIR - called by cache_entry
fill() {
	local tool

	echo "fetching $tools of $1 for $arch and their emulator, once"
	unpack_programs "$1" "$2" || return 1
	unpack_emulator "$2" || return 1
	for tool in $tools; do
		make_wrapper "$2" "$tool"
		"$2/$tool" --version >/dev/null || return 1
	done
}

# The entry of the first release that can be had.
get() {
	local suite version

	for suite in $suites; do
		update "$suite" || continue
		version=$(cat "$cache_top/$package/apt-$suite/version")
		[ -n "$version" ] || continue
		cache_entry "$package/$version" fill "$suite" && return
	done
	return 1
}

# The newest entry that is there already; it need not be brought up to date.
cached() {
	local entry

	find "$cache_top/$package" -mindepth 1 -maxdepth 1 -type d \
		-name '[0-9]*' ! -name '*.part' 2>/dev/null | sort -rV |
		while read -r entry; do
			if cache_whole "$entry"; then
				echo "$entry"
				break
			fi
		done
}

mkdir -p "$dir"
rm -f "$dir/reason"
if ! command -v apt-get >/dev/null; then
	give_up "not a Debian system (no apt-get), so no $package"
fi
mkdir -p "$cache_top/$package"
exec 8>"$cache_top/$package/lock"
flock 8
entry=$(cached)
[ -n "$entry" ] || entry=$(get 8>&-) || true
[ -n "$entry" ] || give_up "the archive's package $package for $arch or" \
	"qemu-user-static cannot be had"
# A copy: the guest does not see a cache below /tmp.
cp -rfu "$entry/." "$dir/"
