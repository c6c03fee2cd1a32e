/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench report: the tables of result folders. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/load.h"
#include "data/judge.h"
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
	auto_free const char **names = xcalloc(n_table_makers, sizeof(*names));

	for (size_t i = 0; i < n_table_makers; i++) {
		names[i] = table_makers[i].name;
		if (!str_eq(names[i], name))
			continue;
		XGROW(r->tables, r->n_tables);
		r->tables[r->n_tables++] = i;
		return STATUS_OK;
	}
	return cmd_refuse_word("report", "table", name, names, n_table_makers);
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

/* Add the report of one folder; *any: a run of it counts, and may. */
static int report_one(const char *dir, const struct request *r, struct str *out,
		      bool *any)
{
	struct experiment e = { 0 };
	int ret = cmd_load("report", dir, &e);

	if (ret < 0)
		return ret;
	report_print(&e, r->tables, r->n_tables, r->format, out);
	*any = notes_any_counted(&e) && !judge_aa_failed(&e);
	experiment_free(&e);
	return 0;
}

static int report_all(char **dirs, int n, const struct request *r)
{
	auto_str struct str out = { 0 };
	int status = STATUS_OK;
	int ret;

	report_begin((size_t)n, r->format, &out);
	for (int i = 0; i < n; i++) {
		bool any = false;

		if (i)
			report_between(r->format, &out);
		ret = report_one(dirs[i], r, &out, &any);
		if (ret < 0)
			return err_status(ret);
		if (!any)
			status = STATUS_INVALID;
	}
	report_end((size_t)n, r->format, &out);
	ret = file_write_fd(STDOUT_FILENO, out.text, out.len);
	if (ret < 0)
		return err_status(fail(ret, "report: stdout"));
	return status;
}

static int report_main(const struct cmd *cmd, int argc, char **argv)
{
	struct request r = { .format = TABLE_TEXT };
	int status = read_options(cmd, argc, argv, &r);

	if (!status)
		status = report_all(argv + optind, argc - optind, &r);
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
