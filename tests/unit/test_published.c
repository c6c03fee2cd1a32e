/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of public mails: read, and computed again. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "data/extra.h"
#include "data/published.h"

#include "near.h"

static void read_letter(const char *name, struct published *p)
{
	auto_free char *path = xasprintf("results/published/%s.tsv", name);
	auto_free char *why = NULL;
	char *text;

	assert_int_equal(file_read(path, &text, NULL), 0);
	assert_int_equal(published_parse(name, text, p, &why), 0);
	assert_null(why);
}

struct change_row {
	const char *letter;
	const char *metric;
	const char *arm;
	const char *change; /* as a table has it */
};

/* From the numbers as printed to the changes that are known of them. */
static void check_change(void **state)
{
	const struct change_row *row = *state;
	auto_free char *text = NULL;
	struct published p;
	double pct;

	read_letter(row->letter, &p);
	assert_non_null(published_find(&p, row->metric, row->arm));
	assert_true(published_change(&p,
				     published_find(&p, row->metric, row->arm),
				     &pct));
	text = xasprintf("%+.2f", pct);
	assert_string_equal(text, row->change);
	published_free(&p);
}

struct error_row {
	const char *letter;
	const char *kind;
	const char *text; /* part of it */
};

static void check_error(void **state)
{
	const struct error_row *row = *state;
	struct published p;
	bool is_there = false;

	read_letter(row->letter, &p);
	for (size_t i = 0; i < p.n_errors; i++)
		is_there |= str_eq(p.errors[i].kind, row->kind) &&
			    strstr(p.errors[i].text, row->text);
	assert_true(is_there);
	published_free(&p);
}

struct share_row {
	const char *letter;
	size_t n;
};

/* The letters' shares are those of their counts: nothing is added. */
static void check_shares(void **state)
{
	const struct share_row *row = *state;
	struct published p;
	size_t n_errors;

	read_letter(row->letter, &p);
	n_errors = p.n_errors;
	assert_int_equal(published_recompute(&p), row->n);
	assert_int_equal(p.n_errors, n_errors);
	published_free(&p);
}

static void wrong_shares(void **state)
{
	char *text = xstrdup("title\ta\nsource\tb\narm\tx\n"
			     "value\tdtlb_access\t1\tneither\tx\t1000\n"
			     "value\tdtlb_walk\t1\tless\tx\t27\n"
			     "value\tdtlb_walk_share_pct\t%\tless\tx\t0.27\n"
			     "point\tx\t1\t1000\t100\t10\n"
			     "point\tx\t2\t1000\t200\t21\n");
	auto_free char *why = NULL;
	struct published p;

	(void)state;
	assert_int_equal(published_parse("t", text, &p, &why), 0);
	assert_int_equal(published_recompute(&p), 3);
	assert_int_equal(p.n_errors, 2);
	assert_non_null(strstr(p.errors[0].text, "give 20.00 %"));
	assert_non_null(strstr(p.errors[1].text, "its counts give 2.7"));
	published_free(&p);
}

/* Each row of a letter is of a metric that is ours, or of a benchmark. */
static void all_letters(void **state)
{
	DIR *d = opendir("results/published");
	struct dirent *entry;
	size_t n = 0;

	(void)state;
	assert_non_null(d);
	while ((entry = readdir(d))) {
		auto_free char *name = xstrdup(entry->d_name);
		struct published p;

		if (!str_ends(name, ".tsv"))
			continue;
		name[strlen(name) - strlen(".tsv")] = '\0';
		read_letter(name, &p);
		assert_true(p.n_values > 0 && p.n_arms > 0);
		for (size_t i = 0; i < p.n_values; i++)
			if (!p.values[i].is_change)
				assert_non_null(
					metric_find(p.values[i].metric));
		published_free(&p);
		n++;
	}
	closedir(d);
	assert_int_equal(n, 5);
}

struct bad_row {
	const char *text;
	const char *why;
};

static void check_bad(void **state)
{
	const struct bad_row *row = *state;
	auto_free char *why = NULL;
	struct published p;

	assert_int_equal(published_parse("t", xstrdup(row->text), &p, &why),
			 -EPROTO);
	assert_non_null(strstr(why, row->why));
	assert_null(p.title);
}

