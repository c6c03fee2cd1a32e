/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench guest list: the kernels in the cache, and what they can do. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/guest/kernel_features.h"
#include "cmd/guest.h"

struct listed {
	struct kernel_list kernels;
	struct kernel_features *features;
};

/* A row of the matrix: a flag, or a word of one of the lists. */
struct feature_row {
	char *title;
	const char *flag; /* NULL: a word */
	enum kernel_words which;
	char *word;
};

struct rows {
	struct feature_row *list;
	size_t n;
};

/* "7.3.4+deb13-cloud-amd64" -> "7.3.4", "6.1.0-57-cloud-amd64" -> "6.1.0-57" */
static char *short_name(const char *name)
{
	size_t n = strcspn(name, "+");

	for (const char *p = name; (p = strchr(p, '-')); p++) {
		if (p[1] >= '0' && p[1] <= '9')
			continue;
		if ((size_t)(p - name) < n)
			n = (size_t)(p - name);
		break;
	}
	return xstrndup(name, n);
}

/* The short name where it is nobody else's. */
static char *label_of(const struct listed *l, size_t which)
{
	char *label = short_name(l->kernels.list[which].name);

	for (size_t i = 0; i < l->kernels.n; i++) {
		auto_free char *other = short_name(l->kernels.list[i].name);

		if (i == which || !str_eq(label, other))
			continue;
		free(label);
		return xstrdup(l->kernels.list[which].name);
	}
	return label;
}

/* "collapse" -> "action collapse" */
static char *title_of(enum kernel_words which, const char *word)
{
	const char *name = kernel_words_name(which);
	size_t n = strlen(name);

	return xasprintf("%.*s %s", (int)(n - (which != KERNEL_OPS)), name,
			 word);
}

static bool has_word(const char *list, const char *word)
{
	auto_free char *copy = xstrdup(list);
	size_t n;
	auto_free char **words = str_split(copy, ' ', &n);

	for (size_t i = 0; i < n; i++)
		if (str_eq(words[i], word))
			return true;
	return false;
}

static void add_row(struct rows *rows, struct feature_row row)
{
	for (size_t i = 0; i < rows->n; i++) {
		if (!str_eq(rows->list[i].title, row.title))
			continue;
		free(row.title);
		free(row.word);
		return;
	}
	XGROW(rows->list, rows->n);
	rows->list[rows->n++] = row;
}

static void add_flags(struct rows *rows, const struct kernel_features *f)
{
	for (size_t i = 0; i < f->flags.n; i++)
		add_row(rows, (struct feature_row){
				      .title = xstrdup(f->flags.list[i].name),
				      .flag = f->flags.list[i].name });
}

static void add_word(struct rows *rows, enum kernel_words which,
		     const char *word)
{
	add_row(rows, (struct feature_row){ .title = title_of(which, word),
					    .which = which,
					    .word = xstrdup(word) });
}

static void add_words(struct rows *rows, const struct kernel_features *f,
		      enum kernel_words which)
{
	auto_free char *copy = xstrdup(f->words[which]);
	auto_free char **words = NULL;
	size_t n;

	if (!copy || copy[0] == '?')
		return;
	words = str_split(copy, ' ', &n);
	for (size_t i = 0; i < n; i++)
		add_word(rows, which, words[i]);
}

/* The newest first: it has the most words, in their order. */
static void make_rows(const struct listed *l, struct rows *rows)
{
	*rows = (struct rows){ 0 };
	for (size_t i = l->kernels.n; i--;)
		add_flags(rows, &l->features[i]);
	for (size_t w = 0; w < N_KERNEL_WORDS; w++) {
		for (size_t i = l->kernels.n; i--;)
			add_words(rows, &l->features[i], (enum kernel_words)w);
		/* Where no kernel takes it: arms then feed user_input. */
		if (w == KERNEL_GOALS)
			add_word(rows, KERNEL_GOALS, "hugepage_mem_bp");
	}
}

static void free_rows(struct rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		free(rows->list[i].title);
		free(rows->list[i].word);
	}
	free(rows->list);
}

static const char *cell(const struct kernel_features *f,
			const struct feature_row *row)
{
	const char *value;

	if (f->why)
		return "?";
	value = row->flag ? facts_get(&f->flags, row->flag)
			  : f->words[row->which];
	if (value[0] == '?')
		return "?";
	if (row->flag)
		return value;
	return has_word(value, row->word) ? "yes" : "no";
}

enum { PAGE_WIDTH = 79, TITLE_WIDTH = 28 };

/* Kernels from first on, as many as fit; returns the one after them. */
static size_t print_columns(const struct listed *l, const struct rows *rows,
			    char *const *labels, size_t first)
{
	size_t width = TITLE_WIDTH;
	size_t end = first;

	while (end < l->kernels.n &&
	       (end == first ||
		width + 2 + strlen(labels[end]) <= PAGE_WIDTH)) {
		width += 2 + strlen(labels[end]);
		end++;
	}
	printf("%-*s", TITLE_WIDTH, "");
	for (size_t i = first; i < end; i++)
		printf("  %s", labels[i]);
	putchar('\n');
	for (size_t r = 0; r < rows->n; r++) {
		printf("%-*s", TITLE_WIDTH, rows->list[r].title);
		for (size_t i = first; i < end; i++)
			printf("  %*s", (int)strlen(labels[i]),
			       cell(&l->features[i], &rows->list[r]));
		putchar('\n');
	}
	putchar('\n');
	return end;
}

