/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which CPU it is, and what sysfs tells of its counters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "kern/cpu_id.h"
#include "kern/cpu_pmu.h"

#define INTEL                                                                  \
	"vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n"          \
	"model name\t: Intel(R) Xeon(R) 99\nstepping\t: 7\n"
#define ARM "BogoMIPS\t: 50.00\nCPU implementer\t: 0x48\nCPU part\t: 0xd01\n"

struct row {
	const char *name;
	const char *cpuinfo;
	unsigned int cpu;
	const char *text; /* NULL: not told */
};

static void check_row(void **state)
{
	const struct row *row = *state;
	auto_free char *text = NULL;
	struct cpu_id id;
	int ret = cpu_id_parse(row->cpuinfo, row->cpu, &id);

	assert_int_equal(ret, row->text ? 0 : -ENOENT);
	if (ret)
		return;
	text = cpu_id_text(&id);
	assert_string_equal(text, row->text);
}

struct midr {
	const char *text;
	int ret;
	uint64_t implementer;
	uint64_t part;
};

static void check_midr(void **state)
{
	const struct midr *row = *state;
	struct cpu_id id = { 0 };

	assert_int_equal(cpu_id_midr(row->text, &id), row->ret);
	assert_int_equal(id.is_arm, !row->ret);
	assert_int_equal(id.implementer, row->implementer);
	assert_int_equal(id.part, row->part);
}

struct event {
	const char *text;
	int ret;
	uint64_t code;
};

static void check_event(void **state)
{
	const struct event *row = *state;
	uint64_t code = 0;

	assert_int_equal(cpu_pmu_parse_event(row->text, &code), row->ret);
	assert_int_equal(code, row->code);
}

/* midr_el1 of a core counts, whatever cpuinfo tells of the others. */
static void reads_below_a_root(void **state)
{
	struct cpu_pmus pmus;
	struct cpu_id id;
	struct root root;

	(void)state;
	assert_int_equal(root_open("tests/roots/pmu/neoverse-v3", &root), 0);
	assert_int_equal(cpu_id_read(&root, 1, &id), 0);
	assert_int_equal(id.part, 0xd84);
	assert_int_equal(cpu_id_read(&root, 2, &id), -ENOENT);
	cpu_pmus_read(&root, &pmus);
	assert_int_equal(pmus.n, 1);
	assert_string_equal(pmus.list[0].name, "armv8_pmuv3_0");
	assert_string_equal(pmus.list[0].cpus, "0-1");
	assert_int_equal(pmus.list[0].type, 8);
	assert_true(cpu_pmu_has_code(&pmus.list[0], 0x34));
	assert_false(cpu_pmu_has_code(&pmus.list[0], 0x30));
	cpu_pmus_free(&pmus);
	root_close(&root);
	assert_int_equal(root_open("tests/roots/pmu/zen3-vm", &root), 0);
	cpu_pmus_read(&root, &pmus);
	assert_int_equal(pmus.n, 0);
	root_close(&root);
	assert_int_equal(root_open("tests/roots/pmu/big-little", &root), 0);
	cpu_pmus_read(&root, &pmus);
	assert_int_equal(pmus.n, 2);
	cpu_pmus_free(&pmus);
	assert_int_equal(cpu_id_read(&root, 3, &id), 0);
	assert_int_equal(id.part, 0xd08);
	root_close(&root);
}

#define ROW(title, ...)                                                        \
	{                                                                      \
		.name = title, .test_func = check_row,                         \
		.initial_state = &(struct row)                                 \
		{                                                              \
			title, __VA_ARGS__                                     \
		}                                                              \
	}
#define MIDR(...)                                                              \
	{                                                                      \
		.name = (struct midr){ __VA_ARGS__ }.text,                     \
		.test_func = check_midr, .initial_state = &(struct midr)       \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define EVENT(...)                                                             \
	{                                                                      \
		.name = (struct event){ __VA_ARGS__ }.text,                    \
		.test_func = check_event, .initial_state = &(struct event)     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("x86", "processor\t: 0\n" INTEL "\nprocessor\t: 1\n" INTEL,
		    1, "GenuineIntel family 6 model 85 stepping 7"),
		ROW("arm", "processor\t: 0\n" ARM "\n", 0,
		    "implementer 0x48 part 0xd01"),
		ROW("the CPU asked for",
		    "processor\t: 0\n" ARM "\nprocessor\t: 10\n" INTEL "\n", 10,
		    "GenuineIntel family 6 model 85 stepping 7"),
		ROW("no such CPU", "processor\t: 0\n" INTEL "\n", 1, NULL),
		ROW("not all of it",
		    "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel\t: 3\n",
		    0, NULL),
		ROW("nothing", "", 0, NULL),
		ROW("no number", "processor\t: x\n" INTEL, 0, NULL),
		ROW("cut short", "processor\t: 0\nCPU implementer\t: 0x41\nCPU",
		    0, NULL),
		MIDR("0x00000000481fd010\n", 0, 0x48, 0xd01),
		MIDR("0x000000000413fd0c1", 0, 0x41, 0xd0c),
		MIDR("0x0\n", -EPROTO, 0, 0),
		MIDR("", -EPROTO, 0, 0),
		MIDR("midr", -EPROTO, 0, 0),
		EVENT("event=0x0011\n", 0, 0x11),
		EVENT("event=0x3c,umask=0x01", 0, 0x3c),
		EVENT("umask=0x01,event=0x3c\n", 0, 0x3c),
		EVENT("event=11", 0, 11),
		EVENT("myevent=0x3c", -EPROTO, 0),
		EVENT("event=", -EPROTO, 0),
		EVENT("event=x", -EPROTO, 0),
		EVENT("config=0x11", -EPROTO, 0),
		EVENT("", -EPROTO, 0),
		cmocka_unit_test(reads_below_a_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
