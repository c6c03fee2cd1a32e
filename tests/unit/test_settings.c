/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench/settings: saved, applied, verified, restored; on recorded machines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <inttypes.h>

#include "base/err.h"
#include "base/str.h"
#include "bench/guard/settings.h"
#include "kern/knobs.h"
#include "scratch.h"

/* Last: its fail() hides ours. */
#include <cmocka.h>

/* A literal that may be handed over as char *. */
#define T(text) ((char[]){ text })

#define THP "sys/kernel/mm/transparent_hugepage/"
#define MIN_FREE "proc/sys/vm/min_free_kbytes"
#define SWAPPINESS "proc/sys/vm/swappiness"
#define TO_SCAN THP "khugepaged/pages_to_scan"

static struct knob knobs_a[] = {
	{ T("thp"), T(THP "enabled"), T("always"), 10 },
	{ T("thp.khugepaged.pages_to_scan"), T(TO_SCAN), T("8192"), 11 },
	{ T("thp.hugepages-64kB.enabled"), T(THP "hugepages-64kB/enabled"),
	  T("inherit"), 12 },
};
static struct knob knobs_b[] = {
	{ T("thp"), T(THP "enabled"), T("never"), 20 },
	{ T("sysctl.vm.swappiness"), T(SWAPPINESS), T("1"), 21 },
};
static struct arm arms[] = {
	{ .label = T("T a"), .knobs = knobs_a, .n_knobs = ARRAY_SIZE(knobs_a) },
	{ .label = T("T n"), .knobs = knobs_b, .n_knobs = ARRAY_SIZE(knobs_b) },
	{ .label = T("base") },
};
static struct config config = { .path = T("x.conf"),
				.arms = arms,
				.n_arms = ARRAY_SIZE(arms) };

static int setup(void **state)
{
	struct scratch *s = xcalloc(1, sizeof(*s));

	*state = s;
	return scratch_open(s, "host-6.18");
}

static int teardown(void **state)
{
	struct scratch *s = *state;
	int ret = scratch_close(s);

	free(s);
	return ret;
}

/* Every knob of the root, as it stands in the files. free() it. */
static char *all_texts(const struct root *root)
{
	struct str all = { 0 };
	char **paths;
	size_t n;

	assert_int_equal(knobs_list(root, &paths, &n), 0);
	for (size_t i = 0; i < n; i++) {
		auto_free char *text = NULL;

		root_read(root, paths[i], &text);
		str_addf(&all, "%s: %s", paths[i], text ? text : "?\n");
	}
	root_list_free(paths, n);
	return str_steal(&all);
}

static void expect(const struct root *root, const char *path, const char *text)
{
	auto_free char *now = NULL;

	assert_int_equal(root_read(root, path, &now), 0);
	assert_string_equal(now, text);
}

static void apply(const struct root *root, const struct arm *arm,
		  struct settings *s)
{
	char *bad;

	assert_int_equal(settings_apply(root, arm, s, &bad), 0);
	assert_null(bad);
}

static void test_round_trip(void **state)
{
	const struct root *root = &((struct scratch *)*state)->root;
	auto_free char *before = all_texts(root);
	auto_free char *restored = NULL;
	struct settings s;
	char *foreign;

	assert_int_equal(settings_save(root, &config, &s), 0);
	apply(root, &arms[0], &s);
	expect(root, THP "enabled", "[always] madvise never\n");
	expect(root, TO_SCAN, "8192\n");
	expect(root, THP "hugepages-64kB/enabled",
	       "always [inherit] madvise never\n");
	settings_check(root, &s, &foreign);
	assert_null(foreign);

	/* The next arm gets first values where it asks for none. */
	apply(root, &arms[1], &s);
	expect(root, THP "enabled", "always madvise [never]\n");
	expect(root, TO_SCAN, "4096\n");
	expect(root, SWAPPINESS, "1\n");
	apply(root, &arms[2], &s);
	expect(root, THP "enabled", "always [madvise] never\n");
	settings_check(root, &s, &foreign);
	assert_null(foreign);

	apply(root, &arms[0], &s);
	assert_int_equal(settings_restore(root, &s), 0);
	restored = all_texts(root);
	assert_string_equal(restored, before);
	settings_free(&s);
}

static const struct setting *find(const struct settings *s, const char *path)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->list[i].path, path))
			return &s->list[i];
	fail_msg("no setting %s", path);
	return NULL;
}

