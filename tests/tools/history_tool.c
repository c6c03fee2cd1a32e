/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For tests/bench/history.sh:
 *   history_tool cuts N         seconds that E-Divisive takes for N values with
 *                               nine changes, and how many it finds
 *   history_tool fill STORE N   a store with one series of N such points
 *   history_tool chance N       of N series of 50 points in which nothing
 *                               changes: how many have a change, an off newest
 *                               point, a regression that counts
 */
#include <math.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "data/history/changes.h"
#include "data/history/edivisive.h"
#include "data/history/history.h"

/*
 * The same at both sizes, so that their times compare; with this seed of the
 * series both have all nine changes and no other.
 */
enum { ORDERS = 199, LEVELS = 10 };

/* Ten levels, each a standard deviation of its noise above the last. */
static double value_at(size_t i, size_t n)
{
	double noise = 0;

	for (int k = 0; k < 12; k++)
		noise += rand() / (double)RAND_MAX;
	return 1000 + noise - 6 + (double)(i * LEVELS / n);
}

static int cuts(size_t n)
{
	auto_free double *x = xcalloc(n + 1, sizeof(*x));
	struct edivisive_options o = edivisive_defaults(n);
	struct edivisive e;
	uint64_t start;

	for (size_t i = 0; i < n; i++)
		x[i] = value_at(i, n);
	o.n_orders = ORDERS;
	start = clock_cpu_ns();
	edivisive(x, n, &o, &e);
	printf("%.3f %zu\n", (double)(clock_cpu_ns() - start) / 1e9, e.n);
	edivisive_free(&e);
	return 0;
}

static int fill_one(struct sql *db, size_t i, size_t n)
{
	auto_free char *uid = xasprintf("%016zx", i);
	auto_free char *created = xasprintf("%020zu", i);
	const struct sql_value experiment[] = {
		sql_text(uid),     sql_text(uid),  sql_text(""),
		sql_text("db1"),   sql_text("0"),  sql_text("a.conf"),
		sql_text(created), sql_text(""),   sql_text("tps"),
		sql_text("T n"),   sql_text("1%"),
	};
	const struct sql_value run[] = { sql_text(uid),   sql_whole(1),
					 sql_whole(1),    sql_whole(1),
					 sql_text("T n"), sql_text("6.18"),
					 sql_text("ok") };
	const struct sql_value measured[] = { sql_text(uid), sql_whole(1),
					      sql_text("tps"),
					      sql_real(value_at(i, n)) };
	int ret = sql_insert(db, "INSERT INTO experiment VALUES", experiment,
			     ARRAY_SIZE(experiment), 1);

	if (!ret)
		ret = sql_insert(db, "INSERT INTO run VALUES", run,
				 ARRAY_SIZE(run), 1);
	return ret ? ret
		   : sql_insert(db, "INSERT INTO measured VALUES", measured,
				ARRAY_SIZE(measured), 1);
}

static int fill(const char *store, size_t n)
{
	struct history h;
	int ret = history_open(store, true, &h);

	if (!ret)
		ret = h.db.kind->begin(&h.db);
	for (size_t i = 0; !ret && i < n; i++)
		ret = fill_one(&h.db, i, n);
	if (!ret)
		ret = h.db.kind->commit(&h.db);
	if (ret)
		history_fail(&h, ret);
	history_close(&h);
	return ret != 0;
}

enum { CHANCE_POINTS = 50 };

static void make_series(struct history_series *s, struct history_point *points)
{
	static char name[] = "x";

	*s = (struct history_series){
		.host = name,
		.config = name,
		.metric = name,
		.better = METRIC_MORE,
		.points = points,
		.n = CHANCE_POINTS,
	};
	/* Noise of 5 %, so that no change is small. */
	for (size_t i = 0; i < s->n; i++)
		points[i].mean = 1000 + 50 * (value_at(0, 1) - 1000);
}

static bool has_regression(const struct changes *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->list[i].verdict == VERDICT_REGRESSED &&
		    !c->list[i].is_made_good)
			return true;
	return c->newest.verdict == VERDICT_REGRESSED;
}

/* Each by itself, as configurations are. */
static int chance(size_t n)
{
	const struct changes_options o = { .magnitude = 0.01 };
	size_t n_changed = 0;
	size_t n_off = 0;
	size_t n_any = 0;
	size_t n_worse = 0;

	for (size_t i = 0; i < n; i++) {
		struct history_point points[CHANCE_POINTS] = { 0 };
		struct history_series series;
		const struct history_list list = { &series, 1 };
		struct changes *c;
		bool is_off;

		make_series(&series, points);
		changes_find(&list, &o, &c);
		is_off = c->newest.verdict != VERDICT_INCONCLUSIVE;
		n_changed += c->n > 0;
		n_off += is_off;
		n_any += c->n > 0 || is_off;
		n_worse += has_regression(c);
		changes_free(c, 1);
	}
	printf("%zu %zu %zu %zu\n", n_changed, n_off, n_any, n_worse);
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t n;

	srand(2);
	if (argc == 3 && str_eq(argv[1], "cuts") && !num_u64(argv[2], &n) && n)
		return cuts(n);
	if (argc == 3 && str_eq(argv[1], "chance") && !num_u64(argv[2], &n))
		return chance(n);
	if (argc == 4 && str_eq(argv[1], "fill") && !num_u64(argv[3], &n) && n)
		return fill(argv[2], n);
	return 64;
}
