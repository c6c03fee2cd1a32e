/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf stat, for people and with -x. A counter that ran for less than 95 % of
 * the time is an estimate: it is n/a, "multiplexed".
 */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "data/import/import_csv.h"
#include "data/import/import_lines.h"
#include "data/import/import_parts.h"
#include "data/lint/mail.h"

static const double counted_limit_pct = 95;

/* What was read of one event. */
struct perf_event {
	const char *name;
	const char *unit; /* "" for counts */
	const char *why;  /* no number: "not supported", "not counted" */
	double number;
	double counted_pct;  /* NAN: not said */
	double error_pct;    /* of -r: standard error, in % of it; NAN: none */
	unsigned int n_runs; /* of -r; 0: not said */
};

/* Ours where it is the same thing, else one of the folder's own. */
static const char *metric_of(struct import *im, const struct perf_event *e)
{
	const char *unit = *e->unit ? e->unit : "1";
	const struct metric *m = metric_find(e->name);

	if (m && str_eq(m->unit, unit))
		return m->name;
	return import_metric(im, e->name, unit,
			     str_eq(unit, "s") || str_eq(unit, "msec")
				     ? METRIC_LESS
				     : METRIC_NEITHER,
			     "a counter of perf stat");
}

/*
 * What -r prints as +-, beside the mean of its runs, which themselves are gone:
 * a metric of the same run, as no interval can be had from it without n.
 */
static void put_error(struct import *im, struct import_run *run,
		      const struct perf_event *e)
{
	auto_free char *runs = e->n_runs ? xasprintf("%u runs", e->n_runs)
					 : xstrdup("its runs");
	auto_free char *name = xasprintf("%s +-", e->name);
	auto_free char *help =
		xasprintf("standard error of the mean over %s of perf stat -r, "
			  "in %% of it",
			  runs);

	if (!isfinite(e->error_pct))
		return;
	import_value(run, import_metric(im, name, "%", METRIC_NEITHER, help),
		     e->error_pct);
	import_mark(im,
		    "perf stat -r: each figure is the mean of %s; its standard "
		    "error is a metric of its own, '%s'",
		    runs, "EVENT +-");
}

static void put_event(struct import *im, struct import_run **run,
		      const struct perf_event *e)
{
	const char *metric = metric_of(im, e);

	/* An event again: the next run. */
	if (!*run || import_has(*run, metric))
		*run = import_run(im, import_arm(im, im->label));
	if (e->why) {
		import_missing(*run, metric, e->why);
	} else if (e->counted_pct < counted_limit_pct) {
		auto_free char *why =
			xasprintf("multiplexed: counted %.2f %% of the time",
				  e->counted_pct);

		import_missing(*run, metric, why);
	} else {
		import_value(*run, metric, e->number);
		put_error(im, *run, e);
	}
}

static const char *why_of(const char *text)
{
	if (str_starts(text, "<not supported>"))
		return "not supported by the CPU or the kernel";
	if (str_starts(text, "<not counted>"))
		return "not counted: it was never scheduled";
	return NULL;
}

/* --- for people --- */

/* "+- 0.47%"; NAN: not there. */
static double error_of(const char *text)
{
	struct quantity q;

	text += strspn(text, "( +-");
	return quantity_parse(text, &q, NULL) ? q.number : (double)NAN;
}

/* "Performance counter stats for 'true' (3 runs):" */
static unsigned int runs_of(const struct mail *m, const struct mail_table *t)
{
	const char *text = m->lines[t->first].text;
	const char *p = strrchr(text, '(');
	uint64_t n = 0;

	if (!p)
		return 0;
	p++;
	if (num_scan_u64(&p, &n) || n > UINT_MAX || !str_starts(p, " runs"))
		return 0;
	return (unsigned int)n;
}

static void take_row(struct import *im, struct import_run **run,
		     const struct mail_row *row, unsigned int n_runs)
{
	struct quantity found;
	const char *name = row->label;
	struct perf_event e = {
		.why = why_of(row->cells[0].text),
		.number = row->cells[0].figure.number,
		.unit = row->cells[0].figure.unit,
		.counted_pct = NAN,
		.error_pct = NAN,
		.n_runs = n_runs,
	};

	if (str_starts(name, "seconds ")) {
		name += strlen("seconds ");
		e.unit = "s";
	}
	e.name = name;
	if (quantity_parse(row->cells[3].text, &found, NULL))
		e.counted_pct = found.number;
	e.error_pct = error_of(row->cells[2].text);
	put_event(im, run, &e);
}

