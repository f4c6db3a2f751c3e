#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Install the packages that are listed beside this script and missing here.
# usage: packages.sh [LIST]
set -eu

list=${1:-$(dirname "$0")/packages}
# Package lists older than this may name versions that the archive has
# already dropped; in minutes.
stale_after=1440

die() {
	echo "packages.sh: $*" >&2
	exit 1
}

# Names on stdin that dpkg does not have installed. One dpkg-query for all:
# it costs 20 ms, one per name would cost that each.
missing() {
	installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' \
		2>/dev/null | sed -n 's/^installed //p')
	printf '%s\n' "$installed" | awk '
		FILENAME == "-" { have[$1] = 1; next }
		!/^#/ && NF && !($1 in have) { print $1 }' - "$list"
}

lists_fresh() {
	find /var/lib/apt/lists -maxdepth 1 -name '*_Packages*' \
		-mmin "-$stale_after" 2>/dev/null | grep -q .
}

install_missing() {
	# The names are plain words and meant to be split.
	# shellcheck disable=SC2086
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
		-o DPkg::Lock::Timeout=300 --no-install-recommends $want >"$log" 2>&1
}

[ -r "$list" ] || die "cannot read the package list $list"
command -v dpkg-query >/dev/null ||
	die "needs a Debian system (no dpkg-query here)"

want=$(missing | paste -sd ' ')
[ -n "$want" ] || exit 0
[ "$(id -u)" = 0 ] ||
	die "missing packages, and only root can install them: $want"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "installing: $want" >&2
if ! lists_fresh; then
	apt-get update -qq >"$log" 2>&1 || true
fi
if ! install_missing; then
	# The lists may be fresh by date and still behind the archive.
	apt-get update -qq >>"$log" 2>&1 || true
	install_missing || true
fi
want=$(missing | paste -sd ' ')
[ -n "$want" ] || exit 0
why=$(grep -m 1 '^E: ' "$log" || echo "no reason given")
die "missing packages that apt-get could not install ($why): $want"
