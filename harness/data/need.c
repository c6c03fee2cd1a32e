/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/need.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/column.h"

void value_miss(struct value *out, const char *fmt, ...)
{
	va_list ap;

	if (out->why)
		return;
	va_start(ap, fmt);
	out->why = xvasprintf(fmt, ap);
	va_end(ap);
}

void value_found(struct value *out, double number)
{
	out->is_there = true;
	out->number = number;
}

/* A run that did not end explains all that it lacks. */
static bool miss_by_failure(const struct run *run, struct value *out)
{
	if (run->state != RUN_FAILED)
		return false;
	value_miss(out, "run failed: %s", run->reason ? run->reason : "");
	return true;
}

bool need_window(const struct window *w, struct value *out)
{
	if (!w->is_there && !miss_by_failure(w->run, out))
		value_miss(out, "no measurement window");
	return w->is_there;
}

static const char *collector_reason(const struct run *run, const char *name)
{
	for (size_t i = 0; i < run->n_collectors; i++)
		if (str_eq(run->collectors[i].name, name))
			return run->collectors[i].missing;
	return "";
}

void value_miss_sampled(const struct window *w, const char *column,
			const char *what, struct value *out)
{
	const char *owner = column_owner(column);
	const char *reason = collector_reason(w->run, owner);

	if (*reason)
		value_miss(out, "%s: %s", owner, reason);
	else if (!miss_by_failure(w->run, out))
		value_miss(out, "%s %s", column, what);
}

int need_sampled(const struct window *w, const char *column, struct value *out)
{
	int col = series_column(&w->run->samples, column);

	if (col < 0)
		value_miss_sampled(w, column, "was not sampled", out);
	return col;
}

int need_reported(const struct window *w, const char *column, struct value *out)
{
	int col = series_column(&w->run->load, column);

	if (col >= 0 || miss_by_failure(w->run, out))
		return col;
	if (!w->run->load.n_columns)
		value_miss(out, "the load reported nothing");
	else
		value_miss(out, "%s was not reported", column);
	return -1;
}
