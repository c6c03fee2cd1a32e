/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a load as it comes through the pipe. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/load/load.h"

/* Keep the first that is wrong, fit to be printed. */
static void note_bad(struct load *l, const char *why, const char *line,
		     size_t n)
{
	auto_str struct str text = { 0 };

	if (l->bad_line)
		return;
	str_addf(&text, "%s: \"", why);
	for (size_t i = 0; i < n && i < 60; i++)
		str_addc(&text,
			 isprint((unsigned char)line[i]) ? line[i] : '?');
	str_add(&text, n > 60 ? "...\"" : "\"");
	l->bad_line = str_steal(&text);
}

static void add_line(struct load *l, const double *cells)
{
	double seconds = cells[LOAD_INTERVAL_S];

	l->n_lines++;
	l->seconds += seconds;
	l->transactions += cells[LOAD_TRANSACTIONS];
	l->errors += cells[LOAD_ERRORS];
	l->reconnects += cells[LOAD_RECONNECTS];
	l->tps = seconds > 0 ? cells[LOAD_TRANSACTIONS] / seconds : (double)NAN;
}

static void take_line(struct load *l, const char *text, size_t n,
		      struct store_run *store, uint64_t zero_ns)
{
	struct load_line line;

	if (load_parse(text, n, &line)) {
		note_bad(l, "not a line of a report", text, n);
		return;
	}
	if (l->has_final) {
		note_bad(l, "a line behind the final one", text, n);
		return;
	}
	if (line.at_ns < l->started_ns ||
	    line.at_ns > clock_ns() + NUM_NS_PER_MS) {
		note_bad(l, "a time outside the run", text, n);
		return;
	}
	if (line.is_final) {
		l->has_final = true;
		l->final_seconds = line.final_seconds;
		l->final_transactions = line.final_transactions;
		return;
	}
	add_line(l, line.cells);
	if (store)
		store_load(store,
			   ((double)line.at_ns - (double)zero_ns) /
				   (double)NUM_NS_PER_S,
			   line.cells);
}

/* Add to the pending line what it has room for. */
static void keep(struct load *l, const char *bytes, size_t n)
{
	size_t room = sizeof(l->pending) - l->n_pending;

	if (n > room) {
		l->is_too_long = true;
		n = room;
	}
	memcpy(l->pending + l->n_pending, bytes, n);
	l->n_pending += n;
}

void load_feed(struct load *l, const char *bytes, size_t n,
	       struct store_run *store, uint64_t zero_ns)
{
	while (n) {
		const char *end = memchr(bytes, '\n', n);
		size_t len = end ? (size_t)(end - bytes) : n;

		keep(l, bytes, len);
		if (!end)
			return;
		if (l->is_too_long)
			note_bad(l, "a line too long", l->pending,
				 l->n_pending);
		else
			take_line(l, l->pending, l->n_pending, store, zero_ns);
		l->n_pending = 0;
		l->is_too_long = false;
		bytes = end + 1;
		n -= len + 1;
	}
}
