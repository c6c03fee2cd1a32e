/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench history: what was measured in the course of time. */
#include "cmd/history.h"

#include <ctype.h>
#include <getopt.h>
#include <math.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/load.h"
#include "data/history/kver.h"
#include "out/draw.h"

static const struct word {
	struct cmd_word word;
	history_word_fn *main;
} words[] = {
	{ { "add", "DIR...", "store the runs of result folders" },
	  history_add_main },
	{ { "list", "", "what is stored: experiments, pins" },
	  history_list_main },
	{ { "show", "", "the points of series" }, history_show_main },
	{ { "check", "", "what changed; exit status 1 for a regression" },
	  history_check_main },
	{ { "plot", "", "series as a picture, by gnuplot" },
	  history_plot_main },
	{ { "bisect", "", "the kernel to test next" }, history_bisect_main },
	{ { "pin", "NAME [ID]", "make an experiment a baseline" },
	  history_pin_main },
	{ { "gate", "", "the newest experiments against a baseline" },
	  history_gate_main },
};

enum option_name {
	OPTION_STORE,
	OPTION_HOST,
	OPTION_CONFIG,
	OPTION_ARM,
	OPTION_METRIC,
	OPTION_KERNEL,
	OPTION_ORDER,
	OPTION_SINCE,
	OPTION_MAGNITUDE,
	OPTION_BASELINE,
	OPTION_MARGIN,
	OPTION_MOVE,
	OPTION_TREE,
	OPTION_OUTPUT,
	OPTION_FORMAT,
};

static const struct cmd_option options[] = {
	[OPTION_STORE] = { "store", "WHERE", 0,
			   "a file, or mariadb://USER@HOST/DATABASE" },
	[OPTION_HOST] = { "host", "NAME", 0,
			  "only this host; add: where none is recorded" },
	[OPTION_CONFIG] = { "config", "HASH", 0,
			    "only this configuration: hash or file name" },
	[OPTION_ARM] = { "arm", "LABEL", 0, "only this arm" },
	[OPTION_METRIC] = { "metric", "NAME", 0,
			    "this metric, or all; default: the primary one" },
	[OPTION_KERNEL] = { "kernel", "VERSION", 0,
			    "add: of what has none recorded" },
	[OPTION_ORDER] = { "order", "kernel|time", 0,
			   "of the points (kernel)" },
	[OPTION_SINCE] = { "since", "VERSION", 0,
			   "what regressed up to it (or a time) is accepted" },
	[OPTION_MAGNITUDE] = { "magnitude", "PCT", 0,
			       "smaller changes are none (1%)" },
	[OPTION_BASELINE] = { "baseline", "NAME", 0, "gate: a pinned one" },
	[OPTION_MARGIN] = { "margin", "PCT", 0,
			    "gate: of equivalence (the experiment's)" },
	[OPTION_MOVE] = { "move", NULL, 0, "pin: even if NAME is taken" },
	[OPTION_TREE] = { "git", "DIR", 0, "bisect: a clone of Linux to ask" },
	[OPTION_OUTPUT] = { "output", "DIR", 'o',
			    "plot: where it goes; else history/" },
	[OPTION_FORMAT] = { "format", "FORMAT", 'f',
			    "text, csv, json; plot: svg, png" },
	{ 0 },
};

static int read_percent(const char *option, const char *value, double *out)
{
	double pct;

	if (num_percent(value, &pct) || pct < 0 || pct > 1000)
		return refuse(STATUS_USAGE,
			      "history: --%s %s: no share such as 0.5%%",
			      option, value);
	*out = pct / 100;
	return STATUS_OK;
}

static int read_format(const char *value, struct history_choice *c)
{
	static const char *const names[] = { "text", "csv", "json", "svg",
					     "png" };
	static const enum table_format formats[] = { TABLE_TEXT, TABLE_CSV,
						     TABLE_JSON };

	c->form = draw_form_parse(value);
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		if (str_eq(names[i], value)) {
			c->format = formats[i];
			c->has_format = true;
		}
	}
	if (c->has_format || c->form >= 0)
		return STATUS_OK;
	return cmd_refuse_word("history", "format", value, names,
			       ARRAY_SIZE(names));
}

