/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the files of a machine to what its counters are asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/tree.h"
#include "bench/counter/counter_plan.h"

struct row {
	const char *root;
	const char *cpus;
	const char *pmu;
	/* "group role:code+code role:code; ..." but for the software group */
	const char *groups;
	const char *missing; /* role */
	const char *why;     /* a part of it */
	const char *note;    /* a part of one; NULL: not looked for */
};

static void plan_for(const struct row *row, struct counter_plan *plan)
{
	auto_free char *path = xasprintf("tests/roots/pmu/%s", row->root);
	struct root root;
	struct counter_ask ask = { .root = &root, .cpus = row->cpus };

	assert_int_equal(root_open(path, &root), 0);
	assert_int_equal(counter_plan_make(&ask, plan), 0);
	root_close(&root);
}

static char *text_of(const struct counter_plan *plan)
{
	struct str text = { 0 };

	str_add(&text, "");
	for (size_t i = 0; i < plan->n_groups; i++) {
		const struct counter_group *g = &plan->groups[i];
		const char *role = "";

		if (g->is_software)
			continue;
		str_addf(&text, "%s%s", text.len ? "; " : "", g->name);
		for (size_t k = 0; k < g->n; k++) {
			const struct counter_event *e = &g->events[k];

			if (str_eq(e->role, role))
				str_add(&text, "+");
			else
				str_addf(&text, " %s:", e->role);
			if (e->code.type != 4)
				str_addf(&text, "%" PRIu32 "/", e->code.type);
			str_addf(&text, "%" PRIx64, e->code.config);
			role = e->role;
		}
	}
	return str_steal(&text);
}

static bool has_note(const struct counter_plan *plan, const char *part)
{
	for (size_t i = 0; i < plan->n_notes; i++)
		if (strstr(plan->notes[i].text, part))
			return true;
	return false;
}

/* Every role is in a group or has its reason, and never both. */
static void check_whole(const struct counter_plan *plan)
{
	const struct counter_group *last = &plan->groups[plan->n_groups - 1];

	for (size_t r = 0; r < n_counter_roles; r++) {
		bool is_there = false;

		for (size_t i = 0; i < plan->n_groups; i++)
			for (size_t k = 0; k < plan->groups[i].n; k++)
				is_there |=
					str_eq(plan->groups[i].events[k].role,
					       counter_roles[r]);
		assert_int_equal(is_there,
				 !counter_plan_missing(plan, counter_roles[r]));
	}
	assert_true(last->is_software);
	assert_int_equal(last->n, 6);
	assert_string_equal(last->events[0].role, "page_faults");
	assert_int_equal(last->events[0].code.type, 1);
	assert_int_equal(last->events[0].code.config, 2);
	assert_false(last->events[0].code.exclude_kernel);
}

static void check_row(void **state)
{
	const struct row *row = *state;
	auto_free char *groups = NULL;
	struct counter_plan plan;
	const char *why;

	plan_for(row, &plan);
	groups = text_of(&plan);
	check_whole(&plan);
	assert_string_equal(groups, row->groups);
	if (row->pmu)
		assert_string_equal(plan.pmu, row->pmu);
	else
		assert_null(plan.pmu);
	why = row->missing ? counter_plan_missing(&plan, row->missing) : NULL;
	if (row->missing)
		assert_non_null(why);
	if (row->why && !strstr(why, row->why))
		fail_msg("%s: %s", row->missing, why);
	if (row->note && !has_note(&plan, row->note))
		fail_msg("no note with: %s", row->note);
	counter_plan_free(&plan);
}

/* Groups that count at once, and those that take turns. */
static void fits(const char *name, const char *on, bool expected)
{
	const struct row row = { .root = name };
	struct counter_plan plan;
	bool is_on[16] = { false };

	plan_for(&row, &plan);
	for (size_t i = 0; i < plan.n_groups; i++) {
		auto_free char *word = xasprintf(" %s ", plan.groups[i].name);

		is_on[i] = strstr(on, word) != NULL;
	}
	assert_int_equal(counter_groups_fit(&plan, is_on), expected);
	counter_plan_free(&plan);
}

