/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/series.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/column.h"

/* Whole numbers and powers of ten up to these are exact in a double. */
#define EXACT_MANTISSA (UINT64_C(1) << 53)
static const double exact_powers[] = {
	1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* A decimal number while it is read: mantissa * 10^exponent. */
struct decimal {
	uint64_t mantissa;
	int exponent;
	int n_digits; /* in the text, leading zeros too */
};

static double decimal_value(const struct decimal *d)
{
	if (d->exponent == 0)
		return (double)d->mantissa;
	if (d->mantissa <= EXACT_MANTISSA && d->exponent < 0 &&
	    -d->exponent < (int)ARRAY_SIZE(exact_powers))
		return (double)d->mantissa / exact_powers[-d->exponent];
	return (double)((long double)d->mantissa *
			powl(10.0L, (long double)d->exponent));
}

/* Digits from p on; each moves the exponent by step. */
static const char *scan_digits(const char *p, const char *end,
			       struct decimal *d, int step)
{
	for (; p < end && (unsigned char)(*p - '0') < 10; p++) {
		d->n_digits++;
		if (d->mantissa < UINT64_MAX / 10 - 1) {
			d->mantissa =
				10 * d->mantissa + (unsigned char)(*p - '0');
			d->exponent += step;
		} else {
			d->exponent += step + 1;
		}
	}
	return p;
}

/* "e+09" behind a number; NULL if that is not what stands at p. */
static const char *scan_exponent(const char *p, const char *end,
				 struct decimal *d)
{
	struct decimal e = { 0 };
	bool is_negative = ++p < end && *p == '-';

	if (p < end && (*p == '-' || *p == '+'))
		p++;
	p = scan_digits(p, end, &e, 0);
	if (!e.n_digits || e.mantissa > 400)
		return NULL;
	d->exponent += is_negative ? -(int)e.mantissa : (int)e.mantissa;
	return p;
}

/* The number that fills [p, end), or NAN. Faster than strtod(), no locale. */
static double scan_number(const char *p, const char *end)
{
	struct decimal d = { 0 };
	bool is_negative = p < end && *p == '-';

	p = scan_digits(p + is_negative, end, &d, 0);
	if (p < end && *p == '.')
		p = scan_digits(p + 1, end, &d, -1);
	if (!d.n_digits)
		return NAN;
	if (p < end && (*p == 'e' || *p == 'E'))
		p = scan_exponent(p, end, &d);
	if (p != end)
		return NAN;
	return is_negative ? -decimal_value(&d) : decimal_value(&d);
}

/*
 * The number at *cell, which ends at a tab or a newline; *cell moves there.
 * Digits with a point are nearly all there is: they take one pass.
 */
static double read_cell(const char **cell)
{
	const char *point = NULL;
	const char *p = *cell;
	uint64_t mantissa = 0;
	size_t n_digits;

	for (;; p++) {
		unsigned char digit = (unsigned char)(*p - '0');

		if (digit < 10)
			mantissa = 10 * mantissa + digit;
		else if (*p == '.' && !point)
			point = p;
		else
			break;
	}
	n_digits = (size_t)(p - *cell) - (point != NULL);
	if ((*p == '\t' || *p == '\n') && n_digits && n_digits < 16) {
		*cell = p;
		return point ? (double)mantissa / exact_powers[p - point - 1]
			     : (double)mantissa;
	}
	while (*p != '\t' && *p != '\n')
		p++;
	point = *cell;
	*cell = p;
	return scan_number(point, p);
}

/* Which cells of a line are kept. */
struct shape {
	bool *is_kept;
	size_t n; /* cells of a full line */
};

static int read_header(const char *line, const char *end, struct series *s,
		       struct shape *shape)
{
	do {
		const char *tab = memchr(line, '\t', (size_t)(end - line));
		size_t len = (size_t)((tab ? tab : end) - line);
		bool is_text = len == strlen(COL_PHASE) &&
			       !memcmp(line, COL_PHASE, len);

		XGROW(shape->is_kept, shape->n);
		shape->is_kept[shape->n++] = !is_text;
		if (!is_text) {
			XGROW(s->columns, s->n_columns);
			s->columns[s->n_columns++] = xstrndup(line, len);
		}
		line += len + 1;
	} while (line <= end);
	return s->n_columns && !strcmp(s->columns[0], COL_TIME) ? 0 : -EPROTO;
}

/* p: a line with its newline. */
static void read_row(const char *p, const struct shape *shape, struct series *s)
{
	double *row = s->cells + s->n_rows * s->n_columns;
	double *cell = row;

	for (size_t i = 0; i < shape->n; i++) {
		if (shape->is_kept[i])
			*cell++ = read_cell(&p);
		else
			while (*p != '\t' && *p != '\n')
				p++;
		if (*p == '\n' && i + 1 < shape->n)
			return;
		p++;
	}
	if (isfinite(*row))
		s->n_rows++;
}

static size_t count_lines(const char *p, const char *end)
{
	size_t n = 0;

	while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
		n++;
		p++;
	}
	return n;
}

/* Room for all rows; a full row has at least a byte a cell. */
static void make_room(const char *text, const char *end,
		      const struct shape *shape, struct series *s)
{
	size_t most = (size_t)(end - text) / shape->n;
	size_t lines = count_lines(text, end);

	/* And one for a row that is given up half way. */
	s->cells = xmalloc(((lines < most ? lines : most) + 1) * s->n_columns *
			   sizeof(*s->cells));
}

int series_parse(const char *text, size_t n, struct series *out)
{
	const char *end = text + n;
	struct shape shape = { 0 };
	const char *newline;

	memset(out, 0, sizeof(*out));
	for (; (newline = memchr(text, '\n', (size_t)(end - text)));
	     text = newline + 1) {
		if (*text == '#' || text == newline)
			continue;
		if (out->cells) {
			read_row(text, &shape, out);
		} else if (read_header(text, newline, out, &shape)) {
			series_free(out);
			free(shape.is_kept);
			return -EPROTO;
		} else {
			make_room(newline, end, &shape, out);
		}
	}
	free(shape.is_kept);
	return 0;
}

void series_free(struct series *s)
{
	for (size_t i = 0; i < s->n_columns; i++)
		free(s->columns[i]);
	free(s->columns);
	free(s->cells);
	memset(s, 0, sizeof(*s));
}
