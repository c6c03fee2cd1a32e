/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/foresee.h"

#include <math.h>
#include <stdio.h>

#include "base/err.h"
#include "base/num.h"
#include "bench/config/config_points.h"
#include "bench/run/plan.h"
#include "cmd/load.h"
#include "data/stats/stats.h"
#include "data/summary.h"

int foresee_cv(const char *value, double *cv)
{
	double pct;

	if (num_percent(value, &pct) || pct <= 0 || pct >= 100)
		return refuse(STATUS_USAGE,
			      "--cv %s: a percentage above 0 and below 100",
			      value);
	*cv = pct / 100;
	return 0;
}

void foresee(const struct config *c, struct foresight *out)
{
	*out = (struct foresight){
		.metric = config_metric(c, c->primary)->title,
		.margin = c->margin_pct / 100,
		.blocks = c->blocks,
		.n_arms = c->n_arms,
		.n_comparisons = c->n_arms - 1 - c->has_aa,
		.run_ns = plan_run_most_ns(c),
	};
}

/* The interval of a deviation is wide: that of 5 runs spans a factor of 5. */
static void print_spread(const struct foresight *f, const struct arm_summary *s)
{
	double cv = 100 * s->stddev / s->mean;

	printf("Pilot: %zu runs, %s %.2f on average; CV %.3g %%, 95 %% "
	       "[%.3g, %.3g].\n",
	       s->n, f->metric, s->mean, cv, cv * stats_sd_factor(s->n, 0.025),
	       cv * stats_sd_factor(s->n, 0.975));
}

int foresee_pilot(const char *dir, const struct foresight *f)
{
	struct experiment e = { 0 };
	struct foresight with = *f;
	auto_str struct str text = { 0 };
	struct arm_summary s;
	int ret = cmd_load("run", dir, &e);

	if (ret)
		return err_status(ret);
	s = summary_arm(&e, e.baseline, e.primary);
	if (s.n < 2 || !(s.mean > 0)) {
		ret = refuse(STATUS_INVALID,
			     "the pilot has %zu runs with %s; a spread needs 2",
			     s.n, f->metric);
	} else {
		with.cv = s.stddev / s.mean;
		print_spread(f, &s);
		foresight_text(&with, &text);
		printf("%s", text.text);
	}
	experiment_free(&e);
	return ret;
}
