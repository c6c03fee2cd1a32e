/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "base/tsv.h"
#include "data/published.h"

/* One row behind its first cell. */
struct row {
	char **cells;
	size_t n;
};

/* Each returns NULL, or what would be right. */
typedef const char *reader(const struct row *row, struct published *p);

static const char *set_once(char **to, const char *text)
{
	if (*to)
		return "there once";
	*to = xstrdup(text);
	return NULL;
}

static const char *read_title(const struct row *row, struct published *p)
{
	return set_once(&p->title, row->cells[0]);
}

static const char *read_source(const struct row *row, struct published *p)
{
	return set_once(&p->source, row->cells[0]);
}

static const char *read_date(const struct row *row, struct published *p)
{
	return set_once(&p->date, row->cells[0]);
}

static const char *read_base(const struct row *row, struct published *p)
{
	return set_once(&p->base, row->cells[0]);
}

static const char *read_setup(const struct row *row, struct published *p)
{
	auto_free char *name = xasprintf("%s.%s", row->cells[0], row->cells[1]);

	facts_set(&p->setup, name, row->cells[2]);
	return NULL;
}

static const char *read_arm(const struct row *row, struct published *p)
{
	struct arm_record *arm;

	XGROW(p->arms, p->n_arms);
	arm = &p->arms[p->n_arms++];
	*arm = (struct arm_record){ .label = xstrdup(row->cells[0]) };
	for (size_t i = 1; i < row->n; i++) {
		char *equals = strchr(row->cells[i], '=');

		if (!equals)
			return "settings as KEY=VALUE";
		*equals = '\0';
		facts_set(&arm->settings, row->cells[i], equals + 1);
	}
	return NULL;
}

static const char *read_better(const char *word, enum metric_better *out)
{
	for (int b = METRIC_NEITHER; b <= METRIC_LESS; b++) {
		*out = (enum metric_better)b;
		if (str_eq(word, metric_better_text(*out)))
			return NULL;
	}
	return "more, less or neither as the third";
}

static const char *add_value(const struct row *row, bool is_change,
			     struct published *p)
{
	struct published_value v = { .is_change = is_change };
	const char *wrong = read_better(row->cells[2], &v.better);

	if (wrong)
		return wrong;
	if (num_double(row->cells[4], &v.number) < 0)
		return "a number as the fifth";
	v.metric = xstrdup(row->cells[0]);
	v.unit = xstrdup(row->cells[1]);
	v.arm = xstrdup(row->cells[3]);
	v.text = xstrdup(row->cells[4]);
	v.mark = xstrdup(row->n > 5 ? row->cells[5] : "");
	XGROW(p->values, p->n_values);
	p->values[p->n_values++] = v;
	return NULL;
}

static const char *read_value(const struct row *row, struct published *p)
{
	return add_value(row, false, p);
}

static const char *read_change(const struct row *row, struct published *p)
{
	return add_value(row, true, p);
}

static const char *read_point(const struct row *row, struct published *p)
{
	struct published_point one = { 0 };
	double *numbers[] = { &one.t_s, &one.total, &one.huge,
			      &one.printed_pct };

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (num_double(row->cells[i + 1], numbers[i]) < 0)
			return "four numbers behind the arm";
	one.arm = xstrdup(row->cells[0]);
	XGROW(p->points, p->n_points);
	p->points[p->n_points++] = one;
	return NULL;
}

static const char *read_claim(const struct row *row, struct published *p)
{
	XGROW(p->claims, p->n_claims);
	p->claims[p->n_claims++] = (struct claim){
		.name = xstrdup(row->cells[0]),
		.metric = xstrdup(row->cells[1]),
		.arm = xstrdup(row->cells[2]),
		.expect = xstrdup(row->cells[3]),
	};
	return NULL;
}

static const char *read_error(const struct row *row, struct published *p)
{
	XGROW(p->errors, p->n_errors);
	p->errors[p->n_errors++] =
		(struct published_error){ xstrdup(row->cells[0]),
					  xstrdup(row->cells[1]) };
	return NULL;
}

