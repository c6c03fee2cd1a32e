/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs of sysbench 1.0 and 1.1 as it prints them for people: a line an
 * interval (sb_report_intermediate() in its sysbench.lua), then totals; and of
 * 0.5, whose lines have other words. A log may hold
 * several runs. The window is all of a run unless the caller says otherwise:
 * the ramp is in it, as in sysbench's own totals.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "data/column.h"
#include "data/import/import_lines.h"
#include "data/import/import_parts.h"

enum column {
	INTERVAL_S,
	THREADS,
	TRANSACTIONS,
	READS,
	WRITES,
	OTHERS,
	P95_MS,
	ERRORS,
	RECONNECTS,
	N_COLUMNS,
};

static const char *const columns[N_COLUMNS] = {
	[INTERVAL_S] = COL_LOAD_INTERVAL,
	[THREADS] = COL_LOAD_THREADS,
	[TRANSACTIONS] = COL_LOAD_TRANSACTIONS,
	[READS] = COL_LOAD_READS,
	[WRITES] = COL_LOAD_WRITES,
	[OTHERS] = COL_LOAD_OTHERS,
	[P95_MS] = COL_LOAD_P95,
	[ERRORS] = COL_LOAD_ERRORS,
	[RECONNECTS] = COL_LOAD_RECONNECTS,
};

/* The totals at the end; NAN: not seen. */
struct totals {
	double transactions;
	double tps;
	double p95_ms;
	double avg_ms;
	double max_ms;
	double errors;
	double reconnects;
};

struct log {
	struct import *im;
	struct import_run *run;
	struct totals totals;
	double last_s;
	bool is_p95; /* the percentile of the lines is the 95th */
};

/* The number behind a word of the line; NAN if there is none. */
static double number_behind(const char *line, const char *word)
{
	const char *at = strstr(line, word);
	char *end;
	double number;

	if (!at)
		return NAN;
	at += strlen(word);
	number = strtod(at, &end);
	return end == at || !isfinite(number) ? (double)NAN : number;
}

/* The same by another word, where the first is not there. */
static double number_either(const char *line, const char *word,
			    const char *other)
{
	double number = number_behind(line, word);

	return isnan(number) ? number_behind(line, other) : number;
}

/* "[ 12s ]", and "[  12s]" of 0.5 */
static bool take_time(const char *line, double *t_s)
{
	const char *digits = line + 1 + (*line ? strspn(line + 1, " ") : 0);
	char *end;

	if (line[0] != '[' || !isdigit((unsigned char)*digits))
		return false;
	*t_s = strtod(digits, &end);
	return (str_starts(end, "s ]") || str_starts(end, "s]")) && *t_s < 1e9;
}

/* "(r/w/o: 10608.13/0.00/1512.59)" a second; 0.5 has no others */
static void take_queries(const char *line, double dt, double *cells)
{
	const char *at = strstr(line, "(r/w/o: ");
	double rates[3] = { NAN, NAN, NAN };

	rates[0] = number_behind(line, " reads: ");
	rates[1] = number_behind(line, " writes: ");
	at = at ? at + strlen("(r/w/o: ") : "";
	for (size_t i = 0; i < 3 && *at; i++) {
		char *end;

		rates[i] = strtod(at, &end);
		at = *end == '/' ? end + 1 : "";
	}
	cells[READS] = rates[0] * dt;
	cells[WRITES] = rates[1] * dt;
	cells[OTHERS] = rates[2] * dt;
}

static int take_interval(struct log *l, const struct import_lines *lines,
			 double t_s)
{
	const char *line = lines->line;
	double tps = number_behind(line, " tps: ");
	struct import_run *run = l->run;
	double dt = t_s - l->last_s;
	double *cells;

	if (isnan(tps))
		tps = number_behind(line, " eps: ");
	if (isnan(tps)) /* queue length, checkpoint, MiB/sec */
		return 0;
	if (dt <= 0)
		return import_refuse(l->im, lines->number,
				     "second %.0f comes after second %.0f", t_s,
				     l->last_s);
	run->columns = columns;
	run->n_columns = N_COLUMNS;
	run->lines = xrealloc(run->lines, (run->n_lines + 1) * (1 + N_COLUMNS) *
						  sizeof(*run->lines));
	cells = &run->lines[run->n_lines++ * (1 + N_COLUMNS)];
	*cells++ = t_s;
	cells[INTERVAL_S] = dt;
	cells[THREADS] = number_either(line, "thds: ", "threads: ");
	cells[TRANSACTIONS] = tps * dt;
	take_queries(line, dt, cells);
	/* 0.00 where nothing ended is no latency. */
	cells[P95_MS] = strstr(line, "ms (95%)")
				? number_behind(line, "response time: ")
				: number_behind(line, "lat (ms,95%): ");
	l->is_p95 |= !isnan(cells[P95_MS]);
	if (tps <= 0)
		cells[P95_MS] = NAN;
	cells[ERRORS] = number_either(line, "err/s: ", "errors: ") * dt;
	cells[RECONNECTS] =
		number_either(line, "reconn/s: ", "reconnects: ") * dt;
	l->last_s = t_s;
	return 0;
}

static const struct {
	const char *word; /* at the start of a line, after blanks */
	size_t offset;
	bool is_rate; /* the figure is "(627.14 per sec.)" behind it */
} totals[] = {
	{ "transactions:", offsetof(struct totals, transactions), false },
	{ "transactions:", offsetof(struct totals, tps), true },
	{ "events per second:", offsetof(struct totals, tps), false },
	{ "total number of events:", offsetof(struct totals, transactions),
	  false },
	{ "avg:", offsetof(struct totals, avg_ms), false },
	{ "max:", offsetof(struct totals, max_ms), false },
	{ "95th percentile:", offsetof(struct totals, p95_ms), false },
	{ "approx.  95 percentile:", offsetof(struct totals, p95_ms), false },
	{ "ignored errors:", offsetof(struct totals, errors), false },
	{ "reconnects:", offsetof(struct totals, reconnects), false },
};

