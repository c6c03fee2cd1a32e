/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/tsv.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

/* True if a tab went before it: it is not the first. */
static bool begin_cell(struct str *line)
{
	if (!line->len || line->text[line->len - 1] == '\n')
		return false;
	str_addc(line, '\t');
	return true;
}

void tsv_add_cell(struct str *line, const char *cell)
{
	bool is_first = !begin_cell(line);

	if (is_first && !*cell)
		str_add(line, "\\e");
	if (is_first && *cell == '#')
		str_addc(line, '\\');
	for (; *cell; cell++) {
		switch (*cell) {
		case '\t':
			str_add(line, "\\t");
			break;
		case '\n':
			str_add(line, "\\n");
			break;
		case '\\':
			str_add(line, "\\\\");
			break;
		default:
			str_addc(line, *cell);
		}
	}
}

void tsv_add_number(struct str *line, double number)
{
	char text[32];
	bool had_point = false;

	begin_cell(line);
	if (!isfinite(number)) {
		str_addc(line, '-');
		return;
	}
	if (fabs(number) < 1e15 && !(fabs(number - trunc(number)) > 0)) {
		str_addf(line, "%" PRId64, (int64_t)number);
		return;
	}
	snprintf(text, sizeof(text), "%.9g", number);
	for (const char *p = text; *p; p++) {
		bool is_point = !strchr("0123456789+-e", *p);

		/* A locale's decimal point may be several bytes. */
		if (!is_point)
			str_addc(line, *p);
		else if (!had_point)
			str_addc(line, '.');
		had_point = had_point || is_point;
	}
}

void tsv_add_time(struct str *line, double t_s)
{
	int64_t us = llround(t_s * 1e6);

	begin_cell(line);
	str_addf(line, "%s%" PRId64 ".%06" PRId64, us < 0 ? "-" : "",
		 us < 0 ? -us / 1000000 : us / 1000000,
		 us < 0 ? -us % 1000000 : us % 1000000);
}

static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (*s != '\\' || !s[1]) {
			*to++ = *s;
			continue;
		}
		s++;
		if (*s != 'e')
			*to++ = *s == 't' ? '\t' : *s == 'n' ? '\n' : *s;
	}
	*to = '\0';
}

void tsv_parse(char *text, struct tsv *out)
{
	char *line = text;
	char *end;

	memset(out, 0, sizeof(*out));
	out->text = text;
	for (; (end = strchr(line, '\n')); line = end + 1) {
		size_t n;
		char **cells;

		*end = '\0';
		if (*line == '#' || !*line)
			continue;
		cells = str_split(line, '\t', &n);
		for (size_t i = 0; i < n; i++)
			if (strchr(cells[i], '\\'))
				unescape(cells[i]);
		XGROW(out->rows, out->n_rows);
		XGROW(out->widths, out->n_rows);
		out->rows[out->n_rows] = cells;
		out->widths[out->n_rows++] = n;
	}
}

int tsv_read(const char *path, struct tsv *out)
{
	char *text;
	int ret = file_read(path, &text, NULL);

	if (ret)
		return ret;
	tsv_parse(text, out);
	return 0;
}

void tsv_free(struct tsv *t)
{
	for (size_t i = 0; i < t->n_rows; i++)
		free(t->rows[i]);
	free(t->rows);
	free(t->widths);
	free(t->text);
	memset(t, 0, sizeof(*t));
}

int tsv_column(const struct tsv *t, const char *name)
{
	for (size_t i = 0; t->n_rows && i < t->widths[0]; i++)
		if (str_eq(t->rows[0][i], name))
			return (int)i;
	return -1;
}

const char *tsv_cell(const struct tsv *t, size_t row, int col)
{
	if (col < 0 || row >= t->n_rows || (size_t)col >= t->widths[row])
		return "";
	return t->rows[row][col];
}

const char *tsv_get(const struct tsv *t, size_t row, const char *column)
{
	return tsv_cell(t, row, tsv_column(t, column));
}
