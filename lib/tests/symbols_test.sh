#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
#
# The library exports what its map names, which is what its header declares.
set -u
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/../libapq.so
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
n=0 failed=0

report() { # $1 what, $2 exit status of the check
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		failed=$((failed + 1))
	fi
}

same() { # $1 what, $2 and $3 files
	diff "$2" "$3" > "$dir/diff"
	ret=$?
	sed 's/^/# /' "$dir/diff"
	report "$1" "$ret"
}

sed -n 's/^[[:space:]]*\(apq_[a-z0-9_]*\);$/\1/p' "$here/../libapq.map" | sort > "$dir/map"
nm -D --defined-only "$lib" | awk '$2 == "T" { sub("@.*", "", $3); print $3 }' |
	sort > "$dir/exported"
# a declaration is the only place where a name and ( follow the start or a type
"${CC:-cc}" -E -P -I"$here/../include" "$here/../include/libapq.h" |
	grep -o 'apq_[a-z0-9_]* *(' | tr -d ' (' | sort -u > "$dir/declared"

echo "TAP version 13"
echo "1..5"
[ -s "$dir/map" ]
report "the map names functions" $?
same "exported functions equal the map" "$dir/map" "$dir/exported"
same "declared functions equal the map" "$dir/map" "$dir/declared"
nm -D --defined-only "$lib" | awk '$2 != "T" && $2 != "A"' > "$dir/data"
same "no data is exported" /dev/null "$dir/data"
readelf -d "$lib" | grep -q 'SONAME.*\[libapq\.so\.0\]'
report "the soname is libapq.so.0" $?
echo "# $((n - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
