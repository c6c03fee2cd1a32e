/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/effect.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* Logs of equal figures differ by rounding: that is no difference. */
static struct effect without_rounding(struct effect e)
{
	const double rounding = 1e-12;

	if (fabs(e.d) < rounding)
		e.d = 0;
	if (e.se < rounding)
		e.se = 0;
	return e;
}

struct effect effect_paired(const double *d, size_t n)
{
	struct effect out = { stats_mean(d, n), NAN, NAN };

	if (n < 2)
		return out;
	out.se = stats_stddev(d, n) / sqrt((double)n);
	out.df = (double)(n - 1);
	return without_rounding(out);
}

struct effect effect_welch(const double *log_base, size_t n_base,
			   const double *log_arm, size_t n_arm)
{
	struct effect out = { NAN, NAN, NAN };
	double base;
	double arm;

	if (!n_base || !n_arm)
		return out;
	out.d = stats_mean(log_arm, n_arm) - stats_mean(log_base, n_base);
	if (n_base < 2 || n_arm < 2)
		return out;
	/* Squares of the standard errors of the two means. */
	base = pow(stats_stddev(log_base, n_base), 2) / (double)n_base;
	arm = pow(stats_stddev(log_arm, n_arm), 2) / (double)n_arm;
	out.se = sqrt(base + arm);
	out.df = (double)(n_base + n_arm - 2);
	if (base + arm > 0)
		out.df = pow(base + arm, 2) /
			 (base * base / (double)(n_base - 1) +
			  arm * arm / (double)(n_arm - 1));
	return without_rounding(out);
}

struct stats_interval effect_interval(const struct effect *e, double confidence)
{
	struct stats_interval out = { e->d, NAN, NAN };
	double half;

	if (!isfinite(e->se))
		return out;
	half = stats_t_quantile(0.5 + confidence / 2, e->df) * e->se;
	out.low = e->d - half;
	out.high = e->d + half;
	return out;
}

double effect_p(const struct effect *e)
{
	return stats_t_p(e->d, e->se, e->df);
}

bool effect_is_equivalent(const struct effect *e, double margin)
{
	struct stats_interval i = effect_interval(e, 0.9);
	double edge = log1p(margin);

	return i.low > -edge && i.high < edge;
}

double effect_johnson_p(const double *d, size_t n)
{
	double mean = stats_mean(d, n);
	double sd = stats_stddev(d, n);
	double root = sqrt((double)n);
	double skew = 0;
	double t;

	if (n < 3)
		return NAN;
	if (!(sd > 0))
		return stats_t_p(mean, 0, 1);
	for (size_t i = 0; i < n; i++)
		skew += pow((d[i] - mean) / sd, 3);
	skew *= (double)n / (double)(n - 1) / (double)(n - 2);
	t = mean / sd * root;
	t += skew / (6 * root) + skew * t * t / (3 * root);
	return 2 * gsl_cdf_tdist_Q(fabs(t), (double)(n - 1));
}
