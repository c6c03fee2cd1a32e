/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "A is slower than B" against the figures of A and B. A sentence counts only
 * if it names a metric and two arms: by their labels, or by words that stand
 * in the legend ("T n, D c: THP never, DAMON action collapse") of one alone.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/lint_parts.h"
#include "data/lint/lint_sentence.h"

enum { MOST_ARMS = 16 };

static const struct {
	const char *word;
	int sign;
	bool is_good; /* of goodness, not of the figure */
} comparatives[] = {
	{ "lower", -1, false },   { "higher", 1, false },
	{ "less", -1, false },    { "more", 1, false },
	{ "smaller", -1, false }, { "larger", 1, false },
	{ "bigger", 1, false },   { "greater", 1, false },
	{ "fewer", -1, false },   { "slower", -1, true },
	{ "faster", 1, true },    { "worse", -1, true },
	{ "better", 1, true },
};

/* A sentence taken apart. */
struct claim {
	const struct sentence *sentence;
	char *left;  /* before "than", with the comparative in it */
	char *right; /* behind it */
	int sign;
	bool is_good;
};

static bool take_apart(const struct sentence *s, struct claim *out)
{
	const char *than = strstr(s->text, " than ");
	const char *p;

	if (!than)
		return false;
	*out = (struct claim){ .sentence = s };
	out->left = xstrndup(s->text, (size_t)(than - s->text));
	for (size_t i = 0; i < ARRAY_SIZE(comparatives) && !out->sign; i++) {
		if (!lint_has(out->left, comparatives[i].word))
			continue;
		out->sign = comparatives[i].sign;
		out->is_good = comparatives[i].is_good;
	}
	p = than + strlen(" than ");
	out->right = xstrdup(p);
	/* "not slower": not ours to judge. */
	if (!out->sign || lint_has_any(out->left, "not|no|isn't|never")) {
		free(out->left);
		free(out->right);
		return false;
	}
	return true;
}

/* --- which arms --- */

struct arms {
	const char *labels[MOST_ARMS];
	char *aliases[MOST_ARMS]; /* words of label and legend, lower case */
	size_t n;
};

/* What the letter says of a label: "LABEL: words". "" if nothing. */
static char *legend_of(const struct letter *l, const char *label)
{
	size_t n = strlen(label);

	for (size_t i = 0; i < l->mail->n_lines; i++) {
		const char *text = l->mail->lines[i].text;
		struct quantity q;

		text += strspn(text, " -*");
		if (strncmp(text, label, n) != 0 || text[n] != ':')
			continue;
		text += n + 1;
		if (!quantity_parse(text + strspn(text, " "), &q, NULL))
			return lint_lower(text);
	}
	return xstrdup("");
}

static void find_arms(const struct letter *l, const struct view *v,
		      struct arms *out)
{
	*out = (struct arms){ .n = 0 };
	for (size_t i = 0; i < view_items(v) && i < MOST_ARMS; i++) {
		auto_free char *legend = legend_of(l, view_item(v, i));
		auto_free char *label = lint_lower(view_item(v, i));

		out->labels[out->n] = view_item(v, i);
		out->aliases[out->n++] = xasprintf("%s %s", label, legend);
	}
}

static void arms_free(struct arms *arms)
{
	for (size_t i = 0; i < arms->n; i++)
		free(arms->aliases[i]);
}

static bool is_of_all(const struct arms *arms, const char *word)
{
	for (size_t i = 0; i < arms->n; i++)
		if (!lint_has(arms->aliases[i], word))
			return false;
	return true;
}

/* How many words that only some arms have, a text has of this one. */
static size_t score(const struct arms *arms, size_t arm, const char *text)
{
	auto_free char *copy = xstrdup(arms->aliases[arm]);
	auto_free char **words = NULL;
	size_t n_found = 0;
	size_t n;

	words = str_split(copy, ' ', &n);
	for (size_t i = 0; i < n; i++) {
		words[i][strcspn(words[i], ",.;:()\"")] = '\0';
		if (strlen(words[i]) > 3 && !is_of_all(arms, words[i]))
			n_found += lint_has(text, words[i]);
	}
	return n_found;
}

/* The one arm that a text names; -1 if none or several. */
static int arm_in(const struct arms *arms, const char *text)
{
	size_t most = 0;
	int best = -1;

	for (size_t i = 0; i < arms->n; i++) {
		auto_free char *label = lint_lower(arms->labels[i]);
		size_t n = *label && lint_has(text, label)
				   ? 1000 + strlen(label)
				   : score(arms, i, text);

		if (n > most) {
			most = n;
			best = (int)i;
		} else if (n == most) {
			best = -1;
		}
	}
	return best;
}

/* --- which metric --- */

