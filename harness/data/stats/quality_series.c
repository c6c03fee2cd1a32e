/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The seconds of one run: correlation and warm-up. */
#include "data/stats/quality_series.h"

#include <math.h>

#include "base/mem.h"
#include "data/column.h"
#include "data/stats/stats.h"
#include "data/window.h"

enum { BATCH = 5, LEAST = 4, LEAST_SAMPLES = BATCH * LEAST };

/* The autocovariance at a lag, by n at each lag. */
static double covariance(const double *x, size_t n, double mean, size_t lag)
{
	double sum = 0;

	for (size_t i = lag; i < n; i++)
		sum += (x[i] - mean) * (x[i - lag] - mean);
	return sum / (double)n;
}

double quality_effective_n(const double *x, size_t n)
{
	double mean = stats_mean(x, n);
	double own;
	double sum = 0;

	if (n < 4)
		return NAN;
	own = covariance(x, n, mean, 0);
	if (!(own > 0))
		return (double)n;
	/* Pairs of lags, as long as they are positive. */
	for (size_t lag = 0; lag + 1 < n; lag += 2) {
		double pair = covariance(x, n, mean, lag) +
			      covariance(x, n, mean, lag + 1);

		if (!(pair > 0))
			break;
		sum += pair;
	}
	return fmin((double)n, (double)n * own / fmax(2 * sum - own, 1e-300));
}

size_t quality_mser5(const double *x, size_t n)
{
	size_t n_batches = n / BATCH;
	auto_free double *means = xcalloc(n_batches + 1, sizeof(*means));
	double least = HUGE_VAL;
	size_t best = 0;

	if (n_batches < LEAST)
		return 0;
	for (size_t b = 0; b < n_batches; b++)
		means[b] = stats_mean(x + b * BATCH, BATCH);
	for (size_t cut = 0; cut + 1 < n_batches; cut++) {
		size_t left = n_batches - cut;
		double sd = stats_stddev(means + cut, left);
		double mser = sd * sd * (double)(left - 1) /
			      ((double)left * (double)left);

		/* The last batches alone may agree by chance. */
		if (left < LEAST)
			break;
		if (mser < least) {
			least = mser;
			best = cut;
		}
	}
	return best > n_batches / 2 ? n : best * BATCH;
}

/* Transactions a second, line by line inside the window. */
static size_t take_rates(const struct run *run, double *out, double *seconds)
{
	int interval = series_column(&run->load, COL_LOAD_INTERVAL);
	int count = series_column(&run->load, COL_LOAD_TRANSACTIONS);
	struct window w;
	size_t n = 0;

	window_find(run, &w);
	*seconds = 0;
	if (!w.is_there || interval < 0 || count < 0)
		return 0;
	for (size_t row = 0; row < run->load.n_rows; row++) {
		double lasted = series_at(&run->load, row, interval);
		double done = series_at(&run->load, row, count);

		if (!window_has_line(&w, row, interval) || !(lasted > 0) ||
		    !isfinite(done))
			continue;
		out[n++] = done / lasted;
		*seconds += lasted;
	}
	return n;
}

void quality_add_series(const struct run *run, struct quality *out)
{
	auto_free double *x = xcalloc(run->load.n_rows + 1, sizeof(*x));
	double seconds;
	size_t n = take_rates(run, x, &seconds);
	size_t cut;

	if (n < 4)
		return;
	out->n_series++;
	out->samples += (double)n;
	out->effective += quality_effective_n(x, n);
	if (n < LEAST_SAMPLES)
		return;
	out->n_long++;
	cut = quality_mser5(x, n);
	if (!cut)
		return;
	out->n_cold++;
	out->coldest_s =
		fmax(out->coldest_s, seconds * (double)cut / (double)n);
}
