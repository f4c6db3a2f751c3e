#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Print the lines of a kernel log that no healthy kernel prints.
# usage: splat.sh [LOG]
# Exit status: 0 none, 1 some, 2 the pattern files cannot be used. Patterns
# are in splats.deny and splats.allow; a missing file is an error, since an
# empty denylist would let everything pass.
set -u
here=$(dirname "$(readlink -f "$0")")

die() {
	echo "splat.sh: $*" >&2
	exit 2
}

# The expressions of FILE, one a line.
patterns() {
	[ -r "$1" ] || die "cannot read $1"
	awk -F '\t' -v file="$1" '
		/^#/ || !NF { next }
		NF != 2 || $1 == "" || $2 == "" {
			printf "splat.sh: %s:%d: no reason\n", file, NR \
				>"/dev/stderr"
			exit 1
		}
		{ print $1 }' "$1" || die "$1 is malformed"
}

deny=$(patterns "$here/splats.deny") || exit 2
allow=$(patterns "$here/splats.allow") || exit 2
[ -n "$deny" ] || die "$here/splats.deny has no pattern"
# A console that was cut off by a crash may hold NUL bytes.
log=$(tr -d '\0' <"${1:-/dev/stdin}") || die "cannot read the log ${1:-on stdin}"

found=$(grep -aE -e "$deny" <<<"$log")
[ $? -le 1 ] || die "bad expression in splats.deny"
if [ -n "$allow" ]; then
	found=$(grep -avE -e "$allow" <<<"$found")
	[ $? -le 1 ] || die "bad expression in splats.allow"
fi
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
