/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/stats/effect.h"

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

/* With n - 1 and n - 2, as for a sample. */
static double skewness(const double *d, size_t n)
{
	double mean = stats_mean(d, n);
	double sd = stats_stddev(d, n);
	double sum = 0;

	for (size_t i = 0; sd > 0 && i < n; i++)
		sum += pow((d[i] - mean) / sd, 3);
	return sum * (double)n / (double)(n - 1) / (double)(n - 2);
}

/*
 * The t between which a t^2 + t + b lies within +-q, a > 0. Where the parabola
 * does not reach -q, all between the two places at which it is q.
 */
static void johnson_roots(double a, double b, double q, double *from,
			  double *to)
{
	double above = sqrt(1 + 4 * a * (q - b));
	double below = 1 + 4 * a * (-q - b);

	*to = (above - 1) / (2 * a);
	*from = below < 0 ? (-1 - above) / (2 * a)
			  : (sqrt(below) - 1) / (2 * a);
}

struct stats_interval effect_johnson(const double *d, size_t n,
				     double confidence)
{
	struct effect e = effect_paired(d, n);
	struct stats_interval out = { e.d, NAN, NAN };
	double root = sqrt((double)n);
	double g;
	double from;
	double to;

	if (n < 3)
		return out;
	g = skewness(d, n);
	if (fabs(g) < 1e-9)
		return effect_interval(&e, confidence);
	johnson_roots(fabs(g) / (3 * root), fabs(g) / (6 * root),
		      stats_t_quantile(0.5 + confidence / 2, e.df), &from, &to);
	/* The long tail of the means lies where that of the d does. */
	out.low = e.d - e.se * (g > 0 ? to : -from);
	out.high = e.d - e.se * (g > 0 ? from : -to);
	return out;
}
