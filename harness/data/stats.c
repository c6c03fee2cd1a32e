/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

double stats_mean(const double *x, size_t n)
{
	return n ? gsl_stats_mean(x, 1, n) : (double)NAN;
}

double stats_stddev(const double *x, size_t n)
{
	return n > 1 ? gsl_stats_sd(x, 1, n) : (double)NAN;
}

double stats_median(double *x, size_t n)
{
	if (!n)
		return NAN;
	gsl_sort(x, 1, n);
	return gsl_stats_median_from_sorted_data(x, 1, n);
}

double stats_t_quantile(double p, double df)
{
	return gsl_cdf_tdist_Pinv(p, df);
}

struct stats_interval stats_t_interval(const double *x, size_t n,
				       double confidence)
{
	struct stats_interval out = { stats_mean(x, n), NAN, NAN };
	double half;

	if (n < 2)
		return out;
	half = stats_t_quantile(0.5 + confidence / 2, (double)(n - 1)) *
	       stats_stddev(x, n) / sqrt((double)n);
	out.low = out.centre - half;
	out.high = out.centre + half;
	return out;
}