static void tells_what_fits_together(void **state)
{
	(void)state;
	fits("sierra-forest", " tlb software ", true);
	/* 5 and 3 general; instructions need a second one. */
	fits("sierra-forest", " tlb stlb ", false);
	fits("sierra-forest", " pages stlb ", true);
	fits("sierra-forest", " tlb pages_more ", true);
	fits("unknown-arm", " tlb software ", true);
	fits("zen3-vm", " software ", true);
	fits("skylake-sp", " tlb software ", true);
	fits("skylake-sp", " tlb itlb ", false);
	fits("skylake-sp", " nothing ", true);
	fits("zen5", " tlb ", true);
	fits("zen5", " itlb ", true);
	fits("zen5", " tlb pages ", false);
}

static void plans_software_alone(void **state)
{
	struct root root;
	struct counter_ask ask = { .root = &root, .is_software = true };
	struct counter_plan plan;

	(void)state;
	assert_int_equal(root_open("tests/roots/pmu/skylake-sp", &root), 0);
	assert_int_equal(counter_plan_make(&ask, &plan), 0);
	assert_int_equal(plan.n_groups, 1);
	assert_string_equal(counter_plan_missing(&plan, "dtlb_walk"),
			    "not asked for: counters = software");
	check_whole(&plan);
	counter_plan_free(&plan);
	root_close(&root);
}

/* The plan of an event file of the user's for a Skylake. */
static void plan_own(const char *tables, struct counter_plan *plan)
{
	static const char form[] =
		"[pmu \"own\"]\ntitle = Own\ncpuid = GenuineIntel/6/85\n"
		"tables = %s\n[counters]\ngeneral = 4\n[events]\n"
		"cycles = r3c\ninstructions = rc0 0xc0\n"
		"dtlb_access = r83d0 0x84d0\ndtlb_walk = WALKS\n[groups]\n"
		"tlb = cycles instructions dtlb_access dtlb_walk\n";
	char dir[] = "/tmp/thpbench-test-XXXXXX";
	struct root root;
	struct counter_ask ask = { .root = &root, .folder = dir };
	auto_free char *path = NULL;
	auto_free char *text = NULL;

	assert_non_null(mkdtemp(dir));
	path = xasprintf("%s/own.ini", dir);
	text = xasprintf(form, tables);
	assert_int_equal(file_publish(path, text), 0);
	assert_int_equal(root_open("tests/roots/pmu/skylake-sp", &root), 0);
	assert_int_equal(counter_plan_make(&ask, plan), 0);
	root_close(&root);
	assert_int_equal(tree_remove(dir), 0);
	check_whole(plan);
	assert_string_equal(plan->pmu, "own");
}

static void assert_why(const struct counter_plan *plan, const char *role,
		       const char *part)
{
	const char *why = counter_plan_missing(plan, role);

	if (!why || !strstr(why, part))
		fail_msg("%s: %s", role, why ? why : "not missing");
}

/* What comes out must be what the file says. */
static void does_not_trust_names(void **state)
{
	struct counter_plan plan;
	auto_free char *groups = NULL;

	(void)state;
	plan_own("perf_raw", &plan);
	groups = text_of(&plan);
	assert_string_equal(groups, "tlb cycles:3c instructions:c0");
	assert_why(&plan, "dtlb_access",
		   "libpfm4 encodes perf_raw::r83d0 as 0x83d0, ");
	assert_why(&plan, "dtlb_access", "/own.ini says 0x84d0");
	assert_why(&plan, "dtlb_walk",
		   "libpfm4 cannot encode perf_raw::WALKS: ");
	assert_why(&plan, "itlb_walk", "no event for it on Own");
	counter_plan_free(&plan);
}