static const char *read_note(const struct row *row, struct published *p)
{
	XGROW(p->notes, p->n_notes);
	p->notes[p->n_notes++] = xstrdup(row->cells[0]);
	return NULL;
}

/* What a row may be, and how many cells it has at least behind that. */
static const struct {
	const char *name;
	size_t least;
	reader *read;
} kinds[] = {
	{ "title", 1, read_title }, { "source", 1, read_source },
	{ "date", 1, read_date },   { "base", 1, read_base },
	{ "setup", 3, read_setup }, { "arm", 1, read_arm },
	{ "value", 5, read_value }, { "change", 5, read_change },
	{ "point", 5, read_point }, { "claim", 4, read_claim },
	{ "error", 2, read_error }, { "note", 1, read_note },
};

static const char *read_row(char **cells, size_t n, struct published *p)
{
	const struct row row = { cells + 1, n - 1 };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!str_eq(cells[0], kinds[i].name))
			continue;
		if (row.n < kinds[i].least)
			return "more cells; data/published.h lists them";
		/* What is returned is a text of this program's. */
		/* cppcheck-suppress returnDanglingLifetime */
		return kinds[i].read(&row, p);
	}
	return "title, source, date, setup, arm, base, value, change, point, "
	       "claim, error or note";
}

static bool is_arm(const struct published *p, const char *label)
{
	for (size_t i = 0; i < p->n_arms; i++)
		if (str_eq(p->arms[i].label, label))
			return true;
	return false;
}

/* The first arm that is named and not there, or NULL. */
static const char *unknown_arm(const struct published *p)
{
	if (p->base && !is_arm(p, p->base))
		return p->base;
	for (size_t i = 0; i < p->n_values; i++)
		if (!is_arm(p, p->values[i].arm))
			return p->values[i].arm;
	for (size_t i = 0; i < p->n_claims; i++)
		if (!is_arm(p, p->claims[i].arm))
			return p->claims[i].arm;
	return NULL;
}

int published_parse(const char *name, char *text, struct published *out,
		    char **why)
{
	const char *arm;
	struct tsv t;

	*out = (struct published){ .name = xstrdup(name) };
	*why = NULL;
	tsv_parse(text, &t);
	for (size_t i = 0; i < t.n_rows && !*why; i++) {
		const char *right = read_row(t.rows[i], t.widths[i], out);

		if (right)
			*why = xasprintf("row %zu, '%s': wanted is %s", i + 1,
					 t.rows[i][0], right);
	}
	arm = unknown_arm(out);
	if (!*why && (!out->title || !out->source))
		*why = xstrdup("no title or no source");
	if (!*why && arm)
		*why = xasprintf("no row for arm '%s'", arm);
	tsv_free(&t);
	if (*why)
		published_free(out);
	return *why ? -EPROTO : 0;
}

static void free_values(struct published *p)
{
	for (size_t i = 0; i < p->n_values; i++) {
		free(p->values[i].metric);
		free(p->values[i].unit);
		free(p->values[i].arm);
		free(p->values[i].text);
		free(p->values[i].mark);
	}
	free(p->values);
	for (size_t i = 0; i < p->n_points; i++)
		free(p->points[i].arm);
	free(p->points);
}

void published_free(struct published *p)
{
	free(p->name);
	free(p->title);
	free(p->source);
	free(p->date);
	free(p->base);
	facts_free(&p->setup);
	for (size_t i = 0; i < p->n_arms; i++) {
		free(p->arms[i].label);
		facts_free(&p->arms[i].settings);
	}
	free(p->arms);
	free_values(p);
	for (size_t i = 0; i < p->n_claims; i++)
		claim_free(&p->claims[i]);
	free(p->claims);
	for (size_t i = 0; i < p->n_errors; i++) {
		free(p->errors[i].kind);
		free(p->errors[i].text);
	}
	free(p->errors);
	for (size_t i = 0; i < p->n_notes; i++)
		free(p->notes[i]);
	free(p->notes);
	*p = (struct published){ 0 };
}
