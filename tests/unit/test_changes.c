/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From points to what changed, and a baseline against what came after it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/history/changes.h"
#include "data/history/gate.h"
#include "near.h"

enum { MOST = 24, MOST_CUTS = 4 };

struct row {
	enum metric_better better;
	double x[MOST]; /* ends with 0 */
	double magnitude;
	size_t family; /* series like it; 0: it alone */
	size_t cuts[MOST_CUTS];
	enum verdict verdicts[MOST_CUTS];
	bool made_good[MOST_CUTS];
	enum verdict newest;
	bool is_drift;
	const char *why; /* what the reason says */
};

static void make_list(const struct row *row, struct history_list *list)
{
	char tps[] = "tps";

	list->n = row->family ? row->family : 1;
	list->list = xcalloc(list->n, sizeof(*list->list));
	for (size_t k = 0; k < list->n; k++) {
		struct history_series *s = &list->list[k];

		*s = (struct history_series){ .host = xstrdup("db1"),
					      .config = xstrdup("0"),
					      .metric = xstrdup(tps),
					      .margin = xstrdup(""),
					      .better = row->better };
		s->points = xcalloc(MOST, sizeof(*s->points));
		while (s->n < MOST && fabs(row->x[s->n]) > 0) {
			s->points[s->n].mean = row->x[s->n];
			s->n++;
		}
	}
}

static void free_list(struct history_list *list)
{
	history_list_free(list);
}

static void check_row(void **state)
{
	const struct row *row = *state;
	const struct changes_options o = { .magnitude = row->magnitude };
	struct history_list list;
	struct changes *all;
	size_t n = 0;

	make_list(row, &list);
	changes_find(&list, &o, &all);
	while (n < MOST_CUTS && row->cuts[n])
		n++;
	assert_int_equal(all[0].n, n);
	for (size_t i = 0; i < n; i++) {
		const struct change *x = &all[0].list[i];

		assert_int_equal(x->at, row->cuts[i]);
		assert_int_equal(x->verdict, row->verdicts[i]);
		assert_int_equal(x->is_made_good, row->made_good[i]);
		assert_true(x->size.low < x->size.centre);
		assert_true(x->size.centre < x->size.high);
	}
	assert_int_equal(all[0].newest.verdict, row->newest);
	assert_int_equal(all[0].is_drift, row->is_drift);
	if (row->why)
		assert_non_null(strstr(all[0].why, row->why));
	else
		assert_null(all[0].why);
	changes_free(all, list.n);
	free_list(&list);
}

/* About normal, 100 with a deviation of 5. */
static double noise(void)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += rand() / (double)RAND_MAX;
	return 100 + 5 * (sum - 6);
}

/* 100 to 95: the ratio of the geometric means, and its interval. */
static void test_size(void **state)
{
	const struct row row = { .better = METRIC_MORE,
				 .x = { 99, 100, 101, 100, 100, 94, 95, 96, 95,
					95 } };
	const struct changes_options o = { .magnitude = 0.01 };
	struct history_list list;
	struct changes *all;
	double d = 0;

	(void)state;
	for (size_t i = 0; i < 5; i++)
		d += (log(row.x[5 + i]) - log(row.x[i])) / 5;
	make_list(&row, &list);
	changes_find(&list, &o, &all);
	assert_int_equal(all[0].n, 1);
	assert_near(all[0].list[0].size.centre, exp(d), 1e-12);
	assert_near(all[0].list[0].before, 100, 1e-9);
	assert_near(all[0].list[0].after, 95, 1e-9);
	changes_free(all, 1);
	free_list(&list);
}

/*
 * Families of three arms, 20 points each, in which nothing changes: what is
 * said of them by chance. 5 % have a change, 5 % an off point, and a regression
 * is half of either; the bounds are 3 sd of a count in 400 above.
 */
