#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# apq-timeout: 120
# The man page is made from the option tables: it has every option of --help.
set -u
# shellcheck source=tools/tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

page=$build/aptune.1

options() {
	"$aptune" --help
	"$aptune" sweep --help
	"$aptune" status --help
}

every_option_is_there() {
	local missing=0 option
	while read -r option; do
		# In roff a dash is written as \-.
		grep -qF -- "\\-\\-${option//-/\\-}" "$page" && continue
		echo "# missing: --$option"
		missing=1
	done < <(options | sed -n 's/^  --\([a-z-]*\).*/\1/p' | sort -u)
	return "$missing"
}

has_no_marks() {
	! grep -q '@[A-Z]*@' "$page"
}

is_clean() {
	man --warnings -E UTF-8 -l -Tutf8 -Z "$page" >/dev/null 2>"$work/err" &&
		[ ! -s "$work/err" ]
}

plan 4
ok "there are options to look for" \
	[ "$(options | grep -c '^  --')" -ge 14 ]
ok "every option is in the man page" every_option_is_there
ok "every mark of the template was replaced" has_no_marks
if command -v man >/dev/null; then
	ok "man has no complaint" is_clean
else
	ok "man has no complaint # SKIP no program man" true
fi
finish
