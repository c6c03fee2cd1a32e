/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/config/config_text.h"

#include <ini.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"

struct reader {
	const char *next; /* the text not yet read */
	const struct text_form *form;
	struct text *out;
	struct faults *faults;
	bool is_open; /* a line went to inih that gave no key yet */
};

/* All but the tab. */
static const char control[] = "\x01\x02\x03\x04\x05\x06\a\b\n\v\f\r\x0e\x0f\x10"
			      "\x11\x12\x13\x14\x15\x16"
			      "\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f";

static struct text_section *last_section(struct reader *r)
{
	return &r->out->sections[r->out->n - 1];
}

/* [NAME], [NAME "LABEL"] or [NAME *], from behind the '['. */
static bool cut_section(const char *s, struct text_section *out)
{
	size_t n;

	s += strspn(s, " \t");
	n = strspn(s, "abcdefghijklmnopqrstuvwxyz_");
	out->name = xstrndup(s, n);
	s += n;
	s += strspn(s, " \t");
	if (*s == '*') {
		out->is_all = true;
		s++;
	} else if (*s == '"') {
		size_t len = strcspn(++s, "\"");

		out->label = xstrndup(s, len);
		s += len;
		if (*s++ != '"')
			return false;
	}
	s += strspn(s, " \t");
	if (!n || *s++ != ']')
		return false;
	s += strspn(s, " \t");
	return !*s || *s == ';' || *s == '#';
}

static void begin_section(struct reader *r, const char *line)
{
	struct text_section s = { .line = r->out->lines };

	if (!cut_section(line + 1, &s)) {
		fault_add(r->faults, s.line, "not a section; %s",
			  r->form->section);
		*s.name = '\0';
	}
	XGROW(r->out->sections, r->out->n);
	r->out->sections[r->out->n++] = s;
}

/* The line before this one was given to inih, and gave no key. */
static void end_line(struct reader *r)
{
	if (r->is_open)
		fault_add(r->faults, r->out->lines,
			  "neither a key nor a section; NAME = VALUE");
	r->is_open = false;
}

/* The next line without the blanks around it. free() it. */
static char *cut_line(struct reader *r)
{
	static const char bom[] = "\xef\xbb\xbf";
	size_t n = strcspn(r->next, "\n");
	auto_free char *line = NULL;

	if (!r->out->lines && str_starts(r->next, bom)) {
		r->next += strlen(bom);
		n -= strlen(bom);
	}
	line = xstrndup(r->next, n);
	r->next += n;
	if (*r->next == '\n')
		r->next++;
	r->out->lines++;
	return xstrdup(str_trim(line));
}

/* May inih see it? */
static bool is_sound(struct reader *r, const char *line, int room)
{
	unsigned int at = r->out->lines;

	if (!r->out->n)
		fault_add(r->faults, at, "a key before any section; %s first",
			  r->form->first);
	else if (strlen(line) + 3 > (size_t)room)
		fault_add(r->faults, at, "a line of %zu characters; at most %d",
			  strlen(line), room - 3);
	else if (line[strcspn(line, control)])
		fault_add(r->faults, at,
			  "a control character; printable text and blanks");
	else
		return true;
	return false;
}

/*
 * As fgets(3) for inih, which is given lines with a key only, and these
 * without their indentation, so that it never sees a continued value.
 */
static char *read_line(char *to, int room, void *stream)
{
	struct reader *r = stream;

	end_line(r);
	while (*r->next) {
		auto_free char *line = cut_line(r);

		if (!*line || *line == ';' || *line == '#')
			continue;
		if (*line == '[') {
			begin_section(r, line);
			continue;
		}
		if (!is_sound(r, line, room))
			continue;
		memcpy(to, line, strlen(line) + 1);
		r->is_open = true;
		return to;
	}
	return NULL;
}

static int take_key(void *user, const char *section, const char *name,
		    const char *value)
{
	struct reader *r = user;
	struct text_section *s = last_section(r);

	(void)section;
	r->is_open = false;
	if (!*name) {
		fault_add(r->faults, r->out->lines,
			  "a value without a name; NAME = VALUE");
		return 1;
	}
	XGROW(s->keys, s->n);
	s->keys[s->n++] = (struct text_key){
		.name = xstrdup(name),
		.value = xstrdup(value ? value : ""),
		.line = r->out->lines,
	};
	return 1;
}

void text_parse(const char *text, const struct text_form *form,
		struct text *out, struct faults *faults)
{
	struct reader r = {
		.next = text, .form = form, .out = out, .faults = faults
	};

	*out = (struct text){ 0 };
	ini_parse_stream(read_line, &r, take_key, &r);
}

/* The NUL too: "ab" "c" is not "a" "bc". */
static uint64_t hash_whole(uint64_t hash, const char *s)
{
	return hash_bytes(hash, s, strlen(s) + 1);
}

uint64_t text_hash(const struct text *t)
{
	uint64_t hash = HASH_START;

	for (size_t i = 0; i < t->n; i++) {
		const struct text_section *s = &t->sections[i];

		/* What is claimed of runs changes nothing in them. */
		if (str_eq(s->name, "claim"))
			continue;
		hash = hash_whole(hash, s->is_all ? "[*" : "[");
		hash = hash_whole(hash, s->name);
		hash = hash_whole(hash, s->label ? s->label : "");
		for (size_t k = 0; k < s->n; k++) {
			hash = hash_whole(hash, s->keys[k].name);
			hash = hash_whole(hash, s->keys[k].value);
		}
	}
	return hash;
}

const struct text_section *text_section(const struct text *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (str_eq(t->sections[i].name, name))
			return &t->sections[i];
	return NULL;
}

const struct text_key *text_key(const struct text_section *s, const char *name)
{
	for (size_t i = 0; s && i < s->n; i++)
		if (str_eq(s->keys[i].name, name))
			return &s->keys[i];
	return NULL;
}

void text_free(struct text *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct text_section *s = &t->sections[i];

		for (size_t k = 0; k < s->n; k++) {
			free(s->keys[k].name);
			free(s->keys[k].value);
		}
		free(s->keys);
		free(s->name);
		free(s->label);
	}
	free(t->sections);
	*t = (struct text){ 0 };
}
