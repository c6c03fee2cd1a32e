/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every run as a dot, with the mean and its interval: TPS, latency, TLB. */
#include <math.h>

#include "base/mem.h"
#include "data/extra.h"
#include "data/stats/stats.h"
#include "data/summary.h"
#include "out/notes.h"
#include "out/plots.h"

/* What is gathered while panels are added. */
struct panels {
	struct plot_list axes;
	struct plot_list counts;
	struct plot_list least;
	struct plot_list most;
};

static bool any_value(const struct experiment *e, const char *metric)
{
	for (size_t arm = 0; arm < e->n_arms; arm++)
		if (summary_arm(e, arm, metric).n)
			return true;
	return false;
}

/* "TPS, 1/s (higher is better)"; free() it. */
static char *axis_text(const struct metric *m)
{
	static const char *const directions[] = {
		[METRIC_NEITHER] = "",
		[METRIC_MORE] = " (higher is better)",
		[METRIC_LESS] = " (lower is better)",
	};

	return xasprintf("%s, %s%s", m->title, m->unit, directions[m->better]);
}

static void add_dots(const struct experiment *e, const struct metric *m,
		     struct plot *p)
{
	auto_free char *comment =
		xasprintf("%s, %s: every counted run", m->name, m->unit);

	plot_set(p, comment, "row\tvalue\tstyle\tblock");
	for (size_t i = 0; i < e->n_runs; i++) {
		const struct run *run = &e->runs[i];
		const struct value *v = run_value(run, m->name);
		const double cells[] = { (double)run->arm + 1, v->number,
					 plot_style(run->arm), run->block };

		if (v->is_there && notes_run_counts(run))
			plot_row(p, cells, ARRAY_SIZE(cells));
	}
}

/* The 95 % interval of the mean of an arm's runs; NAN where n < 2. */
static double half_width(const struct arm_summary *s)
{
	if (s->n < 2)
		return NAN;
	return stats_t_quantile(0.975, (double)(s->n - 1)) * s->stddev /
	       sqrt((double)s->n);
}

/* With room at both ends; around a single value 1 % of it. */
static void add_range(double least, double most, struct panels *panels)
{
	double room = 0.04 * (most - least);

	if (!(room > 0))
		room = fabs(most) > 0 ? 0.01 * fabs(most) : 1;
	plot_list_number(&panels->least, least - room);
	plot_list_number(&panels->most, most + room);
}

static void add_means(const struct experiment *e, const struct metric *m,
		      struct plot *p, struct panels *panels)
{
	auto_free char *comment =
		xasprintf("%s, %s: mean and 95 %% interval", m->name, m->unit);
	double least = HUGE_VAL;
	double most = -HUGE_VAL;

	plot_set(p, comment, "row\tmean\tlow\thigh\tstyle\tn");
	for (size_t arm = 0; arm < e->n_arms; arm++) {
		struct arm_summary s = summary_arm(e, arm, m->name);
		double half = half_width(&s);
		/* Without an interval the bar has no length. */
		double shown = isfinite(half) ? half : 0;
		const double cells[] = { (double)arm + 1, s.mean,
					 s.mean - shown,  s.mean + shown,
					 plot_style(arm), (double)s.n };
		auto_free char *text = xasprintf("n = %zu", s.n);

		plot_list_text(&panels->counts, s.n ? text : "n/a");
		if (!s.n)
			continue;
		plot_row(p, cells, ARRAY_SIZE(cells));
		least = fmin(least, fmin(s.least, s.mean - shown));
		most = fmax(most, fmax(s.most, s.mean + shown));
	}
	add_range(least, most, panels);
}

static void add_labels(const struct experiment *e, struct plot *p)
{
	struct plot_list arms = { 0 };
	size_t longest = 0;

	for (size_t arm = 0; arm < e->n_arms; arm++) {
		const char *label = e->arms[arm].label;

		plot_list_text(&arms, label);
		if (strlen(label) > longest)
			longest = strlen(label);
	}
	plot_list_end(p, "arm", &arms);
	plot_number(p, "label_px", plot_label_px(longest));
}

static void add_notes(const struct experiment *e, struct plot *p)
{
	note_runs(e, &p->notes);
	note_window(e, &p->notes);
	table_note(&p->notes, "Each dot is a run. Cross and bar: the mean of "
			      "the runs and its 95 %% interval (Student t); "
			      "whether two bars overlap is no test: see the "
			      "changes by block.");
	note_machine(e, &p->notes);
}

/* A panel for each metric that some run has. */
static void make_dots(const struct experiment *e, struct plot *p,
		      const char *const *names, size_t n)
{
	struct panels panels = { 0 };
	const char *why = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct metric *m = extra_find(e, names[i]);
		auto_free char *axis = NULL;

		if (!m)
			continue;
		if (!any_value(e, m->name)) {
			why = why ? why : summary_arm(e, 0, m->name).why;
			continue;
		}
		axis = axis_text(m);
		plot_list_text(&panels.axes, axis);
		add_dots(e, m, p);
		add_means(e, m, p, &panels);
	}
	if (!panels.axes.n)
		plot_miss(p, "%s", why ? why : "no such figure is recorded");
	p->body_px = (unsigned int)(panels.axes.n * (60 + 34 * e->n_arms));
	plot_list_end(p, "axis", &panels.axes);
	plot_list_end(p, "count", &panels.counts);
	plot_list_end(p, "least", &panels.least);
	plot_list_end(p, "most", &panels.most);
	add_labels(e, p);
	add_notes(e, p);
}

void plots_tps(const struct experiment *e, struct plot *p)
{
	static const char *const names[] = { "tps" };

	make_dots(e, p, names, ARRAY_SIZE(names));
}

void plots_latency(const struct experiment *e, struct plot *p)
{
	static const char *const names[] = {
		"latency_p95_ms",
		"latency_avg_ms",
		"latency_max_ms",
	};

	make_dots(e, p, names, ARRAY_SIZE(names));
}

void plots_tlb(const struct experiment *e, struct plot *p)
{
	static const char *const names[] = {
		"dtlb_walk_mpki",
		"itlb_walk_mpki",
		"dtlb_walk_share_pct",
		"itlb_walk_share_pct",
	};

	make_dots(e, p, names, ARRAY_SIZE(names));
}
