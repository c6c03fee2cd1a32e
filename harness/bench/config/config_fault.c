/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/config/config_fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

/* Of a file that is something else, all would be a fault a line. */
enum { MOST_SAID = 50 };

static bool is_said(const struct faults *f, unsigned int line, const char *text)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->list[i].line == line && str_eq(f->list[i].text, text))
			return true;
	return false;
}

void fault_add(struct faults *f, unsigned int line, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	if (is_said(f, line, text)) {
		free(text);
		return;
	}
	XGROW(f->list, f->n);
	f->list[f->n++] = (struct fault){ .line = line, .text = text };
}

static int by_line(const void *a, const void *b)
{
	const struct fault *left = a;
	const struct fault *right = b;

	if (left->line != right->line)
		return left->line < right->line ? -1 : 1;
	return strcmp(left->text, right->text);
}

void faults_say(struct faults *f, const char *name)
{
	if (f->n)
		qsort(f->list, f->n, sizeof(*f->list), by_line);
	for (size_t i = 0; i < f->n && i < MOST_SAID; i++)
		refuse(0, "%s:%u: %s", name, f->list[i].line, f->list[i].text);
	if (f->n > MOST_SAID)
		refuse(0, "%s: and %zu more; is it a configuration?", name,
		       f->n - MOST_SAID);
}

void faults_free(struct faults *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->list[i].text);
	free(f->list);
	*f = (struct faults){ 0 };
}