static void arms(void **state)
{
	struct arm_record ours[3] = { { .label = (char *)"a" },
				      { .label = (char *)"b" },
				      { .label = (char *)"T n" } };
	struct experiment e = { .arms = ours, .n_arms = 3 };
	struct published p;
	size_t arm;

	(void)state;
	read_letter("damos-collapse-v1", &p);
	facts_set(&ours[0].settings, "thp", "never");
	facts_set(&ours[0].settings, "damos", "collapse");
	facts_set(&ours[0].settings, "damos.quota_bytes", "1G");
	facts_set(&ours[1].settings, "thp", "madvise");
	assert_true(published_arm(&p, "T n, D c", &e, &arm));
	assert_int_equal(arm, 0);
	assert_false(published_arm(&p, "T m, D h", &e, &arm));
	/* Two that would do are none. */
	facts_copy(&ours[1].settings, &ours[0].settings);
	facts_set(&ours[1].settings, "thp", "never");
	assert_false(published_arm(&p, "T n, D c", &e, &arm));
	ours[2].label = (char *)"T n, D c";
	assert_true(published_arm(&p, "T n, D c", &e, &arm));
	assert_int_equal(arm, 2);
	for (size_t i = 0; i < 3; i++)
		facts_free(&ours[i].settings);
	published_free(&p);
}

#define CHANGE(name, ...)                                                      \
	{                                                                      \
		"change " name, check_change, NULL, NULL, &(struct change_row) \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define ERROR(name, ...)                                                       \
	{                                                                      \
		"error " name, check_error, NULL, NULL, &(struct error_row)    \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define SHARES(letter, n)                                                      \
	{                                                                      \
		"shares " letter, check_shares, NULL, NULL,                    \
			&(struct share_row)                                    \
		{                                                              \
			letter, n                                              \
		}                                                              \
	}
#define BAD(name, text, why)                                                   \
	{                                                                      \
		"bad " name, check_bad, NULL, NULL, &(struct bad_row)          \
		{                                                              \
			text, why                                              \
		}                                                              \
	}

#define V1 "damos-collapse-v1"
#define HEAD "title\ta\nsource\tb\narm\tx\n"

int main(void)
{
	const struct CMUnitTest tests[] = {
		CHANGE("autotune", "hugepage-autotune-rfc3", "tps",
		       "T n, D cc 10 %", "+0.27"),
		CHANGE("v1 hugepage", V1, "tps", "T m, D h", "+0.70"),
		CHANGE("v1 collapse", V1, "tps", "T n, D c", "+0.59"),
		CHANGE("v1 of 0", V1, "huge_bytes", "T n, D c", "+nan"),
		CHANGE("given, with a mark", "khugepaged-nonwritable-v2",
		       "process-pipes-7", "patched", "-12.13"),
		CHANGE("given, insignificant", "khugepaged-nonwritable-v2",
		       "process-pipes-4", "patched", "+0.00"),
		ERROR("v1 label", V1, "label twice", "first one's label"),
		ERROR("v1 unit", V1, "unit missing", "GiB"),
		ERROR("v1 n", V1, "no n", "how many runs"),
		ERROR("v2 text", "damos-collapse-v2", "text against table",
		      "say the opposite"),
		SHARES(V1, 6),
		SHARES("damos-collapse-v2", 0),
		SHARES("hugepage-autotune-rfc3", 17),
		cmocka_unit_test(wrong_shares),
		cmocka_unit_test(all_letters),
		cmocka_unit_test(arms),
		BAD("nothing", "", "no title"),
		BAD("no source", "title\ta\n", "no source"),
		BAD("kind", HEAD "figure\ttps\n", "row 4, 'figure'"),
		BAD("short", HEAD "value\ttps\t1/s\n", "more cells"),
		BAD("number", HEAD "value\ttps\t1/s\tmore\tx\tmany\n",
		    "a number"),
		BAD("direction", HEAD "value\ttps\t1/s\tup\tx\t1\n",
		    "more, less or neither"),
		BAD("twice", HEAD "title\tb\n", "there once"),
		BAD("setting", HEAD "arm\ty\tthp\n", "KEY=VALUE"),
		BAD("arm of a value", HEAD "value\ttps\t1/s\tmore\ty\t1\n",
		    "no row for arm 'y'"),
		BAD("arm of a claim", HEAD "claim\ta\ttps\ty\t> 0\n",
		    "no row for arm 'y'"),
		BAD("base", HEAD "base\ty\n", "no row for arm 'y'"),
		BAD("point", HEAD "point\tx\t1\t2\t3\tall\n", "four numbers"),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
