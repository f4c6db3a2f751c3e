#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Run a command in a guest that boots Debian's kernel on this machine's root
# file system.
#
# The guest sees the host's files read-only and in the same places, has its
# own /tmp, /var/tmp, /run, /dev, /proc and /sys, no network, and runs the
# command as root in the current directory. Its output is the guest command's
# output, its exit status the command's, unless the guest could not give one:
# 99 the kernel log shows a splat although the command ended with 0,
# 124 time limit, 125 the guest died or never started.
set -eu
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../..")
# shellcheck source=selftests/vm/cache.sh
. "$here/cache.sh"

usage() {
	cat <<USAGE
usage: vm.sh [OPTION...] [--] COMMAND [ARG...]
  --lab             one instruction is one virtual nanosecond, one CPU; while
                    it idles, the guest's time goes on with the host's
  --lab-idle        the same, and idle time is skipped to the next timer, so
                    that timers are exact too; waiting for files of the host
                    then takes any time, so keep that out of what is measured
  --kernel KERNEL   a version as uname -r prints it, "debug" for the one that
                    debug-kernel.sh builds, or a directory with boot/vmlinuz-*
                    and lib/modules/* (default: newest with headers here)
  --share DIR       this host directory is writable in the guest
  --limit SECONDS   end the guest after that (default 300)
  --console FILE    kernel log (default selftests/out/console.log)
  --env NAME        pass this environment variable on; may be repeated
USAGE
}

say() {
	echo "vm.sh: $*" >&2
}

die() {
	say "$@"
	exit 125
}

quote() {
	printf "'%s'" "${1//\'/\'\\\'\'}"
}

lab='' kernel='' share='' limit=300 console=$top/selftests/out/console.log
names=()
while [ $# -gt 0 ]; do
	case $1 in
	--lab) lab=on ;;
	--lab-idle) lab=off ;;
	--kernel) kernel=${2:?}; shift ;;
	--share) share=${2:?}; shift ;;
	--limit) limit=${2:?}; shift ;;
	--console) console=${2:?}; shift ;;
	--env) names+=("${2:?}"); shift ;;
	--help) usage; exit 0 ;;
	--) shift; break ;;
	-*) usage >&2; exit 2 ;;
	*) break ;;
	esac
	shift
done
[ $# -gt 0 ] || { usage >&2; exit 2; }
case $limit in
''|*[!0-9]*|0) say "--limit takes whole seconds from 1 up, not $limit"; exit 2 ;;
esac

run='' qemu='' cats=()
# shellcheck disable=SC2317
cleanup() {
	[ -z "$qemu" ] || kill "$qemu" 2>/dev/null || true
	[ ${#cats[@]} -eq 0 ] || kill "${cats[@]}" 2>/dev/null || true
	[ -z "$run" ] || rm -rf "$run"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

command -v qemu-system-x86_64 >/dev/null ||
	die "no qemu-system-x86_64; selftests/vm/packages.sh installs it"
case $kernel in
*/*)
	root=$(readlink -f "$kernel")
	version=$(ls "$root/lib/modules") || die "no kernel in $kernel" ;;
debug)
	root=$("$here/debug-kernel.sh") || exit 125
	version=$(ls "$root/lib/modules") ;;
*)
	version=${kernel:-$("$here/kernel.sh" version)} || exit 125
	root=$("$here/kernel.sh" root "$version") || exit 125 ;;
esac
vmlinuz=$root/boot/vmlinuz-$version
image=$("$here/kernel.sh" unpack "$vmlinuz") || exit 125
initramfs=$("$here/initramfs.sh" "$root" "$version") || exit 125
mkdir -p "$(dirname "$console")"
console=$(readlink -f "$console")
if [ -n "$share" ]; then
	mkdir -p "$share"
	share=$(readlink -f "$share")
fi

if [ -n "$lab" ]; then
	accel=lab
else
	accel=$("$here/accel.sh" "$image" "$initramfs")
fi
# Without tsc=reliable the clock falls back to the slow HPET under emulation;
# the watchdogs allow for a host that gives its CPUs to somebody else.
emulated="tsc=reliable watchdog_thresh=30 rcupdate.rcu_cpu_stall_timeout=60"
# A debug kernel has more self tests of the crypto API: for minutes, if those
# of all that is built in ran at boot. guest-run turns them on again.
emulated+=" cryptomgr.noextratests=1"
case $accel in
kvm)
	machine=(-accel kvm -cpu host -smp 2)
	append='' ;;
