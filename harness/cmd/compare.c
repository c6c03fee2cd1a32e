/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench compare: two result folders, or the arms of one. */
#include "out/compare.h"

#include <getopt.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "cmd/cmd.h"
#include "cmd/compare_pairs.h"
#include "cmd/load.h"
#include "out/report.h"

static const struct cmd_option options[] = {
	{ "metric", "NAME", 'm', "this metric; may be given several times" },
	{ "arm", "LABEL", 0, "this arm; of two the first is the baseline" },
	{ "margin", "PCT", 0, "differences within it do not matter (1)" },
	{ "dunnett", NULL, 0, "correct the primary metric by Dunnett's test" },
	{ "rules", NULL, 0, "the marks of other tools beside ours" },
	{ "style", "STYLE", 0, "thpbench (default), fastpath, mmtests, damon" },
	{ "format", "FORMAT", 'f', "text (default), markdown, csv, json" },
	{ "emulated", NULL, 0, "verdicts on runs under emulation too" },
	{ 0 },
};

enum {
	OPTION_METRIC,
	OPTION_ARM,
	OPTION_MARGIN,
	OPTION_DUNNETT,
	OPTION_RULES,
	OPTION_STYLE,
	OPTION_FORMAT,
	OPTION_EMULATED,
};

struct request {
	struct pairs_request pairs;
	const char **metrics;
	size_t n_metrics;
	double margin; /* a ratio; 0: the experiment's */
	bool emulated;
	bool has_dunnett;
	bool has_rules;
	enum compare_style style;
	enum table_format format;
};

static int set_style(struct request *r, const char *value)
{
	int found = compare_style_parse(value);

	if (found < 0)
		return cmd_refuse_word("compare", "style", value,
				       compare_styles, n_compare_styles);
	r->style = (enum compare_style)found;
	return STATUS_OK;
}

static int set_margin(struct request *r, const char *value)
{
	double pct;

	if (num_percent(value, &pct) || pct <= 0 || pct >= 100)
		return refuse(STATUS_USAGE,
			      "--margin %s: a percentage above 0 and below "
			      "100",
			      value);
	r->margin = pct / 100;
	return STATUS_OK;
}

static int set_option(struct request *r, int option, const char *value)
{
	switch (option) {
	case OPTION_METRIC:
		XGROW(r->metrics, r->n_metrics);
		r->metrics[r->n_metrics++] = value;
		return STATUS_OK;
	case OPTION_ARM:
		if (r->pairs.n_arms == ARRAY_SIZE(r->pairs.arms))
			return refuse(STATUS_USAGE, "compare: at most two "
						    "arms can be named");
		r->pairs.arms[r->pairs.n_arms++] = value;
		return STATUS_OK;
	case OPTION_MARGIN:
		return set_margin(r, value);
	case OPTION_STYLE:
		return set_style(r, value);
	case OPTION_FORMAT:
		return cmd_set_format("compare", value, &r->format);
	default:
		r->has_rules |= option == OPTION_RULES;
		r->has_dunnett |= option == OPTION_DUNNETT;
		r->emulated |= option == OPTION_EMULATED;
		return STATUS_OK;
	}
}

static int read_options(const struct cmd *cmd, int argc, char **argv,
			struct request *r)
{
	const struct cmd_option *o;
	const char *value;
	int bad = STATUS_OK;

	while (!bad && (o = cmd_next(cmd, argc, argv, &value, &bad)))
		bad = set_option(r, (int)(o - options), value);
	if (!bad && (optind == argc || argc - optind > 2))
		return refuse(STATUS_USAGE,
			      "compare: one result folder or two; see thpbench "
			      "compare --help");
	if (!bad && r->format != TABLE_TEXT && r->style != COMPARE_THPBENCH &&
	    r->style != COMPARE_DAMON)
		return refuse(STATUS_USAGE,
			      "compare: --style %s is text only; leave "
			      "--format out",
			      compare_styles[r->style]);
	return bad;
}

/* The metrics named, or the usual ones. *status: those that decide. */
static int choose_metrics(const struct request *r, const struct pairs *pairs,
			  struct verdicts *v)
{
	auto_free const char **names = NULL;
	size_t n = 0;

	if (!r->n_metrics) {
		v->metrics =
			verdicts_usual(v->judged, pairs->base, &v->n_metrics);
		return STATUS_OK;
	}
	v->metrics = xcalloc(r->n_metrics, sizeof(const void *));
	names = xcalloc(v->judged->n + 1, sizeof(*names));
	for (size_t i = 0; i < v->judged->n; i++)
		names[n++] = v->judged->list[i].metric->name;
	for (size_t i = 0; i < r->n_metrics; i++) {
		const struct metric *m = pairs_metric(pairs, r->metrics[i]);

		if (!m)
			return cmd_refuse_word("compare", "metric",
					       r->metrics[i], names, n);
		v->metrics[v->n_metrics++] = m;
	}
	return STATUS_OK;
}

/* Judge and print; the status is that of the primary metric, or of those. */
static int compare_pairs(const struct request *r, const struct pairs *pairs)
{
	const struct judge_options how = {
		.margin = r->margin > 0 ? r->margin : judge_margin(pairs->base),
		.emulated = r->emulated,
		.dunnett = r->has_dunnett,
	};
	auto_str struct str text = { 0 };
	struct judgements judged;
	struct compare_page page = {
		.base = pairs->base,
		.arm = pairs->arm,
		.has_rules = r->has_rules,
		.style = r->style,
	};
	struct verdicts *v = &page.verdicts;
	int status;

	judge(pairs->list, pairs->n, &how, &judged);
	*v = (struct verdicts){ pairs->list, pairs->n, &judged, NULL, 0 };
	status = choose_metrics(r, pairs, v);
	if (!status) {
		compare_print(&page, r->format, &text);
		status = cmd_put(text.text, text.len);
		if (!status)
			status =
				compare_status(v, v->metrics,
					       r->n_metrics ? v->n_metrics : 1);
	}
	free(v->metrics);
	judgements_free(&judged);
	return status;
}

static int compare_main(const struct cmd *cmd, int argc, char **argv)
{
	struct request r = { .format = TABLE_TEXT };
	int status = read_options(cmd, argc, argv, &r);
	struct pairs pairs;

	if (!status) {
		r.pairs.dirs = (const char *const *)argv + optind;
		r.pairs.n_dirs = argc - optind;
		status = pairs_open(&r.pairs, &pairs);
		if (!status)
			status = compare_pairs(&r, &pairs);
		pairs_close(&pairs);
	}
	free(r.metrics);
	return status < 0 ? STATUS_OK : status;
}

const struct cmd cmd_compare = {
	.name = "compare",
	.arguments = "BASE [NEW]",
	.help = "verdicts: two folders, or the arms of one",
	.options = options,
	.main = compare_main,
};
