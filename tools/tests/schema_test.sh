#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# apq-timeout: 120
# Documentation/results.rst describes every name that sweep.json contains, and
# sweep.csv says the same as sweep.json.
set -u
# shellcheck source=tools/tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

doc=$tests/../../Documentation/results.rst

cat >"$work/names.py" <<'PY'
# Prints every object key of a JSON file, once.
import json, sys
names = set()
def walk(x):
    if isinstance(x, dict):
        names.update(x)
        for v in x.values():
            walk(v)
    elif isinstance(x, list):
        for v in x:
            walk(v)
walk(json.load(open(sys.argv[1])))
print("\n".join(sorted(names)))
PY
cat >"$work/same.py" <<'PY'
# Compares the cells of sweep.json with the rows of sweep.csv.
import csv, json, sys
cells = json.load(open(sys.argv[1]))["cells"]
rows = list(csv.DictReader(l for l in open(sys.argv[2]) if l[0] != "#"))
assert len(cells) == len(rows) > 0
for cell, row in zip(cells, rows):
    assert list(cell) == list(row), "columns differ"
    for name, value in cell.items():
        text = row[name]
        if value is None:
            assert text == "", name
        elif isinstance(value, str):
            assert text == value, name
        else:
            decimals = len(text.partition(".")[2])
            assert abs(float(text) - value) <= 0.51 * 10 ** -decimals, name
PY

every_name_is_described() {
	local missing=0 name
	while read -r name; do
		grep -qF -- "\`\`$name\`\`" "$doc" && continue
		echo "# not in results.rst: $name"
		missing=1
	done < <(python3 "$work/names.py" "$work/results/sweep.json")
	return "$missing"
}

plan 6
head -c 100000 "$aptune" >"$work/input"
run MOCK_TIMER_US=500 sweep --modes timer,thread --sizes 64,1K --threads 1 \
	--ciphers 3des-cbc,rsa-2048-crt --time 50 --out "$work/results" \
	--verify-file "$work/input"
ok "sweep" [ "$status" -eq 0 ]
ok "JSON has names" \
	[ "$(python3 "$work/names.py" "$work/results/sweep.json" | wc -l)" -gt 50 ]
ok "all of them are described" every_name_is_described
ok "CSV says the same" python3 "$work/same.py" "$work/results/sweep.json" \
	"$work/results/sweep.csv"
ok "the schema version is that of the document" \
	grep -q "^Schema version $(sed -n 's/.*"schema_version": \([0-9]*\),/\1/p' \
	"$work/results/sweep.json")\$" "$doc"
ok "no other file is left there" \
	[ "$(ls -A "$work/results")" = sweep.csv$'\n'sweep.json ]
finish
