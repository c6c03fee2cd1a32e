/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/deb822.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

struct reader {
	struct deb822 *out;
	bool is_inside; /* of a paragraph */
	char *name;     /* of the field that goes on; NULL: none */
	struct str value;
};

static void end_field(struct reader *r)
{
	if (r->name)
		facts_set(&r->out->list[r->out->n - 1], r->name,
			  r->value.text ? r->value.text : "");
	free(r->name);
	r->name = NULL;
	str_free(&r->value);
}

static void begin_paragraph(struct reader *r)
{
	if (r->is_inside)
		return;
	XGROW(r->out->list, r->out->n);
	r->out->list[r->out->n++] = (struct facts){ 0 };
	r->is_inside = true;
}

static int go_on(struct reader *r, char *line)
{
	if (!r->name)
		return -EPROTO;
	str_addc(&r->value, '\n');
	line = str_trim(line);
	if (!str_eq(line, "."))
		str_add(&r->value, line);
	return 0;
}

static int begin_field(struct reader *r, char *line)
{
	char *colon = strchr(line, ':');

	if (!colon || colon == line)
		return -EPROTO;
	*colon = '\0';
	begin_paragraph(r);
	r->name = xstrdup(line);
	for (char *p = r->name; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	str_add(&r->value, str_trim(colon + 1));
	return 0;
}

static int read_line(struct reader *r, char *line)
{
	if (line[0] == '#')
		return 0;
	if (line[strspn(line, " \t\r")] == '\0') {
		end_field(r);
		r->is_inside = false;
		return 0;
	}
	if (line[0] == ' ' || line[0] == '\t')
		return go_on(r, line);
	end_field(r);
	return begin_field(r, line);
}

int deb822_parse(const char *text, struct deb822 *out)
{
	struct reader r = { .out = out };
	int ret = 0;

	*out = (struct deb822){ 0 };
	while (*text && !ret) {
		size_t n = strcspn(text, "\n");
		auto_free char *line = xstrndup(text, n);

		ret = read_line(&r, line);
		text += n + (text[n] == '\n');
	}
	end_field(&r);
	if (ret)
		deb822_free(out);
	return ret;
}

void deb822_free(struct deb822 *d)
{
	for (size_t i = 0; i < d->n; i++)
		facts_free(&d->list[i]);
	free(d->list);
	*d = (struct deb822){ 0 };
}