static void test_by_chance(void **state)
{
	enum { N_FAMILIES = 400, ARMS = 3, POINTS = 20 };
	const struct row row = { .better = METRIC_LESS, .family = ARMS };
	const struct changes_options o = { .magnitude = 0.01 };
	size_t n_changed = 0;
	size_t n_off = 0;
	size_t n_worse = 0;

	(void)state;
	srand(21);
	for (size_t k = 0; k < N_FAMILIES; k++) {
		struct history_list list;
		struct changes *all;
		bool is_changed = false;
		bool is_off = false;
		bool is_worse = false;

		make_list(&row, &list);
		for (size_t i = 0; i < ARMS * POINTS; i++)
			list.list[i / POINTS].points[i % POINTS].mean = noise();
		for (size_t i = 0; i < ARMS; i++)
			list.list[i].n = POINTS;
		changes_find(&list, &o, &all);
		for (size_t i = 0; i < ARMS; i++) {
			enum verdict v = all[i].newest.verdict;

			is_changed |= all[i].n > 0;
			is_off |= v != VERDICT_INCONCLUSIVE;
			is_worse |= v == VERDICT_REGRESSED;
			for (size_t x = 0; x < all[i].n; x++)
				is_worse |= all[i].list[x].verdict ==
						    VERDICT_REGRESSED &&
					    !all[i].list[x].is_made_good;
		}
		n_changed += is_changed;
		n_off += is_off;
		n_worse += is_worse;
		changes_free(all, ARMS);
		free_list(&list);
	}
	print_message("of %d: %zu changed, %zu off, %zu worse\n", N_FAMILIES,
		      n_changed, n_off, n_worse);
	assert_in_range(n_changed, 5, 33);
	assert_in_range(n_off, 5, 33);
	assert_in_range(n_worse, 5, 33);
}

/* --- gate --- */

static void set_point(struct history_point *p, const char *uid, double mean,
		      double spread)
{
	static const double off[] = { -1, 0, 1, 0.5, -0.5 };

	p->uid = xstrdup(uid);
	p->n = ARRAY_SIZE(off);
	p->x = xcalloc(p->n, sizeof(*p->x));
	for (size_t i = 0; i < p->n; i++)
		p->x[i] = mean + spread * off[i];
}

struct gate_case {
	double base;
	double now;
	double spread;
	enum verdict want;
};

