/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/foresight.h"

#include <math.h>

#include "base/mem.h"
#include "base/num.h"
#include "data/stats/judge.h"
#include "data/stats/power.h"
#include "out/wrap.h"

/* Of a log ratio, if runs are lognormal and share nothing. */
static double log_ratio_sd(const struct foresight *f)
{
	return sqrt(2 * log1p(f->cv * f->cv));
}

static double level(const struct foresight *f)
{
	return JUDGE_LEVEL / (double)(f->n_comparisons ? f->n_comparisons : 1);
}

double foresight_shows_pct(const struct foresight *f)
{
	return 100 *
	       expm1(power_paired_shows(log_ratio_sd(f), f->blocks, level(f)));
}

size_t foresight_needs(const struct foresight *f)
{
	return power_paired_needs(log_ratio_sd(f), log1p(f->margin), level(f));
}

static void add_needs(const struct foresight *f, struct str *text)
{
	size_t blocks = foresight_needs(f);
	auto_free char *time = NULL;
	uint64_t ns;

	if (!blocks) {
		str_addf(text,
			 " The margin of %.4g %% needs more than a "
			 "million blocks.",
			 100 * f->margin);
		return;
	}
	if (__builtin_mul_overflow(f->run_ns, blocks * f->n_arms, &ns))
		ns = UINT64_MAX;
	time = num_time_text(ns);
	str_addf(text,
		 " The margin of %.4g %% needs %zu blocks: %zu runs, %s in "
		 "their phases at the most.",
		 100 * f->margin, blocks, blocks * f->n_arms, time);
}

void foresight_text(const struct foresight *f, struct str *out)
{
	double shows = foresight_shows_pct(f);
	auto_str struct str text = { 0 };

	str_addf(&text, "With a CV of %.3g %% in %s between runs, ",
		 100 * f->cv, f->metric);
	if (!f->n_comparisons)
		str_add(&text, "one arm has nothing to be compared with.");
	else if (isnan(shows))
		str_add(&text, "one block shows nothing: it has no spread.");
	else
		str_addf(&text,
			 "%zu blocks show a change of %.3g %% or more in 80 %% "
			 "of such experiments, at 5 %% over %zu comparison%s.",
			 f->blocks, shows, f->n_comparisons,
			 f->n_comparisons == 1 ? "" : "s");
	if (f->n_comparisons) {
		add_needs(f, &text);
		str_add(&text, " Where runs of a block vary together, it is "
			       "less.");
	}
	wrap_add(out, text.text, "", "");
}
