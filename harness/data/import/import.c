/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/import/import.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/stop.h"
#include "base/str.h"
#include "base/tree.h"
#include "data/extra.h"
#include "data/import/import_parts.h"

/* clang-format off */
const struct import_format import_formats[] = {
	{ "sysbench", "logs of sysbench, with or without intervals",
	  import_sysbench, IMPORT_WINDOW },
	{ "gobench", "Go benchmarks: what benchstat reads",
	  import_gobench, IMPORT_BY },
	{ "benchstat", "tables of benchstat -format csv",
	  import_benchstat, IMPORT_PLAIN },
	{ "gbench", "google-benchmark's JSON",
	  import_gbench, IMPORT_PLAIN },
	{ "mmtests", "tables of mmtests' compare-kernels.sh",
	  import_mmtests, IMPORT_PLAIN },
	{ "mmtests-results", "samples of mmtests' extract-mmtests.pl",
	  import_mmtests_results, IMPORT_PLAIN },
	{ "fastpath", "tables of Fastpath, pasted ones too",
	  import_fastpath, IMPORT_PLAIN },
	{ "perf", "perf stat for people", import_perf, IMPORT_PLAIN },
	{ "perf-csv", "perf stat -x, (or another separator)",
	  import_perf_csv, IMPORT_PLAIN },
	{ "csv", "a header and a row a run, parted by commas, semicolons or "
		 "tabs", import_csv, IMPORT_BY },
};
/* clang-format on */
const size_t n_import_formats = ARRAY_SIZE(import_formats);

/* --- what readers build --- */

size_t import_arm(struct import *im, const char *label)
{
	struct experiment *e = &im->e;

	for (size_t i = 0; i < e->n_arms; i++)
		if (str_eq(e->arms[i].label, label))
			return i;
	XGROW(e->arms, e->n_arms);
	e->arms[e->n_arms] = (struct arm_record){ .label = xstrdup(label) };
	return e->n_arms++;
}

struct import_run *import_run(struct import *im, size_t arm)
{
	struct import_run *run = xcalloc(1, sizeof(*run));

	run->arm = arm;
	im->runs = mem_grow(im->runs, im->n_runs, sizeof(void *));
	im->runs[im->n_runs++] = run;
	return run;
}

bool import_has(const struct import_run *run, const char *metric)
{
	for (size_t i = 0; i < run->n_values; i++)
		if (str_eq(run->values[i].metric, metric))
			return true;
	return false;
}

struct import_run *import_run_for(struct import *im, size_t arm,
				  const char *metric)
{
	for (size_t i = 0; i < im->n_runs; i++)
		if (im->runs[i]->arm == arm && !import_has(im->runs[i], metric))
			return im->runs[i];
	return import_run(im, arm);
}

/* With the unit, if there is one of that title with another. */
static char *title_of(const struct import *im, const char *benchmark,
		      const char *unit)
{
	for (size_t i = 0; i < im->e.n_extra; i++)
		if (str_eq(im->e.extra[i].title, benchmark) &&
		    !str_eq(im->e.extra[i].unit, unit))
			return xasprintf("%s, %s", benchmark, unit);
	return xstrdup(benchmark);
}

const char *import_metric(struct import *im, const char *benchmark,
			  const char *unit, enum metric_better better,
			  const char *help)
{
	auto_free char *name = xasprintf("%s:%s", benchmark, unit);
	auto_free char *title = title_of(im, benchmark, unit);
	const struct metric m = {
		.name = name,
		.title = title,
		.unit = unit,
		.better = better,
		.kind = METRIC_GAUGE,
		.source = im->request->format->name,
		.help = help,
	};

	extra_add(&im->e, &m);
	return extra_find(&im->e, name)->name;
}

static void add_value(struct import_run *run, const char *metric,
		      const struct value *value)
{
	XGROW(run->values, run->n_values);
	run->values[run->n_values++] = (struct extra_value){
		.metric = xstrdup(metric),
		.value = *value,
	};
}

void import_value(struct import_run *run, const char *metric, double number)
{
	add_value(run, metric,
		  &(struct value){ .is_there = true, .number = number });
}

void import_missing(struct import_run *run, const char *metric, const char *why)
{
	add_value(run, metric, &(struct value){ .why = xstrdup(why) });
}

