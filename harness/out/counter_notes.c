/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/counter_notes.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/counted.h"
#include "data/metric.h"
#include "data/summary.h"
#include "out/notes.h"

/* Words, each once, in the order in which they came. */
struct words {
	char **list;
	size_t n;
};

/* False if it was there. */
static bool words_add(struct words *w, const char *word)
{
	for (size_t i = 0; i < w->n; i++)
		if (str_eq(w->list[i], word))
			return false;
	XGROW(w->list, w->n);
	w->list[w->n++] = xstrdup(word);
	return true;
}

static void words_free(struct words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->list[i]);
	free(w->list);
	*w = (struct words){ 0 };
}

/* The roles that the figures of these columns come from. */
static void find_roles(const struct experiment *e,
		       const struct arms_column *columns, size_t n,
		       struct words *roles)
{
	for (size_t i = 0; i < n; i++) {
		const char *of[2];
		bool any = false;

		summary_roles(columns[i].metric, of);
		for (size_t arm = 0; arm < e->n_arms && !any; arm++)
			any = summary_arm(e, arm, columns[i].metric).n > 0;
		for (size_t k = 0; k < 2 && any; k++)
			if (of[k])
				words_add(roles, of[k]);
	}
}

/* What note_events() gathers of one role. */
struct told {
	const char *role;
	struct words *groups; /* of the PMU: they may have shared it */
	struct words events;
	struct str text;
};

/* Is a run's record of an event that counted one of this role? */
static bool has_counted(const struct counter_record *r, const char *role)
{
	return str_eq(r->kind, COUNTER_EVENT) && str_eq(r->role, role) &&
	       *r->column;
}

static void tell_event(const struct counter_record *r, struct told *told)
{
	if (!has_counted(r, told->role))
		return;
	if (!str_starts(r->code, "1:")) /* PERF_TYPE_SOFTWARE */
		words_add(told->groups, r->group);
	if (words_add(&told->events, r->event))
		str_addf(&told->text, "%s%s (%s)", told->text.len ? " + " : "",
			 r->event, r->code);
}

/* "dtlb_walk: skx::A (4:0xe08) + skx::B (4:0xe49)." over all counted runs */
static void note_events(const struct experiment *e, struct table *t,
			const char *role, struct words *groups)
{
	struct told told = { .role = role, .groups = groups };

	for (size_t i = 0; i < e->n_runs; i++) {
		const struct run *run = &e->runs[i];

		if (!notes_run_counts(run))
			continue;
		for (size_t k = 0; k < run->n_counters; k++)
			tell_event(&run->counters[k], &told);
	}
	if (told.text.len)
		table_note(t, "%s: %s.", role, told.text.text);
	words_free(&told.events);
	str_free(&told.text);
}

/* Is it a remark, on one of these roles or on the whole PMU? */
static bool is_remark(const struct counter_record *r, const struct words *roles)
{
	if (!str_eq(r->kind, COUNTER_NOTE) && !str_eq(r->kind, COUNTER_PROXY))
		return false;
	for (size_t i = 0; i < roles->n; i++)
		if (str_eq(roles->list[i], r->role))
			return true;
	return !*r->role;
}

/* Notes of a kind: those of the roles, and those of the whole PMU. */
static void note_remarks(const struct experiment *e, struct table *t,
			 const struct words *roles)
{
	struct words seen = { 0 };

	for (size_t i = 0; i < e->n_runs; i++) {
		const struct run *run = &e->runs[i];

		for (size_t k = 0; k < run->n_counters; k++) {
			const struct counter_record *r = &run->counters[k];
			auto_free char *note =
				xasprintf("%s%s%s.", r->role,
					  *r->role ? ": " : "", r->text);

			if (is_remark(r, roles) && words_add(&seen, note))
				table_note(t, "%s", note);
		}
	}
	words_free(&seen);
}

/* "group tlb 99.8 %": the least of all counted runs. */
static void add_shares(const struct experiment *e, const struct words *groups,
		       struct str *out)
{
	for (size_t g = 0; g < groups->n; g++) {
		double least = INFINITY;

		for (size_t i = 0; i < e->n_runs; i++) {
			double pct = counted_running_pct(&e->runs[i],
							 groups->list[g]);

			if (notes_run_counts(&e->runs[i]) && pct < least)
				least = pct;
		}
		if (isfinite(least))
			str_addf(out, "%sgroup %s %.2f %%",
				 out->len ? ", " : "", groups->list[g], least);
	}
}

/* What the configuration says is the same for all: of the first that has it. */
static const char *fact_of(const struct experiment *e, const char *name)
{
	for (size_t i = 0; i < e->n_runs; i++)
		if (*counted_fact(&e->runs[i], name))
			return counted_fact(&e->runs[i], name);
	return "";
}

/* "skx and zen4": shards may be of several machines. free() it. */
static char *pmus_of(const struct experiment *e)
{
	struct words seen = { 0 };
	struct str text = { 0 };

	str_add(&text, "");
	for (size_t i = 0; i < e->n_runs; i++) {
		const char *pmu = counted_fact(&e->runs[i], COUNTER_PMU);

		if (*pmu && words_add(&seen, pmu))
			str_addf(&text, "%s%s", text.len ? " and " : ", ", pmu);
	}
	words_free(&seen);
	return str_steal(&text);
}

/* Events of the kernel, which are of user mode and of its own always. */
static bool is_software(const struct words *roles, const struct words *groups)
{
	return roles->n && !groups->n;
}

static void note_source(const struct experiment *e, struct table *t,
			const struct words *roles, const struct words *groups)
{
	auto_str struct str shares = { 0 };
	auto_free char *pmus = pmus_of(e);
	const char *replay = fact_of(e, COUNTER_REPLAY);
	bool is_kernels = is_software(roles, groups);

	if (!roles->n)
		return;
	if (*replay)
		table_note(t, "Source: replayed from %s, not measured.",
			   replay);
	else
		table_note(t, "Source: perf_event_open%s; of the %s, %s.",
			   is_kernels ? ", events of the kernel" : pmus,
			   fact_of(e, COUNTER_SCOPE),
			   is_kernels ? "user+kernel"
				      : fact_of(e, COUNTER_LEVEL));
	add_shares(e, groups, &shares);
	if (shares.len)
		table_note(t,
			   "On the PMU, in the run with least: %s of the "
			   "time; below %s %% a figure is n/a.",
			   shares.text, fact_of(e, COUNTER_LIMIT));
}

void note_counters(const struct experiment *e, struct table *t,
		   const struct arms_column *columns, size_t n)
{
	struct words roles = { 0 };
	struct words groups = { 0 };

	find_roles(e, columns, n, &roles);
	for (size_t i = 0; i < roles.n; i++)
		note_events(e, t, roles.list[i], &groups);
	note_remarks(e, t, &roles);
	note_source(e, t, &roles, &groups);
	words_free(&roles);
	words_free(&groups);
}
