/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/wrap.h"

#include <string.h>

#include "base/mem.h"

static const struct {
	const char *utf8;
	const char *ascii;
} signs[] = {
	{ "\xc2\xb1", "+-" },      /* plus-minus */
	{ "\xc2\xb5", "u" },       /* micro */
	{ "\xce\xbc", "u" },       /* mu */
	{ "\xc3\x97", "x" },       /* times */
	{ "\xe2\x80\x93", "-" },   /* en dash */
	{ "\xe2\x80\x94", "-" },   /* em dash */
	{ "\xe2\x80\x98", "'" },   /* quotation marks */
	{ "\xe2\x80\x99", "'" },   /* and the apostrophe */
	{ "\xe2\x80\x9c", "\"" },  /* double ones */
	{ "\xe2\x80\x9d", "\"" },  /* double ones */
	{ "\xe2\x80\xa6", "..." }, /* ellipsis */
	{ "\xe2\x86\x92", "->" },  /* arrow */
};

/* Bytes of the UTF-8 sequence at s, its stray or cut bytes one by one. */
static size_t sequence(const char *s)
{
	unsigned char c = (unsigned char)*s;
	size_t n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;

	for (size_t i = 1; i < n; i++)
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return 1;
	return n;
}

/* Add the ASCII form of what begins at s; returns its bytes. */
static size_t add_sign(struct str *out, const char *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++) {
		if (str_starts(s, signs[i].utf8)) {
			str_add(out, signs[i].ascii);
			return strlen(signs[i].utf8);
		}
	}
	str_addc(out, '?');
	return sequence(s);
}

char *wrap_ascii(const char *text)
{
	struct str out = { 0 };

	while (*text) {
		char c = *text;

		if (c >= ' ' && c <= '~') {
			str_addc(&out, c);
			text++;
		} else if (strchr("\t\n\r\v\f", c)) {
			str_addc(&out, ' ');
			text++;
		} else {
			text += add_sign(&out, text);
		}
	}
	return str_steal(&out);
}

/* May a line end behind text[n - 1]? */
static bool may_end(const char *text, size_t n)
{
	return text[n] == ' ' || text[n - 1] == '/' || text[n - 1] == ',';
}

size_t wrap_take(const char *text, size_t width, size_t *skip)
{
	size_t length = strlen(text);
	size_t n = length;

	if (length > width) {
		n = width;
		while (n > 1 && !may_end(text, n))
			n--;
		/* A line of a sign or two is worse than a hard cut. */
		if (n < width / 4 || n <= 1)
			n = width;
	}
	*skip = strspn(text + n, " ");
	while (n > 1 && text[n - 1] == ' ')
		n--, ++*skip;
	return n;
}

bool wrap_is_unsafe(const char *line)
{
	static const char *const starts[] = {
		"#", "---", "diff -", "Index: ", "From ", ">",
	};

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (str_starts(line, starts[i]))
			return true;
	return false;
}

void wrap_add(struct str *out, const char *text, const char *first,
	      const char *rest)
{
	const char *lead = first;

	do {
		size_t indent = strlen(lead);
		size_t skip;
		size_t n;

		if (!indent && wrap_is_unsafe(text)) {
			lead = " ";
			indent = 1;
		}
		n = wrap_take(text, WRAP_WIDTH - indent, &skip);
		str_add(out, lead);
		str_addn(out, text, n);
		str_addc(out, '\n');
		text += n + skip;
		lead = rest;
	} while (*text);
}
