# SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
#
# Turns tls-cipher-suites.tsv into C: what each name says of its suite.
#	awk -f suites.awk -v out=table	suites in the order of their numbers
#	awk -f suites.awk -v out=names	input for gperf: name, place in that table
# A name with a part that is not known here ends the build: nothing is guessed.

BEGIN {
	FS = "\t"
	nr = 0

	# what comes before _WITH_
	split("NULL RSA DH_DSS DH_RSA DHE_DSS DHE_RSA DH_anon KRB5 PSK " \
	      "DHE_PSK RSA_PSK ECDH_ECDSA ECDHE_ECDSA ECDH_RSA ECDHE_RSA " \
	      "ECDH_anon ECDHE_PSK SRP_SHA SRP_SHA_RSA SRP_SHA_DSS ECCPWD", kx, " ")
	for (i in kx)
		kx_of[kx[i]] = "APQ_KX_" toupper(kx[i])
	kx_of["PSK_DHE"] = "APQ_KX_DHE_PSK"	# RFC 6655 turned it round
	kx_of["GOSTR341112_256"] = "APQ_KX_GOST"

	# bulk cipher: enum, secret bits of its key, bytes of its key
	bulk("NULL",			"NULL", 0, 0)
	bulk("RC4_40",			"RC4", 40, 16)
	bulk("RC4_128",			"RC4", 128, 16)
	bulk("RC2_CBC_40",		"RC2_CBC", 40, 16)
	bulk("DES40_CBC",		"DES_CBC", 40, 8)
	bulk("DES_CBC_40",		"DES_CBC", 40, 8)
	bulk("DES_CBC",			"DES_CBC", 56, 8)
	bulk("3DES_EDE_CBC",		"DES3_CBC", 168, 24)
	bulk("IDEA_CBC",		"IDEA_CBC", 128, 16)
	bulk("SEED_CBC",		"SEED_CBC", 128, 16)
	split("AES_%_CBC AES_%_GCM AES_%_CCM AES_%_CCM_8 CAMELLIA_%_CBC " \
	      "CAMELLIA_%_GCM ARIA_%_CBC ARIA_%_GCM", sized, " ")
	for (i in sized)
		for (bits = 128; bits <= 256; bits += 128)
			bulk(with(sized[i], bits "_"), with(sized[i], ""),
			     bits, bits / 8)
	bulk("CHACHA20_POLY1305",	"CHACHA20_POLY1305", 256, 32)
	bulk("SM4_GCM",			"SM4_GCM", 128, 16)
	bulk("SM4_CCM",			"SM4_CCM", 128, 16)
	bulk("AEGIS_128L",		"AEGIS_128L", 128, 16)
	bulk("AEGIS_256",		"AEGIS_256", 256, 32)
	bulk("28147_CNT",		"GOST28147_CNT", 256, 32)
	bulk("KUZNYECHIK_CTR",		"KUZNYECHIK_CTR", 256, 32)
	bulk("MAGMA_CTR",		"MAGMA_CTR", 256, 32)
	bulk("KUZNYECHIK_MGM",		"KUZNYECHIK_MGM", 256, 32)
	bulk("MAGMA_MGM",		"MAGMA_MGM", 256, 32)

	# last part of the name: MAC of a cipher that is no AEAD, its bits
	mac_of["MD5"] = "MD5";		mac_bits["MD5"] = 128
	mac_of["SHA"] = "SHA1";		mac_bits["SHA"] = 160
	mac_of["SHA256"] = "SHA256";	mac_bits["SHA256"] = 256
	mac_of["SHA384"] = "SHA384";	mac_bits["SHA384"] = 384
	mac_of["OMAC"] = "OMAC"		# half or all of a block
	mac_of["IMIT"] = "IMIT";	mac_bits["IMIT"] = 32

	# hash of the PRF of TLS 1.2, of HKDF in 1.3; SHA-256 if not named
	prf_of["SHA384"] = "SHA384"
	prf_of["SHA512"] = "SHA512"
	prf_of["SM3"] = "SM3"
	prf_of["OMAC"] = prf_of["IMIT"] = "STREEBOG256"
}

function with(pattern, bits) {
	sub(/%_/, bits, pattern)
	return pattern
}

function bulk(name, id, bits, len) {
	cipher_of[name] = "APQ_CIPHER_" id
	key_bits[name] = bits
	key_len[name] = len
}

function die(what) {
	printf "%s:%d: %s in %s\n", FILENAME, FNR, what, $2 > "/dev/stderr"
	failed = 1
	exit 1
}

