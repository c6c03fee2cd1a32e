/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/history.h"

#include <math.h>

#include "base/mem.h"
#include "out/csv.h"
#include "out/figure.h"
#include "out/history_cells.h"

char *history_config_text(const char *path, const char *hash)
{
	const char *slash = strrchr(path, '/');

	return xasprintf("%s (%.8s)",
			 slash   ? slash + 1
			 : *path ? path
				 : "no file",
			 hash);
}

char *history_series_text(const struct history_series *s)
{
	auto_free char *config = history_config_text(s->config_path, s->config);
	static const char *const directions[] = {
		[METRIC_NEITHER] = "",
		[METRIC_MORE] = ", more is better",
		[METRIC_LESS] = ", less is better",
	};

	return xasprintf("%s, %s%s; '%s' of %s; %s", s->metric, s->unit,
			 directions[s->better], s->arm, config, s->host);
}

void history_print(const struct table *t, enum table_format format,
		   struct str *out)
{
	table_print(t, "history", format, out);
}

/* --- cells --- */

void history_series_column(struct table *t)
{
	struct table_column *c = table_column(t, "series", "", true);

	c->csv = xstrdup("host,config,arm,metric,unit");
	t->is_grouped = true;
}

void history_series_cell(struct table *t, const struct history_series *s)
{
	auto_free char *text = history_series_text(s);
	const char *const fields[] = { s->host, s->config, s->arm, s->metric,
				       s->unit };
	auto_str struct str csv = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		if (i)
			str_addc(&csv, ',');
		csv_field(&csv, fields[i]);
	}
	table_cell_csv(t, text, csv.text);
}

void history_number_cell(struct table *t, double number)
{
	auto_free char *text = figure_text(FIGURE_DIGITS, number);
	auto_free char *csv = xasprintf("%.17g", number);

	table_cell_csv(t, text, csv);
}

void history_time_cell(struct table *t, const char *wall)
{
	auto_free char *text = xstrndup(wall, strlen("2026-11-30T12:34"));
	char *parting = strchr(text, 'T');

	if (parting)
		*parting = ' ';
	table_cell_csv(t, text, wall);
}

/* --- what there is --- */

void history_table_experiments(const struct history_experiments *x,
			       struct table *t)
{
	table_begin(t, "experiments", "experiments in the history");
	table_column(t, "host", "", true);
	table_column(t, "configuration", "", true);
	table_column(t, "kernel", "", true);
	table_column(t, "measured", "", true);
	table_column(t, "runs", "", false);
	table_column(t, "id", "", true);
	table_column(t, "experiment", "", true);
	for (size_t i = 0; i < x->n; i++) {
		const struct history_experiment *e = &x->list[i];
		auto_free char *config =
			history_config_text(e->config_path, e->config);

		table_cell(t, "%s", e->host);
		table_cell(t, "%s", config);
		table_cell(t, "%s", e->kernels);
		history_time_cell(t, e->created);
		table_cell(t, "%zu", e->n_runs);
		table_cell(t, "%s", e->uid);
		table_cell(t, "%s", e->name);
	}
	if (x->n)
		table_note(t, "Runs: those that count.");
	else
		table_note(t, "None yet, or none of what was asked for; "
			      "thpbench history add DIR stores one.");
}

void history_table_pins(const struct history_pins *p, struct table *t)
{
	table_begin(t, "pins", "pinned baselines");
	table_column(t, "baseline", "", true);
	table_column(t, "host", "", true);
	table_column(t, "configuration", "", true);
	table_column(t, "experiment", "", true);
	table_column(t, "id", "", true);
	table_column(t, "pinned", "", true);
	for (size_t i = 0; i < p->n; i++) {
		const struct history_pin *pin = &p->list[i];
		auto_free char *config =
			history_config_text(pin->config_path, pin->config);

		table_cell(t, "%s", pin->name);
		table_cell(t, "%s", pin->host);
		table_cell(t, "%s", config);
		table_cell(t, "%s", pin->experiment);
		table_cell(t, "%s", pin->uid);
		history_time_cell(t, pin->pinned);
	}
}

static void add_point(struct table *t, const struct history_series *s,
		      const struct history_point *p)
{
	history_series_cell(t, s);
	table_cell(t, "%s", p->kernel);
	history_time_cell(t, p->created);
	table_cell(t, "%zu", p->n);
	history_number_cell(t, p->mean);
	if (p->n < 2)
		table_missing(t, "one run");
	else
		history_number_cell(t, p->sd);
	table_cell(t, "%s", p->name);
}

void history_table_points(const struct history_list *list, struct table *t)
{
	table_begin(t, "points", "points of the series");
	history_series_column(t);
	table_column(t, "kernel", "", true);
	table_column(t, "measured", "", true);
	table_column(t, "n", "", false);
	table_column(t, "mean", "", false);
	table_column(t, "sd", "", false);
	table_column(t, "experiment", "", true);
	for (size_t i = 0; i < list->n; i++)
		for (size_t k = 0; k < list->list[i].n; k++)
			add_point(t, &list->list[i], &list->list[i].points[k]);
	table_note(t, "A point is the mean over the counted runs of an "
		      "experiment's arm; n of them.");
}
