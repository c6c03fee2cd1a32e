/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/compare.h"

#include "base/err.h"
#include "base/mem.h"
#include "data/alike.h"
#include "out/about.h"
#include "out/compare_json.h"
#include "out/notes.h"
#include "out/style.h"
#include "out/wrap.h"

const char *const compare_styles[] = {
	[COMPARE_THPBENCH] = "thpbench",
	[COMPARE_FASTPATH] = "fastpath",
	[COMPARE_MMTESTS] = "mmtests",
	[COMPARE_DAMON] = "damon",
};
const size_t n_compare_styles = ARRAY_SIZE(compare_styles);

int compare_style_parse(const char *word)
{
	for (size_t i = 0; i < n_compare_styles; i++)
		if (str_eq(compare_styles[i], word))
			return (int)i;
	return -1;
}

static const char *known(const char *text)
{
	return text && *text ? text : "unknown";
}

static void note_folder(struct table *t, const char *what,
			const struct experiment *e)
{
	auto_free char *machine = about_machine(e);

	table_note(t, "%s: %s: %s; configuration %s, measured %s.", what,
		   known(e->id), machine, known(e->config_hash),
		   known(e->created));
}

/* Two folders are two kernels, days, or machines: what of it is known? */
static void note_differences(struct table *t, const struct compare_page *page)
{
	struct facts unlike = { 0 };

	if (page->base == page->arm)
		return;
	alike_differences(page->base, page->arm, &unlike);
	alike_arms(page->base, page->arm, &unlike);
	if (!alike_same_host(page->base, page->arm))
		table_note(t, "Not the same machine: what differs may come "
			      "from that.");
	table_note(t, "The runs share no blocks: whatever changed from one to "
		      "the other is part of the difference.");
	for (size_t i = 0; i < unlike.n; i++)
		table_note(t, "Differs: %s: %s.", unlike.list[i].name,
			   unlike.list[i].value);
	facts_free(&unlike);
}

/* As note_window(), with the folder in front. */
static void note_window_of(const char *what, const struct experiment *e,
			   struct table *t)
{
	struct table one;

	table_begin(&one, "", "");
	note_window(e, &one);
	for (size_t i = 0; i < one.n_notes; i++)
		table_note(t, "%s: %s", what, one.notes[i]);
	table_free(&one);
}

/* How many runs of each arm that is compared, and over which window. */
static void note_both_runs(const struct compare_page *page, struct table *t)
{
	const struct verdicts *v = &page->verdicts;
	auto_str struct str list = { 0 };

	if (page->base == page->arm) {
		note_runs(page->base, t);
		note_window(page->base, t);
		return;
	}
	if (!v->n_metrics)
		return;
	for (size_t i = 0; i < v->n; i++) {
		const struct judgement *j = verdicts_of(v, i, 0);
		auto_free char *base = verdicts_label(v, &v->list[i], true);
		auto_free char *arm = verdicts_label(v, &v->list[i], false);

		if (j)
			str_addf(&list, "%s %s: %zu; %s: %zu",
				 list.len ? ";" : "", base, j->base.n, arm,
				 j->arm.n);
	}
	table_note(t, "n: runs with a value of %s:%s.", v->metrics[0]->title,
		   list.len ? list.text : " none");
	note_window_of("Base", page->base, t);
	note_window_of("New", page->arm, t);
}

static void print_header(const struct compare_page *page,
			 enum table_format format, struct str *out)
{
	auto_free char *workload = about_workload(page->base);
	struct table t;

	table_begin(&t, "compare", known(page->base->title));
	if (page->base == page->arm) {
		note_folder(&t, "Folder", page->base);
	} else {
		note_folder(&t, "Base", page->base);
		note_folder(&t, "New", page->arm);
	}
	table_note(&t, "Workload: %s.", workload);
	note_differences(&t, page);
	note_hosts_differ(page->base, &t);
	table_print(&t, "", format, out);
	table_free(&t);
}

static void print_table(const struct compare_page *page, const char *name,
			const char *title,
			void (*fill)(const struct verdicts *v, struct table *t),
			enum table_format format, struct str *out)
{
	struct table t;

	table_begin(&t, name, title);
	fill(&page->verdicts, &t);
	if (fill == verdicts_table)
		note_both_runs(page, &t);
	if (out->len)
		str_addc(out, '\n');
	table_print(&t, known(page->arm->id), format, out);
	table_free(&t);
}

static void fill_diagnostics(const struct verdicts *v, struct table *t)
{
	const struct experiment *base = v->list[0].base.e;
	const struct experiment *arm = v->list[0].arm.e;

	diagnostics_columns(t);
	diagnostics_rows(base, arm == base ? "" : "base: ", t);
	if (arm != base)
		diagnostics_rows(arm, "new: ", t);
	verdicts_checks(v, t);
	diagnostics_note(base, t);
}

