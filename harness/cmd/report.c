/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench report: the tables of result folders. */
#include <getopt.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/load.h"
#include "data/stats/judge.h"
#include "out/notes.h"
#include "out/report.h"

static const struct cmd_option options[] = {
	{ "table", "NAME", 't', "this table; may be given several times" },
	{ "format", "FORMAT", 'f',
	  "text (default), markdown, csv, html, json" },
	{ 0 },
};

struct request {
	size_t *tables; /* places in table_makers */
	size_t n_tables;
	enum table_format format;
};

static int add_table(struct request *r, const char *name)
{
	size_t place;
	int bad = cmd_choose("report", "table", name,
			     CMD_ROWS(table_makers, n_table_makers), &place);

	if (bad)
		return bad;
	XGROW(r->tables, r->n_tables);
	r->tables[r->n_tables++] = place;
	return STATUS_OK;
}

static int set_format(struct request *r, const char *word)
{
	int format = report_format_parse(word);

	if (format < 0)
		return cmd_refuse_word("report", "format", word, report_formats,
				       n_report_formats);
	r->format = (enum table_format)format;
	return STATUS_OK;
}

/* -1: --help was printed. */
static int read_options(const struct cmd *cmd, int argc, char **argv,
			struct request *r)
{
	const struct cmd_option *o;
	const char *value;
	int bad = STATUS_OK;

	while (!bad && (o = cmd_next(cmd, argc, argv, &value, &bad)))
		bad = o == &options[0] ? add_table(r, value)
				       : set_format(r, value);
	if (!bad && optind == argc)
		bad = refuse(STATUS_USAGE, "report: no result folder; see "
					   "thpbench report --help");
	return bad;
}

/* Does a run of it count, and may it? */
static bool is_sound(const struct experiment *e)
{
	return notes_any_counted(e) && !judge_aa_failed(e);
}

static int report_all(const char *const *dirs, size_t n,
		      const struct request *r)
{
	auto_str struct str out = { 0 };
	struct experiments all;
	int status = STATUS_OK;
	int ret = cmd_load_all("report", dirs, n, &all);

	if (ret < 0)
		return err_status(ret);
	report_begin(all.n, r->format, &out);
	for (size_t i = 0; i < all.n; i++) {
		if (i)
			report_between(r->format, &out);
		report_print(&all.list[i], r->tables, r->n_tables, r->format,
			     &out);
		if (!is_sound(&all.list[i]))
			status = STATUS_INVALID;
	}
	report_end(all.n, r->format, &out);
	experiments_free(&all);
	ret = cmd_put(out.text, out.len);
	return ret ? ret : status;
}

static int report_main(const struct cmd *cmd, int argc, char **argv)
{
	struct request r = { .format = TABLE_TEXT };
	int status = read_options(cmd, argc, argv, &r);

	if (!status)
		status = report_all((const char *const *)argv + optind,
				    (size_t)(argc - optind), &r);
	free(r.tables);
	return status < 0 ? STATUS_OK : status;
}

const struct cmd cmd_report = {
	.name = "report",
	.arguments = "DIR...",
	.help = "the tables of result folders",
	.options = options,
	.main = report_main,
};
