# thpbench: what THP and DAMON do to a real database, and how sure we are.
#
#   make            the program: build/thpbench, and a link ./thpbench
#   make deps       install what is missing (apt-get; root or sudo)
#   make demo       the main job on this machine, tables at the end
#   make test       all tests
#   make check      format, headers, layers, docs, tidy, cppcheck, tests,
#                   sanitizers, fuzzing
#   make test-kernels  guest list against booting old and new kernels; fetches
#                   what is missing
#   make coverage   lines that the tests do not reach
#   make golden     write anew what tests expect of report and DAMON's plans
#   make bench      what the harness itself costs, as ratios
#   make install    PREFIX=/usr/local, DESTDIR=
#   make clean
#   make help       this text
#
# V=1 shows whole commands. CC=clang, SAN=1 (ASan and UBSan, own folder),
# WERROR=1 as in CI, UNIT="stats pfm" for these unit tests. ARCH=arm64 builds
# for that on another machine: all and unit, after deps; into build/arm64.

# The machine that the program is for; of another kind than this one: CROSS.
ARCH =
TRIPLET_arm64 = aarch64-linux-gnu
MACHINE_arm64 = aarch64
CROSS := $(if $(ARCH),$(if $(MACHINE_$(ARCH)),$(filter-out \
	$(shell uname -m),$(MACHINE_$(ARCH))),$(error ARCH=$(ARCH): arm64)))
TRIPLET = $(if $(CROSS),$(TRIPLET_$(ARCH)))

CC = $(if $(CROSS),$(TRIPLET)-)gcc
PREFIX = /usr/local
DESTDIR =
PKGS = gsl jansson libmariadb inih sqlite3

BUILD := build$(if $(CROSS),/$(ARCH))$(if $(SAN),/san)$(if $(filter clang%,$(CC)),/clang)
# Libraries for it (tests/sysroot.sh), and what runs its unit tests here. Those
# find their loader by its whole path: with -L, "/" too would be the sysroot.
SYSROOT := $(if $(CROSS),$(CURDIR)/build/$(ARCH)/sysroot)
RUNNER = $(if $(CROSS),qemu-$(CROSS)-static)
$(if $(CROSS),$(if $(wildcard $(SYSROOT)/packages)$(filter deps clean help,\
	$(MAKECMDGOALS)),,$(error $(SYSROOT): first make deps ARCH=$(ARCH))))
VERSION := $(shell cat VERSION)

WARN = -Wall -Wextra -Wpedantic -Wshadow -Wformat=2 -Wundef -Wvla \
	-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
	-Wpointer-arith -Wwrite-strings -Wconversion -Wno-sign-conversion \
	-Wswitch-enum -Wfloat-equal -fno-common
# clang takes NAN and INFINITY for floats that are promoted.
WARN += $(if $(filter clang%,$(CC)),,-Wdouble-promotion)
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
CFLAGS = -O2 -g
ALL_CFLAGS = -std=gnu11 $(WARN) $(if $(WERROR),-Werror) \
	$(if $(CROSS),--sysroot=$(SYSROOT)) \
	-Iharness -include base/banned.h -DVERSION=$(VERSION) \
	$(if $(SAN),$(SANITIZE)) \
	$(if $(COV),--coverage -O0) $(PKG_CFLAGS) $(CFLAGS)
ALL_LDFLAGS = $(if $(CROSS),--sysroot=$(SYSROOT)) $(if $(SAN),$(SANITIZE)) \
	$(if $(COV),--coverage) $(LDFLAGS)

# Asked for when first needed, so that `make deps` runs without any of it.
PKG_CONFIG = $(if $(CROSS),PKG_CONFIG_SYSROOT_DIR=$(SYSROOT) \
	PKG_CONFIG_LIBDIR=$(SYSROOT)/usr/lib/$(TRIPLET)/pkgconfig:$(SYSROOT)/usr/share/pkgconfig) \
	pkg-config
PKG_CFLAGS = $(eval PKG_CFLAGS := $$(shell $(PKG_CONFIG) --cflags $(PKGS)))$(PKG_CFLAGS)
# libpfm4 comes without a file for pkg-config.
PKG_LIBS = $(eval PKG_LIBS := $$(shell $(PKG_CONFIG) --libs $(PKGS)) -lpfm)$(PKG_LIBS)

