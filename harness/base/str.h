/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text that grows, and small questions about texts. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>

/* text is never NULL after the first add and always ends in NUL. */
struct str {
	char *text;
	size_t len;
};

#define auto_str __attribute__((cleanup(str_free)))

void str_free(struct str *s); /* and empties it */
void str_add(struct str *s, const char *text);
void str_addn(struct str *s, const char *text, size_t n);
void str_addc(struct str *s, char c);
void str_addf(struct str *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Hand over the text ("" if nothing was added); s is empty afterwards. */
char *str_steal(struct str *s);

bool str_starts(const char *s, const char *prefix);
bool str_ends(const char *s, const char *suffix);
bool str_eq(const char *a, const char *b); /* NULL equals only NULL */

/* Cut white space off both ends, in place; returns the first that stays. */
char *str_trim(char *s);

/*
 * Cut s in place at each sep and return the fields, empty ones included; with
 * sep ' ' at runs of white space, none empty. *n gets their number; the array
 * is freed by the caller, the fields belong to s.
 */
char **str_split(char *s, char sep, size_t *n);

/*
 * The word of words[0..n) nearest to word (Damerau-Levenshtein), or NULL if
 * none is within a third of its length, at least 2, or word is longer than 64.
 */
const char *str_nearest(const char *word, const char *const *words, size_t n);

/* "T n, D h" -> "T-n-D-h": letters, digits, '.', '_' and single '-'. */
char *str_slug(const char *s);

#endif
