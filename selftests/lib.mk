# SPDX-License-Identifier: GPL-2.0
# What the kernel's tools/testing/selftests/lib.mk does, for a checkout that
# is not in the kernel tree. Takes TEST_PROGS, TEST_GEN_PROGS and TEST_FILES.

OUTPUT		?= out/bin
KSELFTEST	:= $(shell vm/source.sh)
ifeq ($(filter clean list-tests,$(MAKECMDGOALS)),)
ifeq ($(KSELFTEST),)
$(error no kselftest headers, see above)
endif
endif

# Tests include "kselftest_harness.h"; the kernel tree has it one up (-I..).
KSELFTEST_CFLAGS := -isystem $(KSELFTEST)/tools/testing/selftests

V		?= 0
Q		:= $(if $(filter 1,$(V)),,@)
say		= $(if $(filter 1,$(V)),:,printf '  %-7s %s\n')
programs	:= $(addprefix $(OUTPUT)/,$(TEST_GEN_PROGS))
extended	:= $(addprefix $(OUTPUT)/,$(TEST_GEN_PROGS_EXTENDED))

all: $(programs) $(extended)

$(OUTPUT):
	$(Q)mkdir -p $@

$(OUTPUT)/%: %.c | $(OUTPUT)
	@$(say) CC selftests/$@
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(KSELFTEST_CFLAGS) -MMD -MP -MF $@.d \
		-o $@ $< $(LDFLAGS) $(LDLIBS)

# One absolute path a line, for run.sh.
list-tests:
	@printf '%s\n' $(abspath $(TEST_PROGS) $(programs))

clean:
	$(Q)rm -rf $(OUTPUT)

.PHONY: all list-tests clean
-include $(programs:=.d)
