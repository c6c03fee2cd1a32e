/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/lint/lint.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/lint_parts.h"

/* A new rule is a row here. */
static void (*const rules[])(struct letter *l) = {
	lint_lines,   lint_labels, lint_units,   lint_directions, lint_runs,
	lint_changes, lint_shares, lint_factors, lint_claims,
};

void lint_add(struct letter *l, size_t line, const char *rule, const char *fmt,
	      ...)
{
	struct lint_finding found = { .line = l->mail->lines[line].number,
				      .rule = rule };
	va_list ap;

	va_start(ap, fmt);
	found.text = xvasprintf(fmt, ap);
	va_end(ap);
	XGROW(l->out->list, l->out->n);
	l->out->list[l->out->n++] = found;
}

/* A line of "---" alone, with a patch or its statistics below. */
static size_t find_end(const struct mail *m)
{
	for (size_t i = 0; i < m->n_lines; i++)
		if (!m->lines[i].quote && str_eq(m->lines[i].text, "---"))
			return i;
	return m->n_lines;
}

static int by_line(const void *a, const void *b)
{
	const struct lint_finding *one = a;
	const struct lint_finding *two = b;

	return (one->line > two->line) - (one->line < two->line);
}

void lint_text(const char *text, struct lint *out)
{
	struct mail m;
	struct letter l = { .mail = &m, .out = out };

	*out = (struct lint){ 0 };
	mail_parse(text, &m);
	l.end = find_end(&m);
	out->n_tables = m.n_tables;
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		rules[i](&l);
	if (out->n)
		qsort(out->list, out->n, sizeof(*out->list), by_line);
	mail_free(&m);
}

void lint_free(struct lint *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->list[i].text);
	free(l->list);
	*l = (struct lint){ 0 };
}