static void test_what_is_ours(void **state)
{
	const struct root *root = &((struct scratch *)*state)->root;
	auto_free struct setting_record *records = NULL;
	const struct setting *last = NULL;
	struct settings s;
	size_t n;

	assert_int_equal(settings_save(root, &config, &s), 0);
	assert_true(find(&s, THP "enabled")->is_ours);
	assert_true(find(&s, SWAPPINESS)->is_ours);
	assert_true(find(&s, MIN_FREE)->is_ours);
	assert_false(find(&s, THP "defrag")->is_ours);
	for (size_t i = 0; i < s.n; i++) {
		assert_true(!last || last->rank <= s.list[i].rank);
		last = &s.list[i];
	}
	apply(root, &arms[1], &s);
	records = settings_records(&s, &n);
	assert_int_equal(n, s.n);
	for (size_t i = 0; i < n; i++) {
		if (!str_eq(records[i].path, THP "enabled"))
			continue;
		assert_string_equal(records[i].before, "madvise");
		assert_string_equal(records[i].asked, "never");
		assert_string_equal(records[i].read_back, "never");
		assert_string_equal(records[i].after, "");
	}
	settings_restore(root, &s);
	settings_free(&s);
}

static void test_no_thp_knob_no_pin(void **state)
{
	const struct root *root = &((struct scratch *)*state)->root;
	struct arm arm = { .label = T("s"),
			   .knobs = &knobs_b[1],
			   .n_knobs = 1 };
	struct config one = { .path = T("x.conf"), .arms = &arm, .n_arms = 1 };
	struct settings s;

	assert_int_equal(settings_save(root, &one, &s), 0);
	assert_false(find(&s, MIN_FREE)->is_ours);
	settings_free(&s);
}

/* As the kernel does when `enabled` is written: the pin must undo it. */
static void test_min_free_is_put_back(void **state)
{
	struct scratch *scratch = *state;
	const struct root *root = &scratch->root;
	struct settings s;
	char *bad;

	assert_int_equal(settings_save(root, &config, &s), 0);
	scratch_put(scratch, MIN_FREE, "5581\n");
	assert_int_equal(settings_apply(root, &arms[0], &s, &bad), 0);
	assert_null(bad);
	expect(root, MIN_FREE, "67584\n");
	scratch_put(scratch, MIN_FREE, "5581\n");
	assert_int_equal(settings_restore(root, &s), 0);
	expect(root, MIN_FREE, "67584\n");
	settings_free(&s);
}

#define STAT "sys/module/damon_stat/parameters/enabled"
#define RECLAIM "sys/module/damon_reclaim/parameters/enabled"

static void expect_file(const struct scratch *m, const char *path,
			const char *expected)
{
	auto_free char *text = NULL;

	assert_int_equal(root_read_word(&m->root, path, &text), 0);
	assert_string_equal(text, expected);
}

/* DAMON_STAT is on: off in every run, recorded as asked, on in the end. */
static void test_damon_users_are_off(void **state)
{
	struct scratch m;
	struct settings s;
	char *bad;

	(void)state;
	assert_int_equal(scratch_open(&m, "guest-7.3"), 0);
	assert_int_equal(settings_save(&m.root, &config, &s), 0);
	assert_true(settings_add(&s, STAT)->is_ours);
	assert_false(settings_add(&s, RECLAIM)->is_ours);
	expect_file(&m, STAT, "Y");
	for (size_t i = 0; i < ARRAY_SIZE(arms); i++) {
		assert_int_equal(settings_apply(&m.root, &arms[i], &s, &bad),
				 0);
		free(bad);
		expect_file(&m, STAT, "N");
		assert_string_equal(settings_add(&s, STAT)->asked, "N");
		assert_int_equal(settings_restore(&m.root, &s), 0);
		expect_file(&m, STAT, "Y");
	}
	expect_file(&m, RECLAIM, "N");
	settings_free(&s);
	scratch_close(&m);
}

static void test_value_does_not_hold(void **state)
{
	struct scratch *scratch = *state;
	const struct root *root = &scratch->root;
	auto_free char *path = xasprintf("%s/root/" TO_SCAN, scratch->dir);
	struct settings s;
	char *bad;

	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("/dev/null", path), 0);
	assert_int_equal(settings_save(root, &config, &s), 0);
	assert_int_equal(settings_apply(root, &arms[0], &s, &bad), 0);
	assert_string_equal(bad, TO_SCAN " does not hold: 8192 was written, "
					 " read back");
	free(bad);
	settings_free(&s);
}

