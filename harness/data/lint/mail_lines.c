/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of a mail: quotes cut, tabs expanded, quoted-printable decoded. */
#include <ctype.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/mail_parts.h"

/* A tab of one blank between words becomes two: it parts columns. */
static void expand_tabs(const char *text, size_t n, struct mail_line *line)
{
	struct str out = { 0 };

	for (size_t i = 0; i < n; i++) {
		size_t column = out.len - line->n_added;

		if (text[i] != '\t') {
			str_addc(&out, text[i] ? text[i] : ' ');
			continue;
		}
		if (column % 8 == 7 && out.text[out.len - 1] != ' ') {
			str_addc(&out, ' ');
			line->n_added++;
		}
		for (size_t k = column % 8; k < 8; k++)
			str_addc(&out, ' ');
	}
	while (out.len &&
	       (out.text[out.len - 1] == '\r' || out.text[out.len - 1] == ' '))
		out.text[--out.len] = '\0';
	line->text = str_steal(&out);
}

static void add_line(struct mail *m, const char *text, size_t n, size_t number)
{
	struct mail_line line = { .is_body = true, .number = number };
	size_t at = 0;

	while (at < n && text[at] == '>') {
		line.quote++;
		at++;
		if (at + 1 < n && text[at] == ' ' && text[at + 1] == '>')
			at++;
	}
	if (line.quote && at < n && text[at] == ' ')
		at++;
	expand_tabs(text + at, n - at, &line);
	XGROW(m->lines, m->n_lines);
	m->lines[m->n_lines++] = line;
}

bool mail_begins(const char *text)
{
	static const char *const known[] = { "From", "Subject:", "Message-I",
					     "Return-Path:", "Date: " };

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (str_starts(text, known[i]))
			return true;
	return false;
}

/* --- quoted-printable (RFC 2045) --- */

struct decoder {
	bool is_header; /* of the mail or of a part of it */
	bool is_quoted; /* the body is, or will be */
	struct str line;
	size_t number; /* of its first part */
};

static bool take_hex(const char *p, char *out)
{
	static const char digits[] = "0123456789ABCDEF";
	const char *high = *p ? strchr(digits, p[0]) : NULL;
	const char *low = high && p[1] ? strchr(digits, p[1]) : NULL;

	if (!low)
		return false;
	*out = (char)((high - digits) * 16 + (low - digits));
	return true;
}

/* False where the line goes on in the next. */
static bool decode(const char *text, size_t n, struct str *out)
{
	while (n && strchr(" \t\r", text[n - 1]))
		n--;
	for (size_t i = 0; i < n; i++) {
		char c;

		if (text[i] == '=' && i + 1 == n)
			return false;
		if (text[i] == '=' && i + 2 < n && take_hex(text + i + 1, &c)) {
			str_addc(out, c);
			i += 2;
		} else {
			str_addc(out, text[i]);
		}
	}
	return true;
}

/* What a line of headers, or one that parts two parts, changes. */
static void follow_headers(struct decoder *d, const char *text, size_t n)
{
	static const char encoding[] = "content-transfer-encoding:";
	auto_free char *line = xstrndup(text, n);

	for (char *p = line; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	if (!d->is_header) {
		d->is_header = str_starts(line, "--") &&
			       (str_starts(text + n, "\nContent-"));
		d->is_quoted &= !d->is_header;
	} else if (!*str_trim(line)) {
		d->is_header = false;
	} else if (str_starts(line, encoding)) {
		d->is_quoted = strstr(line, "quoted-printable") != NULL;
	}
}

void mail_take_lines(const char *text, struct mail *out)
{
	struct decoder d = { .is_header = mail_begins(text) };

	for (size_t number = 1; *text; number++) {
		size_t n = strcspn(text, "\n");
		bool is_whole = true;

		follow_headers(&d, text, n);
		if (!d.line.len)
			d.number = number;
		if (d.is_quoted && !d.is_header)
			is_whole = decode(text, n, &d.line) ||
				   !text[n + (text[n] == '\n')];
		else
			add_line(out, text, n, number);
		if (d.is_quoted && !d.is_header && is_whole) {
			add_line(out, d.line.text ? d.line.text : "",
				 d.line.len, d.number);
			str_free(&d.line);
		}
		text += n + (text[n] == '\n');
	}
	str_free(&d.line);
}
