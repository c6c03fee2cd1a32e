/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A letter beside our runs: its numbers, its set-up, its errors. */
#include <ctype.h>

#include "base/mem.h"
#include "data/extra.h"
#include "data/summary.h"
#include "out/claims.h"
#include "out/figure.h"

static void add_ours(const struct experiment *e, const struct published *p,
		     const struct published_value *v, struct table *t)
{
	const struct metric *m = extra_find(e, v->metric);
	auto_free char *text = NULL;
	struct arm_summary s;
	enum figure figure;
	size_t arm;

	if (!m || !published_arm(p, v->arm, e, &arm)) {
		table_missing(t, m ? "no such arm here"
				   : "not a metric of these runs");
		return;
	}
	s = summary_arm(e, arm, m->name);
	if (!s.n) {
		table_missing(t, s.why);
		return;
	}
	figure = str_eq(m->unit, "bytes") ? FIGURE_GIB : FIGURE_DIGITS;
	text = figure_text(figure, s.mean);
	table_cell(t, "%s %s", text, figure_unit(figure, m->unit));
}

void claims_values(const struct experiment *e, const struct published *p,
		   struct table *t)
{
	table_column(t, "metric", "", true);
	table_column(t, "arm", "", true);
	table_column(t, "published", "", false);
	table_column(t, "here", "", false);
	t->is_grouped = true;
	for (size_t i = 0; i < p->n_values; i++) {
		const struct published_value *v = &p->values[i];
		const struct metric *m;

		if (v->is_change)
			continue;
		m = extra_find(e, v->metric);
		claims_metric_cell(t, v->metric, m ? &m->better : &v->better);
		table_cell(t, "%s", v->arm);
		table_cell(t, "%s %s", v->text, v->unit);
		add_ours(e, p, v, t);
	}
	table_note(t, "Published: as printed. Here: the mean over the counted "
		      "runs.");
}

/* The same, as far as the letter says it: 10.5 is 10.5.29-MariaDB. */
static bool is_same(const char *published, const char *ours)
{
	size_t n = strlen(published);

	return str_starts(ours, published) && !isdigit((unsigned char)ours[n]);
}

static const char *our_fact(const struct experiment *e, const char *name)
{
	static const struct {
		const char *section;
		size_t offset;
	} sections[] = {
		{ "host.", offsetof(struct experiment, host) },
		{ "server.", offsetof(struct experiment, server) },
		{ "workload.", offsetof(struct experiment, workload) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		if (str_starts(name, sections[i].section))
			return facts_get((const void *)((const char *)e +
							sections[i].offset),
					 name + strlen(sections[i].section));
	return "";
}

void claims_setup(const struct experiment *e, const struct published *p,
		  struct table *t)
{
	size_t n_same = 0;

	table_column(t, "what", "", true);
	table_column(t, "published", "", true);
	table_column(t, "here", "", true);
	for (size_t i = 0; i < p->setup.n; i++) {
		const struct fact *f = &p->setup.list[i];
		const char *ours = our_fact(e, f->name);

		if (is_same(f->value, ours)) {
			n_same++;
			continue;
		}
		table_cell(t, "%s", f->name);
		table_cell(t, "%s", f->value);
		if (*ours)
			table_cell(t, "%s", ours);
		else
			table_missing(t, "not recorded");
	}
	table_note(t,
		   "The same in both: %zu of %zu facts that the letter "
		   "gives or ought to.",
		   n_same, p->setup.n);
}

void claims_letter(const struct published *p, size_t n_shares, struct table *t)
{
	table_note(t, "%s (%s%s%s).", p->title, p->source, p->date ? ", " : "",
		   p->date ? p->date : "");
	for (size_t i = 0; i < p->n_errors; i++)
		table_note(t, "Error: %s: %s.", p->errors[i].kind,
			   p->errors[i].text);
	if (n_shares)
		table_note(t, "%zu shares computed again from its own counts.",
			   n_shares);
	for (size_t i = 0; i < p->n_notes; i++)
		table_note(t, "%s.", p->notes[i]);
}
