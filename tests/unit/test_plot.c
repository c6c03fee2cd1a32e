/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What plots tell gnuplot: texts, numbers, lists, sets of rows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mem.h"
#include "out/draw.h"
#include "out/plot.h"

struct quote_row {
	const char *text;
	const char *quoted;
};

static void check_quote(void **state)
{
	const struct quote_row *row = *state;
	auto_free char *expected = xasprintf("x = %s\n", row->quoted);
	struct plot p;

	plot_begin(&p);
	plot_text(&p, "x", row->text);
	assert_string_equal(p.settings.text, expected);
	plot_free(&p);
}

#define QUOTE(name, text, quoted)                                              \
	{                                                                      \
		"quote " name, check_quote, NULL, NULL, &(struct quote_row)    \
		{                                                              \
			text, quoted                                           \
		}                                                              \
	}

static void numbers(void **state)
{
	struct plot p;

	(void)state;
	plot_begin(&p);
	plot_number(&p, "a", 12);
	plot_number(&p, "b", 0.5);
	plot_number(&p, "c", NAN);
	assert_string_equal(p.settings.text, "a = 12\nb = 0.5\nc = NaN\n");
	plot_free(&p);
}

static void lists(void **state)
{
	struct plot_list list = { 0 };
	struct plot p;

	(void)state;
	plot_begin(&p);
	plot_list_end(&p, "none", &list);
	assert_string_equal(p.settings.text, "n_none = 0\n");
	str_free(&p.settings);
	plot_list_text(&list, "T n");
	plot_list_number(&list, 2.5);
	plot_list_end(&p, "two", &list);
	assert_string_equal(p.settings.text, "n_two = 2\narray two[2] = [ \\\n"
					     "\t'T n', \\\n\t2.5 ]\n");
	assert_int_equal(list.n, 0);
	plot_free(&p);
}

static void sets(void **state)
{
	const double cells[] = { 1, NAN, 0.25 };
	struct plot p;

	(void)state;
	plot_begin(&p);
	plot_set(&p, "one\ntwo", "a\tb\tc");
	plot_row(&p, cells, 3);
	plot_set(&p, "next", "a");
	plot_row(&p, cells, 1);
	assert_string_equal(p.data.text, "# one two\n# a\tb\tc\n1\t-\t0.25\n"
					 "\n\n# next\n# a\n1\n");
	assert_int_equal(p.n_sets, 2);
	plot_free(&p);
}

static void first_reason(void **state)
{
	struct plot p;

	(void)state;
	plot_begin(&p);
	plot_miss(&p, "no %s", "PMU");
	plot_miss(&p, "another");
	assert_string_equal(p.missing, "no PMU");
	plot_free(&p);
}

/* Each maker copes with an experiment that has nothing. */
static void nothing(void **state)
{
	struct arm_record arms[2] = { { .label = (char *)"a" },
				      { .label = (char *)"b" } };
	struct experiment e = { .arms = arms, .n_arms = 2, .blocks = 3 };

	(void)state;
	for (size_t i = 0; i < n_plot_makers; i++) {
		struct plot p;

		plot_begin(&p);
		plot_makers[i].make(&e, &p);
		assert_non_null(p.missing);
		assert_int_not_equal(*p.missing, '\0');
		plot_free(&p);
		/* Nor does it touch the disk. */
		auto_free char *why = NULL;

		assert_int_equal(draw_plot(&e, &plot_makers[i], "/nowhere",
					   DRAW_SVG, &why),
				 0);
		assert_non_null(why);
	}
}

static void styles(void **state)
{
	(void)state;
	assert_int_equal(plot_style(0), 1);
	assert_int_equal(plot_style(31), 32);
	assert_int_equal(plot_style(32), 1);
	assert_true(plot_label_px(4) < plot_label_px(40));
	assert_int_equal(plot_label_px(1000), plot_label_px(400));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		QUOTE("plain", "T n, D h", "'T n, D h'"),
		QUOTE("empty", "", "''"),
		QUOTE("a quote", "a'b", "'a'.\"'\".'b'"),
		QUOTE("a quote first", "'b", "''.\"'\".'b'"),
		QUOTE("a command", "`id` @x $y \\n", "'`id` @x $y \\n'"),
		QUOTE("a line end", "a\nb", "'a b'"),
		QUOTE("no ASCII", "\xc2\xb5s", "'us'"),
		cmocka_unit_test(numbers),
		cmocka_unit_test(lists),
		cmocka_unit_test(sets),
		cmocka_unit_test(first_reason),
		cmocka_unit_test(nothing),
		cmocka_unit_test(styles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
