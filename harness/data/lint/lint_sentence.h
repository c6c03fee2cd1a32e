/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer's prose, sentence by sentence. For data/lint/lint*.c only. */
#ifndef DATA_LINT_SENTENCE_H
#define DATA_LINT_SENTENCE_H

#include "data/lint/lint_parts.h"

struct sentence {
	char *text;  /* lower case, on one line */
	size_t line; /* index of the line that it begins on */
};

struct sentences {
	struct sentence *list;
	size_t n;
};

/* sentences_free() it. */
void sentences_find(const struct letter *l, struct sentences *out);
void sentences_free(struct sentences *s);

/* A line of the writer's that is neither blank nor of a table. */
bool lint_is_prose(const struct letter *l, size_t line);

#endif
