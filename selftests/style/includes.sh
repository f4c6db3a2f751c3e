#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Who may include whom. Prints "FILE: what is wrong" and exits 1, or nothing.
# usage: includes.sh TOP
set -u
cd "$1" || exit 2
found=$(mktemp)
trap 'rm -f "$found"' EXIT

# complain TEXT - the lines on stdin are findings, TEXT says which rule
complain() {
	sed "s|\$|: $1|" >>"$found"
}

sources() {
	find "$@" \( -name '*.[ch]' ! -name '*.mod.c' \) 2>/dev/null | sort
}

# Lines of the files on stdin that match, "FILE:LINE:TEXT". Comments do not
# count, since they may name what the code must not use.
matching() {
	local file

	while read -r file; do
		sed -e 's|/\*.*\*/||g' -e 's|//.*||' \
			-e '/^[[:space:]]*\/\*/,/\*\//s/.*//' "$file" |
			grep -HnE --label "$file" -e "$1"
	done
}

# kmod/FOLDER/ includes its own files and core/; core/ only its own. main.c,
# which starts and stops the parts, is in none of these folders.
for folder in core completion card door; do
	sources "kmod/$folder" | while read -r file; do
		sed -n 's/^[[:space:]]*#[[:space:]]*include "\(.*\)"/\1/p' \
			"$file" | while read -r header; do
			path=$(realpath -m --relative-to kmod \
				"$(dirname "$file")/$header")
			case $path in
			"$folder"/*|core/*) ;;
			*) echo "$file" |
				complain "$folder/ must not include $path" ;;
			esac
		done
	done
done

sources kmod | grep -v '^kmod/compat/' |
	matching 'LINUX_VERSION_CODE|KERNEL_VERSION' |
	complain "kernel versions are the business of kmod/compat/"

sources lib | matching '#[[:space:]]*include [<"][^">]*(kmod|tools|selftests)/' |
	complain "lib includes include/uapi and libkcapi, nothing else of ours"

# Their tests may stand in for the kernel; the tools themselves may not talk
# to it. A name in the middle of a string is a message.
tools() {
	sources tools | grep -v '^tools/tests/'
}

{
	tools | matching '^([^"]|"[^"]*")*\<(ioctl|AF_ALG)\>'
	tools | matching '"/dev/'
	tools | matching 'include [<"][^">]*(kcapi|if_alg|linux/apq|linux/z90crypt)\.h'
} | complain "tools talk to libapq and sysfs only"

sources lib tools selftests provider include |
	matching '#[[:space:]]*include [<"][^">]*kmod/' |
	complain "the kernel shares include/uapi and nothing else"

sources kmod | matching '#[[:space:]]*include [<"][^">]*(lib|tools)/' |
	complain "the module includes nothing of user space"

[ ! -s "$found" ] && exit 0
sort -u "$found"
exit 1
