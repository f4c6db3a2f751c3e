#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
#
# Make "man apq_encrypt" work: each function in the synopsis of a page that has
# another name gets a page that leads there.
# usage: manlinks.sh DIR PAGE...
set -eu
dir=$1
shift
for page; do
	sed -n '/^\.SH SYNOPSIS/,/^\.SH DESCRIPTION/p' "$page" |
		grep -o 'apq_[a-z0-9_]*(' | tr -d '(' | sort -u |
		while read -r name; do
			[ "$name.3" = "$page" ] ||
				echo ".so man3/$page" > "$dir/$name.3"
		done
done