static bool any_inconclusive(const struct verdicts *v)
{
	for (size_t m = 0; m < v->n_metrics; m++) {
		for (size_t i = 0; i < v->n; i++) {
			const struct judgement *j = verdicts_of(v, i, m);

			if (j && j->verdict == VERDICT_INCONCLUSIVE)
				return true;
		}
	}
	return false;
}

static void print_doubts(const struct compare_page *page,
			 enum table_format format, struct str *out)
{
	struct table t;

	table_begin(&t, "doubts", "what speaks against these figures");
	notes_doubts(page->base, &t);
	if (page->arm != page->base)
		notes_doubts(page->arm, &t);
	if (t.n_notes) {
		str_addc(out, '\n');
		table_print(&t, "", format, out);
	}
	table_free(&t);
}

static void print_ours(const struct compare_page *page,
		       enum table_format format, struct str *out)
{
	bool has_prose = format != TABLE_CSV;

	if (has_prose)
		print_header(page, format, out);
	print_table(page, "verdicts", "what differs, and how sure that is",
		    verdicts_table, format, out);
	if (any_inconclusive(&page->verdicts))
		print_table(page, "power",
			    "what inconclusive comparisons could have shown",
			    verdicts_power, format, out);
	if (page->has_rules)
		print_table(page, "rules", "what other tools would mark",
			    verdicts_rules, format, out);
	print_table(page, "diagnostics", "what may be wrong with the runs",
		    fill_diagnostics, format, out);
	if (has_prose)
		print_doubts(page, format, out);
}

/* What stands below the table of another tool's form. */
static void style_notes(const struct compare_page *page, struct table *t)
{
	static void (*const notes[])(const struct verdicts *v,
				     struct table *t) = {
		[COMPARE_FASTPATH] = style_fastpath_note,
		[COMPARE_MMTESTS] = style_mmtests_note,
		[COMPARE_DAMON] = style_damon_note,
	};

	notes[page->style](&page->verdicts, t);
	style_note_intervals(&page->verdicts, t);
	note_both_runs(page, t);
	if (page->base == page->arm) {
		note_folder(t, "Folder", page->base);
		return;
	}
	note_folder(t, "Base", page->base);
	note_folder(t, "New", page->arm);
}

/* As text in parts, so that no value is far from its overhead. */
static void print_damon(const struct compare_page *page,
			enum table_format format, struct str *out)
{
	struct verdicts part = page->verdicts;
	size_t from = format == TABLE_TEXT ? 0 : part.n;
	struct table t;

	do {
		if (format == TABLE_TEXT)
			style_next_part(&page->verdicts, &from,
					style_damon_width, &part);
		if (out->len)
			str_addc(out, '\n');
		table_begin(&t, "overhead", "against orig");
		style_damon(&part, &t);
		if (from == page->verdicts.n)
			style_notes(page, &t);
		table_print(&t, known(page->arm->id), format, out);
		table_free(&t);
	} while (from < page->verdicts.n);
}

/* A form that is text of its own, and notes. */
static void print_text(const struct compare_page *page,
		       void (*print)(const struct verdicts *v, struct str *out),
		       struct str *out)
{
	struct table t;

	print(&page->verdicts, out);
	table_begin(&t, "", "");
	style_notes(page, &t);
	for (size_t i = 0; i < t.n_notes; i++) {
		auto_free char *note = wrap_ascii(t.notes[i]);

		wrap_add(out, note, "", "  ");
	}
	table_free(&t);
}

void compare_print(const struct compare_page *page, enum table_format format,
		   struct str *out)
{
	if (page->style == COMPARE_FASTPATH)
		print_text(page, style_fastpath, out);
	else if (page->style == COMPARE_MMTESTS)
		print_text(page, style_mmtests, out);
	else if (page->style == COMPARE_DAMON)
		print_damon(page, format, out);
	else if (format == TABLE_JSON)
		compare_json(page, out);
	else
		print_ours(page, format, out);
}

int compare_status(const struct verdicts *v, const struct metric *const *list,
		   size_t n)
{
	size_t counts[VERDICT_INCONCLUSIVE + 1] = { 0 };

	for (size_t i = 0; i < v->judged->n; i++)
		for (size_t m = 0; m < n; m++)
			if (v->judged->list[i].metric == list[m])
				counts[v->judged->list[i].verdict]++;
	if (counts[VERDICT_REGRESSED])
		return STATUS_REGRESSION;
	if (counts[VERDICT_INCONCLUSIVE])
		return STATUS_INCONCLUSIVE;
	return counts[VERDICT_NONE] ? STATUS_INVALID : STATUS_OK;
}
