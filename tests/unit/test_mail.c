/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables in the forms of other tools: what is read of each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/mail.h"

#include "near.h"

struct figure_row {
	const char *text;
	bool is_figure;
	double number;
	double half;
	const char *unit;
	double aside; /* 0: none */
	char mark;
};

static void check_figure(void **state)
{
	const struct figure_row *row = *state;
	struct quantity q;

	assert_int_equal(quantity_parse(row->text, &q, NULL), row->is_figure);
	if (!row->is_figure)
		return;
	assert_near(q.number, row->number, 1e-12);
	assert_near(q.half, row->half, 1e-12);
	assert_string_equal(q.unit, row->unit);
	assert_int_equal(q.mark, row->mark);
	assert_int_equal(q.has_aside, row->aside < 0 || row->aside > 0);
	if (q.has_aside)
		assert_near(q.aside, row->aside, 1e-12);
}

#define FIGURE(text_, ...)                                                     \
	{                                                                      \
		"figure: " text_, check_figure, NULL, NULL,                    \
			&(struct figure_row)                                   \
		{                                                              \
			text_, true, __VA_ARGS__                               \
		}                                                              \
	}
#define NO_FIGURE(text_)                                                       \
	{                                                                      \
		"no figure: " text_, check_figure, NULL, NULL,                 \
			&(struct figure_row)                                   \
		{                                                              \
			.text = text_                                          \
		}                                                              \
	}

/* Each table in a line, its cells parted by commas, rows by semicolons. */
static char *dump(const char *text)
{
	struct str out = { 0 };
	struct mail m;

	mail_parse(text, &m);
	for (size_t i = 0; i < m.n_tables; i++) {
		const struct mail_table *t = &m.tables[i];

		str_addf(&out, "%s %zu-%zu", mail_form_text(t->form),
			 t->first + 1, t->last + 1);
		for (size_t c = 0; c < t->n_columns; c++)
			str_addf(&out, "%s%s", c ? "," : " ",
				 t->columns[c].title);
		for (size_t r = 0; r < t->n_rows; r++) {
			str_addf(&out, ";%s", t->rows[r].label);
			for (size_t c = 0; c < t->n_columns; c++)
				str_addf(&out, ",%s", t->rows[r].cells[c].text);
		}
		str_addc(&out, '\n');
	}
	mail_free(&m);
	return str_steal(&out);
}

struct table_row {
	const char *text;
	const char *expected;
};

static void check_tables(void **state)
{
	const struct table_row *row = *state;
	auto_free char *found = dump(row->text);

	assert_string_equal(found, row->expected);
}