/* On this kernel, but in files of this process alone. */
static void test_real_kernel_file(void **state)
{
	struct knob knob = { T("x"), T("proc/self/coredump_filter"), T("0x32"),
			     1 };
	struct arm arm = { .label = T("x"), .knobs = &knob, .n_knobs = 1 };
	struct config one = { .path = T("x.conf"), .arms = &arm, .n_arms = 1 };
	auto_free char *before = NULL;
	auto_free char *after = NULL;
	struct settings s;
	struct root root;
	char *bad;

	(void)state;
	assert_int_equal(root_open("/", &root), 0);
	assert_int_equal(root_read(&root, knob.path, &before), 0);
	/* Written 0x32, shown as "00000032": not the same number to us. */
	assert_int_equal(settings_save(&root, &one, &s), 0);
	assert_int_equal(settings_apply(&root, &arm, &s, &bad), 0);
	assert_string_equal(bad, "proc/self/coredump_filter does not hold: "
				 "0x32 was written, 00000032 read back");
	free(bad);
	settings_free(&s);
	assert_int_equal(root_write(&root, knob.path, "0x33"), 0);

	knob = (struct knob){ T("x"), T("proc/self/oom_score_adj"), T("500"),
			      1 };
	free(before);
	assert_int_equal(root_read(&root, knob.path, &before), 0);
	assert_int_equal(settings_save(&root, &one, &s), 0);
	apply(&root, &arm, &s);
	expect(&root, knob.path, "500\n");
	settings_restore(&root, &s);
	assert_int_equal(root_read(&root, knob.path, &after), 0);
	if (geteuid() == 0)
		assert_string_equal(before, after);
	settings_free(&s);
	root_close(&root);
}

struct foreign_row {
	const char *before_run; /* TO_SCAN between save and apply, or NULL */
	const char *path;       /* changed after apply, or NULL */
	const char *text;
	const char *sentence; /* part of it; NULL: none */
};

static void check_foreign(void **state)
{
	const struct foreign_row *row = *state;
	struct scratch scratch;
	const struct root *root = &scratch.root;
	struct settings s;
	char *foreign;

	assert_int_equal(scratch_open(&scratch, "host-6.18"), 0);
	assert_int_equal(settings_save(root, &config, &s), 0);
	if (row->before_run)
		scratch_put(&scratch, THP "defrag", row->before_run);
	apply(root, &arms[0], &s);
	if (row->path)
		scratch_put(&scratch, row->path, row->text);
	settings_check(root, &s, &foreign);
	if (row->sentence) {
		assert_non_null(foreign);
		if (!strstr(foreign, row->sentence))
			fail_msg("%s", foreign);
	} else {
		assert_null(foreign);
	}
	free(foreign);
	settings_free(&s);
	assert_int_equal(scratch_close(&scratch), 0);
}

/* A run that failed before it wrote anything is not somebody else's hand. */
static void test_check_without_apply(void **state)
{
	const struct root *root = &((struct scratch *)*state)->root;
	struct settings s;
	char *foreign;

	assert_int_equal(settings_save(root, &config, &s), 0);
	settings_check(root, &s, &foreign);
	assert_null(foreign);
	assert_int_equal(settings_restore(root, &s), 0);
	settings_free(&s);
}

static void test_restore_that_fails(void **state)
{
	struct scratch *scratch = *state;
	const struct root *root = &scratch->root;
	auto_free char *path = xasprintf("%s/root/" TO_SCAN, scratch->dir);
	struct settings s;

	assert_int_equal(settings_save(root, &config, &s), 0);
	apply(root, &arms[0], &s);
	assert_int_equal(unlink(path), 0);
	/* Gone with its module: nothing to restore, the rest goes on. */
	assert_int_equal(settings_restore(root, &s), 0);
	expect(root, THP "enabled", "always [madvise] never\n");

	assert_int_equal(mkdir(path, 0755), 0);
	assert_int_equal(settings_restore(root, &s), -EISDIR);
	assert_non_null(strstr(err_last(), "pages_to_scan"));
	assert_int_equal(find(&s, TO_SCAN)->restore_err, -EISDIR);
	settings_free(&s);
}