static const char common_words[] = "total|use|used|mean|avg|average|min|max|"
				   "the|and|with|than|for";
static const char captions[] =
	"tps|performance|throughput|latency|transactions|"
	"memory|bandwidth|runtime";

static bool names_series(const char *text, const char *label)
{
	auto_free char *lower = lint_lower(label);
	auto_free char **words = NULL;
	size_t n;

	words = str_split(lower, ' ', &n);
	for (size_t i = 0; i < n; i++) {
		words[i][strcspn(words[i], ",.;:()")] = '\0';
		if (strlen(words[i]) > 2 &&
		    !lint_has_any(common_words, words[i]) &&
		    lint_has(text, words[i]))
			return true;
	}
	return false;
}

/* A word that both the caption and the sentence call the metric. */
static bool names_caption(const char *text, const char *above)
{
	auto_free char *copy = xstrdup(captions);
	auto_free char **words = NULL;
	size_t n;

	words = str_split(copy, '|', &n);
	for (size_t i = 0; i < n; i++)
		if (lint_has(text, words[i]) && lint_has(above, words[i]))
			return true;
	return false;
}

/* +1: more is better; -1: less is; 0: not said. */
static int direction_in(const char *above)
{
	bool is_more = lint_has_any(above, "higher is better|more is better|"
					   "larger is better|bigger is better|"
					   "higher the better");
	bool is_less = lint_has_any(above, "lower is better|less is better|"
					   "smaller is better|"
					   "lower the better");

	return is_more == is_less ? 0 : is_more ? 1 : -1;
}

/* --- the judgement --- */

struct evidence {
	const struct mail *mail;
	size_t n_for;
	size_t n_against;
	char *against; /* the first */
};

static void weigh(const struct view *v, size_t series, const int *arm, int sign,
		  struct evidence *e)
{
	const struct quantity *a = view_figure(v, series, (size_t)arm[0]);
	const struct quantity *b = view_figure(v, series, (size_t)arm[1]);

	if (!a || !b || !sign ||
	    fabs(a->number - b->number) <= a->half + b->half)
		return;
	if ((a->number > b->number) == (sign > 0)) {
		e->n_for++;
		return;
	}
	e->n_against++;
	if (!e->against)
		e->against = xasprintf(
			"'%s' has %s, '%s' %s (line %zu)",
			view_item(v, (size_t)arm[0]),
			view_text(v, series, (size_t)arm[0]),
			view_item(v, (size_t)arm[1]),
			view_text(v, series, (size_t)arm[1]),
			e->mail->lines[view_line(v, series, (size_t)arm[0])]
				.number);
}

static void weigh_view(const struct letter *l, size_t table,
		       const struct view *v, const struct claim *c,
		       struct evidence *e)
{
	auto_free char *above = lint_above(l, table);
	int direction = direction_in(above);
	struct arms arms;
	int arm[2];

	find_arms(l, v, &arms);
	arm[0] = arm_in(&arms, c->left);
	arm[1] = arm_in(&arms, c->right);
	for (size_t s = 0; s < view_series(v); s++) {
		const char *label = view_label(v, s);
		bool is_good = c->is_good;
		int sign = c->sign;

		if (arm[0] < 0 || arm[1] < 0 || arm[0] == arm[1])
			break;
		if (*label ? !names_series(c->left, label)
			   : !names_caption(c->left, above))
			continue;
		is_good |= lint_has(c->left, "performance");
		if (is_good)
			sign *= direction;
		weigh(v, s, arm, sign, e);
	}
	arms_free(&arms);
}

static void check_claim(struct letter *l, const struct claim *c)
{
	struct evidence e = { .mail = l->mail };

	for (size_t i = 0; i < l->mail->n_tables; i++) {
		const struct mail_table *t = &l->mail->tables[i];
		const struct view rows = { t, true };
		const struct view columns = { t, false };

		if (t->n_columns > 1)
			weigh_view(l, i, &rows, c, &e);
		if (t->form == MAIL_LIST || t->n_rows <= MOST_ARMS)
			weigh_view(l, i, &columns, c, &e);
	}
	if (e.n_against && !e.n_for)
		lint_add(l, c->sentence->line, "claim",
			 "the text says \"%.60s%s\", the figures the "
			 "contrary: %s",
			 c->sentence->text,
			 strlen(c->sentence->text) > 60 ? "..." : "",
			 e.against);
	free(e.against);
}

void lint_claims(struct letter *l)
{
	struct sentences all;

	sentences_find(l, &all);
	for (size_t i = 0; i < all.n; i++) {
		struct claim c;

		if (!take_apart(&all.list[i], &c))
			continue;
		check_claim(l, &c);
		free(c.left);
		free(c.right);
	}
	sentences_free(&all);
}
