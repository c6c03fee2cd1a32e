/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of hosts: what an experiment in shards says on each of them. */
#include <math.h>

#include "base/mem.h"
#include "data/by_host.h"
#include "data/extra.h"
#include "data/stats/judge.h"
#include "out/figure.h"
#include "out/notes.h"
#include "out/tables.h"
#include "out/verdicts.h"

static void mean_cell(struct table *t, const struct metric *m, double mean,
		      const char *why)
{
	const struct sample one = { .x = &mean,
				    .n = isfinite(mean),
				    .why = why };

	verdicts_mean_cell(t, &one, m);
}

static void change_cell(struct table *t, const struct effect *effect)
{
	struct stats_interval i = effect_interval(effect, 0.95);
	const struct comparison c = { 1, exp(i.centre), exp(i.low),
				      exp(i.high) };

	if (isnan(effect->d)) {
		table_missing(t, "no block in which both arms have a value "
				 "above 0");
		return;
	}
	figure_comparison(t, &c);
}

static void arm_rows(const struct experiment *e, size_t arm,
		     const struct metric *m, struct table *t)
{
	struct by_host b;

	by_host(e, arm, m->name, &b);
	for (size_t host = 0; host < b.n; host++) {
		const struct host_effect *one = &b.list[host];

		table_cell(t, "%s", e->arms[arm].label);
		table_cell(t, "%s", e->hosts[host].name);
		table_cell(t, "%zu", one->n);
		mean_cell(t, m, one->base, one->why_base);
		mean_cell(t, m, one->arm, one->why_arm);
		change_cell(t, &one->effect);
	}
	table_cell(t, "%s", e->arms[arm].label);
	table_cell_csv(t, "(hosts as n)", "hosts");
	table_cell(t, "%zu", b.n_over);
	table_cell(t, "-");
	table_cell(t, "-");
	change_cell(t, &b.over_hosts);
	by_host_free(&b);
}

static void note_host_effect(const struct experiment *e, size_t arm, double p,
			     struct table *t)
{
	const char *label = e->arms[arm].label;
	auto_free char *text =
		p < 0.001 ? xstrdup("< 0.001") : xasprintf("%.3f", p);

	if (isnan(p))
		table_note(
			t,
			"Host x arm, '%s': cannot be told; that needs blocks "
			"on each host and two on one of them.",
			label);
	else if (p < JUDGE_LEVEL)
		table_note(
			t,
			"Host x arm, '%s': the hosts disagree (p %s): its "
			"change is another one on each. The figure of all is "
			"a mean over these hosts and says little of any "
			"other.",
			label, text);
	else
		table_note(t,
			   "Host x arm, '%s': no disagreement of the hosts is "
			   "seen (p %s).",
			   label, text);
}

void tables_hosts(const struct experiment *e, struct table *t)
{
	const struct metric *m = extra_find(e, e->primary);
	auto_free double *differ = by_host_differ(e);

	if (e->n_hosts < 2 || !m) {
		table_note(t, "One host: there is nothing to part.");
		return;
	}
	table_column(t, "arm", "", true);
	table_column(t, "host", "", true);
	table_column(t, "blocks", "", false);
	table_column(t, "baseline", verdicts_unit(m), false);
	table_column(t, "value", verdicts_unit(m), false);
	figure_change_column(t);
	t->is_grouped = true;
	for (size_t arm = 0; arm < e->n_arms; arm++)
		if (arm != e->baseline)
			arm_rows(e, arm, m, t);
	table_note(t,
		   "Of %s, the primary metric, against '%s' on the same "
		   "host: mean of the log ratios within blocks; 95 %% "
		   "Student interval.",
		   m->title, e->arms[e->baseline].label);
	table_note(t, "hosts as n: each host counts once, with as many degrees "
		      "of freedom as there are hosts less 1.");
	for (size_t arm = 0; arm < e->n_arms; arm++)
		if (arm != e->baseline && !judge_is_aa(e, arm))
			note_host_effect(e, arm, differ[arm], t);
	table_note(t, "Host x arm: F test of the blocks' log ratios by host, "
		      "p corrected by Holm's method for the arms.");
	note_runs(e, t);
}

void note_hosts_differ(const struct experiment *e, struct table *t)
{
	auto_free double *differ = by_host_differ(e);

	for (size_t arm = 0; arm < e->n_arms; arm++)
		if (differ[arm] < JUDGE_LEVEL)
			note_host_effect(e, arm, differ[arm], t);
}
