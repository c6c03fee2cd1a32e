/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench/probe: what is concluded, children, settings, memory touched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/root.h"
#include "base/str.h"
#include "bench/probe/probe.h"
#include "bench/probe/probe_knobs.h"
#include "bench/probe/probe_parts.h"
#include "bench/probe/probe_tlb.h"

struct row {
	uint64_t small_walks;
	uint64_t huge_walks;
	uint64_t running_ns; /* of 1000 */
	enum answer_state state;
	const char *text;
};

static void check_judge(void **state)
{
	const struct row *row = *state;
	const struct probe_tlb_side small = { .touches = 100000,
					      .walks = row->small_walks,
					      .enabled_ns = 1000,
					      .running_ns = row->running_ns,
					      .events = "x::W (4:0x34)" };
	const struct probe_tlb_side huge = { .touches = 100000,
					     .walks = row->huge_walks,
					     .enabled_ns = 1000,
					     .running_ns = row->running_ns,
					     .events = "x::W (4:0x34)" };
	struct answer result = { 0 };

	probe_tlb_judge(&small, &huge, &result);
	assert_int_equal(result.state, row->state);
	assert_string_equal(result.text,
			    row->state == ANSWER_OK ? "yes" : "no");
	assert_string_equal(result.detail, row->text);
	free(result.text);
	free(result.detail);
}

static struct root root;

enum { HUGE_BYTES = 2 << 20, BYTES = 16 * HUGE_BYTES };

static void check_memory(void **state)
{
	bool is_huge = *state != NULL;
	struct probe_memory m;
	int ret = probe_memory_make(&root, BYTES, HUGE_BYTES, is_huge, &m);

	if (is_huge && ret == -ENOTSUP) {
		print_message("no huge pages to be had\n");
		skip();
	}
	assert_int_equal(ret, 0);
	assert_int_equal((uintptr_t)m.base % HUGE_BYTES, 0);
	assert_int_equal(m.bytes, BYTES);
	probe_memory_touch(&m, 100000);
	/* Nearly each page of it, 12 times in the mean. */
	for (size_t page = 0; page < BYTES / 4096; page++) {
		uint64_t sum = 0;

		for (size_t line = 0; line < 4096; line += 64)
			sum += *(uint64_t *)(void *)(m.base + page * 4096 +
						     line);
		/* 1 more where it was touched at first. */
		assert_in_range(sum, 2, 60);
	}
	probe_memory_free(&m);
}

static void says_why_not(void **state)
{
	struct answer result = { 0 };
	struct root recorded;
	const struct probe_env env = { .root = &recorded };

	(void)state;
	assert_int_equal(root_open("tests/roots/host-6.18", &recorded), 0);
	probe_tlb(&env, &result);
	root_close(&recorded);
	assert_int_equal(result.state, ANSWER_MISSING);
	assert_true(str_starts(result.text, "no PMU: "));
	free(result.text);
}

struct text_row {
	int err;
	uint64_t n_huge;
	uint64_t n_room;
	const char *text;
};

static void check_collapse_text(void **state)
{
	const struct text_row *row = *state;
	auto_free char *text =
		probe_collapse_text(row->err, row->n_huge, row->n_room);

	assert_string_equal(text, row->text);
}

static void check_fault_text(void **state)
{
	const struct text_row *row = *state;
	auto_free char *text = probe_fault_text(row->n_huge, row->n_room);

	assert_string_equal(text, row->text);
}

struct reach_row {
	struct probe_reach reach;
	const char *text;
};

static void check_reach(void **state)
{
	const struct reach_row *row = *state;
	auto_free char *text = probe_reach_text(&row->reach);

	assert_string_equal(text, row->text);
}

struct stress_row {
	struct probe_stress_seen seen;
	const char *said;
	enum answer_state state;
	const char *text;
	const char *detail;
};

static void check_stress(void **state)
{
	const struct stress_row *row = *state;
	struct answer out = { 0 };

	probe_stress_judge(&row->seen, row->said, &out);
	assert_int_equal(out.state, row->state);
	assert_string_equal(out.text, row->text);
	assert_string_equal(out.detail, row->detail);
	free(out.text);
	free(out.detail);
}

static void says_so(const struct probe_env *env, struct answer *out)
{
	(void)env;
	answer_set(out, ANSWER_OK, xstrdup("so it is"), xstrdup("tab\there"));
}

static void says_nothing(const struct probe_env *env, struct answer *out)
{
	(void)env;
	(void)out;
}

static void crashes(const struct probe_env *env, struct answer *out)
{
	(void)env;
	(void)out;
	raise(SIGABRT);
}

/* And so does its child, which must not outlive it. */
static void hangs(const struct probe_env *env, struct answer *out)
{
	(void)env;
	(void)out;
	fork();
	for (;;)
		pause();
}

struct child_row {
	void (*run)(const struct probe_env *env, struct answer *out);
	enum answer_state state;
	const char *text;
};

