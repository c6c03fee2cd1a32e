/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libpfm4's encodings, whatever CPU this runs on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "kern/pfm.h"

struct row {
	const char *name;
	enum pfm_level level;
	int ret;
	uint32_t type;
	uint64_t config;
	const char *why;
};

static void check_row(void **state)
{
	const struct row *row = *state;
	struct perf_code code = { .config = 77 };
	const char *why = "unset";

	assert_int_equal(pfm_encode(row->name, row->level, &code, &why),
			 row->ret);
	if (row->ret) {
		assert_string_equal(why, row->why);
		assert_int_equal(code.config, 77);
		return;
	}
	assert_null(why);
	assert_int_equal(code.type, row->type);
	assert_int_equal(code.config, row->config);
	assert_int_equal(code.exclude_kernel, row->level == PFM_USER);
}

/* A library knows the PMUs of its own architecture. */
static void knows_pmus_of_its_own(void **state)
{
	bool is_x86 = false;

	(void)state;
#ifdef __x86_64__
	is_x86 = true;
#endif
	assert_int_equal(pfm_has_pmu("skx"), is_x86);
	assert_int_equal(pfm_has_pmu("arm_n1"), !is_x86);
	assert_true(pfm_has_pmu("perf_raw"));
	assert_false(pfm_has_pmu("skylake"));
	assert_null(getenv("LIBPFM_ENCODE_INACTIVE"));
}

#define ROW(text, ...)                                                         \
	{                                                                      \
		.name = text, .test_func = check_row,                          \
		.initial_state = &(struct row)                                 \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("software", "perf::PAGE-FAULTS", PFM_USER, 0, 1, 2, NULL),
		ROW("kernel too", "perf::PAGE-FAULTS", PFM_USER_KERNEL, 0, 1, 2,
		    NULL),
		ROW("raw", "perf_raw::r83d0", PFM_USER, 0, 4, 0x83d0, NULL),
		ROW("wide raw", "perf_raw::r1001012", PFM_USER, 0, 4, 0x1001012,
		    NULL),
		ROW("no such PMU", "skylake::INST_RETIRED:ANY_P", PFM_USER,
		    -ENOENT, 0, 0, "event not found"),
#ifdef __x86_64__
		ROW("no such event", "skx::MEM_STUFF", PFM_USER, -ENOENT, 0, 0,
		    "event not found"),
		ROW("sum of unit masks",
		    "amd64_fam19h_zen4::LS_DISPATCH:LD_DISPATCH:STORE_DISPATCH:"
		    "LD_ST_DISPATCH",
		    PFM_USER_KERNEL, 0, 4, 0x729, NULL),
		ROW("counter mask", "bdw::ITLB_MISSES:WALK_DURATION:c=1",
		    PFM_USER, 0, 4, 0x1001085, NULL),
		ROW("no unit mask", "amd64_fam19h_zen4::LS_DISPATCH", PFM_USER,
		    -EINVAL, 0, 0, "invalid or missing unit mask"),
#endif
#ifdef __aarch64__
		ROW("walk", "arm_n1::DTLB_WALK", PFM_USER, 0, 4, 0x34, NULL),
		ROW("no such event", "arm_n1::WALKS", PFM_USER, -ENOENT, 0, 0,
		    "event not found"),
#endif
		cmocka_unit_test(knows_pmus_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
