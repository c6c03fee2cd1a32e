/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/str.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void str_free(struct str *s)
{
	free(s->text);
	s->text = NULL;
	s->len = 0;
}

/* The room that a text of this size (NUL included) has: a power of two. */
static size_t room(size_t size)
{
	size_t cap = 64;

	while (cap < size)
		cap *= 2;
	return cap;
}

void str_addn(struct str *s, const char *text, size_t n)
{
	size_t cap = room(s->len + n + 1);

	if (!s->text || cap > room(s->len + 1))
		s->text = xrealloc(s->text, cap);
	memcpy(s->text + s->len, text, n);
	s->len += n;
	s->text[s->len] = '\0';
}

void str_add(struct str *s, const char *text)
{
	str_addn(s, text, strlen(text));
}

void str_addc(struct str *s, char c)
{
	str_addn(s, &c, 1);
}

void str_addf(struct str *s, const char *fmt, ...)
{
	auto_free char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	str_add(s, text);
}

char *str_steal(struct str *s)
{
	char *text = s->text ? s->text : xstrdup("");

	s->text = NULL;
	s->len = 0;
	return text;
}

bool str_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool str_ends(const char *s, const char *suffix)
{
	size_t n = strlen(s);
	size_t m = strlen(suffix);

	return n >= m && strcmp(s + n - m, suffix) == 0;
}

bool str_eq(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

char *str_trim(char *s)
{
	char *end;

	while (isspace((unsigned char)*s))
		s++;
	end = s + strlen(s);
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	return s;
}

static char **split_words(char *s, size_t *n)
{
	char **fields = NULL;

	while (*s) {
		while (isspace((unsigned char)*s))
			*s++ = '\0';
		if (!*s)
			break;
		XGROW(fields, *n);
		fields[(*n)++] = s;
		while (*s && !isspace((unsigned char)*s))
			s++;
	}
	return fields;
}

char **str_split(char *s, char sep, size_t *n)
{
	char **fields = NULL;

	*n = 0;
	if (sep == ' ')
		return split_words(s, n);
	for (;;) {
		char *end = strchr(s, sep);

		XGROW(fields, *n);
		fields[(*n)++] = s;
		if (!end)
			return fields;
		*end = '\0';
		s = end + 1;
	}
}

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

/* Damerau-Levenshtein with neighbours swapped, three rows of the matrix. */
static size_t distance(const char *a, const char *b)
{
	enum { MOST = 64 };
	size_t rows[3][MOST + 1];
	size_t n = strlen(a);
	size_t m = strlen(b);

	if (n > MOST || m > MOST)
		return SIZE_MAX;
	for (size_t j = 0; j <= m; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *now = rows[i % 3];
		const size_t *up = rows[(i + 2) % 3];
		const size_t *up2 = rows[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t cost = a[i - 1] != b[j - 1];

			now[j] = min3(up[j] + 1, now[j - 1] + 1,
				      up[j - 1] + cost);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && up2[j - 2] + 1 < now[j])
				now[j] = up2[j - 2] + 1;
		}
	}
	return rows[n % 3][m];
}

const char *str_nearest(const char *word, const char *const *words, size_t n)
{
	size_t limit = strlen(word) / 3;
	const char *best = NULL;

	if (limit < 2)
		limit = 2;
	for (size_t i = 0; i < n; i++) {
		size_t d = distance(word, words[i]);

		if (d <= limit) {
			best = words[i];
			limit = d ? d - 1 : 0;
			if (!d)
				break;
		}
	}
	return best;
}

char *str_slug(const char *s)
{
	struct str out = { 0 };

	for (; *s; s++) {
		if (isalnum((unsigned char)*s) || *s == '.' || *s == '_')
			str_addc(&out, *s);
		else if (out.len && out.text[out.len - 1] != '-')
			str_addc(&out, '-');
	}
	while (out.len && out.text[out.len - 1] == '-')
		out.text[--out.len] = '\0';
	return str_steal(&out);
}
