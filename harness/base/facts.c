/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/facts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

static struct fact *find(const struct facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->n; i++)
		if (str_eq(facts->list[i].name, name))
			return &facts->list[i];
	return NULL;
}

const char *facts_get(const struct facts *facts, const char *name)
{
	const struct fact *f = find(facts, name);

	return f ? f->value : "";
}

void facts_set(struct facts *facts, const char *name, const char *value)
{
	struct fact *f = find(facts, name);
	char *copy = xstrdup(value);

	if (f) {
		free(f->value);
		f->value = copy;
		return;
	}
	XGROW(facts->list, facts->n);
	facts->list[facts->n].name = xstrdup(name);
	facts->list[facts->n++].value = copy;
}

void facts_setf(struct facts *facts, const char *name, const char *fmt, ...)
{
	auto_free char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	facts_set(facts, name, text);
}

void facts_copy(struct facts *to, const struct facts *from)
{
	for (size_t i = 0; i < from->n; i++)
		facts_set(to, from->list[i].name, from->list[i].value);
}

void facts_free(struct facts *facts)
{
	for (size_t i = 0; i < facts->n; i++) {
		free(facts->list[i].name);
		free(facts->list[i].value);
	}
	free(facts->list);
	facts->list = NULL;
	facts->n = 0;
}