SOURCES := $(wildcard harness/*/*.c harness/*/*/*.c)
OBJECTS := $(SOURCES:%.c=$(BUILD)/obj/%.o)
LIBRARY := $(BUILD)/libthpbench.a
PROGRAM := $(BUILD)/thpbench
# UNIT="stats pfm" builds and runs only these.
UNIT = *
UNIT_SOURCES := $(wildcard $(UNIT:%=tests/unit/test_%.c))
UNIT_TESTS := $(UNIT_SOURCES:tests/unit/%.c=$(BUILD)/tests/%)
FUZZ_SOURCES := $(wildcard tests/fuzz/fuzz_*.c)
FUZZERS := $(FUZZ_SOURCES:tests/fuzz/%.c=build/fuzz/%)
WORKLOADS := $(patsubst workloads/memtouch.c,$(BUILD)/memtouch,$(wildcard workloads/memtouch.c)) \
	$(patsubst workloads/thpkeep.c,$(BUILD)/libthpkeep.so,$(wildcard workloads/thpkeep.c))

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-7s %s\n' '$(1)' '$(2)')

.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:
.PHONY: all deps demo test check coverage bench install clean help \
	unit e2e test-kernels golden fuzz tidy analyze format check-format check-headers \
	check-layers check-docs check-words

all: $(PROGRAM) $(WORKLOADS)

$(PROGRAM): $(BUILD)/obj/harness/main.o $(LIBRARY)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS) -lm
	$(if $(filter build,$(BUILD)),$(Q)ln -sf build/thpbench thpbench)

$(LIBRARY): $(OBJECTS)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar qcs $@ $^

$(BUILD)/obj/%.o: %.c VERSION
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/memtouch: $(wildcard workloads/memtouch*.[ch])
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -o $@ \
		$(filter %.c,$^) -lpthread

# Preloaded into the server: never with a sanitizer.
$(BUILD)/libthpkeep.so: workloads/thpkeep.c
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D) && $(CC) -std=gnu11 $(WARN) $(CFLAGS) \
		$(if $(CROSS),--sysroot=$(SYSROOT)) -fPIC -shared \
		-o $@ $<

# tests/unit/damon_sim.h plays the kernel to them.
$(BUILD)/tests/test_damos_%: ALL_LDFLAGS += -Wl,--wrap=root_write

CROSS_LIBS = $(SYSROOT)/lib/$(TRIPLET):$(SYSROOT)/usr/lib/$(TRIPLET)
$(if $(CROSS),$(UNIT_TESTS)): ALL_LDFLAGS += -Wl,--disable-new-dtags \
	-Wl,-rpath,$(CROSS_LIBS) \
	-Wl,--dynamic-linker=$(SYSROOT)/lib/ld-linux-$(CROSS).so.1

# A kernel that refuses, in the way that it is told to.
$(BUILD)/tests/test_perf_errors $(BUILD)/tests/test_counter_cpus: ALL_LDFLAGS += \
	-Wl,--wrap=perf_sys_open,--wrap=perf_sys_read

$(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(LIBRARY)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_LDFLAGS) -o $@ $^ -lcmocka \
		$(PKG_LIBS) -lm

$(BUILD)/tools/%: $(BUILD)/obj/tests/tools/%.o $(LIBRARY)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS) -lm

# Targets of the fuzzer share one library, built once with its flags.
FUZZ_FLAGS = -std=gnu11 -g -O1 -Iharness -include base/banned.h \
	-DVERSION=$(VERSION) $(PKG_CFLAGS) -fno-sanitize-recover=all
FUZZ_OBJECTS := $(SOURCES:%.c=build/fuzz/obj/%.o)

build/fuzz/obj/%.o: %.c VERSION
	$(call say,FUZZ,$<)
	$(Q)mkdir -p $(@D) && clang $(FUZZ_FLAGS) -MMD -MP \
		-fsanitize=fuzzer-no-link,address,undefined -c -o $@ $<

build/fuzz/libthpbench.a: $(FUZZ_OBJECTS)
	$(Q)rm -f $@ && ar rcs $@ $^

build/fuzz/%: tests/fuzz/%.c build/fuzz/libthpbench.a
	$(call say,FUZZ,$@)
	$(Q)mkdir -p $(@D) && clang $(FUZZ_FLAGS) \
		-fsanitize=fuzzer,address,undefined -o $@ $^ $(PKG_LIBS) -lm

-include $(FUZZ_OBJECTS:.o=.d)
-include $(OBJECTS:.o=.d) $(BUILD)/obj/harness/main.d
-include $(UNIT_SOURCES:%.c=$(BUILD)/obj/%.d)

deps:
	@sh tests/deps.sh $(if $(CROSS),$(ARCH))

# Tests run as under cron: nothing of a login, no store or share of the user's.
AS_CRON = env $(addprefix -u ,SHELL USER LOGNAME TERM THPBENCH_SHARE \
	THPBENCH_STORE THPBENCH_STORE_PASSWORD XDG_DATA_HOME XDG_RUNTIME_DIR)

unit: $(UNIT_TESTS) all
	@RUNNER='$(RUNNER)' $(AS_CRON) sh tests/run-unit $(UNIT_TESTS)

e2e: all
	@$(AS_CRON) prove --nocolor --timer --failures --comments \
		$(filter-out tests/e2e/tap.sh,$(wildcard tests/e2e/*.sh)) \
		$(wildcard tests/live/*.sh)

test: deps
	@$(MAKE) --no-print-directory unit e2e

demo: deps
	@$(MAKE) --no-print-directory all
	@sh tests/demo.sh

# Suites of Debian, or SUITE/VERSION, as guest fetch takes them.
KERNELS = bookworm trixie trixie-backports/7.2 trixie-backports sid

test-kernels: deps
	@$(MAKE) --no-print-directory all
	@prove --nocolor --failures --comments tests/kernels.sh :: $(KERNELS)

golden: all $(BUILD)/tests/test_damon_plan
	@sh tests/e2e/report.sh --update
	@sh tests/e2e/plan.sh --update
	@sh tests/e2e/import.sh --update
	@sh tests/e2e/lint.sh --update
	@GOLDEN=1 $(BUILD)/tests/test_damon_plan

fuzz: $(FUZZERS)
	@sh tests/run-fuzz $(FUZZERS)

format:
	clang-format -i $$(git ls-files 'harness/*.[ch]' 'tests/*.[ch]' \
		'workloads/*.[ch]')

check-format:
	$(call say,FORMAT,all)
	$(Q)clang-format --dry-run -Werror $$(git ls-files 'harness/*.[ch]' \
		'tests/*.[ch]' 'workloads/*.[ch]')

check-headers:
	$(call say,HEADERS,all)
	$(Q)for h in $$(git ls-files 'harness/*.h'); do \
		$(CC) $(ALL_CFLAGS) -Werror -fsyntax-only -x c $$h || exit 1; \
	done

check-layers:
	$(call say,LAYERS,all)
	$(Q)sh tests/check-layers

check-docs: all
	$(call say,DOCS,all)
	$(Q)sh tests/check-docs

check-words:
	$(call say,WORDS,all)
	$(Q)codespell -q 3 -L damon,nd,te,titel,tabels,tthe,tage $$(git ls-files '*.md' '*.[ch]' \
		'*.scd' '*.conf' ':!tests/bad-configs')
	$(Q)shellcheck -x -s sh $$(git grep -lE '^#!/bin/(busybox )?sh' -- tests workloads examples)

tidy:
	$(call say,TIDY,all)
	$(Q)printf '%s\n' harness/main.c $(SOURCES) | xargs -n1 -P2 sh -c \
		'clang-tidy --quiet "$$0" -- $(ALL_CFLAGS) 2>/dev/null || \
		{ clang-tidy --quiet "$$0" -- $(ALL_CFLAGS); exit 1; }'

# memleak: cppcheck does not follow the cleanup of auto_free; leaks are found by
# `make SAN=1 unit`. The two of uninitialised memory do not see that a reader
# that returns 0 has filled its struct; clang-tidy and the sanitizers do.
analyze:
	$(call say,CPPCHECK,all)
	$(Q)cppcheck -q --error-exitcode=1 --enable=warning,portability \
		--inline-suppr --suppress=missingIncludeSystem \
		--suppress=memleak --suppress=uninitStructMember \
		--suppress=ctuuninitvar -Iharness \
		--library=gnu harness workloads/*.c

check: check-format check-headers check-layers check-docs check-words tidy \
		analyze
	@$(MAKE) --no-print-directory WERROR=1 unit e2e
	@$(MAKE) --no-print-directory SAN=1 unit
	@$(MAKE) --no-print-directory fuzz

coverage:
	@$(MAKE) --no-print-directory COV=1 BUILD=build/cov unit e2e
	@gcovr -r . --object-directory build/cov -f harness/ -s

bench: all
	@sh tests/bench.sh

install: all
	@sh tests/install.sh '$(BUILD)' '$(DESTDIR)$(PREFIX)'

clean:
	rm -rf build thpbench

help:
	@sed -n '1,/^$$/s/^# \{0,1\}//p' Makefile
