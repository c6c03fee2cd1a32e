/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * E-Divisive against what others found: MongoDB's signal processing algorithms
 * and Apache Otava (both Apache-2.0), whose series are below ../shared/data;
 * the short ones are here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/history/edivisive.h"
#include "data/history/energy.h"
#include "data_files.h"
#include "near.h"

struct row {
	const char *file; /* NULL: x */
	const char *key;  /* in its object; NULL: it is an array */
	double x[60];
	size_t n;
	size_t cuts[12]; /* ends with 0 */
	size_t near;     /* how far off a cut may be */
	bool is_subset;  /* there may be more */
};

static double *read_series(const struct row *row, size_t *n)
{
	auto_free char *text = NULL;
	double *x;
	json_t *json;
	json_t *list;

	if (!row->file) {
		x = xcalloc(row->n, sizeof(*x));
		*n = row->n;
		memcpy(x, row->x, row->n * sizeof(*x));
		return x;
	}
	text = data_file("%s", row->file);
	json = json_loads(text, 0, NULL);
	list = row->key ? json_object_get(json, row->key) : json;
	*n = json_array_size(list);
	assert_true(*n > 0);
	x = xcalloc(*n, sizeof(*x));
	for (size_t i = 0; i < *n; i++)
		x[i] = json_number_value(json_array_get(list, i));
	json_decref(json);
	return x;
}

static bool has_near(const struct edivisive *e, size_t at, size_t most)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->cuts[i].at + most >= at && e->cuts[i].at <= at + most)
			return true;
	return false;
}

static void check_row(void **state)
{
	const struct row *row = *state;
	size_t n;
	auto_free double *x = read_series(row, &n);
	struct edivisive_options o = edivisive_defaults(n);
	struct edivisive e;
	size_t n_cuts = 0;

	edivisive(x, n, &o, &e);
	for (; row->cuts[n_cuts]; n_cuts++)
		if (!has_near(&e, row->cuts[n_cuts], row->near))
			fail_msg("no cut near %zu", row->cuts[n_cuts]);
	if (!row->is_subset)
		assert_int_equal(e.n, n_cuts);
	for (size_t i = 0; i < e.n; i++) {
		size_t from = i ? e.cuts[i - 1].at : 0;

		assert_true(e.cuts[i].at >= from + o.least);
		assert_true(e.cuts[i].p <= o.level);
		assert_true(e.cuts[i].p >= 1.0 / (double)(o.n_orders + 1));
	}
	edivisive_free(&e);
}

/* [0] * k + [1] * k is cut at k, as MongoDB's test of its algorithm says. */
static void test_step(void **state)
{
	(void)state;
	for (size_t k = 4; k < 100; k += 5) {
		double x[200] = { 0 };
		struct edivisive_options o = edivisive_defaults(2 * k);
		struct edivisive e;

		for (size_t i = k; i < 2 * k; i++)
			x[i] = 1;
		edivisive(x, 2 * k, &o, &e);
		assert_int_equal(e.n, 1);
		assert_int_equal(e.cuts[0].at, k);
		edivisive_free(&e);
	}
}

