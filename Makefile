# SPDX-License-Identifier: GPL-2.0
# Dispatcher: what to do is known in the folders. "make help" lists targets.

# The kernel to build for and to boot: by default the newest one whose headers
# are installed. Looked up when used, since "make run" installs them first.
ifeq ($(HOST),1)
KERNELDIR	?= /lib/modules/$(shell uname -r)/build
endif
KERNELDIR	?= $(shell selftests/vm/kernel.sh headers)
PREFIX		?= /usr/local
DESTDIR		?=

all: kmod lib tools selftests

help:
	@echo 'make run          build, boot a guest, load the module, measure, print a table'
	@echo '     FULL=1       the whole grid with more time per cell'
	@echo '     HOST=1       on the running kernel instead of a guest'
	@echo 'make check        build, then all tests, on this machine and in a guest'
	@echo '     T=NAME       only tests of that name, shell wildcards'
	@echo 'make check-matrix  the module on Linux 5.10, 6.1, 6.12 and 7.2; K=7.2 only one'
	@echo 'make check-debug   on a kernel with KASAN, lockdep and kmemleak, built once'
	@echo 'make bench        all completion modes on a modelled card, judged: results/bench.*'
	@echo '     QUICK=1      30 cells of it; selftests/lab/bench.sh knows more'
	@echo 'make all          build everything (default)'
	@echo 'make kmod         apq.ko for KERNELDIR (default: the newest headers installed)'
	@echo 'make lib          libapq.so'
	@echo 'make tools        aptune'
	@echo 'make selftests    the compiled tests of the module'
	@echo 'make docs         manual pages'
	@echo 'make style        checkpatch, kernel-doc, sparse, W=1, shellcheck, include rules'
	@echo 'make packages     install the Debian packages that are missing'
	@echo 'make install      module, library, headers, tools and manual pages; DESTDIR=, PREFIX=$(PREFIX)'
	@echo 'make dkms-install hand the module to DKMS for this and later kernels'
	@echo 'make clean        remove what was built'
	@echo 'V=1               show commands and all test output'

packages:
	@selftests/vm/packages.sh

# What needs packages starts make anew after they are there: their presence
# decides variables of the Makefiles below.
run:
	@selftests/vm/run.sh check
	@$(MAKE) --no-print-directory packages
	@$(MAKE) --no-print-directory kmod lib tools
	@selftests/vm/run.sh

bench: packages
	@selftests/vm/packages.sh selftests/vm/packages-bench
	@$(MAKE) --no-print-directory kmod lib selftests
	@selftests/lab/bench.sh

check: packages
	@$(MAKE) --no-print-directory all tests
	@selftests/style/style.sh includes sizes
	@selftests/run.sh $(if $(T),'$(T)')

# Other kernels: each guest runs what "tests" and "selftests" built here.
check-matrix: packages
	@selftests/vm/packages.sh selftests/vm/packages-matrix
	@$(MAKE) --no-print-directory lib tools selftests tests
	@selftests/vm/matrix.sh $(if $(T),--pattern '$(T)') $(K)

check-debug: packages
	@selftests/vm/packages.sh selftests/vm/packages-debug
	@$(MAKE) --no-print-directory lib tools selftests tests
	@selftests/vm/debug.sh $(if $(T),'$(T)')

# kernel.sh has said why where it found no headers.
kmod:
	@dir='$(KERNELDIR)' && [ -n "$$dir" ] && \
		$(MAKE) --no-print-directory -C kmod KERNELDIR="$$dir" all

lib:
	@$(MAKE) --no-print-directory -C lib all

tools: lib
	@$(MAKE) --no-print-directory -C tools all

selftests: lib
	@$(MAKE) --no-print-directory -C selftests all

tests: lib tools
	@$(MAKE) --no-print-directory -C lib tests
	@$(MAKE) --no-print-directory -C tools tests

docs: tools
	@$(MAKE) --no-print-directory -C lib docs
	@echo 'tools/build/aptune.1 lib/*.3 lib/*.4'

style: packages
	@KERNELDIR='$(KERNELDIR)' selftests/style/style.sh

# Below this directory, wherever make goes.
install: destdir := $(abspath $(DESTDIR))
install: all
	@$(MAKE) --no-print-directory -C kmod KERNELDIR='$(KERNELDIR)' \
		INSTALL_MOD_PATH='$(destdir)' install
	@$(MAKE) --no-print-directory -C lib DESTDIR='$(destdir)' PREFIX='$(PREFIX)' install
	@$(MAKE) --no-print-directory -C tools DESTDIR='$(destdir)' PREFIX='$(PREFIX)' install

dkms-install:
	@$(MAKE) --no-print-directory -C kmod dkms-install

# The order keeps libraries until those that link them are gone.
clean:
	@$(MAKE) --no-print-directory -C selftests clean
	@$(MAKE) --no-print-directory -C tools clean
	@$(MAKE) --no-print-directory -C lib clean
	@$(MAKE) --no-print-directory -C kmod KERNELDIR='$(KERNELDIR)' clean

export V FULL HOST QUICK JOBS PACED JITTER

.PHONY: all help packages run bench check check-matrix check-debug kmod lib \
	tools selftests tests docs style install dkms-install clean
