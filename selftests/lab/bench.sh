#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# All completion modes on a modelled card, over a grid of loads, judged: the
# experiment behind "make bench". What is measured: Documentation/measuring.rst.
# usage: bench.sh
# QUICK=1        only the 30 cells of AES-128 with 2 KiB, closed loop
# JOBS=N         guests at a time, 1 or 2 (default: one per CPU, at most 2)
# PACED=OPS      operations that also run at a fixed offered load, as NAME:LEN,
#                or "all" (default aes128:2048; the model's times do not depend
#                on the operation, only what the path costs does)
# JITTER=PERCENT of the modelled times (default 0)
# results/ receives bench.json, bench.svg and bench.txt, with QUICK=1
# bench-quick.*, when all cells are there. Exit status: 0 measured, whatever
# the judge says; 1 something could not be measured.
set -eu -o pipefail
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../..")
vm=$top/selftests/vm
bin=$top/selftests/out/bin
out=$top/selftests/out/bench
results=$top/results
limit=7200		# of a guest, in seconds

modes="timer hrtimer thread irq caller hybrid adaptive throughput"
ops="aes128:2048 aes128:20480 aes256:65536 des3:20480 rsa:128 rsa-crt:256"
loads="1 30 90"		# percent of what the card can do
paced=${PACED:-aes128:2048}
name=bench
if [ "${QUICK:-}" = 1 ]; then
	ops=aes128:2048 loads='' paced='' name=bench-quick
fi
[ "$paced" != all ] || paced=$ops

say() {
	echo "bench: $*" >&2
}

die() {
	say "$@"
	exit 1
}

# cells LOAD OP... - lines for grid; the callers change fastest, so that every
# guest gets its share of fast and slow ones.
cells() {
	local load=$1 op service engines callers

	shift
	for op; do
		grep -qx "${op%:*}" "$run/ops" || continue
		for service in 10000 100000 1000000; do
			for engines in 1 5; do
				for callers in 1 2 4 8 20; do
					echo "${op/:/ } $callers $service" \
						"$engines $load ${JITTER:-0} $modes"
				done
			done
		done
	done
}

all_cells() {
	local load

	# Lists of plain words, meant to be split.
	# shellcheck disable=SC2086
	cells 0 $ops
	for load in $loads; do
		# shellcheck disable=SC2086
		cells "$load" $paced
	done
}

guests=()
# shellcheck disable=SC2317
cleanup() {
	[ ${#guests[@]} -eq 0 ] || kill "${guests[@]}" 2>/dev/null || true
	wait
	rm -rf "$run"
}

# guest NUMBER - measures the cells of that number
guest() {
	exec "$vm/vm.sh" --lab-idle --limit "$limit" \
		--console "$out/console.$1.log" -- "$here/grid_guest.sh" \
		"$top/kmod/apq.ko" "$bin/grid" "$run/cells.$1" \
		>"$run/lines.$1" 2>"$run/log.$1"
}

# progress TOTAL - one line that moves, or one every half minute
progress() {
	local total=$1 nr_modes done=0 left='' last=-30 end=$'\n'

	nr_modes=$(wc -w <<<"$modes")
	[ ! -t 2 ] || end=$'\r'
	while [ -n "$(jobs -pr)" ]; do
		sleep 2 & wait $! || true
		done=$(($(cat "$run"/lines.* | wc -l) / nr_modes))
		[ -t 2 ] || [ $((SECONDS - last)) -ge 30 ] || continue
		last=$SECONDS
		[ $done -eq 0 ] || left="$((SECONDS * (total - done) / done)) s left"
		printf 'bench: %d/%d cells, %d s, %s   %s' "$done" "$total" \
			"$SECONDS" "$left" "$end" >&2
	done
	[ ! -t 2 ] || echo >&2
}

# Lines "name value" of what is measured elsewhere: the library on this
# machine, and the cost of requests in guests of their own.
others() {
	make -s --no-print-directory -C "$top/lib" bench || return 1
	[ ! -x "$here/device_cost.sh" ] || "$here/device_cost.sh"
}

# judge FILE... - the table on stdout, the files for results/ in $run
judge() {
	local hz

	hz=$(sed -n 's/^CONFIG_HZ=//p' "$("$vm/kernel.sh" headers)/.config")
	"$bin/judge" --hz "${hz:?}" --json "$run/json" --heat "$run/heat" "$@"
}

# publish SUFFIX FILE - replaced as a whole, and only when complete
publish() {
	cp "$2" "$results/.$name.$1.$$"
	mv "$results/.$name.$1.$$" "$results/$name.$1"
}

for file in "$bin/grid" "$bin/judge" "$top/kmod/apq.ko"; do
	[ -e "$file" ] || die "no $file: make bench builds it"
done
command -v gnuplot >/dev/null || die "no gnuplot: make bench installs it"
mkdir -p "$out" "$results"
exec 9>"$out/lock"
flock -n 9 || die "another one runs in this checkout"
# Below the checkout: a guest has a /tmp of its own.
run=$(mktemp -d "$out/run.XXXXXX")
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

"$bin/grid" --ops >"$run/ops"
for op in $ops; do
	grep -qx "${op%:*}" "$run/ops" ||
		say "${op%:*} is left out: no sessions of it in this checkout"
done
all_cells >"$run/cells"
total=$(wc -l <"$run/cells")
jobs=${JOBS:-$(nproc)}
[ "$jobs" -le 2 ] || jobs=2
for ((i = 0; i < jobs; i++)); do
	awk -v jobs="$jobs" -v i="$i" 'NR % jobs == i' "$run/cells" >"$run/cells.$i"
	: >"$run/lines.$i"
	guest $i 9>&- & guests+=($!)
done
progress "$total"
bad=0
for ((i = 0; i < jobs; i++)); do
	wait "${guests[i]}" && continue
	bad=1
	say "guest $i failed:"
	tail -n 5 "$run/log.$i" >&2
done
guests=()
cat "$run"/lines.* >"$run/lines"
cp "$run/lines" "$out/$name.lines"

: >"$run/others"
if [ "${QUICK:-}" != 1 ] && ! others >"$run/others"; then
	say "what the library or a request costs could not be measured"
	bad=1
fi
judge "$run/others" "$run/lines" | tee "$run/txt" || bad=1
[ $bad -eq 0 ] || die "not complete: results/ is left as it is"
gnuplot -e "in='$run/heat'; out='$run/svg'" "$here/heat.gp"
for suffix in txt json svg; do
	publish $suffix "$run/$suffix"
done
say "measured in $SECONDS s; results/$name.txt, .json and .svg are written"
