/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/report.h"

#include <inttypes.h>

#include "base/mem.h"
#include "data/extra.h"
#include "data/summary.h"
#include "out/about.h"
#include "out/html.h"
#include "out/json.h"
#include "out/notes.h"
#include "out/wrap.h"

const char *const report_formats[] = {
	[TABLE_TEXT] = "text", [TABLE_MARKDOWN] = "markdown",
	[TABLE_CSV] = "csv",   [TABLE_HTML] = "html",
	[TABLE_JSON] = "json",
};
const size_t n_report_formats = ARRAY_SIZE(report_formats);

int report_format_parse(const char *word)
{
	for (size_t i = 0; i < n_report_formats; i++)
		if (str_eq(report_formats[i], word))
			return (int)i;
	return -1;
}

static const char *known(const char *text)
{
	return text && *text ? text : "unknown";
}

/* What was measured: notes of a table without rows. */
static void print_header(const struct experiment *e, enum table_format format,
			 struct str *out)
{
	auto_free char *machine = about_machine(e);
	auto_free char *server = about_server(e);
	auto_free char *workload = about_workload(e);
	struct table t;

	table_begin(&t, known(e->id), known(e->title));
	table_note(&t, "%s: %s.", e->n_hosts > 1 ? "Machines" : "Machine",
		   machine);
	note_shards(e, &t);
	table_note(&t, "Server: %s.", server);
	table_note(&t, "Workload: %s.", workload);
	if (extra_is_imported(e))
		table_note(&t,
			   "Configuration: not recorded; series %s; %zu "
			   "arm%s, at most %u run%s each.",
			   known(e->config_hash), e->n_arms,
			   e->n_arms == 1 ? "" : "s", e->blocks,
			   e->blocks == 1 ? "" : "s");
	else
		table_note(&t,
			   "Configuration: %s, hash %s, seed %" PRIu64
			   "; %zu arm%s, %u block%s.",
			   known(e->config_path), known(e->config_hash),
			   e->seed, e->n_arms, e->n_arms == 1 ? "" : "s",
			   e->blocks, e->blocks == 1 ? "" : "s");
	table_note(&t, "Measured: %s, by %s.", known(e->created),
		   known(e->program));
	if (extra_is_imported(e))
		table_note(&t,
			   "Imported: %s; tables that it has nothing for "
			   "are left out, what it does not say is n/a.",
			   facts_get(&e->workload, "imported"));
	table_print(&t, "", format, out);
	table_free(&t);
}

/* Any more than these are for journal.tsv and JSON. */
enum { MOST_DOUBTS = 24 };

static void print_doubts(const struct experiment *e, enum table_format format,
			 struct str *out)
{
	struct table all;
	struct table t;

	table_begin(&all, "", "");
	table_begin(&t, "doubts", "what speaks against these figures");
	notes_doubts(e, &all);
	for (size_t i = 0; i < all.n_notes && i < MOST_DOUBTS; i++)
		table_note(&t, "%s", all.notes[i]);
	if (all.n_notes > MOST_DOUBTS)
		table_note(&t, "And %zu more of this sort; see journal.tsv.",
			   all.n_notes - MOST_DOUBTS);
	if (t.n_notes) {
		str_addc(out, '\n');
		table_print(&t, "", format, out);
	}
	table_free(&t);
	table_free(&all);
}

static void print_diagnosis(const struct experiment *e,
			    enum table_format format, struct str *out)
{
	struct table t;

	table_begin(&t, "diagnosis",
		    "why schemes did less, or more, than one may think");
	notes_diagnosis(e, &t);
	if (t.n_notes) {
		str_addc(out, '\n');
		table_print(&t, "", format, out);
	}
	table_free(&t);
}

/* Is there anything to show of a table, or its absence worth a line? */
static bool has_part(const struct experiment *e,
		     const struct table_maker *maker, const struct table *t)
{
	auto_free char *copy = xstrdup(maker->shows ? maker->shows : "");
	auto_free char **names = NULL;
	bool any = false;
	size_t n;

	if (maker->is_asked)
		return false;
	/* Neither imported runs nor benchmarks fill all tables. */
	if (!extra_is_imported(e) && !e->n_extra)
		return table_rows(t) || !maker->is_optional;
	names = str_split(copy, ' ', &n);
	for (size_t i = 0; i < n; i++)
		for (size_t arm = 0; arm < e->n_arms; arm++)
			any |= summary_arm(e, arm, names[i]).n > 0;
	return n ? any : table_rows(t) > 0;
}

static void print_one(const struct experiment *e,
		      const struct table_maker *maker, enum table_format format,
		      bool is_one_of_all, struct str *out)
{
	struct table t;

	table_begin(&t, maker->name, maker->help);
	maker->make(e, &t);
	if (!is_one_of_all || has_part(e, maker, &t)) {
		note_machine(e, &t);
		if (out->len)
			str_addc(out, '\n');
		table_print(&t, known(e->id), format, out);
	}
	table_free(&t);
}

/* tables NULL: all of them. */
static void print_tables(const struct experiment *e, const size_t *tables,
			 size_t n, enum table_format format, struct str *out)
{
	bool has_prose = format != TABLE_CSV;

	if (has_prose)
		print_header(e, format, out);
	for (size_t i = 0; i < n; i++)
		print_one(e, &table_makers[tables ? tables[i] : i], format,
			  !tables, out);
	if (has_prose)
		print_diagnosis(e, format, out);
	if (has_prose)
		print_doubts(e, format, out);
}

/* An article of the page; plots and raw numbers if all is asked for. */
static void print_article(const struct experiment *e, const size_t *tables,
			  size_t n, struct str *out)
{
	str_add(out, "<article>\n");
	print_tables(e, n ? tables : NULL, n ? n : n_table_makers, TABLE_HTML,
		     out);
	if (!n) {
		html_plots(e, out);
		html_downloads(e, out);
	}
	str_add(out, "</article>\n");
}

void report_print(const struct experiment *e, const size_t *tables, size_t n,
		  enum table_format format, struct str *out)
{
	if (format == TABLE_HTML)
		print_article(e, tables, n, out);
	else if (format == TABLE_JSON)
		json_experiment(e, tables, n, out);
	else if (n)
		print_tables(e, tables, n, format, out);
	else
		print_tables(e, NULL, n_table_makers, format, out);
}

void report_begin(size_t n_experiments, enum table_format format,
		  struct str *out)
{
	if (format == TABLE_JSON && n_experiments > 1)
		str_add(out, "[\n");
	if (format == TABLE_HTML)
		html_begin(out);
}

void report_between(enum table_format format, struct str *out)
{
	str_add(out, format == TABLE_JSON ? ",\n" : "\n");
}

void report_end(size_t n_experiments, enum table_format format, struct str *out)
{
	if (format == TABLE_JSON && n_experiments > 1)
		str_add(out, "]\n");
	if (format == TABLE_HTML)
		html_end(out);
}
