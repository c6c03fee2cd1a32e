/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/notes.h"

#include <math.h>
#include <stdlib.h>

#include "base/facts.h"
#include "base/mem.h"
#include "data/extra.h"
#include "data/merge.h"
#include "data/summary.h"
#include "out/about.h"

bool notes_run_counts(const struct run *run)
{
	return run->state == RUN_OK || run->state == RUN_MARKED;
}

static size_t counted(const struct experiment *e, size_t arm)
{
	size_t n = 0;

	for (size_t i = 0; i < e->n_runs; i++)
		n += e->runs[i].arm == arm && notes_run_counts(&e->runs[i]);
	return n;
}

bool notes_any_counted(const struct experiment *e)
{
	for (size_t arm = 0; arm < e->n_arms; arm++)
		if (counted(e, arm))
			return true;
	return false;
}

void note_runs(const struct experiment *e, struct table *t)
{
	auto_str struct str list = { 0 };
	bool is_equal = true;

	for (size_t arm = 0; arm < e->n_arms; arm++) {
		size_t n = counted(e, arm);

		is_equal &= n == counted(e, 0);
		str_addf(&list, "%s%s: %zu of %u", arm ? "; " : "",
			 e->arms[arm].label, n, e->blocks);
	}
	if (is_equal && e->n_arms)
		table_note(t, "n: %zu of %u planned runs counted in each arm.",
			   counted(e, 0), e->blocks);
	else
		table_note(t, "n: runs counted of planned: %s.",
			   list.len ? list.text : "none");
}

static char *range_text(double least, double most)
{
	char *one = xasprintf("%.1f", least);
	char *two = xasprintf("%.1f to %.1f", least, most);
	bool is_one = most - least < 0.05;

	free(is_one ? two : one);
	return is_one ? one : two;
}

void note_window(const struct experiment *e, struct table *t)
{
	/* Of length and start. */
	double least[2] = { HUGE_VAL, HUGE_VAL };
	double most[2] = { -HUGE_VAL, -HUGE_VAL };
	auto_free char *length = NULL;
	auto_free char *start = NULL;

	for (size_t i = 0; i < e->n_runs; i++) {
		const struct run *run = &e->runs[i];
		double from = run->measure_start_s;
		double lasted = run->measure_end_s - from;

		if (!notes_run_counts(run) || !isfinite(lasted))
			continue;
		least[0] = fmin(least[0], lasted);
		most[0] = fmax(most[0], lasted);
		least[1] = fmin(least[1], from);
		most[1] = fmax(most[1], from);
	}
	if (!isfinite(least[0])) {
		table_note(t, "Window: none recorded.");
		return;
	}
	length = range_text(least[0], most[0]);
	start = range_text(least[1], most[1]);
	table_note(t,
		   "Window: %s s long; it opened %s s after the start of the "
		   "run.",
		   length, start);
}

void note_interval(const struct experiment *e, struct table *t)
{
	const char *base = e->n_arms ? e->arms[e->baseline].label : "";

	if (extra_is_imported(e)) {
		table_note(t,
			   "Change: against '%s', the difference of the mean "
			   "logs; the runs share no blocks. Interval: 95 %% by "
			   "Welch.",
			   base);
		return;
	}
	table_note(t,
		   "Change: against '%s', the mean of the log ratios within "
		   "each block.",
		   base);
	if (e->blocks < 2)
		table_note(t, "[n/a]: an interval needs 2 blocks; this is 1.");
	else
		table_note(t,
			   "Interval: 95 %% Student t on paired log ratios, "
			   "%u blocks planned.",
			   e->blocks);
}

void note_direction(struct table *t, const char *metric)
{
	const struct metric *m = metric_find(metric);

	if (m && m->better == METRIC_NEITHER)
		table_note(t, "%s: neither direction is better by itself.",
			   m->title);
	else if (m)
		table_note(t, "%s: %s is better.", m->title,
			   m->better == METRIC_MORE ? "higher" : "lower");
}

/* The reason of the first counted run of an arm that lacks a metric. */
static const char *why_missing(const struct experiment *e, size_t arm,
			       const char *metric)
{
	for (size_t i = 0; i < e->n_runs; i++) {
		const struct run *run = &e->runs[i];
		const struct value *v = run_value(run, metric);

		if (run->arm == arm && notes_run_counts(run) && !v->is_there)
			return v->why;
	}
	return "";
}

void note_partial(const struct experiment *e, struct table *t,
		  const char *metric)
{
	const struct metric *m = extra_find(e, metric);

	for (size_t arm = 0; m && arm < e->n_arms; arm++) {
		struct arm_summary s = summary_arm(e, arm, metric);

		if (s.n == 0 || s.n == counted(e, arm))
			continue;
		table_note(t, "%s of '%s': from %zu of %zu runs; %s.", m->title,
			   e->arms[arm].label, s.n, counted(e, arm),
			   why_missing(e, arm, metric));
	}
}

void note_machine(const struct experiment *e, struct table *t)
{
	auto_free char *machine =
		e->n_hosts > 1 ? merge_hosts_text(e) : about_machine(e);

	table_note(t, "%s: %s; configuration %s.",
		   e->n_hosts > 1 ? "Hosts" : "Machine", machine,
		   e->config_hash ? e->config_hash : "unknown");
	if (str_eq(facts_get(&e->host, "accel"), "tcg"))
		table_note(t, "Under emulation: TPS and times are no "
			      "performance figures.");
}

void note_shards(const struct experiment *e, struct table *t)
{
	auto_free char *hosts = merge_hosts_text(e);

	if (e->n_parts)
		table_note(t, "Shards: %zu of %u, on %zu host%s: %s.",
			   e->n_parts, e->shard.of, e->n_hosts,
			   e->n_hosts == 1 ? "" : "s", hosts);
}

/* " THP_enabled of the server: 1 in 9 of 9 runs." free() it. */
static char *thp_enabled_text(const struct experiment *e)
{
	size_t n_known = 0;
	size_t n_on = 0;

	for (size_t i = 0; i < e->n_runs; i++) {
		const struct value *v =
			run_value(&e->runs[i], "server_thp_enabled");

		n_known += v->is_there;
		n_on += v->is_there && v->number > 0;
	}
	if (!n_known)
		return xstrdup(" THP_enabled of the server: not known.");
	return xasprintf(" THP_enabled of the server: 1 in %zu of %zu runs.",
			 n_on, n_known);
}

void note_thp_disable(const struct experiment *e, struct table *t)
{
	const char *program = facts_get(&e->workload, "program");
	const char *dry_run = facts_get(&e->workload, "dry_run");
	const char *word = facts_get(&e->server, "thp_disable");
	auto_free char *seen = NULL;

	if (!str_eq(program, "sysbench") || str_eq(dry_run, "yes"))
		return;
	seen = thp_enabled_text(e);
	if (str_eq(word, "block"))
		table_note(t,
			   "thp_disable = block: the server was kept from "
			   "switching THP off for itself.%s",
			   seen);
	else if (str_eq(word, "keep"))
		table_note(t,
			   "thp_disable = keep: the server may switch THP off "
			   "for itself (MDEV-33279).%s",
			   seen);
}