static void check_child(void **state)
{
	const struct child_row *row = *state;
	const struct probe_env env = { .root = &root };
	const struct probe probe = {
		.name = "mine", .asks = "?", .run = row->run, .limit_s = 1
	};
	struct answer out = { 0 };
	int pid;

	/* As under guard: what a child leaves behind comes to us. */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		skip();
	probe_child(&probe, &env, &out, &pid);
	assert_int_equal(out.state, row->state);
	assert_string_equal(out.text, row->text);
	assert_true(pid > 0);
	/* Of its session nobody is left, once the dead are reaped. */
	for (int i = 0; i < 100 && !kill(-pid, 0); i++) {
		while (waitpid(-pid, NULL, WNOHANG) > 0)
			;
		usleep(10000);
	}
	assert_int_equal(kill(-pid, 0), -1);
	free(out.text);
	free(out.detail);
}

struct arm_row {
	const char *knobs;
	const char *arm; /* as path=value, joined by blanks */
	const char *why;
};

static void check_arm(void **state)
{
	const struct arm_row *row = *state;
	const struct probe probe = { .name = "mine", .knobs = row->knobs };
	auto_str struct str text = { 0 };
	auto_free char *why = NULL;
	struct root recorded;
	struct arm arm = { 0 };

	assert_int_equal(root_open("tests/roots/host-6.18", &recorded), 0);
	probe_knobs_arm(&recorded, &probe, &arm, &why);
	root_close(&recorded);
	str_add(&text, "");
	for (size_t i = 0; i < arm.n_knobs; i++) {
		str_addf(&text, "%s%s=%s", i ? " " : "",
			 strrchr(arm.knobs[i].path, '/') + 1,
			 arm.knobs[i].value);
		free(arm.knobs[i].key);
		free(arm.knobs[i].path);
		free(arm.knobs[i].value);
	}
	free(arm.knobs);
	free(arm.label);
	assert_string_equal(why ? why : "", row->why);
	assert_string_equal(text.text, row->arm);
}

/* Each has a name of its own and settings that are some. */
static void table_is_sound(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_probes; i++) {
		const struct probe probe = { .name = "mine",
					     .knobs = probes[i].knobs };
		auto_free char *why = NULL;
		struct root recorded;
		struct arm arm = { 0 };

		assert_ptr_equal(probe_find(probes[i].name), &probes[i]);
		assert_true(probes[i].limit_s > 0);
		assert_int_equal(root_open("tests/roots/host-6.18", &recorded),
				 0);
		probe_knobs_arm(&recorded, &probe, &arm, &why);
		root_close(&recorded);
		assert_null(why);
		for (size_t k = 0; k < arm.n_knobs; k++) {
			free(arm.knobs[k].key);
			free(arm.knobs[k].path);
			free(arm.knobs[k].value);
		}
		free(arm.knobs);
		free(arm.label);
	}
}