static void print_kernel(const struct kernel *k, const char *label,
			 const struct kernel_features *f)
{
	const char *suite = facts_get(&k->info, "suite");
	const char *when = facts_get(&k->info, "fetched");

	printf("%s: %s, %s", label, k->name, f->arch ? f->arch : "?");
	if (suite[0])
		printf(", %s", suite);
	if (when[0])
		printf(", %.10s", when);
	if (f->why)
		printf(": %s", f->why);
	putchar('\n');
}

/* Each reason once, with all that are not known for it. */
static void print_why(const struct kernel_features *f, const char *label)
{
	struct facts reasons = { 0 };

	for (size_t i = 0; i < f->flags.n; i++) {
		const char *reason = f->flags.list[i].value;
		const char *before = facts_get(&reasons, reason);

		if (reason[0] == '?')
			facts_setf(&reasons, reason, "%s%s%s", before,
				   before[0] ? ", " : "",
				   f->flags.list[i].name);
	}
	for (size_t i = 0; i < reasons.n; i++)
		printf("%s: not known:%s: %s\n", label,
		       reasons.list[i].name + 1, reasons.list[i].value);
	facts_free(&reasons);
}

static void print_text(const struct listed *l)
{
	char **labels = xcalloc(l->kernels.n, sizeof(*labels));
	struct rows rows;
	size_t next = 0;

	for (size_t i = 0; i < l->kernels.n; i++)
		labels[i] = label_of(l, i);
	make_rows(l, &rows);
	while (next < l->kernels.n)
		next = print_columns(l, &rows, labels, next);
	for (size_t i = 0; i < l->kernels.n; i++) {
		print_kernel(&l->kernels.list[i], labels[i], &l->features[i]);
		print_why(&l->features[i], labels[i]);
		free(labels[i]);
	}
	free(labels);
	free_rows(&rows);
}

/* true, false, or an object with the reason that it is missing. */
static json_t *json_of_flag(const char *value)
{
	if (value[0] == '?')
		return json_pack("{ss}", "missing",
				 value + 1 + (value[1] == ' '));
	return json_boolean(str_eq(value, "yes"));
}

static json_t *json_of_words(const char *value)
{
	auto_free char *copy = xstrdup(value);
	auto_free char **words = NULL;
	json_t *list;
	size_t n;

	if (value[0] == '?')
		return json_of_flag(value);
	list = json_array();
	words = str_split(copy, ' ', &n);
	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_string(words[i]));
	return list;
}

static json_t *json_of_features(const struct kernel_features *f)
{
	json_t *all;

	if (f->why)
		return json_pack("{ss}", "missing", f->why);
	all = json_object();
	for (size_t i = 0; i < f->flags.n; i++)
		json_object_set_new(all, f->flags.list[i].name,
				    json_of_flag(f->flags.list[i].value));
	for (size_t w = 0; w < N_KERNEL_WORDS; w++)
		json_object_set_new(all,
				    kernel_words_name((enum kernel_words)w),
				    json_of_words(f->words[w]));
	return all;
}

static json_t *json_of_kernel(const struct kernel *k,
			      const struct kernel_features *f)
{
	json_t *one = json_pack("{ss ss}", "name", k->name, "image", k->image);

	if (k->modules)
		json_object_set_new(one, "modules", json_string(k->modules));
	for (size_t i = 0; i < k->info.n; i++)
		json_object_set_new(one, k->info.list[i].name,
				    json_string(k->info.list[i].value));
	if (f->release)
		json_object_set_new(one, "release", json_string(f->release));
	if (f->arch)
		json_object_set_new(one, "arch", json_string(f->arch));
	json_object_set_new(one, "features", json_of_features(f));
	return one;
}

static void print_json(const struct listed *l)
{
	json_t *list = json_array();
	auto_free char *text = NULL;

	for (size_t i = 0; i < l->kernels.n; i++)
		json_array_append_new(list, json_of_kernel(&l->kernels.list[i],
							   &l->features[i]));
	text = json_dumps(list, JSON_INDENT(2) | JSON_ENSURE_ASCII);
	json_decref(list);
	puts(text);
}

int guest_list(const struct guest_choice *c, int argc, char **argv)
{
	struct listed l;
	int ret;

	(void)argv;
	if (argc)
		return refuse(STATUS_USAGE, "guest list: takes no argument");
	ret = kernels_read(&l.kernels);
	if (ret)
		return err_status(ret);
	l.features = xcalloc(l.kernels.n + 1, sizeof(*l.features));
	for (size_t i = 0; i < l.kernels.n; i++)
		kernel_features_find(l.kernels.list[i].image,
				     l.kernels.list[i].config, &l.features[i]);
	if (c->is_json)
		print_json(&l);
	else if (l.kernels.n)
		print_text(&l);
	else
		puts("no kernel in the cache; thpbench guest fetch gets one");
	for (size_t i = 0; i < l.kernels.n; i++)
		kernel_features_free(&l.features[i]);
	free(l.features);
	kernel_list_free(&l.kernels);
	return STATUS_OK;
}
