/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/packages/deb_depends.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

/* More than any kernel or server has; a list that goes on is no list. */
enum { MOST_PACKAGES = 200 };

/* deb-control(5): at least two of these, the first no sign. */
static size_t name_length(const char *text)
{
	size_t n = 0;

	if (!isalnum((unsigned char)text[0]))
		return 0;
	while (isalnum((unsigned char)text[n]) ||
	       (text[n] && strchr("+-._", text[n])))
		n++;
	return n >= 2 ? n : 0;
}

struct deb_depend *deb_depends_parse(const char *field, size_t *n)
{
	struct deb_depend *list = NULL;
	bool is_alternative = false;

	*n = 0;
	while (*field) {
		size_t length;

		field += strspn(field, " \t\n");
		length = name_length(field);
		if (length) {
			XGROW(list, *n);
			list[(*n)++] =
				(struct deb_depend){ xstrndup(field, length),
						     is_alternative };
		}
		field += strcspn(field, ",|");
		is_alternative = *field == '|' && *n;
		field += *field != '\0';
	}
	return list;
}

void deb_depends_free(struct deb_depend *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(list[i].name);
	free(list);
}

struct walk {
	const struct apt *apt;
	bool (*wants)(const char *name, void *arg);
	void *arg;
	struct facts met; /* the names that were asked for */
	struct deb822 *out;
};

/* A package that is there goes into the result, whoever asks again. */
static int visit(struct walk *w, const char *name, bool *is_there)
{
	struct deb822 found;
	int ret = 0;

	*is_there = false;
	for (size_t i = 0; i < w->met.n; i++)
		if (str_eq(w->met.list[i].name, name)) {
			*is_there = w->met.list[i].value[0];
			return 0;
		}
	ret = apt_show(w->apt, &name, 1, &found);
	if (ret)
		return ret;
	*is_there = found.n > 0;
	facts_set(&w->met, name, *is_there ? "there" : "");
	if (*is_there && w->out->n < MOST_PACKAGES) {
		XGROW(w->out->list, w->out->n);
		w->out->list[w->out->n] = (struct facts){ 0 };
		facts_copy(&w->out->list[w->out->n++], &found.list[0]);
	}
	deb822_free(&found);
	return 0;
}

/* The first of each group of alternatives that is wanted and there. */
static int visit_field(struct walk *w, const char *field)
{
	size_t n;
	struct deb_depend *list = deb_depends_parse(field, &n);
	bool is_met = false;
	int ret = 0;

	for (size_t i = 0; i < n && !ret; i++) {
		if (!list[i].is_alternative)
			is_met = false;
		if (!is_met && w->wants(list[i].name, w->arg))
			ret = visit(w, list[i].name, &is_met);
	}
	deb_depends_free(list, n);
	return ret;
}

int deb_closure(const struct apt *apt, const char *name,
		bool (*wants)(const char *name, void *arg), void *arg,
		struct deb822 *out)
{
	static const char *const fields[] = { "pre-depends", "depends" };
	struct walk w = { .apt = apt, .wants = wants, .arg = arg, .out = out };
	bool is_there;
	int ret;

	*out = (struct deb822){ 0 };
	ret = visit(&w, name, &is_there);
	/* out grows while it is walked. */
	for (size_t i = 0; i < out->n && !ret; i++) {
		for (size_t f = 0; f < ARRAY_SIZE(fields) && !ret; f++) {
			auto_free char *field =
				xstrdup(facts_get(&out->list[i], fields[f]));

			ret = visit_field(&w, field);
		}
	}
	facts_free(&w.met);
	if (!ret && !is_there)
		ret = -ENOENT;
	if (ret)
		deb822_free(out);
	return ret;
}
