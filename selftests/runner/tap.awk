# SPDX-License-Identifier: GPL-2.0
# Judge one test program by its TAP and its exit status.
# usage: awk -v status=N -v limit=SECONDS -f tap.awk OUTPUT
# First line printed: PASSED FAILED SKIPPED; then one line for each reason
# that OUTPUT itself does not show. Promised and not delivered is failed.

function fail(why) {
	failed++
	reasons[++nr_reasons] = why
}

# "# SKIP text" anywhere in a line, any case; the text, or "" without one.
function skip_reason(line,	at, text) {
	at = match(tolower(line), /# *skip/)
	if (!at)
		return ""
	text = substr(line, at + RLENGTH)
	sub(/^[:,;. \t-]+/, "", text)
	return text
}

/^1\.\.[0-9]+/ {
	has_plan = 1
	planned = substr($1, 4) + 0
}

/^not ok( |$)/ { failed++; results++; next }

/^ok( |$)/ {
	results++
	if (tolower($0) ~ /# *skip/) {
		skipped++
		if (skip_reason($0) == "")
			fail("a skip without a reason: " $0)
	} else {
		passed++
	}
}

skip_reason($0) != "" { reason = skip_reason($0) }
/^Bail out!/ { fail($0) }

END {
	shown = failed
	# What follows from a failed result, or from an end before the last
	# one, is no failure of its own.
	if (status == 4) {
		if (reason == "")
			fail("exit status 4 without a \"# SKIP reason\" line")
		else if (planned > results)
			skipped += planned - results
		else if (!results)
			skipped++
	} else {
		if (status == 124 || status == 137)
			fail("no end within " limit " s")
		else if (status > 128)
			fail("killed by signal " (status - 128))
		else if (status && !failed)
			fail("exit status " status " without a failed result")
		else if (!status && shown)
			reasons[++nr_reasons] = "exit status 0 in spite of failed results"

		if (failed > shown)
			;
		else if (!has_plan)
			fail("no plan (1..N)")
		else if (results != planned)
			fail((results + 0) " results, " planned " planned")
		else if (!planned && status == 0)
			fail("a plan of no tests")
	}
	printf "%d %d %d\n", passed, failed, skipped
	for (i = 1; i <= nr_reasons; i++)
		print reasons[i]
}