/* Tables that the library does not have: the codes alone are left. */
static void needs_codes_without_tables(void **state)
{
	struct counter_plan plan;
	auto_free char *groups = NULL;

	(void)state;
	plan_own("no_such_tables", &plan);
	groups = text_of(&plan);
	assert_string_equal(groups, "tlb instructions:c0 dtlb_access:84d0");
	assert_true(has_note(&plan, "libpfm4 here has no tables of own"));
	assert_why(&plan, "cycles", "has no code of r3c");
	counter_plan_free(&plan);
}

static void counts_as_asked(void **state)
{
	struct root root;
	struct counter_ask ask = { .root = &root };
	struct counter_plan plan;

	(void)state;
	assert_int_equal(root_open("tests/roots/pmu/sierra-forest", &root), 0);
	for (int level = PFM_USER; level <= PFM_USER_KERNEL; level++) {
		ask.level = (enum pfm_level)level;
		assert_int_equal(counter_plan_make(&ask, &plan), 0);
		assert_int_equal(plan.groups[0].events[0].code.exclude_kernel,
				 level == PFM_USER);
		counter_plan_free(&plan);
	}
	root_close(&root);
}

#define SKL_ITLB                                                               \
	"itlb itlb_access:183+283 itlb_walk:e85 instructions:c0 cycles:3c"
#define SKL_CYCLES                                                             \
	"walk_cycles dtlb_walk_cycles:1001008+1001049 "                        \
	"itlb_walk_cycles:1001085 cycles:3c instructions:c0"
#define SKL_PAGES                                                              \
	"pages dtlb_walk_4k:208+249 dtlb_walk_2m:408+449 instructions:c0"
#define SKL_MORE                                                               \
	"pages_more dtlb_walk_1g:808+849 itlb_walk_4k:285 itlb_walk_2m:485 "   \
	"instructions:c0"
#define SKL_STLB                                                               \
	"stlb dtlb_stlb_hit:2008+2049 itlb_stlb_hit:2085 instructions:c0"
#define SKL_TLB                                                                \
	"tlb dtlb_access:83d0 dtlb_walk:e08+e49 itlb_walk:e85 instructions:c0"
#define SPR                                                                    \
	"tlb dtlb_access:83d0 dtlb_walk:e12+e13 itlb_walk:e11 "                \
	"instructions:c0 cycles:3c; "                                          \
	"walk_cycles dtlb_walk_cycles:1001012+1001013 "                        \
	"itlb_walk_cycles:1001011 cycles:3c instructions:c0; "                 \
	"pages dtlb_walk_4k:212+213 dtlb_walk_2m:412+413 instructions:c0; "    \
	"pages_more dtlb_walk_1g:812+813 itlb_walk_4k:211 itlb_walk_2m:411 "   \
	"instructions:c0; "                                                    \
	"stlb dtlb_stlb_hit:2012+2013 itlb_stlb_hit:2011 instructions:c0"
#define ZEN_TLB(walk)                                                          \
	"tlb dtlb_access:729 dtlb_walk:f045 itlb_walk:" walk                   \
	" instructions:c0 cycles:76; "                                         \
	"itlb itlb_access:794+84+" walk " itlb_walk:" walk " instructions:c0"
#define ZEN_PAGES(walk)                                                        \
	"; pages dtlb_walk_4k:3045 dtlb_walk_2m:4045 dtlb_walk_1g:8045 "       \
	"instructions:c0; pages_more itlb_walk_4k:" walk                       \
	" itlb_walk_2m:285 dtlb_stlb_hit:f45 itlb_stlb_hit:84 instructions:c0"
#define ARM_TLB                                                                \
	"tlb dtlb_access:25 dtlb_walk:34 itlb_access:26 itlb_walk:35 "         \
	"instructions:8 cycles:11"