#define OTHER_ROW(name, check, type, ...)                                      \
	{                                                                      \
		name, check, NULL, NULL, &(struct type)                        \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_judge, NULL, NULL, &(struct row)                   \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	static char huge[] = "huge";
	const struct CMUnitTest tests[] = {
		ROW("many times", 98000, 200, 1000, ANSWER_OK,
		    "page table walks a touch: 0.98000 on 4 KiB pages, "
		    "0.00200 on huge pages, by x::W (4:0x34)"),
		ROW("none on huge pages", 98000, 0, 1000, ANSWER_OK,
		    "page table walks a touch: 0.98000 on 4 KiB pages, "
		    "0.00000 on huge pages, by x::W (4:0x34)"),
		ROW("just 10 times", 10000, 1000, 1000, ANSWER_WRONG,
		    "page table walks a touch: 0.10000 on 4 KiB pages, "
		    "0.01000 on huge pages, by x::W (4:0x34): not more than "
		    "10 times as many; these counts are not what they say, or "
		    "memory is not mapped as the kernel says"),
		ROW("nothing", 0, 0, 1000, ANSWER_WRONG,
		    "dtlb_walk counted nothing in 100000 touches of 4 KiB "
		    "pages: this CPU does not have the event"),
		ROW("never on the PMU", 0, 0, 0, ANSWER_WRONG,
		    "the group with dtlb_walk opened, and was never on the "
		    "PMU: others hold its counters, or it needs more than "
		    "there are"),
		ROW("multiplexed", 98000, 200, 999, ANSWER_WRONG,
		    "multiplexed: others count on this PMU too"),
		{ "small pages", check_memory, NULL, NULL, NULL },
		{ "huge pages", check_memory, NULL, NULL, huge },
		cmocka_unit_test(says_why_not),
		OTHER_ROW("collapsed", check_collapse_text, text_row, 0, 8, 8,
			  "collapsed"),
		OTHER_ROW("refused", check_collapse_text, text_row, EINVAL, 0,
			  8, "refused: EINVAL"),
		OTHER_ROW("some", check_collapse_text, text_row, ENOMEM, 7, 8,
			  "7 of 8 huge pages, then ENOMEM"),
		OTHER_ROW("done, none", check_collapse_text, text_row, 0, 0, 8,
			  "done, but no huge page"),
		OTHER_ROW("done, some", check_collapse_text, text_row, 0, 7, 8,
			  "done, 7 of 8 huge pages"),
		OTHER_ROW("fault, all", check_fault_text, text_row, 0, 4, 4,
			  "huge pages"),
		OTHER_ROW("fault, none", check_fault_text, text_row, 0, 0, 4,
			  "small pages"),
		OTHER_ROW("fault, some", check_fault_text, text_row, 0, 1, 4,
			  "1 of 4 huge pages"),
		OTHER_ROW("reach: nothing", check_reach, reach_row,
			  { 8, 120, 0, 0 }, "nothing"),
		OTHER_ROW("reach: all hot", check_reach, reach_row,
			  { 8, 120, 8, 0 },
			  "most of the hot range, little else"),
		OTHER_ROW("reach: whole huge pages", check_reach, reach_row,
			  { 8, 120, 6, 2 },
			  "most of the hot range, little else"),
		OTHER_ROW("reach: half", check_reach, reach_row,
			  { 8, 120, 4, 0 },
			  "a part of the hot range, little else"),
		OTHER_ROW("reach: all", check_reach, reach_row,
			  { 8, 120, 8, 120 },
			  "most of the hot range, much else"),
		OTHER_ROW("reach: beside", check_reach, reach_row,
			  { 8, 120, 0, 30 },
			  "nothing of the hot range, much else"),
		OTHER_ROW("stress: fine", check_stress, stress_row,
			  { 9, 8, 7, 6, 0, 3000000000, false },
			  "[    1.000000] all is well\n", ANSWER_OK,
			  "no complaint, and memory as written",
			  "9 collapses, 8 done; 7 times unmapped, 6 forks in "
			  "3 s"),
		OTHER_ROW("stress: the kernel complains", check_stress,
			  stress_row, { 9, 8, 7, 6, 0, 3000000000, false },
			  "[    1.000000] BUG: Bad page map\n", ANSWER_WRONG,
			  "the kernel complains",
			  "1 message: BUG: Bad page map"),
		OTHER_ROW("stress: memory is wrong", check_stress, stress_row,
			  { 9, 8, 7, 6, 2, 3000000000, false }, "",
			  ANSWER_WRONG, "memory holds what nobody wrote",
			  "2 findings; the kernel says nothing"),
		OTHER_ROW("stress: both", check_stress, stress_row,
			  { 9, 8, 7, 6, 2, 3000000000, false },
			  "[ 1.0] WARNING: a\n[ 1.0] BUG: b\n", ANSWER_WRONG,
			  "memory holds what nobody wrote",
			  "2 findings; 2 messages, the first: WARNING: a"),
		OTHER_ROW("stress: no forks", check_stress, stress_row,
			  { 9, 8, 7, 0, 0, 3000000000, false }, "",
			  ANSWER_MISSING, "one of its threads could do nothing",
			  "9 collapses, 8 done; 7 times unmapped, 0 forks in "
			  "3 s"),
		OTHER_ROW("stress: cut off", check_stress, stress_row,
			  { 9, 8, 7, 6, 0, 3000000000, true }, "",
			  ANSWER_MISSING, "one of its threads could do nothing",
			  "9 collapses, 8 done; 7 times unmapped, 6 forks in "
			  "3 s"),
		OTHER_ROW("child answers", check_child, child_row, says_so,
			  ANSWER_OK, "so it is"),
		OTHER_ROW("child says nothing", check_child, child_row,
			  says_nothing, ANSWER_MISSING,
			  "the probe says nothing"),
		OTHER_ROW("child crashes", check_child, child_row, crashes,
			  ANSWER_MISSING,
			  "the probe was ended: killed by SIGABRT"),
		OTHER_ROW("child hangs", check_child, child_row, hangs,
			  ANSWER_MISSING, "no answer in 1 s"),
		OTHER_ROW("no settings", check_arm, arm_row, NULL, "", ""),
		OTHER_ROW("settings", check_arm, arm_row,
			  "thp.defrag=always thp.khugepaged.max_ptes_none=0",
			  "defrag=always max_ptes_none=0", ""),
		OTHER_ROW("the size follows", check_arm, arm_row, "thp=never",
			  "enabled=never enabled=inherit", ""),
		OTHER_ROW("no such file", check_arm, arm_row, "thp.nothing=1",
			  "",
			  "this kernel has no /sys/kernel/mm/"
			  "transparent_hugepage/nothing"),
		OTHER_ROW("no setting", check_arm, arm_row, "nothing=1", "",
			  "nothing is no setting"),
		cmocka_unit_test(table_is_sound),
	};
	int ret;

	if (root_open("/", &root))
		return 1;
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	root_close(&root);
	return ret;
}
