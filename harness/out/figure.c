/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/figure.h"

#include <math.h>

#include "base/mem.h"
#include "base/num.h"
#include "data/stats/sample.h"

static const struct {
	double divisor;
	const char *unit; /* NULL: the metric's own */
	int decimals;
	bool has_none; /* 0 is told from what is merely small */
} figures[] = {
	[FIGURE_PLAIN] = { 1, NULL, 2, false },
	[FIGURE_GIB] = { NUM_GIB, "GiB", 3, true },
	[FIGURE_MIB] = { NUM_MIB, "MiB", 1, true },
	[FIGURE_COUNT] = { 1, NULL, 1, true },
	[FIGURE_SECONDS] = { 1, NULL, 1, false },
	[FIGURE_SHARE] = { 1, NULL, 9, false },
	[FIGURE_DIGITS] = { 1, NULL, 0, false },
	[FIGURE_CHANGE] = { 1, "%", 2, false },
};

/* Five digits, without an exponent while a table bears the zeros. */
static char *digits_text(double number)
{
	double exponent = floor(log10(fabs(number)));

	if (fpclassify(number) == FP_ZERO)
		return xstrdup("0");
	if (exponent < -9 || exponent > 15)
		return xasprintf("%.4e", number);
	return xasprintf("%.*f", exponent < 4 ? 4 - (int)exponent : 0, number);
}

char *figure_text(enum figure figure, double number)
{
	double scaled = number / figures[figure].divisor;
	int decimals = figures[figure].decimals;
	double least = pow(10, -decimals);

	if (!isfinite(number))
		return xstrdup("n/a");
	if (figure == FIGURE_DIGITS)
		return digits_text(number);
	if (figures[figure].has_none && fpclassify(number) == FP_ZERO)
		return xstrdup("0");
	if (figures[figure].has_none && fabs(scaled) < least / 2)
		return xasprintf("<%.*f", decimals, least);
	if (figure == FIGURE_COUNT && fabs(scaled - round(scaled)) < least / 2)
		decimals = 0;
	return xasprintf("%.*f", decimals, scaled);
}

const char *figure_unit(enum figure figure, const char *unit)
{
	return figures[figure].unit ? figures[figure].unit : unit;
}

static double percent(double ratio)
{
	return 100 * (ratio - 1);
}

static bool has_interval(const struct comparison *c)
{
	return isfinite(c->low) && isfinite(c->high);
}

/* Of hundreds of percent the hundredths say nothing. */
static int decimals(double pct)
{
	return fabs(pct) < 100 ? 2 : fabs(pct) < 1000 ? 1 : 0;
}

char *figure_change(const struct comparison *c)
{
	double pct[] = { percent(c->ratio), percent(c->low), percent(c->high) };

	if (!has_interval(c))
		return xasprintf("%+.*f %% [n/a]", decimals(pct[0]), pct[0]);
	return xasprintf("%+.*f %% [%+.*f, %+.*f]", decimals(pct[0]), pct[0],
			 decimals(pct[1]), pct[1], decimals(pct[2]), pct[2]);
}

void figure_mean(struct table *t, const struct arm_summary *s,
		 enum figure figure)
{
	auto_free char *text = NULL;

	if (s->n == 0) {
		table_missing(t, s->why);
		return;
	}
	text = figure_text(figure, s->mean);
	table_cell(t, "%s", text);
}

void figure_change_column(struct table *t)
{
	struct table_column *c = table_column(t, "change", "%", false);

	c->csv = xstrdup("change_pct,change_low_pct,change_high_pct");
}

void figure_comparison(struct table *t, const struct comparison *c)
{
	auto_free char *text = figure_change(c);
	auto_free char *csv = NULL;

	if (has_interval(c))
		csv = xasprintf("%.4f,%.4f,%.4f", percent(c->ratio),
				percent(c->low), percent(c->high));
	else
		csv = xasprintf("%.4f,n/a,n/a", percent(c->ratio));
	table_cell_csv(t, text, csv);
}

/* Why there is no change. */
static void missing_change(struct table *t, const struct experiment *e,
			   size_t arm, const char *metric)
{
	auto_free char *why = NULL;
	struct sample base;
	struct sample own;

	sample_take(e, e->baseline, metric, &base);
	sample_take(e, arm, metric, &own);
	why = sample_why_no_ratio(&base, &own);
	if (!base.n || !own.n || why)
		table_missing(t, !own.n ? own.why : !base.n ? base.why : why);
	else
		table_missing(t, "no block in which this arm and the baseline "
				 "both have a value");
	sample_free(&base);
	sample_free(&own);
}

void figure_change_cell(struct table *t, const struct experiment *e, size_t arm,
			const char *metric)
{
	struct comparison c = summary_compare(e, arm, metric);

	if (arm == e->baseline && summary_arm(e, arm, metric).n)
		table_cell_csv(t, "baseline", "0,0,0");
	else if (c.n == 0)
		missing_change(t, e, arm, metric);
	else
		figure_comparison(t, &c);
}
