# SPDX-License-Identifier: GPL-2.0
# The cache outside the checkout; sourced by the scripts that fill it.
#
# An entry is a directory that appears by rename when it is whole and carries
# a seal: names and sizes of what it holds. An entry without its seal, or with
# one that no longer fits, is filled anew, so a cache that was cut off by a
# full disk, a kill or a cleaner heals itself.
# shellcheck shell=bash

cache_top=${APQ_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/apq}

cache_contents() {
	(cd "$1" && find . -type f ! -name .seal -printf '%p %s\n' |
		LC_ALL=C sort | sha256sum)
}

cache_whole() {
	[ -f "$1/.seal" ] && [ "$(cache_contents "$1")" = "$(cat "$1/.seal")" ]
}

# cache_entry NAME COMMAND [ARG...] - print the path of entry NAME, having
# run COMMAND ARG... DIR to fill it when it is not there. Two runs at a time
# are safe: the second waits for the first.
cache_entry() {
	local name=$1 dir=$cache_top/$1 part=$cache_top/$1.part
	shift
	mkdir -p "$(dirname "$dir")" || return 1
	(
		flock 9 || exit 1
		cache_whole "$dir" && exit 0
		rm -rf "$dir" "$part" && mkdir "$part" || exit 1
		"$@" "$part" >&2 9>&- || { rm -rf "$part"; exit 1; }
		cache_contents "$part" >"$part/.seal" && mv "$part" "$dir"
	) 9>"$dir.lock" || {
		echo "cache: cannot fill $name in $cache_top" >&2
		return 1
	}
	printf '%s\n' "$dir"
}

# cache_sweep DIR - remove what runs that were cut off left half filled in
# DIR, an entry's parent, under names that nobody asks for any more.
cache_sweep() {
	local part

	for part in "$cache_top/$1"/*.part; do
		[ -d "$part" ] || continue
		(flock -n 9 && rm -rf "$part") 9>"${part%.part}.lock" || true
	done
}