/* "1,237120000 seconds time elapsed", or "(83,30%)": a decimal comma. */
static bool has_commas(const char *text)
{
	const char *end = strstr(text, " seconds time elapsed");

	for (const char *p = text; !end && (p = strstr(p, "%)")); p++)
		end = p;
	if (!end)
		return false;
	for (const char *p = end; p > text && p[-1] != '\n'; p--)
		if (p[-1] == ',' || p[-1] == '.')
			return p[-1] == ',';
	return false;
}

/* Points and narrow blanks part thousands where commas are the point. */
static char *without_commas(const char *text)
{
	static const char *const between[] = { ".", "\xc2\xa0",
					       "\xe2\x80\xaf" };
	struct str out = { 0 };

	while (*text) {
		bool is_in = out.len &&
			     isdigit((unsigned char)out.text[out.len - 1]);
		size_t n = 0;

		for (size_t i = 0; is_in && !n && i < ARRAY_SIZE(between); i++)
			if (str_starts(text, between[i]))
				n = strlen(between[i]);
		if (n && isdigit((unsigned char)text[n])) {
			text += n;
			continue;
		}
		str_addc(&out, is_in && *text == ',' &&
					       isdigit((unsigned char)text[1])
				       ? '.'
				       : *text);
		text++;
	}
	return str_steal(&out);
}

int import_perf(struct import *im, const char *text)
{
	auto_free char *plain = has_commas(text) ? without_commas(text) : NULL;
	struct mail m;
	size_t n = 0;

	mail_parse(plain ? plain : text, &m);
	for (size_t i = 0; i < m.n_tables; i++) {
		struct import_run *run = NULL;

		if (m.tables[i].form != MAIL_PERF)
			continue;
		for (size_t r = 0; r < m.tables[i].n_rows; r++)
			take_row(im, &run, &m.tables[i].rows[r],
				 runs_of(&m, &m.tables[i]));
		n++;
	}
	mail_free(&m);
	if (!n)
		return import_refuse(im, 0,
				     "no 'Performance counter stats for' "
				     "with counters below it");
	return 0;
}

/* --- -x --- */

/* With another separator the point of a number may be a comma. */
static void take_commas(struct csv_row *row, char separator)
{
	for (size_t i = 0; i < row->n && separator != ','; i++) {
		char *comma = strchr(row->cells[i], ',');

		if (comma && !comma[1 + strspn(comma + 1, "0123456789%")])
			*comma = '.';
	}
}

/*
 * value, unit, event, [variance%,] time, share, ... (perf-stat(1), CSV
 * FORMAT). -r puts the variance in, -I the time before, -A the CPU: those have
 * no figure of the whole run and are refused.
 */
static int take_cells(struct import *im, struct import_run **run,
		      const struct csv_row *row, size_t line)
{
	size_t share = 4;
	struct perf_event e = { .counted_pct = NAN, .error_pct = NAN };
	double number;

	if (row->n < 3)
		return import_refuse(im, line,
				     "%zu cells; right: value,unit,"
				     "event,time,share",
				     row->n);
	e.why = why_of(row->cells[0]);
	if (!e.why && num_double(row->cells[0], &e.number) < 0)
		return import_refuse(im, line,
				     "'%s' is no count; of -I and -A only the "
				     "sum is read",
				     row->cells[0]);
	e.unit = row->cells[1];
	e.name = row->cells[2];
	if (!*e.name || num_double(e.name, &number) == 0 ||
	    num_double(e.unit, &number) == 0)
		return import_refuse(im, line,
				     "no event in the third cell; of "
				     "-I and -A only the sum is read");
	if (row->n > 3 && str_ends(row->cells[3], "%")) {
		e.error_pct = error_of(row->cells[3]);
		share = 5;
	}
	if (row->n > share && num_double(row->cells[share], &number) == 0)
		e.counted_pct = number;
	put_event(im, run, &e);
	return 0;
}

int import_perf_csv(struct import *im, const char *text)
{
	struct import_lines l = { .at = text };
	struct import_run *run = NULL;
	int ret = 0;

	while (!ret && import_next_line(&l)) {
		struct csv_row row;
		char separator;

		if (l.line[0] == '#' || !l.line[strspn(l.line, " ")])
			continue;
		separator = csv_separator(l.line);
		csv_cut(l.line, separator, &row);
		take_commas(&row, separator);
		ret = take_cells(im, &run, &row, l.number);
		csv_row_free(&row);
	}
	free(l.line);
	if (!ret && !run)
		ret = import_refuse(im, 0, "no counter in it");
	return ret;
}