static void check_gate(void **state)
{
	const struct gate_case *c = *state;
	const struct row row = { .better = METRIC_LESS, .x = { 1, 1 } };
	struct history_list list;
	struct gate gate;

	make_list(&row, &list);
	set_point(&list.list[0].points[0], "base", c->base, c->spread);
	set_point(&list.list[0].points[1], "now", c->now, c->spread);
	gate_judge(&list, "base", "now", (double)NAN, &gate);
	assert_int_equal(gate.n, 1);
	assert_int_equal(gate.rows[0].verdict, c->want);
	assert_near(gate.margin, 0.01, 0);
	gate_free(&gate);
	gate_judge(&list, "base", "other", (double)NAN, &gate);
	assert_int_equal(gate.rows[0].verdict, VERDICT_NONE);
	assert_non_null(gate.rows[0].why);
	gate_free(&gate);
	free_list(&list);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define GATE(name, base, now, spread, want)                                    \
	{                                                                      \
		"gate: " name, check_gate, NULL, NULL, &(struct gate_case)     \
		{                                                              \
			base, now, spread, want                                \
		}                                                              \
	}
#define TEN 100, 101, 99, 100, 101, 99, 100, 101, 99, 100
#define LOW 95, 94, 96, 95, 94, 96

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("nothing", .better = METRIC_MORE, .x = { TEN },
		    .magnitude = 0.01, .newest = VERDICT_INCONCLUSIVE),
		ROW("down, where more is better", .better = METRIC_MORE,
		    .x = { TEN, LOW }, .magnitude = 0.01, .cuts = { 10 },
		    .verdicts = { VERDICT_REGRESSED },
		    .newest = VERDICT_INCONCLUSIVE),
		ROW("down, where less is better", .better = METRIC_LESS,
		    .x = { TEN, LOW }, .magnitude = 0.01, .cuts = { 10 },
		    .verdicts = { VERDICT_IMPROVED },
		    .newest = VERDICT_INCONCLUSIVE),
		ROW("down, where neither is", .better = METRIC_NEITHER,
		    .x = { TEN, LOW }, .magnitude = 0.01, .cuts = { 10 },
		    .verdicts = { VERDICT_DIFFERS },
		    .newest = VERDICT_INCONCLUSIVE),
		ROW("less than the magnitude", .better = METRIC_MORE,
		    .x = { TEN, LOW }, .magnitude = 0.06,
		    .newest = VERDICT_INCONCLUSIVE),
		ROW("back again", .better = METRIC_MORE,
		    .x = { 100, 101, 99, 100, 101, 99, LOW, 101, 100, 99, 100,
			   101 },
		    .magnitude = 0.01, .cuts = { 6, 12 },
		    .verdicts = { VERDICT_REGRESSED, VERDICT_IMPROVED },
		    .made_good = { true, false },
		    .newest = VERDICT_INCONCLUSIVE),
		ROW("half back", .better = METRIC_MORE,
		    .x = { 100, 101, 99, 100, 101, 99, 89, 90, 91, 90, 89, 91,
			   95, 94, 96, 95, 94, 96 },
		    .magnitude = 0.01, .cuts = { 6, 12 },
		    .verdicts = { VERDICT_REGRESSED, VERDICT_IMPROVED },
		    .newest = VERDICT_INCONCLUSIVE),
		ROW("the newest alone", .better = METRIC_MORE, .x = { TEN, 90 },
		    .magnitude = 0.01, .newest = VERDICT_REGRESSED),
		ROW("the newest alone, better", .better = METRIC_MORE,
		    .x = { TEN, 110 }, .magnitude = 0.01,
		    .newest = VERDICT_IMPROVED),
		ROW("the newest of five", .better = METRIC_MORE,
		    .x = { 100, 101, 99, 100, 80 }, .magnitude = 0.01,
		    .newest = VERDICT_REGRESSED,
		    .why = "5 points; change points need 8"),
		ROW("three points say nothing", .better = METRIC_MORE,
		    .x = { 100, 101, 80 }, .magnitude = 0.01,
		    .newest = VERDICT_NONE, .why = "3 points"),
		ROW("six never have a change, however large",
		    .better = METRIC_MORE, .x = { 100, 101, 99, 10, 11, 12 },
		    .magnitude = 0.01, .newest = VERDICT_INCONCLUSIVE,
		    .why = "6 points; change points need 8"),
		ROW("eight may", .better = METRIC_MORE,
		    .x = { 100, 101, 99, 100, 80, 81, 79, 80 },
		    .magnitude = 0.01, .cuts = { 4 },
		    .verdicts = { VERDICT_REGRESSED },
		    .newest = VERDICT_INCONCLUSIVE),
		ROW("of two arms they have none", .better = METRIC_MORE,
		    .x = { 100, 101, 99, 100, 80, 81, 79, 80 },
		    .magnitude = 0.01, .family = 2,
		    .newest = VERDICT_INCONCLUSIVE,
		    .why = "8 points; change points need 9"),
		ROW("seen in one of sixty arms", .better = METRIC_MORE,
		    .x = { TEN, LOW }, .magnitude = 0.01, .family = 60,
		    .cuts = { 10 }, .verdicts = { VERDICT_REGRESSED },
		    .newest = VERDICT_INCONCLUSIVE),
		ROW("a slow drift is called one", .better = METRIC_MORE,
		    .x = { 100, 99.2, 98.9, 98.4, 98.1, 97.4, 97.1, 96.4, 96,
			   95.7, 95, 94.4, 94.1, 93.5, 93.1, 92.4, 92, 91.6 },
		    .magnitude = 0.01, .cuts = { 5, 10, 15 },
		    .verdicts = { VERDICT_REGRESSED, VERDICT_REGRESSED,
				  VERDICT_REGRESSED },
		    .newest = VERDICT_NONE, .is_drift = true),
		ROW("corrected for twenty like it", .better = METRIC_MORE,
		    .x = { 100, 101, 99, 100, 96 }, .magnitude = 0.01,
		    .family = 20, .newest = VERDICT_INCONCLUSIVE,
		    .why = "5 points"),
		ROW("which alone is one", .better = METRIC_MORE,
		    .x = { 100, 101, 99, 100, 96 }, .magnitude = 0.01,
		    .newest = VERDICT_REGRESSED, .why = "5 points"),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_by_chance),
		GATE("worse", 100, 105, 1, VERDICT_REGRESSED),
		GATE("better", 100, 95, 1, VERDICT_IMPROVED),
		GATE("the same", 100, 100, 0.2, VERDICT_EQUIVALENT),
		GATE("who knows", 100, 101, 3, VERDICT_INCONCLUSIVE),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