#define TABLES(name, ...)                                                      \
	{                                                                      \
		"tables: " name, check_tables, NULL, NULL, &(struct table_row) \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

static const struct CMUnitTest tests[] = {
	FIGURE("18324.57", 18324.57, 0.005, "", 0, 0),
	FIGURE(" 1,234,567", 1234567, 0.5, "", 0, 0),
	FIGURE("(I) -12.13%", -12.13, 0.005, "%", 0, 'I'),
	FIGURE("2.38 GB", 2.38, 0.005, "GB", 0, 0),
	FIGURE("233us", 233, 0.5, "us", 0, 0),
	FIGURE("+0.27 % [-0.11, +0.65]", 0.27, 0.005, "%", 0, 0),
	FIGURE("1.5e-3 s", 1.5e-3, 0.5e-4, "s", 0, 0),
	FIGURE("24207.21 (   5.18%)", 24207.21, 0.005, "", 5.18, 0),
	FIGURE("26024.05 * -18.13%*", 26024.05, 0.005, "", -18.13, '*'),
	FIGURE("75,011 ( +- 0.47% )", 75011, 0.5, "", 0.47, 0),
	FIGURE("161714 +-2%", 161714, 0.5, "", 2, 0),
	NO_FIGURE("10.5.29"),
	NO_FIGURE("4k-pages"),
	NO_FIGURE("3rd"),
	NO_FIGURE("v6.18"),
	NO_FIGURE("n/a"),
	NO_FIGURE(""),
	TABLES("grid with its rules",
	       "text\n\n+---+----+----+\n|   | a  | b  |\n+===+====+====+\n"
	       "| x | 1  | 2% |\n+---+----+----+\n",
	       "grid 3-7 a,b;x,1,2%\n"),
	TABLES("grid: a group's name stands for its rows",
	       "+----+--------+----+\n| B  | Class  | v  "
	       "|\n+====+========+====+\n"
	       "| sc | p1 (s) | 1  |\n|    | p2 (s) | 2  "
	       "|\n+----+--------+----+\n",
	       "grid 1-6 v;sc p1 (s),1;sc p2 (s),2\n"),
	TABLES("grid that lost rules and a cell",
	       "| sc | p1 (s) | (I) -1.00% |\n|    | p2 (s) |\n",
	       "grid 1-2 ;sc p1 (s),(I) -1.00%;sc p2 (s),\n"),
	TABLES("grid: a label goes on below, further in",
	       "+--------+----+\n| B      | v  |\n|   C    |    |\n"
	       "+========+====+\n| name   |    |\n|   long | 1% |\n"
	       "|     er |    |\n|   xy   | 2% |\n+--------+----+\n",
	       "grid 1-9 v;name,;long er,1%;xy,2%\n"),
	TABLES("Markdown", "| l | a |\n|---|--:|\n| x | 1 |\n",
	       "markdown 1-3 a;x,1\n"),
	TABLES("Markdown without outer pipes", "l | a\n--|--\nx | 1\n",
	       "markdown 1-3 a;x,1\n"),
	TABLES("mmtests",
	       "                         BASE                   NEW\n"
	       "Min    1-SET    23014.96 (   0.00%)    24207.21 (   5.18%)\n"
	       "Hmean  1-SET    31788.42 (   0.00%)    26024.05 * -18.13%*\n",
	       "mmtests 1-3 BASE,NEW;Min    1-SET,23014.96 (   0.00%),"
	       "24207.21 (   5.18%);Hmean  1-SET,31788.42 (   0.00%),"
	       "26024.05 * -18.13%*\n"),
	TABLES("mmtests, labels of several words",
	       "                     T n, D h          T n, D c\n"
	       "Amean  x (s)   1.00 (   0.00%)   2.00 ( 100.00%)\n",
	       "mmtests 1-2 T n, D h,T n, D c;Amean  x (s),"
	       "1.00 (   0.00%),2.00 ( 100.00%)\n"),
	TABLES("mmtests, some without a change",
	       "                  BASE            NEW\n"
	       "Amean  x   1.00 (   0.00%)   2.00 ( 100.00%)\n"
	       "Stddev x   0.00 (   0.00%)   0.00 (    n/a )\n",
	       "mmtests 1-3 BASE,NEW;Amean  x,1.00 (   0.00%),"
	       "2.00 ( 100.00%);Stddev x,0.00 (   0.00%),0.00 (    n/a )\n"),
	TABLES("groups with names of two lines",
	       "b\n  arm  value  n\n================\nlong (ns, lower is\n"
	       " better)\n  a      1.5  2\n  b      2.5  2\nother\n"
	       "  a      3.5  2\n  b      4.5  2\n",
	       "aligned 1-10 value,n;long (ns, lower is better) a,1.5,2;"
	       "long (ns, lower is better) b,2.5,2;other a,3.5,2;"
	       "other b,4.5,2\n"),
	TABLES("perf stat",
	       " Performance counter stats for 'x' (5 runs):\n\n"
	       "   1,234.50 msec task-clock  #  0.99 CPUs  ( +-  0.81% )\n"
	       " 75,011,087      dtlb_walk  ( +- 0.47% ) (83.30%)\n"
	       " <not supported>      itlb_walk\n\n"
	       " 1.250 +- 0.010 seconds time elapsed  ( +- 0.81% )\n",
	       "perf 1-7 value,comment,spread,counted;"
	       "task-clock,1,234.50 msec,0.99 CPUs,+-  0.81%,;"
	       "dtlb_walk,75,011,087,,+- 0.47%,83.30%;"
	       "itlb_walk,<not supported>,,,;"
	       "seconds time elapsed,1.250,,+- 0.81%,\n"),
	TABLES("aligned, with units and groups",
	       "arm      total  huge\n           GiB   "
	       "GiB\n==================\n"
	       "first\n  never  0.5     0\n  always  0.5  n/a (1)\n",
	       "aligned 1-6 total GiB,huge GiB;first never,0.5,0;"
	       "first always,0.5,n/a (1)\n"),
	TABLES("aligned, with overheads",
	       "          orig    rec\nparsec  107.59  107.96 (0.34)\n"
	       "splash   88.10   88.00 (-0.11)\n",
	       "aligned 1-3 orig,rec;parsec,107.59,107.96 (0.34);"
	       "splash,88.10,88.00 (-0.11)\n"),
	TABLES("a list, one colon lost", "a, b: 1.5\na, c 2\nb, c: 3\n",
	       "list 1-3 ;a, b,1.5;a, c,2;b, c,3\n"),
	TABLES("quoted", "> +--+--+\n> | x | 1 |\n> +--+--+\n",
	       "grid 1-3 ;x,1\n"),
	TABLES("prose is no table",
	       "This is text.  It has 5 figures\nof 2 lines.  See 3 below.\n",
	       ""),
	TABLES("nor are headers and a diffstat",
	       "Subject: x\nDate: 1\nX-N: 2\n\ntext\n---\n a.c | 5 ++-\n"
	       " b.c | 2 --\n",
	       ""),
};

int main(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