#define ROW(...)                                                               \
	{                                                                      \
		.name = (struct row){ __VA_ARGS__ }.root,                      \
		.test_func = check_row, .initial_state = &(struct row)         \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("broadwell-ep", NULL, "bdw_ep",
		    "tlb dtlb_access:81d0+82d0 dtlb_walk:e08+e49 "
		    "instructions:c0 cycles:3c; "
		    "itlb itlb_access:180+280 itlb_walk:e85 instructions:c0 "
		    "cycles:3c; "
		    "walk_cycles dtlb_walk_cycles:1001008+1001049 "
		    "itlb_walk_cycles:1001085 cycles:3c instructions:c0; "
		    "pages dtlb_walk_4k:208+249 dtlb_walk_2m:408+449 "
		    "instructions:c0; "
		    "pages_more dtlb_walk_1g:808+849 itlb_walk_4k:285 "
		    "itlb_walk_2m:485 instructions:c0; "
		    "stlb dtlb_stlb_hit:6008+6049 itlb_stlb_hit:6085 "
		    "instructions:c0",
		    NULL, NULL, "BDM69"),
		ROW("skylake-sp", NULL, "skx",
		    SKL_TLB " cycles:3c; " SKL_ITLB "; " SKL_CYCLES
			    "; " SKL_PAGES "; " SKL_MORE "; " SKL_STLB,
		    NULL, NULL, "a proxy: loads and stores that retired"),
		/* The watchdog has the cycles' own counter. */
		ROW("cascade-lake-watchdog", NULL, "clx",
		    SKL_TLB "; " SKL_ITLB "; " SKL_CYCLES "; " SKL_PAGES
			    "; " SKL_MORE "; " SKL_STLB,
		    NULL, NULL,
		    "cycles is not in the group tlb: the NMI watchdog holds"),
		ROW("ice-lake-sp", NULL, "icx",
		    SKL_TLB " cycles:3c; " SKL_ITLB "; " SKL_CYCLES
			    "; " SKL_PAGES
			    "; pages_more itlb_walk_4k:285 itlb_walk_2m:485 "
			    "instructions:c0; " SKL_STLB,
		    "dtlb_walk_1g", "no event", NULL),
		ROW("sapphire-rapids", NULL, "spr", SPR, "itlb_access",
		    "itlb_walk_mpki", "a proxy: loads and stores"),
		ROW("emerald-rapids", NULL, "emr", SPR, "itlb_access",
		    "itlb_walk_mpki", NULL),
		ROW("granite-rapids", NULL, "gnr", SPR, "itlb_access",
		    "itlb_walk_mpki", NULL),
		ROW("sierra-forest", NULL, "srf",
		    "tlb dtlb_access:83d0 dtlb_walk:e08+e49 itlb_access:380 "
		    "itlb_walk:e85 instructions:c0 cycles:3c; "
		    "pages dtlb_walk_4k:208+249 dtlb_walk_2m:408+449 "
		    "instructions:c0; "
		    "pages_more itlb_walk_4k:285 itlb_walk_2m:485 "
		    "instructions:c0; "
		    "stlb dtlb_stlb_hit:2008+2049 itlb_stlb_hit:2085 "
		    "instructions:c0",
		    "dtlb_walk_cycles", "how many walks are under way",
		    "libpfm4 here has no tables of srf"),
		/* Which cores it runs on decides. */
		ROW("alder-lake", NULL, NULL, "", "dtlb_walk",
		    "cores of several kinds, whose counts do not add up: "
		    "cpu_atom (CPUs 2-3), cpu_core (CPUs 0-1)",
		    NULL),
		ROW("alder-lake", "1-2", NULL, "", "cycles",
		    "cores of several kinds", NULL),
		ROW("alder-lake", "0-1", "adl_glc", SPR, "itlb_access",
		    "itlb_walk_mpki", NULL),
		ROW("alder-lake", "2", "adl_grt",
		    "tlb dtlb_access:10/81d0+10/82d0 dtlb_walk:10/e08+10/e49 "
		    "itlb_walk:10/e85 instructions:10/c0 cycles:10/3c; "
		    "itlb itlb_access:10/380 itlb_walk:10/e85 "
		    "instructions:10/c0 cycles:10/3c",
		    "dtlb_walk_4k", "not in this file", NULL),
		ROW("unknown-intel", NULL, NULL, "", "dtlb_walk",
		    "no event file is for this CPU, GenuineIntel family 6 "
		    "model 250 stepping 1",
		    NULL),
		ROW("zen2", NULL, "amd64_fam17h_zen2",
		    ZEN_TLB("785") " cycles:76" ZEN_PAGES("185"),
		    "dtlb_walk_cycles", "AMD counts no cycles of walks",
		    "loads and stores that were dispatched"),
		ROW("zen3-watchdog", NULL, "amd64_fam19h_zen3",
		    ZEN_TLB("f85") ZEN_PAGES("985"), "itlb_walk_cycles",
		    "AMD counts no cycles of walks",
		    "cycles is not in the group itlb: the NMI watchdog holds"),
		ROW("bergamo", NULL, "amd64_fam19h_zen4",
		    ZEN_TLB("f85") " cycles:76" ZEN_PAGES("985"), NULL, NULL,
		    NULL),
		ROW("zen5", NULL, "amd64_fam1ah_zen5",
		    ZEN_TLB("f85") " cycles:76" ZEN_PAGES("985"), NULL, NULL,
		    NULL),
		ROW("zen3-vm", NULL, NULL, "", "dtlb_walk",
		    "no PMU: none of cpu, cpu_core and armv8* is in "
		    "/sys/bus/event_source/devices, as in a virtual machine",
		    NULL),
		ROW("neoverse-n1", NULL, "arm_n1", ARM_TLB, "dtlb_walk_cycles",
		    "no event", "look-ups of the L1 data TLB"),
		ROW("neoverse-v3", NULL, "arm_v3",
		    ARM_TLB "; walk_cycles dtlb_walk_cycles:8128 "
			    "itlb_walk_cycles:8129 cycles:11 instructions:8; "
			    "pages dtlb_walk_4k:813a dtlb_walk_2m:8138 "
			    "itlb_walk_4k:813b itlb_walk_2m:8139 "
			    "instructions:8",
		    "dtlb_stlb_hit", "arm64", NULL),
		ROW("kunpeng-920", NULL, "arm_kunpeng", ARM_TLB, "dtlb_walk_2m",
		    "no event", NULL),
		ROW("a64fx", NULL, "arm_a64fx",
		    "tlb dtlb_walk:2d itlb_walk:2e instructions:8 cycles:11",
		    "dtlb_access", "dtlb_walk_mpki",
		    "a proxy: refills of the second-level data TLB"),
		ROW("cortex-a76", NULL, "armv8_pmuv3", ARM_TLB, "dtlb_walk_4k",
		    "no event", "this core is not known"),
		ROW("unknown-arm", NULL, "armv8_pmuv3",
		    "tlb instructions:8 cycles:11", "dtlb_walk",
		    "the core does not have DTLB_WALK (0x34): it is not in "
		    "/sys/bus/event_source/devices/armv8_pmuv3_0/events",
		    NULL),
		ROW("neoverse-n1-emulated", NULL, "arm_n1",
		    "tlb instructions:8 cycles:11", "itlb_access",
		    "the core does not have L1I_TLB (0x26)", NULL),
		ROW("big-little", NULL, NULL, "", "instructions",
		    "armv8_cortex_a53 (CPUs 0-1), armv8_cortex_a72 (CPUs 2-3)",
		    NULL),
		ROW("big-little", "2,3", "armv8_pmuv3",
		    "tlb dtlb_access:9/25 itlb_access:9/26 instructions:9/8 "
		    "cycles:9/11",
		    "dtlb_walk", "does not have DTLB_WALK", NULL),
		cmocka_unit_test(tells_what_fits_together),
		cmocka_unit_test(plans_software_alone),
		cmocka_unit_test(does_not_trust_names),
		cmocka_unit_test(needs_codes_without_tables),
		cmocka_unit_test(counts_as_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