void import_mark(struct import *im, const char *fmt, ...)
{
	struct experiment *e = &im->e;
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	for (size_t i = 0; i < e->n_marks; i++) {
		if (str_eq(e->marks[i], text)) {
			free(text);
			return;
		}
	}
	XGROW(e->marks, e->n_marks);
	e->marks[e->n_marks++] = text;
}

int import_refuse(const struct import *im, size_t line, const char *fmt, ...)
{
	auto_free char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	if (line)
		return refuse(-EILSEQ, "%s:%zu: %s", im->path, line, text);
	return refuse(-EILSEQ, "%s: %s", im->path, text);
}

void import_free(struct import *im)
{
	for (size_t i = 0; i < im->n_runs; i++) {
		struct import_run *run = im->runs[i];

		for (size_t k = 0; k < run->n_values; k++) {
			free(run->values[k].metric);
			free(run->values[k].value.why);
		}
		free(run->values);
		free(run->lines);
		free(run->failed);
		free(run);
	}
	free(im->runs);
	free(im->label);
	experiment_free(&im->e);
}

/* --- files --- */

/* LABEL=FILE unless there is a file of that whole name. */
static void set_file(struct import *im, const char *arg)
{
	const char *equals = strchr(arg, '=');
	const char *slash = strrchr(arg, '/');
	const char *name = slash ? slash + 1 : arg;
	const char *dot = strrchr(name, '.');

	free(im->label);
	im->path = arg;
	if (equals && equals > arg && access(arg, F_OK) != 0) {
		im->label = xstrndup(arg, (size_t)(equals - arg));
		im->path = equals + 1;
		return;
	}
	im->label = dot && dot > name ? xstrndup(name, (size_t)(dot - name))
				      : xstrdup(name);
}

static int read_one(struct import *im, const char *arg)
{
	auto_free char *text = NULL;
	size_t n;
	int ret;

	set_file(im, arg);
	ret = file_read(im->path, &text, &n);
	if (ret)
		return fail(ret, "read %s", im->path);
	if (strlen(text) != n)
		return import_refuse(im, 0, "a NUL byte in it: no text");
	/* Of UTF-8, as spreadsheets write it. */
	return im->request->format->read(
		im, text + (str_starts(text, "\xef\xbb\xbf") ? 3 : 0));
}

static int find_baseline(struct import *im)
{
	const char *label = im->request->baseline;

	for (size_t i = 0; label && i < im->e.n_arms; i++) {
		if (!str_eq(im->e.arms[i].label, label))
			continue;
		im->e.baseline = i;
		return 0;
	}
	if (!label)
		return 0;
	return refuse(-EINVAL,
		      "import: no arm '%s' for --baseline; there is "
		      "'%s'%s",
		      label, im->e.arms[0].label,
		      im->e.n_arms > 1 ? " and others" : "");
}

static int publish(const char *part, const char *dir)
{
	int ret = file_publish_dir(part, dir);

	if (ret == -ENOTEMPTY || ret == -EEXIST || ret == -ENOTDIR)
		return refuse(-EINVAL,
			      "import: %s is there already; name another "
			      "folder",
			      dir);
	return ret ? fail(ret, "import: make %s", dir) : 0;
}

/* Made beside it, and gone again if that fails or is stopped. */
static int make_folder(struct import *im)
{
	const char *dir = im->request->dir;
	auto_free char *part = xasprintf("%s.part-%d", dir, (int)getpid());
	struct stop stop;
	int ret;

	stop_hold(&stop);
	ret = import_publish(im, part);
	/* An empty folder may be there already. */
	if (!ret)
		ret = publish(part, dir);
	if (ret)
		tree_remove(part);
	stop_release(&stop);
	return ret;
}

int import_files(const struct import_request *request)
{
	struct import im = { .request = request };
	int ret = 0;

	for (size_t i = 0; i < request->n_files && !ret; i++)
		ret = read_one(&im, request->files[i]);
	if (im.finish)
		im.finish(&im);
	if (!ret && !im.n_runs)
		ret = import_refuse(&im, 0, "nothing of format %s in it",
				    request->format->name);
	if (!ret)
		ret = find_baseline(&im);
	if (!ret)
		ret = make_folder(&im);
	import_free(&im);
	return ret;
}
