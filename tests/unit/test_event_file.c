/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event files: what is read of them, and what is wrong with bad ones. */
#include "bench/counter/event_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/tree.h"
#include "bench/counter/event_match.h"

/* Behind base/err.h: it has a fail() too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define PMU "[pmu \"x\"]\ntitle = X\ncpuid = GenuineIntel/6/85\n" /* 1-3 */
#define COUNTERS "[counters]\ngeneral = 3\nfixed = cycles\n"      /* 4-6 */
#define EVENTS                                                                 \
	"[events]\ncycles = CYC 0x3c\ndtlb_walk = A + B:C 2\n" /* 7-9          \
								*/
#define GROUPS "[groups]\ntlb = dtlb_walk cycles\n"            /* 10-11 */
#define GOOD PMU COUNTERS EVENTS GROUPS

static void reads_what_stands_there(void **state)
{
	static const char text[] = GOOD "[proxies]\ndtlb_walk = nearly\n"
					"[notes]\npmu = an erratum\n"
					"[missing]\nitlb_walk = no event\n"
					"[pmu \"y\"]\n; a comment\ntitle = Y\n"
					"midr = 0x48/0xd01 any\n"
					"sysfs = cpu_core\ntables = x raw\n";
	struct event_file f;
	const struct event_role *role;

	(void)state;
	assert_int_equal(event_file_parse("x.ini", text, &f), 0);
	assert_int_equal(f.n_pmus, 2);
	assert_string_equal(f.pmus[0].name, "x");
	assert_string_equal(f.pmus[0].tables[0], "x");
	assert_string_equal(f.pmus[1].tables[1], "raw");
	assert_string_equal(f.pmus[1].sysfs, "cpu_core");
	assert_int_equal(f.pmus[1].n_cpus, 2);
	assert_int_equal(f.general, 3);
	assert_false(f.is_watchdog_fixed);
	role = event_file_role(&f, "dtlb_walk");
	assert_int_equal(role->n, 2);
	assert_string_equal(role->words[0].name, "A");
	assert_false(role->words[0].has_code);
	assert_string_equal(role->words[1].name, "B:C");
	assert_int_equal(role->words[1].code, 2);
	assert_true(role->is_proxy);
	assert_string_equal(role->note, "nearly");
	assert_string_equal(f.note, "an erratum");
	assert_string_equal(f.missing[0].why, "no event");
	assert_true(event_file_is_fixed(&f, "cycles"));
	assert_int_equal(f.groups[0].n, 2);
	assert_null(event_file_role(&f, "itlb_walk"));
	event_file_free(&f);
}

/* What a reader copies from the manual works. */
static void example_of_the_manual_is_good(void **state)
{
	auto_free char *text = NULL;
	struct event_file f;
	char *start;
	char *end;

	(void)state;
	assert_int_equal(file_read("man/thpbench-events.5.scd", &text, NULL),
			 0);
	start = strstr(text, "```\n");
	assert_non_null(start);
	end = strstr(start + 4, "```");
	assert_non_null(end);
	*end = '\0';
	assert_int_equal(event_file_parse("example", start + 4, &f), 0);
	assert_string_equal(f.pmus[0].name, "skx");
	assert_int_equal(f.n_roles, 4);
	event_file_free(&f);
}

struct bad {
	const char *text;
	const char *message;
};

static void check_bad(void **state)
{
	const struct bad *bad = *state;
	struct event_file f;
	int was = err_quiet(1);

	assert_int_equal(event_file_parse("x.ini", bad->text, &f), -EBADMSG);
	err_quiet(was);
	assert_string_equal(err_last(), bad->message);
	assert_null(f.pmus);
}

struct match {
	const char *text;
	bool is_arm;
	int ret;
	struct cpu_id id;
	bool is_it;
};

static void check_match(void **state)
{
	const struct match *row = *state;
	struct event_match m;

	assert_int_equal(event_match_parse(row->text, row->is_arm, &m),
			 row->ret);
	if (row->ret)
		return;
	assert_int_equal(event_match_is(&m, &row->id), row->is_it);
	event_match_free(&m);
}

