#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# apq-timeout: 120
# Options: what is refused, with which status and sentence; --mode and status.
set -u
# shellcheck source=tools/tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

# STATUS|PATTERN ON STDERR|ARGUMENTS; each must be one line on stderr
refused() {
	cat <<'LIST'
2|--bogus: unknown option|--bogus
2|--mode: needs a value|--mode
2|bogus: unknown command|bogus
2|extra: unexpected word|--mode timer extra
2|extra: unexpected word|status extra
2|-x: unknown option|sweep -x
2|--bogus: unknown option|sweep --bogus
2|--full=3: unknown option or unexpected value|sweep --full=3
2|--poll-timeout: "0" is not a number of nanoseconds from 1 to 120000000000|--poll-timeout 0
2|--poll-timeout: "120000000001" is not .* from 1 to 120000000000|--poll-timeout 120000000001
2|--poll-timeout: "-1" is not a number|--poll-timeout -1
2|--poll-timeout: "+5" is not a number|--poll-timeout +5
2|--poll-timeout: "5x" is not a number|--poll-timeout 5x
2|--poll-timeout: "99999999999999999999" is not|--poll-timeout 99999999999999999999
2|--mode: "aaaaaaaaaaaaaaaa" is not a name of 1 to 15|--mode aaaaaaaaaaaaaaaa
1|mode: "bogus" is not one; the module has: timer hrtimer thread|--mode bogus
2|--modes: "bogus" is not a mode of the module, it has: timer hrtimer thread|sweep --modes timer,bogus
2|--modes: "timer" is given twice|sweep --modes timer,timer
2|--modes: "aaaaaaaaaaaaaaaa" is longer than 15|sweep --modes aaaaaaaaaaaaaaaa
2|--modes: the list has an empty item|sweep --modes timer,,thread
2|--modes: the list has an empty item|sweep --modes timer,
2|--ciphers: "des" is none of|sweep --ciphers des
2|--ciphers: "aes-128-cbc" is given twice|sweep --ciphers aes-128-cbc,aes-128-cbc
2|--ciphers: item "a*" is longer than 31|sweep --ciphers aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
2|--sizes: "0" is not a size from 1 to 1048576 bytes|sweep --sizes 0
2|--sizes: "1048577" is not a size|sweep --sizes 1048577
2|--sizes: "2M" is not a size|sweep --sizes 2M
2|--sizes: "18014398509481985K" is not a size|sweep --sizes 18014398509481985K
2|--sizes: "4k" is not a size|sweep --sizes 4k
2|--sizes: "-64" is not a size|sweep --sizes -64
2|--sizes: "1K" is given twice|sweep --sizes 1024,1K
2|--sizes: "100" is not a multiple of 16, the block of aes-128-cbc|sweep --sizes 100
2|--sizes: "20" is not a multiple of 8, the block of 3des-cbc|sweep --ciphers 3des-cbc --sizes 20
2|--paths: "dev" is none of afalg, apq, z90crypt|sweep --paths dev
2|--paths: "apq" is given twice|sweep --paths apq,apq
2|--threads: "0" is not a number of threads from 1 to 256|sweep --threads 0
2|--threads: "257" is not a number of threads from 1 to 256|sweep --threads 257
2|--threads: "4" is given twice|sweep --threads 4,4
2|--time: "49" is not a number of milliseconds from 50 to 600000|sweep --time 49
2|--time: "600001" is not a number|sweep --time 600001
2|sweep: --full and --quick exclude each other|sweep --full --quick
2|nothing to measure: none of --paths takes any of --ciphers|sweep --paths z90crypt --ciphers aes-128-cbc
1|/nonexistent/dir: cannot make the directory|sweep --out /nonexistent/dir
1|/nonexistent: cannot read|sweep --verify-file /nonexistent
1|small: is not a file of 256 to 67108864 bytes|sweep --verify-file small
1|/dev/null: is not a file of 256 to 67108864 bytes|sweep --verify-file /dev/null
LIST
}

is_refused() {
	fails_with "$1" "$2" && ! grep -qv '^aptune: ' "$work/err"
}

# A failure before the first cell leaves no files.
cd "$work" || exit 1
head -c 255 /dev/zero >small
plan $(($(refused | wc -l) + 18))
while IFS='|' read -r want pattern line; do
	# shellcheck disable=SC2086 # a list of words
	run $line
	ok "refused: aptune $line" is_refused "$want" "$pattern"
done < <(refused)

run
ok "no arguments: usage on stderr, exit 2" fails_with 2 '^usage: aptune'
run --help
ok "--help exits 0" [ "$status" -eq 0 ]
ok "and lists the commands" grep -q '^  sweep ' "$work/out"
run sweep --help
ok "sweep --help exits 0" [ "$status" -eq 0 ]
ok "and lists options with their presets" \
	grep -q 'Default: *$\|Default: afalg\|Default: 500' "$work/out"
run --version
ok "--version exits 0" [ "$status" -eq 0 ]
ok "and prints the library's version" grep -qx 'aptune 0.0-mock' "$work/out"

run --mode thread --poll-timeout 5000
ok "--mode and --poll-timeout exit 0" [ "$status" -eq 0 ]
ok "print what is active" \
	grep -qx 'mode thread, poll timeout 5000 ns' "$work/out"
ok "and set it" grep -qx 'thread 5000' "$work/state"
run --mode bogus --poll-timeout 77
ok "a bad mode leaves the poll timeout" grep -qx 'thread 5000' "$work/state"
run MOCK_MODE_SLIPS=1 --mode timer
ok "a mode that does not stick is an error" \
	fails_with 1 'asked for timer, but the module runs thread'
run MOCK_TIMEOUT_SLIPS=1 --poll-timeout 6000
ok "so is a poll timeout" \
	fails_with 1 'asked for 6000 ns, but the module has 5000 ns'
run status
ok "status exits 0" [ "$status" -eq 0 ]
ok "shows all modes, the active one in brackets" \
	grep -qx 'modes: timer hrtimer \[thread\]' "$work/out"
ok "shows the card with its engine" \
	grep -q '^card00 *CEX8A *mock-openssl *yes *8 *0 *0$' "$work/out"
run MOCK_ABSENT=1 status
ok "without the module: one sentence, exit 1" \
	is_refused 1 'is the module apq loaded'
"$aptune" status >/dev/full 2>"$work/err"
status=$?
ok "output that cannot be written is an error" \
	fails_with 1 'standard output: cannot write'
finish
