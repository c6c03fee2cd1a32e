/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/lint/lint_sentence.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/mail_parts.h"

bool lint_is_prose(const struct letter *l, size_t line)
{
	if (!lint_is_own(l, line) || mail_is_blank(l->mail->lines[line].text))
		return false;
	for (size_t i = 0; i < l->mail->n_tables; i++)
		if (line >= l->mail->tables[i].first &&
		    line <= l->mail->tables[i].last)
			return false;
	return true;
}

static void end_sentence(struct sentences *s, struct str *text, size_t line)
{
	if (text->len) {
		XGROW(s->list, s->n);
		s->list[s->n++] = (struct sentence){
			.text = lint_lower(text->text),
			.line = line,
		};
	}
	str_free(text);
}

static bool is_bullet(const char *text)
{
	return (*text == '-' || *text == '*') && text[1] == ' ';
}

/* Add a line of prose to the sentence begun, and end it where it ends. */
static void take_prose(struct sentences *s, struct str *text, size_t *from,
		       const char *p, size_t line)
{
	if (text->len)
		str_addc(text, ' ');
	for (; *p; p++) {
		if (!text->len && *p == ' ')
			continue;
		if (!text->len)
			*from = line;
		str_addc(text, *p);
		if (strchr(".!?", *p) && (p[1] == ' ' || !p[1]))
			end_sentence(s, text, *from);
	}
}

void sentences_find(const struct letter *l, struct sentences *out)
{
	auto_str struct str text = { 0 };
	size_t from = 0;

	*out = (struct sentences){ 0 };
	for (size_t i = 0; i < l->mail->n_lines; i++) {
		const char *p = l->mail->lines[i].text;

		p += strspn(p, " ");
		if (!lint_is_prose(l, i) || is_bullet(p))
			end_sentence(out, &text, from);
		if (is_bullet(p))
			p += strspn(p, "-* ");
		if (lint_is_prose(l, i))
			take_prose(out, &text, &from, p, i);
	}
	end_sentence(out, &text, from);
}

void sentences_free(struct sentences *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->list[i].text);
	free(s->list);
	*s = (struct sentences){ 0 };
}