static void test_write_that_fails(void **state)
{
	struct scratch *scratch = *state;
	const struct root *root = &scratch->root;
	auto_free char *path = xasprintf("%s/root/" TO_SCAN, scratch->dir);
	struct settings s;
	char *bad;

	assert_int_equal(settings_save(root, &config, &s), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(settings_apply(root, &arms[0], &s, &bad), -ENOENT);
	assert_non_null(strstr(err_last(), "arm \"T a\": write 8192 to "));
	assert_null(bad);
	settings_free(&s);
}

static void test_freshen(void **state)
{
	struct scratch *scratch = *state;
	const struct root *root = &scratch->root;

	scratch_put(scratch, "proc/sys/vm/drop_caches", "0\n");
	scratch_put(scratch, "proc/sys/vm/compact_memory", "");
	assert_int_equal(settings_freshen(root, false, false), 0);
	expect(root, "proc/sys/vm/drop_caches", "0\n");
	assert_int_equal(settings_freshen(root, true, true), 0);
	expect(root, "proc/sys/vm/drop_caches", "3");
	expect(root, "proc/sys/vm/compact_memory", "1");
}

static void check_machine(void **state)
{
	const char *tree = *state;
	struct scratch scratch;
	auto_free char *before = NULL;
	auto_free char *after = NULL;
	struct knob knob = { T("thp.defrag"), T(THP "defrag"), T("defer"), 1 };
	struct arm arm = { .label = T("x"), .knobs = &knob, .n_knobs = 1 };
	struct config one = { .path = T("x.conf"), .arms = &arm, .n_arms = 1 };
	struct settings s;
	char *foreign;
	char *bad;

	assert_int_equal(scratch_open(&scratch, tree), 0);
	before = all_texts(&scratch.root);
	assert_int_equal(settings_save(&scratch.root, &one, &s), 0);
	assert_true(s.n >= 5);
	assert_int_equal(settings_apply(&scratch.root, &arm, &s, &bad), 0);
	free(bad);
	settings_check(&scratch.root, &s, &foreign);
	assert_null(foreign);
	settings_restore(&scratch.root, &s);
	after = all_texts(&scratch.root);
	assert_string_equal(before, after);
	settings_free(&s);
	assert_int_equal(scratch_close(&scratch), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
#define FOREIGN(name, ...)                                                     \
	{                                                                      \
		"foreign: " name, check_foreign, NULL, NULL,                   \
			&(struct foreign_row)                                  \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define MACHINE(tree)                                                          \
	{                                                                      \
		"machine: " tree, check_machine, NULL, NULL, T(tree)           \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_round_trip),
		TEST(test_what_is_ours),
		TEST(test_no_thp_knob_no_pin),
		TEST(test_min_free_is_put_back),
		TEST(test_value_does_not_hold),
		cmocka_unit_test(test_damon_users_are_off),
		cmocka_unit_test(test_real_kernel_file),
		FOREIGN("nothing", NULL, NULL, NULL, NULL),
		FOREIGN("a counter", NULL, THP "khugepaged/full_scans", "7\n",
			NULL),
		FOREIGN("ours", NULL, THP "enabled", "always madvise [never]\n",
			THP "enabled was changed by somebody else: madvise at "
			    "first, always at the start of the run, never at "
			    "its end"),
		FOREIGN("watched", NULL, "proc/sys/kernel/randomize_va_space",
			"0\n", "2 at the start of the run, 0 at its end"),
		FOREIGN("pinned", NULL, MIN_FREE, "1\n", MIN_FREE),
		FOREIGN("spelt otherwise", NULL, TO_SCAN, " 08192 \n", NULL),
		FOREIGN("before the run", "[always] madvise never\n", NULL,
			NULL, "defrag was changed by somebody else: madvise"),
		FOREIGN("a kdamond came", NULL,
			"sys/kernel/mm/damon/admin/kdamonds/nr_kdamonds", "7\n",
			"nr_kdamonds"),
		TEST(test_check_without_apply),
		TEST(test_restore_that_fails),
		TEST(test_write_that_fails),
		TEST(test_freshen),
		MACHINE("host-6.18"),
		MACHINE("guest-7.3"),
		MACHINE("arm64-6.12"),
		MACHINE("broken"),
	};

	err_quiet(1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
