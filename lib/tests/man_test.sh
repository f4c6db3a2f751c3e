#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
#
# Each exported function is in the synopsis of just one manual page, and no page
# has another one; the pages are those that get installed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
pages=$here/../../Documentation/man
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
n=0 failed=0

same() { # $1 what, $2 and $3 files
	n=$((n + 1))
	if diff "$2" "$3" > "$dir/diff"; then
		echo "ok $n - $1"
	else
		sed 's/^/# /' "$dir/diff"
		echo "not ok $n - $1"
		failed=$((failed + 1))
	fi
}

sed -n 's/^[[:space:]]*\(apq_[a-z0-9_]*\);$/\1/p' "$here/../libapq.map" |
	sort > "$dir/map"
for page in "$pages"/*.3.rst; do
	sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' "$page" |
		grep -o 'apq_[a-z0-9_]*(' | tr -d '('
done | sort > "$dir/described"
for page in "$pages"/*.3.rst; do
	basename "$page" .rst
done | sort > "$dir/pages"
make -s --no-print-directory -C "$here/.." list-pages | tr ' ' '\n' |
	sort > "$dir/installed"

echo "TAP version 13"
echo "1..2"
same "functions of the map and of the synopses" "$dir/map" "$dir/described"
same "pages that are there and that are installed" "$dir/pages" "$dir/installed"
echo "# $((n - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
