/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/stats/resample.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

#include "base/mem.h"

enum { FLIPS = 20000, DRAWS = 10000 };

static gsl_rng *rng_open(uint64_t seed)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	gsl_rng_set(rng, (uint32_t)(seed ^ seed >> 32));
	return rng;
}

static double sum_of(const double *d, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += d[i];
	return sum;
}

/*
 * All ways in the order of the Gray code: from one to the next a single sign
 * changes. The last sign stays, since the opposite way has the opposite sum.
 */
static double flip_all(const double *d, size_t n, double limit)
{
	auto_free double *signed_d = xcalloc(n, sizeof(*signed_d));
	uint64_t ways = UINT64_C(1) << (n - 1);
	uint64_t as_far = 0;
	double sum = sum_of(d, n);

	for (size_t i = 0; i < n; i++)
		signed_d[i] = d[i];
	for (uint64_t way = 1;; way++) {
		size_t i = (size_t)__builtin_ctzll(way);

		as_far += fabs(sum) >= limit;
		if (way == ways)
			break;
		sum -= 2 * signed_d[i];
		signed_d[i] = -signed_d[i];
	}
	return (double)as_far / (double)ways;
}

static double flip_some(const double *d, size_t n, double limit, uint64_t seed)
{
	gsl_rng *rng = rng_open(seed);
	size_t as_far = 1; /* d itself is one of the ways */

	for (size_t k = 0; k < FLIPS; k++) {
		unsigned long signs = 0;
		double sum = 0;

		/* Each of the 32 bits that mt19937 gives is a sign. */
		for (size_t i = 0; i < n; i++, signs >>= 1) {
			if (i % 32 == 0)
				signs = gsl_rng_get(rng);
			sum += signs & 1 ? d[i] : -d[i];
		}
		as_far += fabs(sum) >= limit;
	}
	gsl_rng_free(rng);
	return (double)as_far / (FLIPS + 1);
}

double resample_sign_flip(const double *d, size_t n, uint64_t seed)
{
	double limit = fabs(sum_of(d, n));

	if (!n)
		return NAN;
	/* Sums that are equal but for rounding count as equal. */
	limit -= limit * 1e-11;
	return n <= RESAMPLE_EXACT ? flip_all(d, n, limit)
				   : flip_some(d, n, limit, seed);
}

/* The skewness of the mean, from the means that leave one value out. */
static double acceleration(const double *d, size_t n)
{
	double sum = sum_of(d, n);
	double mean = sum / (double)n;
	double squares = 0;
	double cubes = 0;

	for (size_t i = 0; i < n; i++) {
		double off = mean - (sum - d[i]) / (double)(n - 1);

		squares += off * off;
		cubes += off * off * off;
	}
	return squares > 0 ? cubes / (6 * pow(squares, 1.5)) : 0;
}

static double bca_quantile(const double *sorted, double z0, double a, double p)
{
	double z = z0 + gsl_cdf_ugaussian_Pinv(p);
	double at = gsl_cdf_ugaussian_P(z0 + z / (1 - a * z));

	/* Beyond its pole the formula says nothing: the end of the draws. */
	if (!(1 - a * z > 0))
		at = p < 0.5 ? 0 : 1;
	return gsl_stats_quantile_from_sorted_data(sorted, 1, DRAWS, at);
}

struct stats_interval resample_bca(const double *d, size_t n, double confidence,
				   uint64_t seed)
{
	struct stats_interval out = { stats_mean(d, n), NAN, NAN };
	auto_free double *means = NULL;
	double below = 0;
	double z0;
	double a;
	gsl_rng *rng;

	if (n < 2)
		return out;
	if (!(stats_stddev(d, n) > fabs(out.centre) * 1e-12)) {
		out.low = out.centre;
		out.high = out.centre;
		return out;
	}
	means = xcalloc(DRAWS, sizeof(*means));
	rng = rng_open(seed);
	for (size_t k = 0; k < DRAWS; k++) {
		for (size_t i = 0; i < n; i++)
			means[k] += d[gsl_rng_uniform_int(rng, n)];
		means[k] /= (double)n;
		below += means[k] < out.centre   ? 1.0
			 : means[k] > out.centre ? 0
						 : 0.5;
	}
	gsl_rng_free(rng);
	gsl_sort(means, 1, DRAWS);
	/* Not quite none or all of them: both would be infinite. */
	below = fmin(fmax(below, 0.5), DRAWS - 0.5);
	z0 = gsl_cdf_ugaussian_Pinv(below / DRAWS);
	a = acceleration(d, n);
	out.low = bca_quantile(means, z0, a, 0.5 - confidence / 2);
	out.high = bca_quantile(means, z0, a, 0.5 + confidence / 2);
	return out;
}
