/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/stats/ranks.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/mem.h"

enum { MOST_EXACT = 50, MOST_EXACT_TIES = 25, MOST_BINOMIAL = 30 };

/* Values that are equal, from the smallest up. */
struct group {
	size_t first; /* rank of the first, from 1 */
	size_t n;
	size_t n_x; /* of the first sample */
};

/* Twice the mean rank: a whole number. */
static size_t rank2(const struct group *g)
{
	return 2 * g->first + g->n - 1;
}

static bool is_below(double a, double b)
{
	return a < b;
}

/* Groups of the two samples together; returns how many. */
static size_t find_groups(const double *x, size_t n_x, const double *y,
			  size_t n_y, struct group *groups)
{
	auto_free double *a = xcalloc(n_x, sizeof(*a));
	auto_free double *b = xcalloc(n_y, sizeof(*b));
	size_t i = 0;
	size_t k = 0;
	size_t n = 0;

	memcpy(a, x, n_x * sizeof(*a));
	memcpy(b, y, n_y * sizeof(*b));
	gsl_sort(a, 1, n_x);
	gsl_sort(b, 1, n_y);
	while (i < n_x || k < n_y) {
		double least =
			k == n_y || (i < n_x && a[i] < b[k]) ? a[i] : b[k];
		struct group g = { .first = i + k + 1 };

		for (; i < n_x && !is_below(least, a[i]); i++)
			g.n_x++;
		for (g.n = g.n_x; k < n_y && !is_below(least, b[k]); k++)
			g.n++;
		groups[n++] = g;
	}
	return n;
}

/*
 * The share of all ways to take n_x of the values whose (twice the) sum of
 * ranks is at most limit: ways[k][s] counts those that take k and come to s,
 * group after group.
 */
static double share_below(const struct group *groups, size_t n_groups,
			  size_t n_x, size_t limit)
{
	size_t width = limit + 1;
	auto_free double *ways = xcalloc((n_x + 1) * width, sizeof(*ways));
	size_t n = 0;
	double below = 0;

	ways[0] = 1;
	for (size_t g = 0; g < n_groups; g++) {
		size_t size = groups[g].n;
		size_t rank = rank2(&groups[g]);

		n += size;
		/* From above, so that what is added to is not yet used. */
		for (size_t k = n_x; k > 0; k--)
			for (size_t take = 1; take <= size && take <= k; take++)
				for (size_t s = take * rank; s < width; s++)
					ways[k * width + s] +=
						gsl_sf_choose(
							(unsigned int)size,
							(unsigned int)take) *
						ways[(k - take) * width + s -
						     take * rank];
	}
	for (size_t s = 0; s < width; s++)
		below += ways[n_x * width + s];
	return below / exp(gsl_sf_lnchoose((unsigned int)n, (unsigned int)n_x));
}

static double u_exact(const struct group *groups, size_t n_groups, size_t n_x,
		      size_t n_y, size_t sum2)
{
	/* Twice U of the first sample, and of the second. */
	size_t u2 = sum2 - n_x * (n_x + 1);
	size_t other2 = 2 * n_x * n_y - u2;
	size_t least = u2 < other2 ? u2 : other2;

	if (u2 == other2)
		return 1;
	/* The distribution is symmetric: count by the lower side. */
	return fmin(1, 2 * share_below(groups, n_groups, n_x,
				       least + n_x * (n_x + 1)));
}

static double u_normal(const struct group *groups, size_t n_groups, double n_x,
		       double n_y, double u)
{
	double n = n_x + n_y;
	double ties = 0;
	double sd;
	double off;

	for (size_t g = 0; g < n_groups; g++)
		ties += pow((double)groups[g].n, 3) - (double)groups[g].n;
	sd = sqrt(n_x * n_y / 12 * (n + 1 - ties / (n * (n - 1))));
	off = fabs(u - n_x * n_y / 2);
	off = fmax(0, off - 0.5);
	return 2 * gsl_cdf_ugaussian_Q(off / sd);
}

double ranks_u_p(const double *x, size_t n_x, const double *y, size_t n_y)
{
	auto_free struct group *groups = xcalloc(n_x + n_y, sizeof(*groups));
	size_t sum2 = 0;
	size_t n_groups;
	size_t most;

	if (!n_x || !n_y)
		return NAN;
	n_groups = find_groups(x, n_x, y, n_y, groups);
	if (n_groups == 1)
		return 1;
	for (size_t g = 0; g < n_groups; g++)
		sum2 += groups[g].n_x * rank2(&groups[g]);
	most = n_groups == n_x + n_y ? MOST_EXACT : MOST_EXACT_TIES;
	if (n_x <= most && n_y <= most)
		return u_exact(groups, n_groups, n_x, n_y, sum2);
	return u_normal(groups, n_groups, (double)n_x, (double)n_y,
			(double)(sum2 - n_x * (n_x + 1)) / 2);
}

/* Ranks [*low, *high), from 0 for what lies below all values. */
static void binomial_band(unsigned int n, double confidence, long *low,
			  long *high)
{
	long l = (long)(n / 2);
	long r = l + 1;
	double sum = gsl_ran_binomial_pdf((unsigned int)l, 0.5, n);

	/* From the middle outwards, the lower of two equal ones first. */
	while (sum < confidence && (l > 0 || r <= (long)n)) {
		double below = l > 0 ? gsl_ran_binomial_pdf((unsigned int)l - 1,
							    0.5, n)
				     : 0;
		double above =
			r <= (long)n
				? gsl_ran_binomial_pdf((unsigned int)r, 0.5, n)
				: 0;

		/* Equal but for rounding. */
		if (below >= above * (1 - 1e-9)) {
			sum += below;
			l--;
		} else {
			sum += above;
			r++;
		}
	}
	*low = l;
	*high = r;
}

static double normal_share(double n, long low, long high)
{
	double sd = sqrt(n) / 2;

	return gsl_cdf_gaussian_P((double)high - 0.5 - n / 2, sd) -
	       gsl_cdf_gaussian_P((double)low - 0.5 - n / 2, sd);
}

static void normal_band(double n, double confidence, long *low, long *high)
{
	double from = n / 2 +
		      gsl_cdf_gaussian_Pinv((1 - confidence) / 2, sqrt(n) / 2);

	*low = lround(floor(floor(from - 0.5) + 0.5)) + 1;
	*high = lround(floor(ceil(n - from - 0.5) + 0.5)) + 1;
	if (normal_share(n, *low, *high - 1) >= confidence)
		--*high;
}

struct stats_interval ranks_median(const double *x, size_t n, double confidence)
{
	auto_free double *sorted = xcalloc(n + 1, sizeof(*sorted));
	struct stats_interval out = { NAN, NAN, NAN };
	long low;
	long high;

	if (!n)
		return out;
	memcpy(sorted, x, n * sizeof(*sorted));
	out.centre = stats_median(sorted, n);
	if (n <= MOST_BINOMIAL)
		binomial_band((unsigned int)n, confidence, &low, &high);
	else
		normal_band((double)n, confidence, &low, &high);
	out.low = low < 1 ? -HUGE_VAL : sorted[low - 1];
	out.high = high > (long)n ? HUGE_VAL : sorted[high - 1];
	return out;
}
