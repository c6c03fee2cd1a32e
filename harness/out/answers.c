/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/answers.h"

#include <stdlib.h>

#include "base/mem.h"
#include "out/json_put.h"

/* "7.3.4, guest" */
static char *kernel_of(const struct answers *a)
{
	const char *kernel = facts_get(&a->host, "kernel");
	const char *where = facts_get(&a->host, "where");

	return xasprintf("%s%s%s", *kernel ? kernel : "?", *where ? ", " : "",
			 where);
}

static void put_cell(struct table *t, const struct answer *a, bool has_detail)
{
	const char *wrong = a->state == ANSWER_WRONG ? "wrong: " : "";

	if (a->state == ANSWER_MISSING)
		table_missing(t, a->text);
	else if (has_detail && a->detail)
		table_cell(t, "%s%s (%s)", wrong, a->text, a->detail);
	else
		table_cell(t, "%s%s", wrong, a->text);
}

void answers_table(const struct answers *a, struct table *t)
{
	auto_free char *kernel = kernel_of(a);
	auto_free char *title = xasprintf("what the kernel does: %s", kernel);

	table_begin(t, "probe", title);
	table_column(t, "name", "", true);
	table_column(t, "asks", "", true);
	table_column(t, "answer", "", true);
	for (size_t i = 0; i < a->n; i++) {
		table_cell(t, "%s", a->list[i].name);
		table_cell(t, "%s", a->list[i].asks);
		put_cell(t, &a->list[i], true);
	}
}

/* What became of each question. */
struct pairs {
	size_t n_differ;
	size_t n_alike;
	size_t n_one;     /* missing on one of them */
	size_t n_neither; /* missing on both */
	struct str only;  /* names of what one of them was not asked */
};

static void add_only(struct pairs *p, const struct answers *of,
		     const struct answers *other)
{
	for (size_t i = 0; i < of->n; i++)
		if (!answers_find(other, of->list[i].name))
			str_addf(&p->only, "%s%s", p->only.len ? ", " : "",
				 of->list[i].name);
}

static void add_row(struct table *t, const struct answer *a,
		    const struct answer *b)
{
	table_cell(t, "%s", a->name);
	put_cell(t, a, false);
	put_cell(t, b, false);
}

static void count(struct pairs *p, const struct answer *a,
		  const struct answer *b)
{
	int n_missing =
		(a->state == ANSWER_MISSING) + (b->state == ANSWER_MISSING);

	if (n_missing)
		++*(n_missing > 1 ? &p->n_neither : &p->n_one);
	else
		++*(answer_same(a, b) ? &p->n_alike : &p->n_differ);
}

static void add_notes(const struct pairs *p, struct table *t)
{
	table_note(t, "answers that differ: %zu; alike: %zu", p->n_differ,
		   p->n_alike);
	if (p->n_one || p->n_neither)
		table_note(t, "found out on one alone: %zu; on neither: %zu",
			   p->n_one, p->n_neither);
	if (p->only.len)
		table_note(t, "asked of one alone: %s", p->only.text);
}

void answers_compare(const struct answers *a, const struct answers *b,
		     struct table *t)
{
	struct pairs p = { 0 };
	auto_free char *left = kernel_of(a);
	auto_free char *right = kernel_of(b);

	table_begin(t, "differences", "what two kernels do differently");
	table_column(t, "name", "", true);
	table_column(t, left, "", true);
	table_column(t, right, "", true);
	for (size_t i = 0; i < a->n; i++) {
		const struct answer *one = &a->list[i];
		const struct answer *other = answers_find(b, one->name);

		if (!other)
			continue;
		count(&p, one, other);
		if (!answer_same(one, other))
			add_row(t, one, other);
	}
	add_only(&p, a, b);
	add_only(&p, b, a);
	add_notes(&p, t);
	str_free(&p.only);
}

static json_t *side_json(const struct answer *a)
{
	return a->state == ANSWER_MISSING ? json_missing(a->text)
					  : json_text(a->text);
}

static json_t *differ_json(const struct answer *a, const struct answer *b)
{
	json_t *object = json_object();

	json_put_text(object, "name", a->name);
	json_put_text(object, "asks", a->asks);
	json_put(object, "a", side_json(a));
	json_put(object, "b", side_json(b));
	return object;
}

static void add_missing(json_t *only, const struct answers *of,
			const struct answers *other)
{
	for (size_t i = 0; i < of->n; i++)
		if (!answers_find(other, of->list[i].name))
			json_array_append_new(only,
					      json_text(of->list[i].name));
}

void answers_compare_json(const struct answers *a, const struct answers *b,
			  struct str *out)
{
	json_t *object = json_object();
	json_t *alike = json_array();
	json_t *differ = json_array();
	json_t *only = json_array();

	for (size_t i = 0; i < a->n; i++) {
		const struct answer *one = &a->list[i];
		const struct answer *other = answers_find(b, one->name);

		if (other && answer_same(one, other))
			json_array_append_new(alike, json_text(one->name));
		else if (other)
			json_array_append_new(differ, differ_json(one, other));
	}
	add_missing(only, a, b);
	add_missing(only, b, a);
	json_put(object, "a", json_facts(&a->host));
	json_put(object, "b", json_facts(&b->host));
	json_put(object, "differ", differ);
	json_put(object, "alike", alike);
	json_put(object, "only", only);
	json_print(object, out);
}
