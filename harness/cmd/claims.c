/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench claims: which claims the runs of a result folder bear out. */
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/paths.h"
#include "cmd/cmd.h"
#include "cmd/load.h"
#include "out/claims.h"

static const struct cmd_option options[] = {
	{ "published", "NAME", 'p', "those of a letter; may be given again" },
	{ "format", "FORMAT", 'f', "text (default), markdown, csv, json" },
	{ 0 },
};

struct request {
	const char **names; /* of letters */
	size_t n_names;
	enum table_format format;
};

/* -1: --help was printed. */
static int read_options(const struct cmd *cmd, int argc, char **argv,
			struct request *r)
{
	const struct cmd_option *o;
	const char *value;
	int bad = STATUS_OK;

	while (!bad && (o = cmd_next(cmd, argc, argv, &value, &bad))) {
		if (o == &options[0]) {
			XGROW(r->names, r->n_names);
			r->names[r->n_names++] = value;
			continue;
		}
		bad = cmd_set_format("claims", value, &r->format);
	}
	return bad ? bad : cmd_one_folder("claims", argc);
}

static int is_letter(const struct dirent *entry)
{
	return str_ends(entry->d_name, ".tsv");
}

/* No such letter: the nearest, or all. */
static int refuse_letter(const char *dir, const char *name)
{
	struct dirent **entries = NULL;
	auto_free char **names = NULL;
	size_t n = 0;
	int status;
	int found = scandir(dir, &entries, is_letter, alphasort);

	for (int i = 0; i < found; i++) {
		const char *name_i = entries[i]->d_name;

		XGROW(names, n);
		names[n++] = xstrndup(name_i, strlen(name_i) - strlen(".tsv"));
		free(entries[i]);
	}
	free(entries);
	status = cmd_refuse_word("claims", "letter", name,
				 (const char *const *)names, n);
	while (n)
		free(names[--n]);
	return status;
}

/* A name of ours, or a path. 0, or an exit status (printed). */
static int read_letter(const char *name, struct published *out)
{
	bool is_path = strchr(name, '/');
	auto_free char *dir = is_path ? NULL : paths_find("published");
	auto_free char *path =
		is_path ? xstrdup(name) : xasprintf("%s/%s.tsv", dir, name);
	auto_free char *why = NULL;
	char *text;
	int ret;

	if (!is_path && !dir)
		return STATUS_NO_INPUT;
	ret = file_read(path, &text, NULL);
	if (ret == -ENOENT && dir)
		return refuse_letter(dir, name);
	if (ret < 0)
		return err_status(fail(ret, "claims: %s", path));
	if (published_parse(name, text, out, &why) < 0)
		return refuse(STATUS_CONFIG, "%s: %s", path, why);
	return STATUS_OK;
}

static void print(struct table *t, const struct experiment *e,
		  enum table_format format, struct str *out)
{
	if (t->n_cells || (t->n_notes && format != TABLE_CSV)) {
		if (out->len)
			str_add(out, format == TABLE_JSON ? ",\n" : "\n");
		else if (format == TABLE_JSON)
			str_add(out, "[\n");
		table_print(t, e->id ? e->id : "", format, out);
	}
	table_free(t);
}

static void add_letter(const struct experiment *e, struct published *p,
		       enum table_format format, struct claims_counts *counts,
		       struct str *out)
{
	size_t n_shares = published_recompute(p);
	struct table t;

	table_begin(&t, "claims", p->name);
	claims_published(e, p, &t, counts);
	print(&t, e, format, out);
	table_begin(&t, "values", "the numbers of both");
	claims_values(e, p, &t);
	print(&t, e, format, out);
	table_begin(&t, "set-up", "what is not the same in both");
	claims_setup(e, p, &t);
	print(&t, e, format, out);
	table_begin(&t, "letter", "and what is wrong in it");
	claims_letter(p, n_shares, &t);
	print(&t, e, format, out);
}

static int add_all(const struct experiment *e, const struct request *r,
		   struct claims_counts *counts, struct str *out)
{
	struct table t;

	if (!r->n_names && !e->n_claims)
		return refuse(STATUS_NO_INPUT,
			      "claims: none were configured; a section [claim "
			      "\"NAME\"], or --published NAME");
	if (!r->n_names) {
		table_begin(&t, "claims", "as configured");
		claims_configured(e, &t, counts);
		print(&t, e, r->format, out);
	}
	for (size_t i = 0; i < r->n_names; i++) {
		struct published p;
		int status = read_letter(r->names[i], &p);

		if (status)
			return status;
		add_letter(e, &p, r->format, counts, out);
		published_free(&p);
	}
	return STATUS_OK;
}

static int status_of(const struct claims_counts *counts)
{
	if (counts->n[CLAIM_NOT_REPRODUCED] || counts->n[CLAIM_CONTRADICTED])
		return STATUS_REGRESSION;
	return counts->n[CLAIM_CANNOT_TELL] ? STATUS_INCONCLUSIVE : STATUS_OK;
}

static int claims_of(const char *dir, const struct request *r)
{
	auto_str struct str out = { 0 };
	struct claims_counts counts = { 0 };
	struct experiment e = { 0 };
	int status;
	int ret = cmd_load("claims", dir, &e);

	if (ret < 0)
		return err_status(ret);
	status = add_all(&e, r, &counts, &out);
	experiment_free(&e);
	if (status)
		return status;
	if (r->format == TABLE_JSON)
		str_add(&out, "]\n");
	status = cmd_put(out.text, out.len);
	return status ? status : status_of(&counts);
}

static int claims_main(const struct cmd *cmd, int argc, char **argv)
{
	struct request r = { .format = TABLE_TEXT };
	int status = read_options(cmd, argc, argv, &r);

	if (!status)
		status = claims_of(argv[optind], &r);
	free(r.names);
	return status < 0 ? STATUS_OK : status;
}

const struct cmd cmd_claims = {
	.name = "claims",
	.arguments = "DIR",
	.help = "which claims the runs bear out, and which not",
	.options = options,
	.main = claims_main,
};
