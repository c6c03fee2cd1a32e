/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/typical.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/column.h"
#include "out/notes.h"

/* A run and its figure, for sorting. */
struct ranked {
	const struct run *run;
	double number;
};

static int by_number(const void *a, const void *b)
{
	const struct ranked *x = a;
	const struct ranked *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

bool typical_is_read(const struct series *s, size_t row)
{
	return isfinite(series_at(s, row, series_column(s, COL_RSS))) &&
	       isfinite(series_at(s, row, series_column(s, COL_HUGE)));
}

bool typical_has_memory(const struct run *run)
{
	for (size_t row = 0; row < run->samples.n_rows; row++)
		if (typical_is_read(&run->samples, row))
			return true;
	return false;
}

const struct run *typical_run(const struct experiment *e, size_t arm,
			      typical_fn *has, bool *is_median)
{
	auto_free struct ranked *list = NULL;
	const struct run *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < e->n_runs; i++) {
		const struct run *run = &e->runs[i];
		const struct value *v = run_value(run, e->primary);

		if (run->arm != arm || !notes_run_counts(run) || !has(run))
			continue;
		if (!first)
			first = run;
		if (!v->is_there)
			continue;
		XGROW(list, n);
		list[n++] = (struct ranked){ run, v->number };
	}
	*is_median = n > 2;
	if (!*is_median)
		return first;
	qsort(list, n, sizeof(*list), by_number);
	return list[(n - 1) / 2].run;
}
