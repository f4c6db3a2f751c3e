#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# apq-timeout: 120
# Sweeps on a mock library that gives wrong answers or fails requests.
set -u
# shellcheck source=tools/tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"
# shellcheck source=tools/tests/sweep_common.sh
. "$(dirname "$(readlink -f "$0")")/sweep_common.sh"

test_wrong_answers() {
	sweep MOCK_WRONG_AT=300 --paths apq --threads 4 --sizes 64
	ok "a wrong answer while timing: exit 1" \
		fails_with 1 'apq .* 64 x4 .*: wrong answer at byte 32 of request'
	ok "finished cells are written" is_json "len(r['cells']) > 0"
	ok "as not complete, with the reason" \
		is_json "not r['complete'] and 'wrong answer' in r['failure']"
	ok "mode restored" is_restored
	# In the middle of a cell, where the answer before is a right one.
	sweep MOCK_STALE_AT=50 --paths apq --threads 1 --sizes 64 \
		--modes hrtimer --ciphers aes-128-cbc --time 3000
	ok "an answer that was never written: exit 1" fails_with 1 'wrong answer'
	sweep MOCK_WRONG_AT=0 --paths apq --threads 1 --sizes 64
	ok "wrong from the start: exit 1" fails_with 1 'wrong answer'
	ok "and no files without a cell" has_no_files
	sweep MOCK_WRONG_AT=20 --paths z90crypt --threads 1
	ok "a wrong RSA answer: exit 1" \
		fails_with 1 'z90crypt rsa-2048-crt 256 x1 .*wrong answer at byte 128'
	sweep MOCK_FAIL_AT=300 --paths apq --threads 4 --sizes 64
	ok "a failed request: exit 1 with its errno" \
		fails_with 1 'request .* of thread .*: Input/output error'
	ok "mode restored again" is_restored
}

test_wrong_file() {
	head -c 200001 "$aptune" >"$work/input"
	sweep MOCK_WRONG_AT=1 --paths apq --threads 1 --sizes 8K,64 \
		--ciphers aes-128-cbc --verify-file "$work/input"
	ok "file check, decryption: path, cell and offset are named" fails_with 1 \
		'check: apq aes-128-cbc 8192 bytes, mode timer: decryption at offset 4096 of'
	ok "before anything is timed" has_no_files
	# 3 modes x 8 places x 2, then whole: the third request of 64 KiB
	sweep MOCK_WRONG_AT=52 --paths afalg --threads 1 --sizes 64 \
		--ciphers aes-256-cbc --verify-file "$work/input"
	ok "file check, whole file in 64 KiB" fails_with 1 \
		'check: afalg aes-256-cbc 65536 bytes, mode thread: encryption at offset 163840 of'
	sweep MOCK_WRONG_AT=2 --paths z90crypt --verify-file "$work/input"
	ok "file check, RSA" fails_with 1 \
		'check: z90crypt rsa-2048-crt 256 bytes, mode timer: private operation at offset'
}

plan 14
test_wrong_answers
test_wrong_file
finish
