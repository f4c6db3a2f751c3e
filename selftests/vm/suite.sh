#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Run the selftests in a guest on another kernel than the default one: copy
# the checkout, build the module in the copy, boot. Libraries, tools and test
# programs are those of the checkout and must have been built.
# usage: suite.sh --kernel DIR (--headers DIR | --system DIR) --out DIR
#                 [--time-factor N] [PATTERN]
#   --kernel DIR    boot/vmlinuz-VERSION and lib/modules/VERSION are in there
#   --headers DIR   build with this machine's compiler against these headers
#   --system DIR    build inside this system, which has headers and compiler
#   --out DIR       results and logs
#   --time-factor N every test gets N times the time
#   PATTERN         only these tests, see run.sh
# Output, last line and exit status are those of run.sh; a module that does
# not build, or not without a warning, is one failure more.
set -eu -o pipefail
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../..")

die() {
	echo "suite.sh: $*" >&2
	exit 2
}

kernel='' headers='' system='' out='' factor=1 pattern=()
while [ $# -gt 0 ]; do
	case $1 in
	--kernel) kernel=$(readlink -f "${2:?}"); shift ;;
	--headers) headers=$(readlink -f "${2:?}"); shift ;;
	--system) system=$(readlink -f "${2:?}"); shift ;;
	--out) out=${2:?}; shift ;;
	--time-factor) factor=${2:?}; shift ;;
	-*) die "unknown option $1" ;;
	*) pattern=("$1") ;;
	esac
	shift
done
[ -n "$kernel" ] || die "which kernel? --kernel DIR"
[ -n "$headers$system" ] || die "built with what? --headers or --system DIR"
[ -n "$out" ] || die "results to where? --out DIR"
mkdir -p "$out"
out=$(readlink -f "$out")
version=$(basename "$(echo "$kernel"/lib/modules/*)")

# The jobs of a make that called this are none of those below, and a make that
# says so would pass for a compiler that warns.
unset MAKEFLAGS MFLAGS

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Objects of modules belong to the kernel they were built for.
copy_checkout() {
	tar -C "$top" -c --exclude=./.git --exclude=./results \
		--exclude='./selftests/modules/*.o' \
		--exclude='./selftests/modules/*.ko' \
		--exclude='./selftests/modules/*.mod*' \
		--exclude='./selftests/modules/.*.cmd' \
		--exclude='./selftests/out/*.log' --exclude='./selftests/out/*.tap' \
		--exclude=./selftests/out/matrix --exclude=./selftests/out/debug \
		--exclude='./kmod/*.o' --exclude='./kmod/*.ko' \
		--exclude='./kmod/*.cmd' --exclude='./kmod/*.mod' \
		--exclude='./kmod/*.mod.c' --exclude='./kmod/*.symvers' \
		--exclude='./kmod/modules.order' . | tar -C "$copy" -x
}

# In a mount namespace of its own: whatever ends this, no mount is left. The
# shared system stays as it is; make and the compiler need /proc and /tmp.
# The quoted lines are for the shell inside.
# shellcheck disable=SC2016
build_in_system() {
	unshare --mount --propagation private sh -euc '
		mount --bind "$1" "$1"
		mount -t proc proc "$1/proc"
		mount -t tmpfs tmpfs "$1/tmp"
		mkdir "$1/tmp/checkout"
		mount --bind "$2" "$1/tmp/checkout"
		mount -o remount,bind,ro "$1"
		for dir in kmod selftests/modules; do
			chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
				LC_ALL=C make -j2 -C "/tmp/checkout/$dir" \
				KERNELDIR="/usr/src/linux-headers-$3"
		done
	' sh "$system" "$copy" "$version"
}

build_module() {
	if [ -n "$system" ]; then
		build_in_system
	else
		make -j2 -C "$copy/kmod" KERNELDIR="$headers" &&
			make -j2 -C "$copy/selftests/modules" \
				KERNELDIR="$headers"
	fi
}

# The compiler's and modpost's complaints; that this build has no BTF is not
# one, since no debug information was asked for.
warnings() {
	grep -E 'warning:|WARNING|^WARN' "$out/build.log" || true
}

copy_checkout
status=0
build_module >"$out/build.log" 2>&1 || status=$?
if [ $status -ne 0 ] || [ ! -e "$copy/kmod/apq.ko" ]; then
	echo "not ok - kmod does not build for $version:"
	grep -E 'error|Error|\*\*\*' "$out/build.log" | head -n 20 |
		sed 's/^/#   /'
	echo "#   its output: $out/build.log"
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
fi
complaints=$(warnings)
[ -n "$complaints" ] || echo "ok - kmod builds for $version without a warning"
"$copy/selftests/run.sh" --kernel "$kernel" --time-factor "$factor" \
	--out "$out" ${pattern[@]+"${pattern[@]}"} |
	tee "$out/run.log" || status=1
[ -n "$complaints" ] || exit $status

# run.sh does not know about them: its count has to go up by one.
echo "not ok - kmod builds for $version with warnings:"
echo "#   ${complaints//$'\n'/$'\n#   '}"
tail -n 1 "$out/run.log" | awk '{ $3++; print }'
exit 1
