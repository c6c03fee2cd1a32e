/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/compare_json.h"

#include <math.h>

#include "base/mem.h"
#include "data/alike.h"
#include "data/import/foreign.h"
#include "data/stats/stats.h"
#include "out/about.h"
#include "out/json_put.h"
#include "out/notes.h"

static json_t *folder_json(const struct experiment *e)
{
	auto_free char *machine = about_machine(e);
	json_t *object = json_object();

	json_put_text(object, "id", e->id);
	json_put_text(object, "dir", e->dir);
	json_put_text(object, "machine", machine);
	json_put_text(object, "configuration", e->config_hash);
	return object;
}

static json_t *marks_json(const struct judgement *j)
{
	json_t *object = json_object();

	for (size_t i = 0; i < n_foreign_rules; i++)
		json_put_text(object, foreign_rules[i].name,
			      foreign_mark(&foreign_rules[i], j->metric->better,
					   j->base.x, j->base.n, j->arm.x,
					   j->arm.n));
	return object;
}

static json_t *metric_json(const struct compare_page *page,
			   const struct judgement *j)
{
	json_t *object;

	if (!j->base.n || !j->arm.n)
		return json_missing(j->why);
	object = json_object();
	json_put_real(object, "base", stats_mean(j->base.x, j->base.n));
	json_put_real(object, "value", stats_mean(j->arm.x, j->arm.n));
	json_put_text(object, "unit", j->metric->unit);
	json_put_text(object, "better", metric_better_text(j->metric->better));
	json_put_count(object, "n", j->n);
	json_put_real(object, "ratio", j->ratio.centre);
	json_put_real(object, "low", j->ratio.low);
	json_put_real(object, "high", j->ratio.high);
	json_put_judgement(object, j, page->verdicts.judged->margin);
	if (page->has_rules)
		json_put(object, "marks", marks_json(j));
	return object;
}

static json_t *pair_json(const struct compare_page *page, size_t pair)
{
	const struct verdicts *v = &page->verdicts;
	const struct versus *is = &v->list[pair];
	json_t *object = json_object();
	json_t *values = json_object();

	json_put_text(object, "baseline", is->base.e->arms[is->base.arm].label);
	json_put_text(object, "arm", is->arm.e->arms[is->arm.arm].label);
	for (size_t m = 0; m < v->n_metrics; m++) {
		const struct judgement *j = verdicts_of(v, pair, m);

		if (j)
			json_put(values, j->metric->name, metric_json(page, j));
	}
	json_put(object, "metrics", values);
	return object;
}

static json_t *doubts_json(const struct compare_page *page)
{
	json_t *list = json_array();
	struct table notes;

	table_begin(&notes, "", "");
	notes_doubts(page->base, &notes);
	if (page->arm != page->base)
		notes_doubts(page->arm, &notes);
	for (size_t i = 0; i < notes.n_notes; i++)
		json_array_append_new(list, json_text(notes.notes[i]));
	table_free(&notes);
	return list;
}

void compare_json(const struct compare_page *page, struct str *out)
{
	json_t *object = json_object();
	json_t *list = json_array();
	struct facts unlike = { 0 };

	if (page->base != page->arm)
		alike_differences(page->base, page->arm, &unlike);
	alike_arms(page->base, page->arm, &unlike);
	json_put(object, "base", folder_json(page->base));
	json_put(object, "new", folder_json(page->arm));
	json_put_text(object, "correction",
		      verdicts_by_dunnett(page->verdicts.judged) ? "dunnett"
								 : "holm");
	json_put_real(object, "margin_pct",
		      100 * page->verdicts.judged->margin);
	json_put(object, "differences", json_facts(&unlike));
	for (size_t i = 0; i < page->verdicts.n; i++)
		json_array_append_new(list, pair_json(page, i));
	json_put(object, "comparisons", list);
	json_put(object, "marks", doubts_json(page));
	facts_free(&unlike);
	json_print(object, out);
}