function hex(text,    i, n) {
	n = 0
	text = tolower(text)
	for (i = 3; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}

# Splits the name into x (key exchange), c (cipher), h (hash or MAC).
function take_apart(name,    at) {
	at = index(name, "_WITH_")
	if (at) {
		x = substr(name, 5, at - 5)
		c = substr(name, at + 6)
	} else {
		x = ""			# TLS 1.3: negotiated apart
		c = substr(name, 5)
	}
	h = c
	sub(/.*_/, "", h)
	if (h in mac_of || h in prf_of)
		c = substr(c, 1, length(c) - length(h) - 1)
	else
		h = ""			# ..._CCM, ..._CCM_8, MGM_L, MGM_S
}

function describe(    aead) {
	if (x ~ /_EXPORT$/) {
		flags = flags " | APQ_SUITE_EXPORT"
		sub(/_EXPORT$/, "", x)
	}
	# RFC 9367 wrote a key exchange into names of TLS 1.3
	if (c ~ /_MGM_[LS]$/) {
		sub(/_[LS]$/, "", c)
		x = ""
		prf = "STREEBOG256"
	} else {
		prf = h in prf_of ? prf_of[h] : "SHA256"
	}
	if (x == "")
		flags = flags " | APQ_SUITE_TLS13"
	else if (!(x in kx_of))
		die("key exchange " x)
	kx_id = x == "" ? "APQ_KX_ANY" : kx_of[x]

	# RFC 9150: nothing is encrypted, the first hash is the MAC
	if (x == "" && c in mac_of)
		c = "NULL"
	if (!(c in cipher_of))
		die("cipher " c)
	aead = c ~ /GCM|CCM|POLY1305|AEGIS|MGM/
	if (aead) {
		mac_id = "AEAD"
		bits = c ~ /_CCM_8$|MAGMA/ ? 64 : 128
	} else if (h in mac_of) {
		mac_id = mac_of[h]
		bits = h == "OMAC" ? (c ~ /MAGMA/ ? 64 : 128) : mac_bits[h]
	} else {
		die("MAC")
	}
	if (kx_id ~ /DHE|ANON|ECCPWD/)
		flags = flags " | APQ_SUITE_EPHEMERAL"
	if (kx_id ~ /^APQ_KX_(RSA|RSA_PSK|DHE_RSA|ECDHE_RSA|SRP_SHA_RSA)$/)
		flags = flags " | APQ_SUITE_RSA"
	if (aead)
		flags = flags " | APQ_SUITE_AEAD"
}

/^#/ || !NF { next }

{
	number = hex($1)
	if ($1 !~ /^0x[0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f]$/ ||
	    $2 !~ /^TLS_[A-Za-z0-9_]+$/ || $3 !~ /^[YN]$/ || $4 !~ /^[YN]$/)
		die("a line that does not parse")
	if (nr && number <= last)
		die("a number that is not above the one before it")
	last = number

	flags = "0"
	if ($3 == "Y")
		flags = flags " | APQ_SUITE_DTLS"
	if ($4 == "Y")
		flags = flags " | APQ_SUITE_RECOMMENDED"
	if ($2 ~ /_SCSV$/)
		flags = flags " | APQ_SUITE_SIGNAL"
	if ($2 ~ /_SCSV$/ || $2 == "TLS_NULL_WITH_NULL_NULL") {
		kx_id = "APQ_KX_NULL"
		mac_id = prf = "NONE"
		c = "NULL"
		bits = 0
	} else {
		take_apart($2)
		describe()
	}
	sub(/^0 \| /, "", flags)
	if (out == "names")
		name[nr] = $2
	else
		line[nr] = sprintf("\t{ \"%s\", 0x%04X, %d, %d, %d,\n\t  %s, %s,\n\t  APQ_MAC_%s, APQ_PRF_%s,\n\t  %s },\n",
			$2, number, key_bits[c], key_len[c], bits, kx_id,
			cipher_of[c], mac_id, prf, flags)
	high = int(number / 256)
	if (!(high in page)) {
		page[high] = ++nr_pages
		first[nr_pages] = high
	}
	place[number] = ++nr
}

function print_table(    i, j) {
	print "static const struct apq_suite suites[] = {"
	for (i = 0; i < nr; i++)
		printf "%s", line[i]
	print "};\n"
	print "/* page of the high byte, 0 for none; place of the low byte + 1 */"
	print "static const uint8_t page_of[256] = {"
	for (i = 1; i <= nr_pages; i++)
		printf "\t[0x%02X] = %d,\n", first[i], i
	print "};\n"
	printf "static const uint16_t place_of[%d][256] = {\n", nr_pages + 1
	for (i = 1; i <= nr_pages; i++) {
		printf "\t[%d] = {\n", i
		for (j = 0; j < 256; j++)
			if (first[i] * 256 + j in place)
				printf "\t\t[0x%02X] = %d,\n", j,
					place[first[i] * 256 + j]
		print "\t},"
	}
	print "};"
}

function print_names(    i) {
	print "%language=ANSI-C\n%struct-type\n%readonly-tables\n" \
	      "%compare-lengths\n%null-strings\n%omit-struct-type\n" \
	      "%define hash-function-name suite_hash\n" \
	      "%define lookup-function-name suite_slot\n" \
	      "struct suite_name;\n%%"
	for (i = 0; i < nr; i++)
		print name[i] ", " i
}

END {
	if (failed)
		exit 1
	if (out == "names")
		print_names()
	else
		print_table()
}
