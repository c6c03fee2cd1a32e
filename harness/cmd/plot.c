/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench plot: the plots of a result folder. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/load.h"
#include "out/draw.h"

static const struct cmd_option options[] = {
	{ "output", "DIR", 'o', "where they go; else plots/ in the folder" },
	{ "format", "FORM", 'f', "svg (default), png" },
	{ "name", "PLOT", 'n', "this plot; may be given several times" },
	{ 0 },
};

struct request {
	const char *output;
	enum draw_form form;
	bool *is_wanted; /* n_plot_makers; NULL: all */
};

static int add_name(struct request *r, const char *name)
{
	size_t place;
	int bad = cmd_choose("plot", "plot", name,
			     CMD_ROWS(plot_makers, n_plot_makers), &place);

	if (bad)
		return bad;
	if (!r->is_wanted)
		r->is_wanted = xcalloc(n_plot_makers, sizeof(bool));
	r->is_wanted[place] = true;
	return STATUS_OK;
}

static int set_form(struct request *r, const char *word)
{
	int form = draw_form_parse(word);

	if (form < 0)
		return cmd_refuse_word("plot", "format", word, draw_forms,
				       n_draw_forms);
	r->form = (enum draw_form)form;
	return STATUS_OK;
}

/* -1: --help was printed. */
static int read_options(const struct cmd *cmd, int argc, char **argv,
			struct request *r)
{
	const struct cmd_option *o;
	const char *value;
	int bad = STATUS_OK;

	while (!bad && (o = cmd_next(cmd, argc, argv, &value, &bad))) {
		if (o == &options[0])
			r->output = value;
		else if (o == &options[1])
			bad = set_form(r, value);
		else
			bad = add_name(r, value);
	}
	return bad ? bad : cmd_one_folder("plot", argc);
}

/* How many were made, or -errno (printed). */
static int draw_all(const struct experiment *e, const struct request *r,
		    const char *dir, int *n_wanted)
{
	int n = 0;

	for (size_t i = 0; i < n_plot_makers; i++) {
		const struct plot_maker *maker = &plot_makers[i];
		auto_free char *why = NULL;
		int ret;

		if (r->is_wanted && !r->is_wanted[i])
			continue;
		++*n_wanted;
		ret = draw_plot(e, maker, dir, r->form, &why);
		if (ret < 0)
			return ret;
		if (ret)
			printf("%s/%s.%s\n", dir, maker->name,
			       draw_forms[r->form]);
		else
			printf("%s: not made: %s\n", maker->name, why);
		n += ret;
	}
	return n;
}

static int plot_folder(const char *folder, const struct request *r)
{
	auto_free char *dir =
		r->output ? xstrdup(r->output) : xasprintf("%s/plots", folder);
	struct experiment e = { 0 };
	int n_wanted = 0;
	int ret = cmd_load("plot", folder, &e);

	if (ret < 0)
		return err_status(ret);
	ret = file_mkdirs(dir);
	if (ret < 0) {
		experiment_free(&e);
		return err_status(fail(ret, "plot: make %s", dir));
	}
	ret = draw_all(&e, r, dir, &n_wanted);
	experiment_free(&e);
	/* -ENOENT: no gnuplot. */
	if (ret < 0)
		return ret == -ENOENT ? STATUS_UNAVAILABLE : err_status(ret);
	/* Asked for by name and not there, or nothing at all. */
	return ret == 0 || (r->is_wanted && ret < n_wanted) ? STATUS_NO_INPUT
							    : STATUS_OK;
}

static int plot_main(const struct cmd *cmd, int argc, char **argv)
{
	struct request r = { 0 };
	int status = read_options(cmd, argc, argv, &r);

	if (!status)
		status = plot_folder(argv[optind], &r);
	free(r.is_wanted);
	return status < 0 ? STATUS_OK : status;
}

const struct cmd cmd_plot = {
	.name = "plot",
	.arguments = "DIR",
	.help = "the plots of a result folder, by gnuplot",
	.options = options,
	.main = plot_main,
};
