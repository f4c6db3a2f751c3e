#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
#
# The examples that need no device
set -u
here=$(cd "$(dirname "$0")" && pwd)
examples=$here/../examples
n=0 failed=0

check() { # $1 what, $2 exit status of the check
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		failed=$((failed + 1))
	fi
}

echo "TAP version 13"
echo "1..9"
one=$("$examples/random" 16)
two=$("$examples/random" 16)
[ ${#one} -eq 32 ] && [ ${#two} -eq 32 ]
check "random: 16 bytes are 32 digits" $?
[ "$one" != "$two" ]
check "random: others each time" $?
[ "$("$examples/random" 1048576 | wc -c)" -eq 2097153 ]
check "random: a mebibyte" $?
"$examples/random" 0 2> /dev/null
[ $? -eq 2 ]
check "random: 0 bytes" $?

said=$("$examples/suite" TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA 2>&1)
[ "$said" = "0x0016: key exchange DHE_RSA, cipher 3DES_EDE_CBC, 168 bits, MAC SHA1" ]
check "suite: described" $?
"$examples/suite" TLS_DHE_RSA 2> /dev/null
[ $? -eq 1 ]
check "suite: one that is none" $?
"$examples/suite" TLS_AES_128_CCM_SHA256 > /dev/null 2>&1
[ $? -eq 1 ]
check "suite: a cipher that no card has" $?

APQ_DEV_ROOT=/nonexistent "$examples/rsa" 02 03 aabb > /dev/null 2>&1
[ $? -eq 1 ]
check "rsa: without a device" $?
"$examples/rsa" 02 03 > /dev/null 2>&1
[ $? -eq 2 ]
check "rsa: without a modulus" $?
echo "# $((n - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
