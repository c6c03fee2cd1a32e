/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/stats/power.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_roots.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdbool.h>

#include "data/stats/stats.h"

/* The edges of the integral leave out this much on either side. */
#define TAIL 1e-12
/* As many deviations of a normal variable. */
#define TAIL_Z 7.03

struct setting {
	double delta;
	double df;
	double t;     /* the test's limit */
	double scale; /* log of the constant in the density of s */
};

/*
 * Given s, the root of a chi-squared, the test finds the difference if
 * |Z + delta| > t s / sqrt(df), Z normal; weighed by the density of s.
 */
static double found_given(double s, void *arg)
{
	const struct setting *is = arg;
	double limit = is->t * s / sqrt(is->df);

	return (gsl_cdf_ugaussian_P(is->delta - limit) +
		gsl_cdf_ugaussian_P(-is->delta - limit)) *
	       exp((is->df - 1) * log(s) - s * s / 2 - is->scale);
}

/*
 * From where to where s is looked at. For many df it is normal, of deviation
 * sqrt(1/2); GSL's inverse of the lower tail is no number there, and
 * gsl_integration_cquad() writes beyond its arrays if all it gets is none.
 */
static void find_edges(double df, double *low, double *high)
{
	if (df > 1e4) {
		*low = sqrt(df) - TAIL_Z * sqrt(0.5);
		*high = sqrt(df) + TAIL_Z * sqrt(0.5);
		return;
	}
	*low = sqrt(gsl_cdf_chisq_Pinv(TAIL, df));
	*high = sqrt(gsl_cdf_chisq_Qinv(TAIL, df));
}

double power_t(double delta, double df, double alpha)
{
	double t = df > 0 ? stats_t_quantile(1 - alpha / 2, df) : (double)NAN;
	struct setting is = { delta, df, t, 0 };
	gsl_function f = { found_given, &is };
	gsl_integration_cquad_workspace *space;
	gsl_error_handler_t *handler;
	double sum = NAN;
	double low;
	double high;
	int ret;

	if (!isfinite(delta) || !isfinite(is.t))
		return NAN;
	/* The deviation is as good as known, and its density a needle. */
	if (df > 1e5)
		return gsl_cdf_ugaussian_P(delta - is.t) +
		       gsl_cdf_ugaussian_P(-delta - is.t);
	is.scale = (df / 2 - 1) * M_LN2 + gsl_sf_lngamma(df / 2);
	space = gsl_integration_cquad_workspace_alloc(200);
	handler = gsl_set_error_handler_off();
	find_edges(df, &low, &high);
	ret = gsl_integration_cquad(&f, low, high, 0, 1e-9, space, &sum, NULL,
				    NULL);
	gsl_set_error_handler(handler);
	gsl_integration_cquad_workspace_free(space);
	return ret ? (double)NAN : sum;
}

struct searched {
	double power;
	double df;
	double alpha;
};

static bool is_same(const struct searched *a, const struct searched *b)
{
	return !islessgreater(a->power, b->power) &&
	       !islessgreater(a->df, b->df) &&
	       !islessgreater(a->alpha, b->alpha);
}

static double lacks(double delta, void *arg)
{
	const struct searched *is = arg;

	return power_t(delta, is->df, is->alpha) - is->power;
}

/* Where lacks() crosses 0 between low and high. */
static double crossing(struct searched *is, double low, double high)
{
	gsl_root_fsolver *solver =
		gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
	gsl_function f = { lacks, is };
	double root = NAN;

	if (!gsl_root_fsolver_set(solver, &f, low, high)) {
		do {
			if (gsl_root_fsolver_iterate(solver))
				break;
			root = gsl_root_fsolver_root(solver);
			low = gsl_root_fsolver_x_lower(solver);
			high = gsl_root_fsolver_x_upper(solver);
		} while (gsl_root_test_interval(low, high, 0, 1e-7) ==
			 GSL_CONTINUE);
	}
	gsl_root_fsolver_free(solver);
	return root;
}

double power_delta(double power, double df, double alpha)
{
	/* Most metrics of a report ask the same. */
	static struct searched last;
	static double found;
	struct searched is = { power, df, alpha };
	double low = 0;
	double high = 1;

	if (!(df > 0))
		return NAN;
	if (is_same(&is, &last))
		return found;
	while (lacks(high, &is) < 0) {
		low = high;
		high *= 2;
		if (high > 1e9)
			return NAN;
	}
	found = crossing(&is, low, high);
	last = is;
	return found;
}

/* Standard error and df of n blocks, or of n runs in each of two arms. */
struct design {
	double variances; /* of single values in the difference: 1 or 2 */
	double (*df)(double n);
};

static double paired_df(double n)
{
	return n - 1;
}

static double unpaired_df(double n)
{
	return 2 * n - 2;
}

static const struct design paired = { 1, paired_df };
static const struct design unpaired = { 2, unpaired_df };

static double shows(const struct design *d, double sd, size_t n, double alpha)
{
	double df = d->df((double)n);

	if (n < 2 || !isfinite(sd))
		return NAN;
	return power_delta(POWER_USUAL, df, alpha) * sd *
	       sqrt(d->variances / (double)n);
}

static bool is_enough(const struct design *d, double sd, double log_ratio,
		      double alpha, size_t n)
{
	double se = sd * sqrt(d->variances / (double)n);

	return power_t(log_ratio / se, d->df((double)n), alpha) >= POWER_USUAL;
}

static size_t needs(const struct design *d, double sd, double log_ratio,
		    double alpha)
{
	enum { MOST = 1000000 };
	size_t low = 1;
	size_t high = 2;
	double least;

	if (!isfinite(sd) || !(log_ratio > 0))
		return 0;
	if (!(sd > 0))
		return high;
	/* A known deviation needs fewer; from there on in growing steps. */
	least = d->variances * pow((gsl_cdf_ugaussian_Pinv(1 - alpha / 2) +
				    gsl_cdf_ugaussian_Pinv(POWER_USUAL)) *
					   sd / log_ratio,
				   2);
	if (!(least < MOST))
		return 0;
	if (least > 3)
		low = (size_t)least - 1;
	for (size_t step = 1;; step *= 2) {
		high = low + step;
		if (high > MOST)
			return 0;
		if (high > 1 && is_enough(d, sd, log_ratio, alpha, high))
			break;
		low = high;
	}
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (is_enough(d, sd, log_ratio, alpha, middle))
			high = middle;
		else
			low = middle;
	}
	return high;
}

double power_paired_shows(double sd, size_t n, double alpha)
{
	return shows(&paired, sd, n, alpha);
}

size_t power_paired_needs(double sd, double log_ratio, double alpha)
{
	return needs(&paired, sd, log_ratio, alpha);
}

double power_unpaired_shows(double sd, size_t n, double alpha)
{
	return shows(&unpaired, sd, n, alpha);
}

size_t power_unpaired_needs(double sd, double log_ratio, double alpha)
{
	return needs(&unpaired, sd, log_ratio, alpha);
}
