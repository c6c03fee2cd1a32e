/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics against certified values: Statistical Reference Datasets of
 * NIST/ITL (public domain), univariate and one-way analysis of variance. At
 * least nine digits must agree.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/stats/stats.h"

#include "data_files.h"

enum { DIGITS = 9 };

/* The log relative error: how many digits of a certified value agree. */
static void assert_some(const char *what, double found, double certified,
			int digits)
{
	double off = fabs(found - certified);

	if (fabs(certified) > 0)
		off /= fabs(certified);
	if (!(off <= pow(10, -digits)))
		fail_msg("%s: %.17g, certified %.17g: %.1f digits", what, found,
			 certified, -log10(off));
}

static void assert_digits(const char *what, double found, double certified)
{
	assert_some(what, found, certified, DIGITS);
}

/* The number behind the last ':' or blank word of a line that has text. */
static double number_after(const char *text, const char *what)
{
	const char *at = strstr(text, what);

	if (!at)
		fail_msg("no '%s' in the file", what);
	at += strlen(what);
	at += strspn(at, " \t");
	return strtod(at, NULL);
}

/* Where line 61 begins: that of the data in all these files. */
static const char *data_lines(const char *text)
{
	for (int line = 1; line < 61; line++) {
		text = strchr(text, '\n');
		assert_non_null(text);
		text++;
	}
	return text;
}

/*
 * A file and the leading digits that are taken off its numbers as text: with
 * them the numbers do not fit doubles (of 1000000000000.4 four digits behind
 * the point are left), and no sum over doubles can have nine digits.
 */
struct file {
	const char *name;
	const char *lead;
	double mean; /* without them; NAN: as certified */
	int digits;  /* that are left if they are not taken off */
};

static size_t read_numbers(const char *text, const char *lead, double **out)
{
	size_t n = 0;
	char *end;

	*out = NULL;
	for (;;) {
		double x;

		text += strspn(text, " \t\r\n");
		if (*lead && str_starts(text, lead))
			text += strlen(lead);
		x = strtod(text, &end);
		if (end == text)
			return n;
		XGROW(*out, n);
		(*out)[n++] = x;
		text = end;
	}
}

static void check_univariate(const double *y, size_t n, double mean, double sd,
			     double lag1)
{
	assert_digits("mean", stats_mean(y, n), mean);
	assert_digits("standard deviation", stats_stddev(y, n), sd);
	assert_digits("autocorrelation", stats_lag1(y, n), lag1);
}

static void univariate(void **state)
{
	const struct file *f = *state;
	auto_free char *text = data_file("data/nist/%s.dat", f->name);
	auto_free double *y = NULL;
	auto_free double *whole = NULL;
	double sd = number_after(text, "s:  ");
	size_t n = read_numbers(data_lines(text), f->lead, &y);

	assert_int_equal(n, (size_t)number_after(text, "Observations:"));
	check_univariate(y, n, *f->lead ? f->mean : number_after(text, "ybar:"),
			 sd, number_after(text, "r(1):"));
	read_numbers(data_lines(text), "", &whole);
	assert_some("whole, sd", stats_stddev(whole, n), sd, f->digits);
}

static struct stats_anova judge_cells(const double *cells, size_t n)
{
	auto_free double *y = xcalloc(n, sizeof(*y));
	auto_free size_t *group = xcalloc(n, sizeof(*group));
	size_t n_groups = 0;

	for (size_t i = 0; i < n; i++) {
		group[i] = (size_t)cells[2 * i] - 1;
		y[i] = cells[2 * i + 1];
		if (group[i] >= n_groups)
			n_groups = group[i] + 1;
	}
	return stats_anova(y, group, n, n_groups);
}