/* The user's file goes before ours; a bad one stops all. */
static void folder_of_the_user_is_first(void **state)
{
	static const char other[] =
		"[pmu \"mine\"]\ntitle = Mine\ncpuid = "
		"GenuineIntel/6/85\n" COUNTERS EVENTS GROUPS;
	const struct cpu_id id = { .vendor = "GenuineIntel",
				   .family = 6,
				   .model = 85,
				   .stepping = 4 };
	char dir[] = "/tmp/thpbench-test-XXXXXX";
	const struct event_file *file;
	struct event_files files;
	auto_free char *path = NULL;
	auto_free char *message = NULL;
	int was;

	(void)state;
	assert_non_null(mkdtemp(dir));
	path = xasprintf("%s/mine.ini", dir);
	assert_int_equal(event_files_read(NULL, &files), 0);
	assert_string_equal(event_files_find(&files, &id, "cpu", &file)->name,
			    "skx");
	event_files_free(&files);
	assert_int_equal(file_publish(path, other), 0);
	assert_int_equal(event_files_read(dir, &files), 0);
	assert_string_equal(event_files_find(&files, &id, "cpu", &file)->name,
			    "mine");
	event_files_free(&files);
	assert_int_equal(file_publish(path, "[nothing]\n"), 0);
	was = err_quiet(1);
	assert_int_equal(event_files_read(dir, &files), -EBADMSG);
	message = xasprintf("%s:1: unknown section [nothing]; pmu, counters, "
			    "events, groups, proxies, notes or missing",
			    path);
	assert_string_equal(err_last(), message);
	assert_int_equal(tree_remove(dir), 0);
	assert_int_equal(event_files_read(dir, &files), -ENOENT);
	err_quiet(was);
}

#define BAD(says, ...)                                                         \
	{                                                                      \
		.name = says, .test_func = check_bad,                          \
		.initial_state = &(struct bad)                                 \
		{                                                              \
			__VA_ARGS__, "x.ini:" says                             \
		}                                                              \
	}
