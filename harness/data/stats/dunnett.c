/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/stats/dunnett.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

#include "data/stats/stats.h"

/* The edges of the integral over s leave out this much on either side. */
#define TAIL 1e-12
/* Beyond this a normal variable does not count. */
#define MOST_Z 8.5

struct setting {
	double t;
	size_t n_arms;
	double df;
	double scale; /* log of the constant in the density of s */
};

/*
 * How often all |Z_i - Z_0| stay below a, all normal: given Z_0 = z they are
 * independent. The sum over steps is exact for what is as smooth as this.
 */
static double all_within(double a, size_t n_arms)
{
	enum { STEPS = 170 };
	const double step = 2 * MOST_Z / STEPS;
	double sum = 0;

	for (int i = 0; i <= STEPS; i++) {
		double z = -MOST_Z + i * step;
		double one =
			gsl_cdf_ugaussian_P(z + a) - gsl_cdf_ugaussian_P(z - a);

		sum += gsl_ran_ugaussian_pdf(z) * pow(one, (double)n_arms);
	}
	return sum * step;
}

/* The same of t values whose deviation is s / sqrt(df), by the density of s. */
static double all_given(double s, void *arg)
{
	const struct setting *is = arg;
	double a = M_SQRT2 * is->t * s / sqrt(is->df);

	return all_within(a, is->n_arms) *
	       exp((is->df - 1) * log(s) - s * s / 2 - is->scale);
}

double dunnett_p(double t, size_t n_arms, double df)
{
	struct setting is = { fabs(t), n_arms, df, 0 };
	gsl_function f = { all_given, &is };
	gsl_integration_cquad_workspace *space;
	gsl_error_handler_t *handler;
	double inside = NAN;
	int ret;

	if (isnan(t) || !n_arms || !(df >= 1))
		return NAN;
	if (isinf(t))
		return 0;
	/* The deviation is as good as known. */
	if (df > 1e4)
		return 1 - all_within(M_SQRT2 * is.t, n_arms);
	is.scale = (df / 2 - 1) * M_LN2 + gsl_sf_lngamma(df / 2);
	space = gsl_integration_cquad_workspace_alloc(100);
	handler = gsl_set_error_handler_off();
	ret = gsl_integration_cquad(&f, sqrt(gsl_cdf_chisq_Pinv(TAIL, df)),
				    sqrt(gsl_cdf_chisq_Qinv(TAIL, df)), 0, 1e-9,
				    space, &inside, NULL, NULL);
	gsl_set_error_handler(handler);
	gsl_integration_cquad_workspace_free(space);
	return ret ? (double)NAN : fmin(1, fmax(0, 1 - inside));
}

double dunnett_quantile(double p, size_t n_arms, double df)
{
	double low;
	double high;

	if (!(p > 0 && p < 1) || !n_arms || !(df >= 1))
		return NAN;
	/* One of them alone; all of them as if nothing was shared. */
	low = stats_t_quantile(1 - p / 2, df);
	high = stats_t_quantile(1 - p / 2 / (double)n_arms, df);
	for (int i = 0; i < 40 && high - low > 1e-9 * high; i++) {
		double t = (low + high) / 2;

		if (dunnett_p(t, n_arms, df) > p)
			low = t;
		else
			high = t;
	}
	return (low + high) / 2;
}

static double mean_of(const double *y, size_t n, size_t stride)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += y[i * stride];
	return sum / (double)n;
}

double dunnett_se(const double *y, size_t n_arms, size_t n_blocks, double *df)
{
	double all = mean_of(y, n_arms * n_blocks, 1);
	double squares = 0;

	*df = NAN;
	if (n_arms < 2 || n_blocks < 2)
		return NAN;
	for (size_t a = 0; a < n_arms; a++) {
		double arm = mean_of(y + a * n_blocks, n_blocks, 1);

		for (size_t b = 0; b < n_blocks; b++) {
			double block = mean_of(y + b, n_arms, n_blocks);

			squares +=
				pow(y[a * n_blocks + b] - arm - block + all, 2);
		}
	}
	*df = (double)(n_arms - 1) * (double)(n_blocks - 1);
	return sqrt(squares / *df * 2 / (double)n_blocks);
}