/* Treatment and response, line by line. */
static void anova(void **state)
{
	const struct file *f = *state;
	auto_free char *text = data_file("data/nist/%s.dat", f->name);
	auto_free double *cells = NULL;
	auto_free double *whole = NULL;
	const char *lines = strstr(data_lines(text), "1 ");
	size_t n = read_numbers(lines, f->lead, &cells) / 2;
	const char *between = strstr(text, "\nBetween ");
	struct stats_anova a;
	double certified[4];
	char *end;

	assert_true(n >= 20);
	assert_non_null(between);
	end = strpbrk(between + 9, " \t");
	for (int i = 0; i < 4; i++)
		certified[i] = strtod(end, &end);
	a = judge_cells(cells, n);
	assert_int_equal(a.df_between, (size_t)certified[0]);
	assert_digits("sum of squares", a.ss_between, certified[1]);
	assert_digits("F", a.f, certified[3]);
	read_numbers(lines, "", &whole);
	a = judge_cells(whole, n);
	assert_some("whole, F", a.f, certified[3], f->digits);
}

/* NumAcc1 to 4 are made by a rule, so they are here for everyone. */
static void by_rule(double base, size_t n, double sd)
{
	auto_free double *y = xcalloc(n, sizeof(*y));

	y[0] = base + 0.2;
	for (size_t i = 1; i < n; i++)
		y[i] = base + (i % 2 ? 0.1 : 0.3);
	assert_digits("mean", stats_mean(y, n), base + 0.2);
	assert_digits("standard deviation", stats_stddev(y, n), sd);
}

static void numacc2(void **state)
{
	(void)state;
	by_rule(1, 1001, 0.1);
}

/* 25 resistances of five instruments (SiRstv), certified F. */
static void sirstv(void **state)
{
	static const double y[] = {
		196.3052, 196.1240, 196.1890, 196.2569, 196.3403,
		196.3042, 196.3825, 196.1669, 196.3257, 196.0422,
		196.1303, 196.2005, 196.2889, 196.0343, 196.1811,
		196.2795, 196.1748, 196.1494, 196.1485, 195.9885,
		196.2119, 196.1051, 196.1850, 196.0052, 196.2090,
	};
	size_t group[ARRAY_SIZE(y)];
	struct stats_anova a;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(y); i++)
		group[i] = i / 5;
	a = stats_anova(y, group, ARRAY_SIZE(y), 5);
	assert_int_equal(a.df_within, 20);
	assert_digits("between", a.ss_between, 5.11462616E-02);
	assert_digits("within", a.ss_within, 2.1663656E-01);
	assert_digits("F", a.f, 1.18046237440255);
	/* Q of F(4, 20) at that point. */
	assert_true(a.p > 0.34 && a.p < 0.36);
}

#define FILE_OF(name, test, ...)                                               \
	{                                                                      \
		name, test, NULL, NULL, &(struct file)                         \
		{                                                              \
			name, __VA_ARGS__                                      \
		}                                                              \
	}
#define UNIVARIATE(name) FILE_OF(name, univariate, "", NAN, DIGITS)
#define ANOVA(name) FILE_OF(name, anova, "", NAN, DIGITS)

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNIVARIATE("PiDigits"),
		UNIVARIATE("Lottery"),
		UNIVARIATE("Lew"),
		UNIVARIATE("Mavro"),
		UNIVARIATE("Michelso"),
		UNIVARIATE("NumAcc1"),
		UNIVARIATE("NumAcc2"),
		UNIVARIATE("NumAcc3"),
		FILE_OF("NumAcc4", univariate, "1000000", 0.2, 8),
		ANOVA("SiRstv"),
		ANOVA("AtmWtAg"),
		ANOVA("SmLs01"),
		ANOVA("SmLs02"),
		ANOVA("SmLs04"),
		ANOVA("SmLs05"),
		FILE_OF("SmLs07", anova, "1000000000", NAN, 2),
		FILE_OF("SmLs08", anova, "1000000000", NAN, 2),
		cmocka_unit_test(numacc2),
		cmocka_unit_test(sirstv),
	};

	return cmocka_run_group_tests_name("nist", tests, NULL, NULL);
}
