#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What "make install" leaves behind is enough for somebody else: a program is
# compiled against the installed headers with what pkg-config says, linked and
# run; the tools run; module and manual pages are there. apq-timeout: 120
set -u
top=$(readlink -f "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=/opt/apq
dest=$work/dest
n=0 failed=0

# ok NAME COMMAND...
ok() {
	local name=$1 text

	shift
	n=$((n + 1))
	if text=$("$@" 2>&1); then
		echo "ok $n - $name"
	else
		printf '%s\n' "$text" | sed 's/^/# /'
		echo "not ok $n - $name"
		failed=$((failed + 1))
	fi
}

installs() {
	cd "$top" && env -u MAKEFLAGS -u MFLAGS \
		make -s install DESTDIR="$dest" PREFIX=$prefix
}

# The paths of pkg-config are below $dest here. A header of the checkout would
# hide one that is missing, so nothing but these is searched.
compiles() {
	local flags

	cat >"$work/user.c" <<-'USER'
		#include <libapq.h>
		#include <linux/apq.h>
		#include <linux/z90crypt.h>
		#include <stdio.h>

		int main(void)
		{
			printf("%u %u %zu\n", (unsigned int)ICARSACRT,
			       (unsigned int)APQ_IOC_CRYPT,
			       sizeof(struct apq_op));
			return apq_mode_get(NULL, 1) != -22;
		}
	USER
	flags=$(PKG_CONFIG_PATH=$dest$prefix/lib/pkgconfig \
		PKG_CONFIG_SYSROOT_DIR=$dest pkg-config --cflags --libs libapq) ||
		return 1
	# The flags are words.
	# shellcheck disable=SC2086
	cc -Wall -Werror -o "$work/user" "$work/user.c" $flags
}

runs() {
	LD_LIBRARY_PATH=$dest$prefix/lib "$@"
}

pages_are_there() {
	local page missing=0

	for page in man1/aptune.1 "$top"/Documentation/man/*.[34].rst; do
		case $page in
		*.rst)
			page=$(basename "$page" .rst)
			page=man${page##*.}/$page ;;
		esac
		[ -s "$dest$prefix/share/man/$page" ] && continue
		echo "no $page"
		missing=1
	done
	return $missing
}

module_is_there() {
	find "$dest/lib/modules" -name 'apq.ko*' -size +0 | grep .
}

docs_are_made() {
	local page

	page=$(cd "$top" && env -u MAKEFLAGS -u MFLAGS make -s docs) || return 1
	# It may name them by a pattern.
	# shellcheck disable=SC2086
	(cd "$top" && ls ${page##*$'\n'}) &&
		[ "$(cd "$top" && find lib -name '*.3' | wc -l)" -eq \
			"$(find "$top/Documentation/man" -name '*.3.rst' | wc -l)" ]
}

echo 'TAP version 13'
echo 1..7
ok "make install" installs
ok "a program compiles against the installed headers" compiles
ok "and runs with the installed library" runs "$work/user"
ok "aptune runs with the installed library" \
	runs "$dest$prefix/bin/aptune" --help
ok "each manual page is installed" pages_are_there
ok "the module is installed" module_is_there
ok "make docs makes each manual page" docs_are_made
[ $failed -eq 0 ]
