/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/expect.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

const char expect_right[] =
	"such as > 0, <= 1.5, > +0.5 %, > arm LABEL, or = 10 +- 1";

/* The longer ones first. */
static const struct {
	const char *text;
	enum expect_op op;
} ops[] = {
	{ ">=", EXPECT_AT_LEAST }, { "<=", EXPECT_AT_MOST },
	{ ">", EXPECT_ABOVE },     { "<", EXPECT_BELOW },
	{ "=", EXPECT_EQUAL },
};

/* Cut a % off the end; false if there is none. */
static bool cut_percent(char *text)
{
	size_t n = strlen(text);

	if (!n || text[n - 1] != '%')
		return false;
	text[n - 1] = '\0';
	str_trim(text);
	for (n = strlen(text); n && text[n - 1] == ' '; n--)
		text[n - 1] = '\0';
	return true;
}

/* A number in the metric's unit. */
static int read_amount(const char *text, const struct metric *m, double *out)
{
	uint64_t bytes;

	if (num_double(text, out) == 0)
		return 0;
	if (!str_eq(m->unit, "bytes") || num_size(text, &bytes) < 0)
		return -EINVAL;
	*out = (double)bytes;
	return 0;
}

static int read_value(char *text, const struct metric *m, struct expect *out)
{
	bool is_signed = *text == '+' || *text == '-';
	bool has_percent = cut_percent(text);

	out->of = is_signed && has_percent ? EXPECT_CHANGE : EXPECT_NUMBER;
	if (out->of == EXPECT_CHANGE)
		return num_double(text + (*text == '+'), &out->number);
	/* An amount in % may be written so; of others it means nothing. */
	if (has_percent && !str_eq(m->unit, "%"))
		return -EINVAL;
	return read_amount(text + (*text == '+'), m, &out->number);
}

/* What may be off: an amount, or % of a number. */
static int read_tolerance(char *text, const struct metric *m,
			  struct expect *out)
{
	bool has_percent = cut_percent(text);
	int ret = has_percent ? num_double(text, &out->tolerance)
			      : read_amount(text, m, &out->tolerance);

	if (ret < 0)
		return -EINVAL;
	if (has_percent && out->of == EXPECT_NUMBER && !str_eq(m->unit, "%"))
		out->tolerance *= fabs(out->number) / 100;
	/* Nothing may be off of 2 % of 0. */
	if (!(out->tolerance > 0))
		return -EINVAL;
	return out->of == EXPECT_CHANGE && !has_percent ? -EINVAL : 0;
}

static int read_number(char *text, const struct metric *m, struct expect *out)
{
	char *off = strstr(text, "+-");

	/* Only what is to be equal may be off, and must say by how much. */
	if (!off != (out->op != EXPECT_EQUAL))
		return -EINVAL;
	if (off)
		*off = '\0';
	if (read_value(str_trim(text), m, out) < 0)
		return -EINVAL;
	return off ? read_tolerance(str_trim(off + 2), m, out) : 0;
}

int expect_parse(const char *text, const struct metric *m, struct expect *out)
{
	auto_free char *copy = xstrdup(text);
	char *rest = str_trim(copy);
	size_t i = 0;

	*out = (struct expect){ 0 };
	while (i < ARRAY_SIZE(ops) && !str_starts(rest, ops[i].text))
		i++;
	if (i == ARRAY_SIZE(ops))
		return -EINVAL;
	out->op = ops[i].op;
	rest = str_trim(rest + strlen(ops[i].text));
	if (str_eq(rest, "baseline")) {
		out->of = EXPECT_ARM;
		return 0;
	}
	if (str_starts(rest, "arm ")) {
		rest = str_trim(rest + strlen("arm "));
		if (!*rest)
			return -EINVAL;
		out->of = EXPECT_ARM;
		out->arm = xstrdup(rest);
		return 0;
	}
	return read_number(rest, m, out);
}

void expect_free(struct expect *e)
{
	free(e->arm);
	*e = (struct expect){ 0 };
}
