/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to doubt in an experiment, as notes. */
#include "base/mem.h"
#include "data/diagnosis.h"
#include "data/stats/judge.h"
#include "out/notes.h"

static const char *label(const struct experiment *e, const struct run *run)
{
	return run->arm < e->n_arms ? e->arms[run->arm].label : "?";
}

static bool is_alike(const struct run *a, const struct run *b)
{
	return a->state == b->state && str_eq(a->reason, b->reason);
}

static const char *effect(enum run_state state)
{
	static const char *const texts[] = {
		[RUN_OK] = "fine",
		[RUN_MARKED] = "marked, and counted",
		[RUN_INVALID] = "invalid, and not counted",
		[RUN_FAILED] = "failed, and not counted",
	};

	return texts[state];
}

/* All runs that share the state and the reason of the first of them. */
static void note_alike(const struct experiment *e, size_t first,
		       struct table *t)
{
	const struct run *run = &e->runs[first];
	auto_str struct str list = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < first; i++)
		if (is_alike(&e->runs[i], run))
			return;
	for (size_t i = first; i < e->n_runs; i++)
		if (is_alike(&e->runs[i], run))
			str_addf(&list, "%s%u (%s)", n++ ? ", " : "",
				 e->runs[i].number, label(e, &e->runs[i]));
	table_note(t, "%s %s %s %s: %s", n > 1 ? "Runs" : "Run", list.text,
		   n > 1 ? "are" : "is", effect(run->state),
		   run->reason && *run->reason ? run->reason
					       : "no reason recorded");
}

/* An arm that repeats the baseline and differs: all figures are in doubt. */
static void note_aa(const struct experiment *e, struct table *t)
{
	struct judgements aa;

	judge_aa(e, &aa);
	if (aa.n && aa.list[0].p < JUDGE_LEVEL)
		table_note(t,
			   "Invalid: '%s' has the settings of '%s' and differs "
			   "in %s by %+.2f %%, p %.4f: this experiment finds "
			   "what is not there, and no verdict is given.",
			   e->arms[aa.list[0].versus.arm.arm].label,
			   e->arms[e->baseline].label, aa.list[0].metric->title,
			   100 * (aa.list[0].ratio.centre - 1), aa.list[0].p);
	judgements_free(&aa);
}

void notes_doubts(const struct experiment *e, struct table *t)
{
	note_aa(e, t);
	note_hosts_differ(e, t);
	for (size_t i = 0; i < e->n_marks; i++)
		table_note(t, "Experiment: %s", e->marks[i]);
	for (size_t i = 0; i < e->n_runs; i++)
		if (e->runs[i].state != RUN_OK)
			note_alike(e, i, t);
	for (size_t i = 0; i < e->n_runs; i++)
		if (e->runs[i].attempt > 1)
			table_note(t, "Run %u (%s) is attempt %u; before: %s",
				   e->runs[i].number, label(e, &e->runs[i]),
				   e->runs[i].attempt,
				   e->runs[i].earlier ? e->runs[i].earlier
						      : "not recorded");
	if (e->n_runs < e->n_planned)
		table_note(t, "Interrupted: %zu of %zu planned runs are there.",
			   e->n_runs, e->n_planned);
}

void notes_diagnosis(const struct experiment *e, struct table *t)
{
	struct diagnoses found;

	diagnose(e, &found);
	for (size_t i = 0; i < found.n; i++)
		table_note(t, "%s, %s.", e->arms[found.list[i].arm].label,
			   found.list[i].text);
	diagnoses_free(&found);
}