#define MATCH(...)                                                             \
	{                                                                      \
		.name = (struct match){ __VA_ARGS__ }.text,                    \
		.test_func = check_match, .initial_state = &(struct match)     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define INTEL(f, m, s)                                                         \
	{                                                                      \
		.vendor = "GenuineIntel", .family = f, .model = m,             \
		.stepping = s                                                  \
	}
#define ARM(i, p)                                                              \
	{                                                                      \
		.is_arm = true, .implementer = i, .part = p                    \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_stands_there),
		cmocka_unit_test(folder_of_the_user_is_first),
		cmocka_unit_test(example_of_the_manual_is_good),
		BAD("1: unknown section [event]; did you mean [events]?",
		    "[event]\n"),
		BAD("1: not a section; [NAME] or [pmu \"NAME\"]", "[Pmu]\n"),
		BAD("1: a key before any section; [pmu \"NAME\"], [counters], "
		    "[events] or [groups] first",
		    "tlb = cycles\n"),
		BAD("1: a PMU without a name; [pmu \"NAME\"]", "[pmu]\n"),
		BAD("1: only a PMU has a name; [events]", "[events \"x\"]\n"),
		BAD("2: neither a key nor a section; NAME = VALUE",
		    "[events]\ncycles\n"),
		BAD("2: unknown key name in [pmu]; title, cpuid, midr, sysfs "
		    "or tables",
		    "[pmu \"x\"]\nname = x\n"),
		BAD("2: cpuid = Intel-6: not a CPU; such as "
		    "GenuineIntel/6/85/0-4",
		    "[pmu \"x\"]\ncpuid = Intel-6\n"),
		BAD("2: midr = 0x41: not a CPU; such as 0x48/0xd01, or any",
		    "[pmu \"x\"]\nmidr = 0x41\n"),
		BAD("2: general = none: not a number of counters; 1 to 64",
		    "[counters]\ngeneral = none\n"),
		BAD("2: general = 0: not a number of counters; 1 to 64",
		    "[counters]\ngeneral = 0\n"),
		BAD("2: watchdog = yes: not known; cycles (it takes their "
		    "fixed counter) or general",
		    "[counters]\nwatchdog = yes\n"),
		BAD("2: unknown key count in [counters]; general, fixed or "
		    "watchdog",
		    "[counters]\ncount = 1\n"),
		BAD("2: no role dtlb_wakl; did you mean dtlb_walk?",
		    "[events]\ndtlb_wakl = A 1\n"),
		BAD("2: no role elephants; those of thpbench-events(5)",
		    "[events]\nelephants = A 1\n"),
		/* The kernel's are not of the CPU. */
		BAD("2: no role page_faults; those of thpbench-events(5)",
		    "[events]\npage_faults = A 1\n"),
		BAD("2: cycles: not an event; NAME CODE, several by +",
		    "[events]\ncycles = A 1 2\n"),
		BAD("2: cycles: not an event; NAME CODE, several by +",
		    "[events]\ncycles = A 1 +\n"),
		BAD("2: cycles: 0xzz is no code; a number such as 0x83d0",
		    "[events]\ncycles = A 0xzz\n"),
		BAD("3: cycles stands in line 2 already; one of the two",
		    "[events]\ncycles = A 1\ncycles = B 2\n"),
		BAD("2: cycles is empty; a value, or no line",
		    "[events]\ncycles =\n"),
		BAD("3: this section stands in line 1 already; one of the two",
		    "[events]\ncycles = A 1\n[events]\n"),
		BAD("2: no events for cycles above; [events] first",
		    "[notes]\ncycles = fast\n"),
		BAD("6: cycles has a note already; one of [proxies] and "
		    "[notes]",
		    "[events]\ncycles = A\n[proxies]\ncycles = a\n[notes]\n"
		    "cycles = b\n"),
		BAD("9: no PMU; [pmu \"NAME\"]", COUNTERS EVENTS GROUPS "\n"),
		BAD("1: [pmu \"x\"] is for no CPU; cpuid = "
		    "VENDOR/FAMILY/MODELS or midr = IMPLEMENTER/PARTS",
		    "[pmu \"x\"]\ntitle = X\n" COUNTERS EVENTS GROUPS),
		BAD("1: [pmu \"x\"] has no title; title = the CPU's name",
		    "[pmu \"x\"]\nmidr = any\n" COUNTERS EVENTS GROUPS),
		BAD("8: not said how many counters there are; general = N in "
		    "[counters]",
		    PMU EVENTS GROUPS),
		BAD("11: group tlb: no events for itlb_walk; a line in "
		    "[events]",
		    PMU COUNTERS EVENTS "[groups]\n"
					"tlb = dtlb_walk cycles itlb_walk\n"),
		BAD("11: group tlb needs 4 counters and there are 3; split it",
		    PMU COUNTERS
		    "[events]\ncycles = A\ndtlb_walk = A + B + C + D\n"
		    "[groups]\ntlb = dtlb_walk cycles\n"),
		BAD("11: group tlb: cycles twice; once",
		    PMU COUNTERS EVENTS "[groups]\n"
					"tlb = dtlb_walk cycles cycles\n"),
		BAD("12: the group software is the kernel's; another name",
		    GOOD "software = cycles\n"),
		BAD("9: dtlb_walk is in no group; add it to a line of "
		    "[groups]",
		    PMU COUNTERS EVENTS "[groups]\ntlb = cycles\n"),
		BAD("8: cycles has a fixed counter and is a sum; one event",
		    PMU COUNTERS
		    "[events]\ncycles = A + B\ndtlb_walk = C\n" GROUPS),
		BAD("8: cycles has events and is in [missing]; one of the two",
		    GOOD "[missing]\ncycles = none\n"),
		MATCH("GenuineIntel/6/85", false, 0, INTEL(6, 85, 7), true),
		MATCH("GenuineIntel/6/85/0-4", false, 0, INTEL(6, 85, 4), true),
		MATCH("GenuineIntel/6/85/0-4", false, 0, INTEL(6, 85, 5),
		      false),
		MATCH("GenuineIntel/6/0x55", false, 0, INTEL(6, 85, 0), true),
		MATCH("GenuineIntel/6/1,80-86,9", false, 0, INTEL(6, 9, 0),
		      true),
		MATCH("GenuineIntel/6/1,80-86,9", false, 0, INTEL(6, 87, 0),
		      false),
		MATCH("GenuineIntel/7/85", false, 0, INTEL(6, 85, 0), false),
		MATCH("AuthenticAMD/6/85", false, 0, INTEL(6, 85, 0), false),
		MATCH("0x48/0xd01", true, 0, ARM(0x48, 0xd01), true),
		MATCH("0x48/0xd01", true, 0, ARM(0x41, 0xd01), false),
		MATCH("any", true, 0, ARM(0x41, 0xd01), true),
		MATCH("any", true, 0, INTEL(6, 85, 4), false),
		MATCH("any", false, -EINVAL, INTEL(0, 0, 0), false),
		MATCH("GenuineIntel/6", false, -EINVAL, INTEL(0, 0, 0), false),
		MATCH("GenuineIntel/6/5-3", false, -EINVAL, INTEL(0, 0, 0),
		      false),
		MATCH("GenuineIntel/6/", false, -EINVAL, INTEL(0, 0, 0), false),
		MATCH("/6/85", false, -EINVAL, INTEL(0, 0, 0), false),
		MATCH("GenuineIntel/6/85/1/2", false, -EINVAL, INTEL(0, 0, 0),
		      false),
		MATCH("AVendorWhoseNameIsTooLongForACPU/6/85", false, -EINVAL,
		      INTEL(0, 0, 0), false),
		MATCH("0x48/0xd01/1", true, -EINVAL, ARM(0, 0), false),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
