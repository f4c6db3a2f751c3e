#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
#
# Public headers compile alone, as C and as C++, without a warning.
set -u
here=$(cd "$(dirname "$0")" && pwd)
flags="-Wall -Wextra -pedantic -Werror -fsyntax-only -I$here/../include -idirafter $here/../../include/uapi"
n=0 failed=0

compile() { # $1 compiler, $2 language, $3 standard, $4 header
	n=$((n + 1))
	# shellcheck disable=SC2086 # flags are words
	if out=$(printf '#include <%s>\n#include <%s>\nint main(void) { return 0; }\n' \
		"$4" "$4" | "$1" -x "$2" -std="$3" $flags - 2>&1); then
		echo "ok $n - $4 as $2 $3"
	else
		echo "$out" | sed 's/^/# /'
		echo "not ok $n - $4 as $2 $3"
		failed=$((failed + 1))
	fi
}

echo "TAP version 13"
echo "1..20"
for header in libapq.h libapq_async.h libapq_suite.h linux/apq.h linux/z90crypt.h; do
	compile "${CC:-cc}" c c99 "$header"
	compile "${CC:-cc}" c gnu17 "$header"
	compile "${CXX:-c++}" c++ c++11 "$header"
	compile "${CXX:-c++}" c++ c++20 "$header"
done
echo "# $((n - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