static void take_total(struct log *l, const char *line)
{
	const char *text = line + strspn(line, " ");

	for (size_t i = 0; i < ARRAY_SIZE(totals); i++) {
		const char *word = totals[i].is_rate ? "(" : totals[i].word;
		double *out = (double *)(void *)((char *)&l->totals +
						 totals[i].offset);

		if (str_starts(text, totals[i].word) &&
		    !isnan(number_behind(text, word)))
			*out = number_behind(text, word);
	}
}

static void take_fact(struct log *l, const char *line)
{
	static const struct {
		const char *word;
		const char *fact;
	} known[] = { { "Number of threads: ", "threads" },
		      { "Report intermediate results every ", "interval" },
		      { "sysbench ", "program" } };

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		const char *value = line + strlen(known[i].word);
		auto_free char *text = NULL;

		if (!str_starts(line, known[i].word))
			continue;
		text = xstrndup(i == 2 ? line : value,
				i == 2 ? strcspn(line, "(")
				       : strcspn(value, " "));
		facts_setf(&l->im->e.workload, known[i].fact, "%s%s",
			   str_trim(text), i == 1 ? "s" : "");
	}
}

static void put_total(struct log *l, const char *metric, double number)
{
	if (!isnan(number))
		import_value(l->run, metric, number);
}

/* The sum of tps * dt is the count of transactions, unless lines are lost. */
static void check_sum(const struct log *l)
{
	double sum = 0;

	for (size_t i = 0; i < l->run->n_lines; i++)
		sum += l->run->lines[i * (1 + N_COLUMNS) + 1 + TRANSACTIONS];
	if (!isnan(l->totals.transactions) &&
	    fabs(sum - l->totals.transactions) >
		    0.05 * l->totals.transactions + 1)
		import_mark(l->im,
			    "%s: its lines add up to %.0f transactions, "
			    "its total says %.0f",
			    l->im->label, sum, l->totals.transactions);
}

/* Totals are of the whole run: no window can be cut from them. */
static void end_without_lines(struct log *l, bool is_whole)
{
	static const char *const names[] = { "tps", "latency_p95_ms",
					     "load_errors", "load_reconnects" };
	const double of_all[] = { l->totals.tps, l->totals.p95_ms,
				  l->totals.errors, l->totals.reconnects };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (is_whole)
			put_total(l, names[i], of_all[i]);
		else
			import_missing(l->run, names[i],
				       "no line an interval in the log, to "
				       "cut a window from");
}

/* The window begins before the last line. 0 or -EILSEQ (printed). */
static int check_window(const struct log *l)
{
	double from_s = l->im->request->from_s;

	if (!l->run->n_lines || l->run->failed || isnan(from_s) ||
	    from_s < l->last_s)
		return 0;
	return import_refuse(l->im, 0,
			     "its lines end at second %g: none is in the "
			     "window from %g on",
			     l->last_s, from_s);
}

static int end_run(struct log *l)
{
	struct import_run *run = l->run;
	const struct totals *t = &l->totals;
	bool is_whole =
		isnan(l->im->request->from_s) && isnan(l->im->request->to_s);
	int ret;

	if (!run)
		return 0;
	if (run->n_lines)
		check_sum(l);
	if (run->n_lines && !l->is_p95)
		import_missing(run, "latency_p95_ms",
			       "the log has another percentile");
	if (is_whole) {
		put_total(l, "latency_avg_ms", t->avg_ms);
		put_total(l, "latency_max_ms", t->max_ms);
	}
	if (!run->n_lines)
		end_without_lines(l, is_whole);
	if (!run->n_lines && isnan(t->tps) && !run->failed)
		run->failed =
			xstrdup("neither intervals nor totals in the log");
	if (is_whole)
		import_mark(l->im, "the window is the whole log: it holds the "
				   "ramp; --window FROM:TO cuts it");
	ret = check_window(l);
	l->run = NULL;
	return ret;
}

static int begin_run(struct log *l)
{
	int ret = end_run(l);

	if (ret)
		return ret;
	l->run = import_run(l->im, import_arm(l->im, l->im->label));
	l->totals = (struct totals){ NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	l->last_s = 0;
	l->is_p95 = false;
	return 0;
}

static int take_line(struct log *l, const struct import_lines *lines)
{
	const char *line = lines->line;
	double t_s;
	int ret = 0;

	if (str_starts(line, "sysbench ") || (!l->run && take_time(line, &t_s)))
		ret = begin_run(l);
	if (ret || !l->run)
		return ret;
	if (take_time(line, &t_s))
		return take_interval(l, lines, t_s);
	if (str_starts(line, "FATAL:") && !l->run->failed)
		l->run->failed = xstrdup(line);
	take_fact(l, line);
	take_total(l, line);
	return 0;
}

int import_sysbench(struct import *im, const char *text)
{
	struct import_lines lines = { .at = text };
	struct log l = { .im = im };
	size_t before = im->n_runs;
	int ret = 0;

	while (!ret && import_next_line(&lines))
		ret = take_line(&l, &lines);
	free(lines.line);
	if (!ret)
		ret = end_run(&l);
	if (ret)
		return ret;
	if (im->n_runs == before)
		return import_refuse(
			im, 0,
			"neither 'sysbench 1.0...' nor an interval "
			"line '[ 1s ] thds: ...': no log of "
			"sysbench");
	return 0;
}
