#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Check the style of the whole checkout: one line a check, findings below it.
# usage: [KERNELDIR=DIR] style.sh [CHECK...]
set -u
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../..")
cd "$top" || exit 1
all=(includes sizes shellcheck checkpatch kernel_doc module)
# A file past this length holds two nouns.
max_lines=800

# checkpatch knows the kernel only. In user space there is no u8, __printf(),
# ARRAY_SIZE() or BIT() to prefer, C11 has _Atomic and PRIu64, signal handlers
# need volatile, and test data is a hex string over several lines.
user_ignore=PREFER_KERNEL_TYPES,PREFER_DEFINED_ATTRIBUTE_MACRO,ARRAY_SIZE
user_ignore+=,BIT_MACRO,CAMELCASE,VOLATILE,EMBEDDED_FUNCTION_NAME,ARCH_DEFINES
user_ignore+=,LONG_LINE_STRING,SPLIT_STRING,MISSING_SPACE
user_ignore+=,QUOTED_WHITESPACE_BEFORE_NEWLINE
# EXPECT_EQ() and its like are two statements: a loop over one needs braces.
test_ignore=$user_ignore,BRACES
# What kmod/compat exists for. A macro that wraps a function around the name of
# an attribute has to use the name more than once, as the kernel's own does.
compat_ignore=LINUX_VERSION_CODE,CONSTANT_COMPARISON,COMPLEX_MACRO
compat_ignore+=,MACRO_ARG_REUSE
# Trace events have a layout of their own all over the kernel.
trace_ignore=OPEN_ENDED_LINE,PARENTHESIS_ALIGNMENT

# Only what belongs to the project: the build leaves C files behind as well.
files() {
	git ls-files -z -co --exclude-standard -- "$@" | sort -zu |
		xargs -0r ls -d 2>/dev/null
}

source_dir() {
	"$top/selftests/vm/source.sh"
}

check_includes() {
	"$here/includes.sh" "$top"
}

check_sizes() {
	files '*.c' '*.h' '*.sh' '*Makefile' '*.awk' | xargs -r wc -l |
		awk -v max="$max_lines" '$2 != "total" && $1 > max {
			print $2 ": " $1 " lines, more than " max; bad = 1 }
			END { exit bad }'
}

check_shellcheck() {
	local scripts

	mapfile -t scripts < <(files | while read -r file; do
		[ -L "$file" ] && continue
		case $file in
		*.sh) echo "$file" ;;
		*) head -n 1 "$file" | tr -d '\0' |
			grep -qE '^#!.*[ /](sh|bash|dash)$' && echo "$file" ;;
		esac
	done)
	shellcheck "${scripts[@]}"
}

# checkpatch LIST [OPTION...] - the files that LIST names
checkpatch() {
	local source list=$1

	shift
	source=$(source_dir) || return 1
	[ -n "$list" ] || return 0
	# The names are words of this project, without blanks.
	# shellcheck disable=SC2086
	perl "$source/scripts/checkpatch.pl" "$@" -f $list
	local status=$?
	# It leaves its list of known CamelCase names behind.
	rm -f .checkpatch-camelcase.*
	return "$status"
}

check_checkpatch() {
	local bad=0

	checkpatch "$(files 'kmod/*.[ch]' 'include/*.h' |
		grep -v -e '^kmod/compat/' -e '/trace\.h$')" || bad=1
	checkpatch "$(files 'kmod/*/trace.h')" \
		--ignore "$trace_ignore" || bad=1
	checkpatch "$(files 'kmod/compat/*.[ch]')" \
		--ignore "$compat_ignore" || bad=1
	checkpatch "$(files 'lib/*.[ch]' 'tools/*.[ch]' 'provider/*.[ch]')" \
		--ignore "$user_ignore" || bad=1
	checkpatch "$(files 'selftests/*.[ch]')" \
		--ignore "$test_ignore" || bad=1
	return "$bad"
}

# kernel-doc ends with 0 whatever it says.
check_kernel_doc() {
	local source said

	source=$(source_dir) || return 1
	said=$(files 'include/*.h' 'kmod/*.[ch]' 'lib/include/*.h' |
		xargs perl "$source/scripts/kernel-doc" -none 2>&1)
	[ -z "$said" ] && return 0
	printf '%s\n' "$said"
	return 1
}

# The build with all warnings and with sparse, in a copy: what is built in the
# checkout stays what "make kmod" made of it.
check_module() {
	local copy said dir

	dir=${KERNELDIR:-$("$top/selftests/vm/kernel.sh" headers)} || return 1
	copy=$(mktemp -d) || return 1
	files 'kmod/*' 'include/*' | cpio --quiet -pdm "$copy"
	said=$(make -s -C "$copy/kmod" KERNELDIR="$dir" W=1 C=2 all 2>&1 ||
		echo "error: the build failed")
	rm -rf "$copy"
	said=$(grep -iE 'warning|error' <<<"${said//"$copy"\//}")
	[ -z "$said" ] && return 0
	printf '%s\n' "$said"
	return 1
}

bad=0
for check in "${@:-${all[@]}}"; do
	if ! declare -F "check_$check" >/dev/null; then
		echo "style.sh: no check $check; there are: ${all[*]}" >&2
		exit 2
	fi
	if text=$("check_$check" 2>&1); then
		echo "style: $check ok"
	else
		echo "style: $check failed"
		printf '%s\n' "$text"
		bad=1
	fi
done
exit $bad
