/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line of a load's report. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/load/load.h"
#include "data/column.h"

enum { CELL_TEXT_MAX = 40 };

const char *const load_columns[LOAD_N_COLUMNS] = {
	[LOAD_INTERVAL_S] = COL_LOAD_INTERVAL,
	[LOAD_THREADS] = COL_LOAD_THREADS,
	[LOAD_TRANSACTIONS] = COL_LOAD_TRANSACTIONS,
	[LOAD_READS] = COL_LOAD_READS,
	[LOAD_WRITES] = COL_LOAD_WRITES,
	[LOAD_OTHERS] = COL_LOAD_OTHERS,
	[LOAD_LATENCY_P95_MS] = COL_LOAD_P95,
	[LOAD_LATENCY_AVG_MS] = COL_LOAD_AVG,
	[LOAD_LATENCY_MAX_MS] = COL_LOAD_MAX,
	[LOAD_ERRORS] = COL_LOAD_ERRORS,
	[LOAD_RECONNECTS] = COL_LOAD_RECONNECTS,
};

enum kind {
	IS_COUNT,
	IS_SECONDS,
	MAY_BE_MISSING,
};

static const enum kind kinds[LOAD_N_COLUMNS] = {
	[LOAD_INTERVAL_S] = IS_SECONDS,
	[LOAD_LATENCY_P95_MS] = MAY_BE_MISSING,
	[LOAD_LATENCY_AVG_MS] = MAY_BE_MISSING,
	[LOAD_LATENCY_MAX_MS] = MAY_BE_MISSING,
};

/* A plain decimal number, nothing more: no sign, no exponent, no hex. */
static int parse_cell(const char *cell, size_t n, enum kind kind, double *out)
{
	char text[CELL_TEXT_MAX];

	if (n == 0 || n >= sizeof(text))
		return -EPROTO;
	memcpy(text, cell, n);
	text[n] = '\0';
	if (kind == MAY_BE_MISSING && str_eq(text, "-")) {
		*out = (double)NAN;
		return 0;
	}
	if (strspn(text, "0123456789.") != n || num_double(text, out))
		return -EPROTO;
	if (kind == IS_COUNT && memchr(text, '.', n))
		return -EPROTO;
	return 0;
}

/* What stands up to the next tab or the end; *at moves behind it. */
static const char *next_cell(const char **at, const char *end, size_t *n)
{
	const char *cell = *at;
	const char *tab;

	if (!cell)
		return NULL;
	tab = memchr(cell, '\t', (size_t)(end - cell));
	*n = (size_t)((tab ? tab : end) - cell);
	*at = tab ? tab + 1 : NULL;
	return cell;
}

static int parse_next(const char **at, const char *end, enum kind kind,
		      double *out)
{
	size_t n = 0;
	const char *cell = next_cell(at, end, &n);

	return cell ? parse_cell(cell, n, kind, out) : -EPROTO;
}

static int parse_cells(const char **at, const char *end, struct load_line *out)
{
	int ret = 0;

	for (size_t i = 0; i < LOAD_N_COLUMNS && !ret; i++)
		ret = parse_next(at, end, kinds[i], &out->cells[i]);
	return ret;
}

static int parse_final(const char **at, const char *end, struct load_line *out)
{
	int ret = parse_next(at, end, IS_SECONDS, &out->final_seconds);

	if (ret)
		return ret;
	return parse_next(at, end, IS_COUNT, &out->final_transactions);
}

int load_parse(const char *line, size_t n, struct load_line *out)
{
	const char *end = line + n;
	const char *at = line;
	size_t len = 0;
	const char *word = next_cell(&at, end, &len);
	double at_s;
	int ret;

	out->is_final = len == 5 && memcmp(word, "final", len) == 0;
	if (!out->is_final && (len != 4 || memcmp(word, "line", len) != 0))
		return -EPROTO;
	ret = parse_next(&at, end, IS_SECONDS, &at_s);
	if (ret)
		return ret;
	/* Beyond this a clock in ns does not fit, and no machine is as old. */
	if (at_s > 1e10)
		return -EPROTO;
	out->at_ns = (uint64_t)llround(at_s * (double)NUM_NS_PER_S);
	ret = out->is_final ? parse_final(&at, end, out)
			    : parse_cells(&at, end, out);
	return ret ? ret : at ? -EPROTO : 0;
}
