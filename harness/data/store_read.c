/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/store_read.h"

#include <errno.h>
#include <stddef.h>
#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/tsv.h"
#include "data/layout.h"
#include "data/metric.h"
#include "data/series.h"

static double cell_number(const struct tsv *t, size_t row, const char *column)
{
	double number;

	if (num_double(tsv_get(t, row, column), &number))
		return NAN;
	return number;
}

static uint64_t cell_u64(const struct tsv *t, size_t row, const char *column)
{
	uint64_t number;

	return num_u64(tsv_get(t, row, column), &number) ? 0 : number;
}

static char *cell_copy(const struct tsv *t, size_t row, const char *column)
{
	return xstrdup(tsv_get(t, row, column));
}

/* --- the parts of a run --- */

static void take_events(struct run *run, const struct tsv *t)
{
	for (size_t i = 1; i < t->n_rows; i++) {
		struct event event = { .t_s = cell_number(t, i, "t_s") };

		if (isnan(event.t_s))
			continue;
		event.name = cell_copy(t, i, "event");
		event.detail = cell_copy(t, i, "detail");
		XGROW(run->events, run->n_events);
		run->events[run->n_events++] = event;
	}
}

static void take_mappings(struct run *run, const struct tsv *t)
{
	struct mappings *m = &run->at_end;

	for (size_t i = 1; i < t->n_rows; i++) {
		XGROW(m->list, m->n);
		m->list[m->n++] = (struct mapping){
			.name = cell_copy(t, i, "mapping"),
			.range = cell_copy(t, i, "range"),
			.size_bytes = cell_u64(t, i, "size_bytes"),
			.rss_bytes = cell_u64(t, i, "rss_bytes"),
			.huge_bytes = cell_u64(t, i, "huge_bytes"),
		};
	}
}

static void take_settings(struct run *run, const struct tsv *t)
{
	for (size_t i = 1; i < t->n_rows; i++) {
		XGROW(run->settings, run->n_settings);
		run->settings[run->n_settings++] = (struct setting_record){
			.path = cell_copy(t, i, "path"),
			.before = cell_copy(t, i, "before"),
			.asked = cell_copy(t, i, "asked"),
			.read_back = cell_copy(t, i, "read_back"),
			.after = cell_copy(t, i, "after"),
		};
	}
}

static void take_collectors(struct run *run, const struct tsv *t)
{
	for (size_t i = 1; i < t->n_rows; i++) {
		XGROW(run->collectors, run->n_collectors);
		run->collectors[run->n_collectors++] =
			(struct collector_record){
				.name = cell_copy(t, i, "collector"),
				.source = cell_copy(t, i, "source"),
				.n_samples = cell_u64(t, i, "samples"),
				.cpu_s = cell_number(t, i, "cpu_s"),
				.longest_ms = cell_number(t, i, "longest_ms"),
				.missing = cell_copy(t, i, "missing"),
			};
	}
}

static void take_counters(struct run *run, const struct tsv *t)
{
	for (size_t i = 1; i < t->n_rows; i++) {
		XGROW(run->counters, run->n_counters);
		run->counters[run->n_counters++] = (struct counter_record){
			.kind = cell_copy(t, i, "kind"),
			.group = cell_copy(t, i, "group"),
			.role = cell_copy(t, i, "role"),
			.event = cell_copy(t, i, "event"),
			.code = cell_copy(t, i, "code"),
			.column = cell_copy(t, i, "column"),
			.text = cell_copy(t, i, "text"),
		};
	}
}

/* Where the value of a metric goes; the table does not know all of them. */
static struct value *place_of(struct run *run, const char *metric)
{
	const struct metric *m = metric_find(metric);

	if (m)
		return &run->values[m - metrics];
	for (size_t i = 0; i < run->n_extra; i++)
		if (str_eq(run->extra[i].metric, metric))
			return &run->extra[i].value;
	XGROW(run->extra, run->n_extra);
	run->extra[run->n_extra] =
		(struct extra_value){ .metric = xstrdup(metric) };
	return &run->extra[run->n_extra++].value;
}

static void take_totals(struct run *run, const struct tsv *t)
{
	run->values = xcalloc(n_metrics, sizeof(*run->values));
	for (size_t i = 1; i < t->n_rows; i++) {
		double number = cell_number(t, i, "value");
		const char *missing = tsv_get(t, i, "missing");
		struct value *v = place_of(run, tsv_get(t, i, "metric"));

		free(v->why);
		*v = (struct value){ .is_there =
					     isfinite(number) && !*missing };
		if (v->is_there)
			v->number = number;
		else
			v->why = xstrdup(*missing ? missing : "not recorded");
	}
}

static const struct {
	const char *file;
	void (*take)(struct run *run, const struct tsv *t);
} parts[] = {
	{ LAYOUT_EVENTS, take_events },
	{ LAYOUT_AT_END, take_mappings },
	{ LAYOUT_SETTINGS, take_settings },
	{ LAYOUT_COLLECTORS, take_collectors },
	{ LAYOUT_COUNTERS, take_counters },
	{ LAYOUT_TOTALS, take_totals },
};

static const struct {
	const char *file;
	size_t offset; /* of the struct series in struct run */
} streams[] = {
	{ LAYOUT_SAMPLES, offsetof(struct run, samples) },
	{ LAYOUT_LOAD, offsetof(struct run, load) },
};

/* 0 also for a file that is not there: *text is then "". */
static int read_file(const char *path, char **text, size_t *n)
{
	int ret = file_read(path, text, n);

	if (ret != -ENOENT)
		return ret ? fail(ret, "read %s", path) : 0;
	*text = xstrdup("");
	*n = 0;
	return 0;
}

static int read_stream(const char *path, struct series *out)
{
	auto_free char *text = NULL;
	size_t n;
	int ret = read_file(path, &text, &n);

	if (ret)
		return ret;
	if (series_parse(text, n, out))
		return refuse(-EIO, "%s: the first column is not t_s", path);
	return 0;
}

/* measure begins the window, the next phase ends it. */
static void find_window(struct run *run)
{
	bool is_open = false;

	run->measure_start_s = NAN;
	run->measure_end_s = NAN;
	for (size_t i = 0; i < run->n_events; i++) {
		const struct event *event = &run->events[i];

		if (!str_eq(event->name, "phase"))
			continue;
		if (str_eq(event->detail, "measure")) {
			run->measure_start_s = event->t_s;
			is_open = true;
		} else if (is_open) {
			run->measure_end_s = event->t_s;
			is_open = false;
		}
	}
}

int store_read_run(const char *top, struct run *run)
{
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		auto_free char *path =
			xasprintf("%s/%s/%s", top, run->dir, parts[i].file);
		struct tsv t;
		char *text;
		size_t n;
		int ret = read_file(path, &text, &n);

		if (ret)
			return ret;
		tsv_parse(text, &t);
		parts[i].take(run, &t);
		tsv_free(&t);
	}
	for (size_t i = 0; i < ARRAY_SIZE(streams); i++) {
		auto_free char *path =
			xasprintf("%s/%s/%s", top, run->dir, streams[i].file);
		int ret = read_stream(path, (void *)((char *)run +
						     streams[i].offset));

		if (ret)
			return ret;
	}
	find_window(run);
	return 0;
}
