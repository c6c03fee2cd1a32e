/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/stats/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

#include "base/mem.h"

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
	/* Beyond, GSL's inverse fails; the two differ by less than 1e-6. */
	if (df > 1e6)
		return gsl_cdf_ugaussian_Pinv(p);
	return gsl_cdf_tdist_Pinv(p, df);
}

double stats_sd_factor(size_t n, double p)
{
	double df = (double)n - 1;

	return n > 1 ? sqrt(df / gsl_cdf_chisq_Pinv(1 - p, df)) : (double)NAN;
}

double stats_lag1(const double *x, size_t n)
{
	double mean = stats_mean(x, n);
	long double products = 0;
	long double squares = 0;

	for (size_t i = 0; i < n; i++) {
		long double d = (long double)x[i] - mean;

		squares += d * d;
		if (i)
			products += d * ((long double)x[i - 1] - mean);
	}
	return n > 1 && squares > 0 ? (double)(products / squares)
				    : (double)NAN;
}

struct stats_slope stats_slope(const double *x, const double *y, size_t n)
{
	struct stats_slope out = { NAN, NAN, NAN };
	double c0;
	double cov00;
	double cov01;
	double cov11;
	double squares;

	if (n < 2 || !(stats_stddev(x, n) > 0))
		return out;
	gsl_fit_linear(x, 1, y, 1, n, &c0, &out.slope, &cov00, &cov01, &cov11,
		       &squares);
	if (n < 3)
		return out;
	out.se = sqrt(cov11);
	out.p = stats_t_p(out.slope, out.se, (double)(n - 2));
	return out;
}

/*
 * Sums of squares around means of groups and around their mean: two passes,
 * in long double, since the data may share many leading digits (NIST's
 * SmLs07 to 09 share 13).
 */
static void anova_sums(const double *y, const size_t *group, size_t n,
		       const long double *means, struct stats_anova *out)
{
	long double grand = 0;
	long double between = 0;
	long double within = 0;

	for (size_t i = 0; i < n; i++)
		grand += (long double)y[i] - y[0];
	grand /= (long double)n;
	for (size_t i = 0; i < n; i++) {
		long double of_group = means[group[i]];
		long double d = (long double)y[i] - y[0] - of_group;

		within += d * d;
		between += (of_group - grand) * (of_group - grand);
	}
	out->ss_between = (double)between;
	out->ss_within = (double)within;
}

struct stats_anova stats_anova(const double *y, const size_t *group, size_t n,
			       size_t n_groups)
{
	auto_free long double *means = xcalloc(n_groups + 1, sizeof(*means));
	auto_free size_t *counts = xcalloc(n_groups + 1, sizeof(*counts));
	struct stats_anova out = { .f = NAN, .p = NAN };

	for (size_t i = 0; i < n; i++) {
		means[group[i]] += (long double)y[i] - y[0];
		counts[group[i]]++;
	}
	for (size_t g = 0; g < n_groups; g++) {
		if (!counts[g])
			return out;
		means[g] /= (long double)counts[g];
	}
	if (n_groups < 2 || n <= n_groups)
		return out;
	anova_sums(y, group, n, means, &out);
	out.df_between = n_groups - 1;
	out.df_within = n - n_groups;
	if (!(out.ss_within > 0))
		return out;
	out.f = out.ss_between / (double)out.df_between /
		(out.ss_within / (double)out.df_within);
	out.p = stats_f_p(out.f, (double)out.df_between, (double)out.df_within);
	return out;
}

double stats_f_p(double f, double df_between, double df_within)
{
	return gsl_cdf_fdist_Q(f, df_between, df_within);
}

double stats_t_p(double difference, double se, double df)
{
	if (!isfinite(difference) || !isfinite(se) || !(df > 0))
		return NAN;
	if (!(se > 0))
		return fpclassify(difference) == FP_ZERO ? 1 : 0;
	return 2 * gsl_cdf_tdist_Q(fabs(difference) / se, df);
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