/* 2 of C(n, n / 2): 20, 35, 70, 126, 252 for 6 to 10. */
static void test_least(void **state)
{
	static const struct {
		double level;
		size_t least;
		size_t n_orders;
	} rows[] = {
		{ 0.1, 6, 999 },         { 0.05, 8, 999 },
		{ 0.025, 9, 999 },       { 0.05 / 4, 10, 999 },
		{ 0.05 / 60, 14, 4799 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct edivisive_options o =
			edivisive_at_level(50, rows[i].level);

		assert_int_equal(edivisive_least_values(&o), rows[i].least);
		assert_int_equal(o.n_orders, rows[i].n_orders);
	}
}

static void test_none(void **state)
{
	static const double same[50] = { 0 };
	struct edivisive_options o = edivisive_defaults(50);
	struct edivisive e;

	(void)state;
	for (size_t n = 0; n <= 50; n++) {
		edivisive(same, n, &o, &e);
		assert_int_equal(e.n, 0);
		edivisive_free(&e);
	}
}

/* A short step within a long segment: only an end of its own finds it. */
static void test_bump(void **state)
{
	double x[200];
	struct edivisive_options o = edivisive_defaults(200);
	struct edivisive e;

	(void)state;
	srand(3);
	for (size_t i = 0; i < 200; i++)
		x[i] = rand() / (double)RAND_MAX +
		       (i >= 120 && i < 126 ? 5 : 0);
	edivisive(x, 200, &o, &e);
	assert_int_equal(e.n, 2);
	assert_int_equal(e.cuts[0].at, 120);
	assert_int_equal(e.cuts[1].at, 126);
	edivisive_free(&e);
}

/* Of 200 series without a change about 5 % have one; 18 is 2.5 sd more. */
static void test_false(void **state)
{
	size_t n_false = 0;

	(void)state;
	srand(11);
	for (size_t k = 0; k < 200; k++) {
		double x[30];
		struct edivisive_options o = edivisive_defaults(30);
		struct edivisive e;

		o.n_orders = 199;
		for (size_t i = 0; i < 30; i++)
			x[i] = rand() / (double)RAND_MAX;
		edivisive(x, 30, &o, &e);
		n_false += e.n > 0;
		edivisive_free(&e);
	}
	if (n_false > 18)
		fail_msg("%zu of 200", n_false);
}

/*
 * x = 1..99 with y = 1..104 and y = 10000, 10014, ..., 12998: E as MongoDB's
 * tests have it. There the means of X and Y count each value paired with
 * itself, too: they are less by a share of 1 / n than ours, of which those of
 * 1..n are (n + 1) / 3.
 */
static void check_energy(double from, double step, size_t m, double want)
{
	double x[99];
	double y[215];
	double e;

	for (size_t i = 0; i < 99; i++)
		x[i] = (double)i + 1;
	for (size_t i = 0; i < m; i++)
		y[i] = from + step * (double)i;
	e = energy_distance(x, 99, y, m);
	e += 100.0 / 3 / 99 + step * ((double)m + 1) / 3 / (double)m;
	assert_near(e, want, 0.0015);
}

static void test_energy(void **state)
{
	(void)state;
	check_energy(1, 1, 104, 0.160);
	check_energy(10000, 14, 215, 21859.691);
}

/* The two ways to seek agree on where a series of 401 values is cut, and the
 * Q of the quick one is what the definition gives. */
static void test_long(void **state)
{
	enum { N = ENERGY_ALL_ENDS + 1 };
	double x[N];
	struct energy *e;
	struct energy_split s;
	double q;

	(void)state;
	srand(5);
	for (size_t i = 0; i < N; i++)
		x[i] = rand() / (double)RAND_MAX + (i >= 150);
	e = energy_new(x, N);
	s = energy_best(e, 3);
	q = energy_distance(x, s.at, x + s.at, N - s.at) * (double)s.at *
	    (double)(N - s.at) / N;
	assert_int_equal(s.at, 150);
	assert_near(s.q / q, 1, 1e-9);
	energy_free(e);
	e = energy_new(x, N - 1);
	s = energy_best(e, 3);
	assert_int_equal(s.at, 150);
	energy_free(e);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("otava: one step", .n = 20,
		    .x = { 1.02, 0.95, 0.99, 1.00, 1.12, 1.00, 1.01,
			   0.98, 1.01, 0.96, 0.50, 0.51, 0.48, 0.48,
			   0.55, 0.50, 0.49, 0.51, 0.50, 0.49 },
		    .cuts = { 10 }),
		ROW("otava: two steps", .n = 14,
		    .x = { 0.3, 2.4, 1.5, -0.9, -0.5, 99.7, 98.3, 99.1, 149.0,
			   149.7, 149.5, 149.1, 148.8, 150.0 },
		    .cuts = { 5, 8 }),
		ROW("mongodb: three ranges", .n = 60,
		    .x = { 41,  18,  23,  3,   32,  11,  40,  13,  29,  48,
			   47,  35,  18,  21,  6,   2,   23,  3,   4,   7,
			   120, 103, 102, 81,  71,  62,  115, 61,  108, 63,
			   70,  98,  65,  96,  64,  74,  70,  113, 90,  114,
			   208, 196, 153, 150, 225, 179, 206, 165, 177, 151,
			   218, 217, 244, 245, 229, 195, 225, 229, 176, 250 },
		    .cuts = { 20, 40 }),
		ROW("mongodb: two steps, one outlier", .n = 45,
		    .x = { 50,  50,  100, 50,  50,  50,  50,  50,  50,
			   50,  50,  50,  50,  50,  50,  100, 100, 100,
			   100, 100, 100, 100, 100, 100, 100, 100, 100,
			   100, 100, 100, 150, 150, 150, 150, 150, 150,
			   150, 150, 150, 150, 150, 150, 150, 150, 150 },
		    .cuts = { 15, 30 }),
		/* Those that it finds at p < 0.00001, and at 0.001 nearly. */
		ROW("otava: tigerbeetle",
		    .file = "data/otava/tigerbeetle_series_and_expected.json",
		    .key = "series", .cuts = { 15, 61, 71, 95, 131, 148, 192 },
		    .is_subset = true),
		ROW("mongodb: five levels of 200",
		    .file = "data/mongodb-spa/long_series.json",
		    .cuts = { 200, 400, 600, 800 }, .near = 6),
		ROW("mongodb: outliers alone",
		    .file = "data/mongodb-spa/real_series.json"),
		ROW("mongodb: levels",
		    .file = "data/mongodb-spa/robust_series.json",
		    .cuts = { 25, 64, 68, 114 }),
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_least),
		cmocka_unit_test(test_bump),
		cmocka_unit_test(test_false),
		cmocka_unit_test(test_energy),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
