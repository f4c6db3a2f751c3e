#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
#
# The examples on the cards of the module, against openssl
# apq-module: hwrng=0
set -u
here=$(cd "$(dirname "$0")" && pwd)
examples=$here/../examples
key=000102030405060708090a0b0c0d0e0f1011121314151617
iv=f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff
text=000102030405060708090a0b0c0d0e0f00112233445566778899aabbccddeeff
n=0 failed=0

same() { # $1 what, $2 got, $3 want
	n=$((n + 1))
	if [ -n "$2" ] && [ "$2" = "$3" ]; then
		echo "ok $n - $1"
	else
		echo "# got '$2', want '$3'"
		echo "not ok $n - $1"
		failed=$((failed + 1))
	fi
}

openssl_crypt() { # $1 cipher, $2 key, $3 IV
	perl -e 'print pack "H*", shift' $text |
		openssl enc "-$1" -K "$2" -iv "$3" -nopad | od -An -v -tx1 | tr -d ' \n'
}

echo "TAP version 13"
echo "1..7"
key16=$(echo $key | cut -c 1-32)
iv8=$(echo $iv | cut -c 1-16)
same "suite: AES-128-CBC" \
	"$("$examples/suite" TLS_RSA_WITH_AES_128_CBC_SHA "$key16" $iv $text 2> /dev/null)" \
	"$(openssl_crypt aes-128-cbc "$key16" $iv)"
same "suite: triple DES" \
	"$("$examples/suite" TLS_RSA_WITH_3DES_EDE_CBC_SHA $key "$iv8" $text 2> /dev/null)" \
	"$(openssl_crypt des-ede3-cbc $key "$iv8")"
# test case 2 of "The Galois/Counter Mode of Operation (GCM)", McGrew and Viega
zeros=00000000000000000000000000000000
same "suite: AES-128-GCM" \
	"$("$examples/suite" TLS_AES_128_GCM_SHA256 $zeros "$(echo $zeros | cut -c 1-24)" \
		$zeros 2> /dev/null)" \
	0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf
same "suite: the back end" \
	"$("$examples/suite" TLS_RSA_WITH_AES_128_CBC_SHA "$key16" $iv $text 2>&1 > /dev/null |
		tail -n 1)" "back end apq"

# name n e d p q dp dq qinv
grep -v '^#' "$here/vectors/rsa_keys.txt" | head -n 1 > /tmp/key
read -r _ mod e d p q dp dq qinv < /tmp/key
message=$(echo "$mod" | sed 's/[^0]/1/g; s/^./0/')
cipher=$("$examples/rsa" "$message" "$e" "$mod" 2> /dev/null)
same "rsa: there and back" "$("$examples/rsa" "$cipher" "$d" "$mod" 2> /dev/null)" \
	"$message"
same "rsa: back with CRT" \
	"$("$examples/rsa" "$cipher" "$p" "$q" "$dp" "$dq" "$qinv" "$mod" 2> /dev/null)" \
	"$message"
same "rsa: the back end" \
	"$("$examples/rsa" "$message" "$e" "$mod" 2>&1 > /dev/null |
		head -n 1 | cut -c 1-9)" "back end "
echo "# $((n - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
