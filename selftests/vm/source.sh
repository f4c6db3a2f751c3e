#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Print a directory with those files of the kernel's source that building the
# tests and checking the style need, unpacked once from Debian's package.
# usage: source.sh
set -eu
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=selftests/vm/cache.sh
. "$here/cache.sh"

package=linux-source-6.1
tarball=/usr/src/$package.tar.xz
files=(
	scripts/checkpatch.pl
	scripts/const_structs.checkpatch
	scripts/spelling.txt
	scripts/kernel-doc
	tools/testing/selftests/kselftest.h
	tools/testing/selftests/kselftest_harness.h
)

# unpack DIR - called by cache_entry
unpack() {
	echo "unpacking ${#files[@]} files of $package, once" >&2
	tar -C "$1" --strip-components=1 -xf "$tarball" "${files[@]/#/$package/}"
}

if [ ! -r "$tarball" ]; then
	echo "source.sh: needs the package $package;" \
		"selftests/vm/packages.sh installs it" >&2
	exit 1
fi
revision=$(dpkg-query -W -f '${Version}' "$package")
# The list is part of the key: a new file must not be missed in an old entry.
key=$(sha256sum <"$0" | cut -c 1-8)
cache_entry "source/${package}_$revision-$key" unpack
