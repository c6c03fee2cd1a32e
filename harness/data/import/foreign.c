/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/import/foreign.h"

#include <math.h>

#include "base/mem.h"
#include "data/stats/stats.h"

/* Arm Fastpath: the 95 % Student intervals of the two means do not overlap. */
static bool fastpath(const double *base, size_t n_base, const double *arm,
		     size_t n_arm)
{
	struct stats_interval a = stats_t_interval(base, n_base, 0.95);
	struct stats_interval b = stats_t_interval(arm, n_arm, 0.95);

	return a.high < b.low || b.high < a.low;
}

/* mmtests since November 2024: no square root of n in it. */
static bool mmtests(const double *base, size_t n_base, const double *arm,
		    size_t n_arm)
{
	double off = stats_mean(arm, n_arm) - stats_mean(base, n_base);

	return fabs(off) >
	       1.96 * (stats_stddev(base, n_base) + stats_stddev(arm, n_arm));
}

/* mmtests 2018 to 2024: unpooled standard error, n1 + n2 - 2, 10 %. */
static bool mmtests_2018(const double *base, size_t n_base, const double *arm,
			 size_t n_arm)
{
	double off = stats_mean(arm, n_arm) - stats_mean(base, n_base);
	double se = sqrt(pow(stats_stddev(base, n_base), 2) / (double)n_base +
			 pow(stats_stddev(arm, n_arm), 2) / (double)n_arm);

	if (n_base < 2 || n_arm < 2)
		return false;
	return stats_t_p(off, se, (double)(n_base + n_arm - 2)) < 0.1;
}

static void range(const double *x, size_t n, double *least, double *most)
{
	*least = HUGE_VAL;
	*most = -HUGE_VAL;
	for (size_t i = 0; i < n; i++) {
		*least = fmin(*least, x[i]);
		*most = fmax(*most, x[i]);
	}
}

/* lkp ncompare: min_b > mean_a and mean_b > max_a, or the reverse. */
static bool lkp(const double *base, size_t n_base, const double *arm,
		size_t n_arm)
{
	double mean_a = stats_mean(base, n_base);
	double mean_b = stats_mean(arm, n_arm);
	double a[2];
	double b[2];

	if (!n_base || !n_arm)
		return false;
	range(base, n_base, &a[0], &a[1]);
	range(arm, n_arm, &b[0], &b[1]);
	return (b[0] > mean_a && mean_b > a[1]) ||
	       (a[0] > mean_b && mean_a > b[1]);
}

const struct foreign_rule foreign_rules[] = {
	{ "fastpath", "Fastpath",
	  "the arms' own 95 % Student intervals do not overlap", fastpath,
	  "(I)", "(R)" },
	{ "mmtests", "mmtests",
	  "the means differ by more than 1.96 (s_a + s_b), whatever n is",
	  mmtests, "*", "*" },
	{ "mmtests-2018", "mmt 2018",
	  "mmtests of 2018 to 2024: two-sample t, unpooled standard error, 10 "
	  "%",
	  mmtests_2018, "*", "*" },
	{ "lkp", "lkp",
	  "all of one arm lie beyond the other's mean, and its mean beyond all "
	  "of the other",
	  lkp, "yes", "yes" },
};
const size_t n_foreign_rules = ARRAY_SIZE(foreign_rules);

/* Means of equal figures differ by rounding: that is no difference. */
static bool is_same(const double *base, size_t n_base, const double *arm,
		    size_t n_arm)
{
	double a = stats_mean(base, n_base);
	double b = stats_mean(arm, n_arm);

	return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

bool foreign_is_marked(const struct foreign_rule *rule, const double *base,
		       size_t n_base, const double *arm, size_t n_arm)
{
	return !is_same(base, n_base, arm, n_arm) &&
	       rule->is_marked(base, n_base, arm, n_arm);
}

const char *foreign_mark(const struct foreign_rule *rule,
			 enum metric_better better, const double *base,
			 size_t n_base, const double *arm, size_t n_arm)
{
	bool is_more = stats_mean(arm, n_arm) > stats_mean(base, n_base);

	if (better == METRIC_NEITHER ||
	    !foreign_is_marked(rule, base, n_base, arm, n_arm))
		return "-";
	return is_more == (better == METRIC_MORE) ? rule->better : rule->worse;
}

double foreign_perf_pct(const double *x, size_t n)
{
	return 100 * stats_stddev(x, n) / sqrt((double)n) /
	       fabs(stats_mean(x, n));
}

double foreign_mmtests_mean(enum metric_better better, const double *x,
			    size_t n)
{
	double sum = 0;

	if (better != METRIC_MORE)
		return stats_mean(x, n);
	for (size_t i = 0; i < n; i++)
		sum += 1 / x[i];
	return n ? (double)n / sum : (double)NAN;
}

double foreign_mmtests_pct(enum metric_better better, double base, double arm)
{
	double pct = 100 * (arm - base) / base;

	if (!(base > 0))
		return NAN;
	return better == METRIC_LESS ? 0 - pct : pct;
}