tcg)
	say "TCG: times are emulated, compare ratios only"
	machine=(-accel "tcg,thread=multi" -cpu max -smp 2)
	append=$emulated ;;
lab)
	say "lab: times are virtual, 1 ns is one instruction"
	machine=(-accel "tcg,thread=single" -icount "shift=0,sleep=$lab" -cpu max -smp 1
		-rtc "base=2020-01-01,clock=vm")
	append="$emulated nokaslr" ;;
esac
# Without message signalled interrupts those of the PCI bus need a board whose
# firmware tables route them.
! grep -qx '# CONFIG_PCI_MSI is not set' "$root/boot/config-$version" ||
	machine+=(-machine q35)

# What guest-run sources: see there.
settings() {
	local dir

	printf 'kernel_root=%s\nshare=%s\n' "$(quote "$root")" \
		"$(quote "$share")"
	printf 'mount_all_visible() {\n'
	for dir in "$top" "$PWD" "$root" ${share:+"$share"}; do
		printf '\tmount_visible %s\n' "$(quote "$dir")"
	done
	printf '}\n'
}

# The command as a script, in its directory and with its environment.
command_script() {
	local name word

	printf 'export APQ_GUEST=%s APQ_KERNEL_IMAGE=%s\n' "$accel" \
		"$(quote "$vmlinuz")"
	for name in ${names[@]+"${names[@]}"}; do
		[ -z "${!name+set}" ] ||
			printf 'export %s=%s\n' "$name" "$(quote "${!name}")"
	done
	printf 'cd %s || exit 125\nexec' "$(quote "$PWD")"
	for word; do
		printf ' %s' "$(quote "$word")"
	done
	printf '\n'
}

# The initramfs proper is cached; the kernel unpacks a second archive that
# follows it, and that one is this run's.
run=$(mktemp -d)
settings >"$run/settings"
command_script "$@" >"$run/command"
{
	cat "$initramfs"
	(cd "$run" && printf '%s\n' settings command |
		cpio --quiet -o -H newc -R 0:0 | gzip -1)
} >"$run/initrd"

# Holding the FIFOs open for writing lets QEMU come and go without an early
# end of file, or none at all when it never opens them.
mkfifo "$run/out" "$run/err"
exec 7<>"$run/out" 8<>"$run/err"
cat <"$run/out" 7>&- 8>&- & cats+=($!)
cat <"$run/err" >&2 7>&- 8>&- & cats+=($!)
: >"$console"

# In an option's value QEMU wants a comma doubled.
comma() {
	printf '%s' "${1//,/,,}"
}

serial_port() {
	devices+=(-chardev "file,id=$1,path=$(comma "$run/$1"),append=on"
		-device "virtserialport,chardev=$1,name=apq.$1")
}

devices=(-chardev "file,id=console,path=$(comma "$console")"
	-serial chardev:console -device virtio-serial-pci
	-virtfs "local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap")
serial_port out
serial_port err
serial_port status
[ -z "$share" ] || devices+=(-virtfs
	"local,path=$(comma "$share"),mount_tag=share,security_model=none,multidevs=remap")

timeout -k 5 "$limit" qemu-system-x86_64 "${machine[@]}" -m 2G \
	-nodefaults -display none -no-reboot "${devices[@]}" \
	-kernel "$image" -initrd "$run/initrd" -append \
	"console=ttyS0,115200 loglevel=7 log_buf_len=4M panic=-1 $append" \
	</dev/null >"$run/qemu.log" 2>&1 7>&- 8>&- & qemu=$!
ended=0
wait "$qemu" || ended=$?
qemu=''
exec 7>&- 8>&-
wait "${cats[@]}" || true
cats=()

splats=0
"$here/splat.sh" "$console" >"$run/splats" || splats=$?
if [ $splats -ne 0 ]; then
	say "splats in the kernel log, $console:"
	cat "$run/splats" >&2
fi
# Only the guest's own word counts; that QEMU ended well says nothing.
if grep -qx 'apq-vm: exit [0-9]*' "$run/status" 2>/dev/null; then
	status=$(sed -n 's/^apq-vm: exit //p' "$run/status")
	[ "$status" -ne 0 ] || [ $splats -eq 0 ] || status=99
	exit "$status"
fi
if [ $ended -eq 124 ] || [ $ended -eq 137 ]; then
	say "the guest did not end within $limit s; end of $console:"
	status=124
else
	say "the guest died without an exit status; end of $console:"
	status=125
fi
cat "$run/qemu.log" >&2
tail -n 15 "$console" >&2
exit $status
