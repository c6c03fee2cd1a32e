/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From what was read to a result folder, by one rename. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/stop.h"
#include "base/str.h"
#include "base/version.h"
#include "data/extra.h"
#include "data/import/import_parts.h"
#include "data/store.h"

static char *or_unknown(const char *text)
{
	return xstrdup(text && *text ? text : "unknown");
}

/* What would make two imports one series: format, arms, metrics. */
static char *series_hash(const struct import *im)
{
	uint64_t hash = hash_text(HASH_START, im->request->format->name);

	for (size_t i = 0; i < im->e.n_arms; i++)
		hash = hash_text(hash_text(hash, "\narm "),
				 im->e.arms[i].label);
	for (size_t i = 0; i < im->e.n_extra; i++)
		hash = hash_text(hash_text(hash, "\nmetric "),
				 im->e.extra[i].name);
	return hash_name(hash);
}

static void fill_head(struct import *im)
{
	const struct import_request *r = im->request;
	struct experiment *e = &im->e;
	const char *slash = strrchr(r->dir, '/');
	auto_free char *files = NULL;
	auto_str struct str text = { 0 };

	str_addf(&text, "; imported, format %s\n", r->format->name);
	for (size_t i = 0; i < r->n_files; i++)
		str_addf(&text, "; %s\n", r->files[i]);
	e->id = xstrdup(slash ? slash + 1 : r->dir);
	e->title = xasprintf("imported from format %s", r->format->name);
	e->config_path = xstrdup("none (imported)");
	e->config_text = str_steal(&text);
	e->config_hash = series_hash(im);
	e->program =
		xasprintf("unknown; imported by thpbench %s", VERSION_TEXT);
	free(e->created);
	e->created = or_unknown(r->measured ? r->measured
					    : facts_get(&e->host, "date"));
	files = xasprintf("%s, %zu file%s", r->format->name, r->n_files,
			  r->n_files == 1 ? "" : "s");
	facts_set(&e->workload, "imported", files);
	e->primary = xstrdup(e->n_extra ? e->extra[0].name : "tps");
}

/* Runs in the order of their blocks, arms as they came. */
static void make_plan(struct import *im, struct import_run **order)
{
	struct experiment *e = &im->e;
	auto_free size_t *seen = xcalloc(e->n_arms, sizeof(*seen));
	auto_free unsigned int *block = xcalloc(im->n_runs, sizeof(*block));
	size_t n = 0;

	for (size_t i = 0; i < im->n_runs; i++) {
		block[i] = (unsigned int)++seen[im->runs[i]->arm];
		e->blocks = block[i] > e->blocks ? block[i] : e->blocks;
	}
	e->runs = xcalloc(im->n_runs, sizeof(*e->runs));
	for (unsigned int b = 1; b <= e->blocks; b++) {
		for (size_t i = 0; i < im->n_runs; i++) {
			if (block[i] != b)
				continue;
			order[n] = im->runs[i];
			e->runs[n] = (struct run){
				.number = (unsigned int)n + 1,
				.block = b,
				.attempt = 1,
				.arm = im->runs[i]->arm,
				.state = order[n]->failed ? RUN_FAILED : RUN_OK,
				.reason = xstrdup(order[n]->failed
							  ? order[n]->failed
							  : ""),
			};
			n++;
		}
	}
	e->n_runs = n;
	e->n_planned = n;
}

static void put_lines(const struct import *im, const struct import_run *run,
		      struct store_run *s)
{
	const struct import_request *r = im->request;
	const double *last =
		&run->lines[(run->n_lines - 1) * (1 + run->n_columns)];
	double from = isnan(r->from_s) ? 0 : r->from_s;
	double to = isnan(r->to_s) || r->to_s > *last ? *last : r->to_s;

	if (from > 0)
		store_event(s, 0, "phase", "load");
	store_event(s, from, "phase", "measure");
	store_event(s, to, "phase", "stop");
	store_load_columns(s, run->columns, run->n_columns);
	for (size_t i = 0; i < run->n_lines; i++) {
		const double *line = &run->lines[i * (1 + run->n_columns)];

		store_load(s, line[0], line + 1);
	}
}

static void put_values(const struct import *im, const struct import_run *run,
		       struct store_run *s)
{
	const char *format = im->request->format->name;

	for (size_t i = 0; i < run->n_values; i++) {
		const struct extra_value *v = &run->values[i];

		if (v->value.is_there)
			store_total(s, v->metric, v->value.number, format);
		else
			store_total_missing(s, v->metric, v->value.why);
	}
	for (size_t i = 0; i < extra_count(&im->e); i++) {
		const struct metric *m = extra_at(&im->e, i);

		if (!import_has(run, m->name) &&
		    !(run->n_lines && str_eq(m->source, "load")))
			store_total_missing(s, m->name, EXTRA_UNSAID);
	}
}

static int put_run(struct import *im, const struct import_run *from,
		   struct run *run)
{
	struct store_run *s;
	int ret = store_run_open(&im->e, run, &s);

	if (ret)
		return ret;
	if (from->n_lines)
		put_lines(im, from, s);
	put_values(im, from, s);
	return store_run_close(s, &im->e, run);
}

static int put_all(struct import *im)
{
	auto_free struct import_run **order =
		xcalloc(im->n_runs, sizeof(struct import_run *));
	int ret;

	make_plan(im, order);
	ret = store_create(&im->e);
	for (size_t i = 0; i < im->n_runs && !ret; i++)
		ret = stop_asked() ? -EINTR
				   : put_run(im, order[i], &im->e.runs[i]);
	return ret;
}

int import_publish(struct import *im, const char *dir)
{
	im->e.dir = xstrdup(dir);
	im->e.is_published_whole = true;
	fill_head(im);
	return put_all(im);
}