static int read_order(const char *value, struct history_choice *c)
{
	static const char *const names[] = { "kernel", "time" };

	c->filter.by_time = str_eq(value, "time");
	if (c->filter.by_time || str_eq(value, "kernel"))
		return STATUS_OK;
	return cmd_refuse_word("history", "order", value, names,
			       ARRAY_SIZE(names));
}

/* As a day is written, perhaps with a time behind it: 2026-11-30T12:00. */
static bool is_time(const char *text)
{
	static const char form[] = "dddd-dd-dd";

	for (const char *p = form; *p; p++, text++)
		if (*p == 'd' ? !isdigit((unsigned char)*text) : *text != *p)
			return false;
	return !*text || *text == 'T';
}

/* Anything else would accept all regressions, or none. */
static int read_since(const char *value, struct history_choice *c)
{
	struct kver version;

	c->since = value;
	if (kver_parse(value, &version) || is_time(value))
		return STATUS_OK;
	return refuse(STATUS_USAGE,
		      "history: --since %s: neither a version such as 6.19-rc1 "
		      "nor a time such as 2026-11-30",
		      value);
}

/* Options whose text is taken as it is. */
static const char **text_of(size_t i, struct history_choice *c)
{
	switch ((enum option_name)i) {
	case OPTION_STORE:
		return &c->store;
	case OPTION_HOST:
		return &c->filter.host;
	case OPTION_CONFIG:
		return &c->filter.config;
	case OPTION_ARM:
		return &c->filter.arm;
	case OPTION_METRIC:
		return &c->filter.metric;
	case OPTION_KERNEL:
		return &c->kernel;
	case OPTION_BASELINE:
		return &c->baseline;
	case OPTION_TREE:
		return &c->tree;
	case OPTION_OUTPUT:
		return &c->output;
	case OPTION_SINCE:
	case OPTION_ORDER:
	case OPTION_MAGNITUDE:
	case OPTION_MARGIN:
	case OPTION_MOVE:
	case OPTION_FORMAT:
		break;
	}
	return NULL;
}

static int read_option(size_t i, const char *value, struct history_choice *c)
{
	const char **text = text_of(i, c);

	if (text) {
		*text = value;
		return STATUS_OK;
	}
	if (i == OPTION_MAGNITUDE)
		return read_percent("magnitude", value, &c->changes.magnitude);
	if (i == OPTION_MARGIN)
		return read_percent("margin", value, &c->margin);
	if (i == OPTION_ORDER)
		return read_order(value, c);
	if (i == OPTION_SINCE)
		return read_since(value, c);
	if (i == OPTION_FORMAT)
		return read_format(value, c);
	c->may_move = true;
	return STATUS_OK;
}

/* A picture is no table, and a table none. */
static int call(const struct cmd *cmd, struct history_choice *c, int argc,
		char **argv)
{
	size_t i;
	bool is_plot;
	int bad = cmd_choose_word(cmd, argc ? argv[0] : NULL, &i);

	if (bad)
		return bad;
	is_plot = words[i].main == history_plot_main;
	if (is_plot ? c->has_format : c->form >= 0)
		return refuse(STATUS_USAGE, "history %s: --format is %s",
			      argv[0],
			      is_plot ? "svg or png" : "text, csv or json");
	if (c->form < 0)
		c->form = DRAW_SVG;
	return words[i].main(c, argc - 1, argv + 1);
}

static int history_main(const struct cmd *cmd, int argc, char **argv)
{
	struct history_choice c = {
		.changes = { .magnitude = JUDGE_MARGIN },
		.margin = (double)NAN,
		.form = -1,
	};
	const struct cmd_option *o;
	const char *value;
	int bad = STATUS_OK;

	while (!bad && (o = cmd_next(cmd, argc, argv, &value, &bad)))
		bad = read_option((size_t)(o - options), value, &c);
	if (!bad)
		bad = call(cmd, &c, argc - optind, argv + optind);
	return bad < 0 ? STATUS_OK : bad;
}

const struct cmd cmd_history = {
	.name = "history",
	.arguments = "WORD ...",
	.help = "what was measured over time, and what changed",
	.options = options,
	.words = CMD_ROWS(words, ARRAY_SIZE(words)),
	.main = history_main,
};
