/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/stats/fieller.h"

#include <math.h>

/* The square of the standard error of a mean. */
static double square(const double *x, size_t n)
{
	double sd = stats_stddev(x, n);

	return sd * sd / (double)n;
}

struct fieller fieller_ratio(const double *base, size_t n_base,
			     const double *arm, size_t n_arm, double confidence)
{
	double mean = stats_mean(base, n_base);
	double v_base = square(base, n_base);
	double v_arm = square(arm, n_arm);
	struct fieller out = { stats_mean(arm, n_arm) / mean, NAN, NAN, false };
	double scaled = out.ratio * out.ratio * v_base;
	double df;
	double t;
	double g;
	double half;

	if (n_base < 2 || n_arm < 2 || !isfinite(out.ratio))
		return out;
	if (!(v_arm + scaled > 0)) {
		out.low = out.ratio;
		out.high = out.ratio;
		return out;
	}
	df = pow(v_arm + scaled, 2) / (v_arm * v_arm / (double)(n_arm - 1) +
				       scaled * scaled / (double)(n_base - 1));
	t = stats_t_quantile(0.5 + confidence / 2, df);
	g = t * t * v_base / (mean * mean);
	if (g >= 1) {
		out.is_unbounded = true;
		return out;
	}
	half = t / fabs(mean) * sqrt((1 - g) * v_arm + scaled);
	out.low = (out.ratio - half) / (1 - g);
	out.high = (out.ratio + half) / (1 - g);
	return out;
}
