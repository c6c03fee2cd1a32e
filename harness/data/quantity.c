/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/quantity.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

static const char *skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

/* "+-" and its one character of UTF-8 */
static const char *skip_plus_minus(const char *p)
{
	if (str_starts(p, "+-"))
		return skip_blanks(p + 2);
	if (str_starts(p, "+/-"))
		return skip_blanks(p + 3);
	if (str_starts(p, "\xc2\xb1"))
		return skip_blanks(p + 2);
	return p;
}

/* Digits with commas between threes, a point, an exponent. */
static const char *take_number(const char *p, double *number, double *half)
{
	char text[64];
	const char *from = p;
	size_t n = 0;
	int decimals = 0;
	bool has_point = false;
	char *end;
	long exponent = 0;

	if (*p == '+' || *p == '-')
		text[n++] = *p++;
	if (!isdigit((unsigned char)*p) &&
	    !(*p == '.' && isdigit((unsigned char)p[1])))
		return NULL;
	for (; n < sizeof(text) - 2; p++) {
		if (isdigit((unsigned char)*p))
			decimals += has_point;
		else if (*p == '.' && !has_point &&
			 isdigit((unsigned char)p[1]))
			has_point = true;
		else if (*p == ',' && !has_point && p > from &&
			 isdigit((unsigned char)p[-1]) &&
			 strspn(p + 1, "0123456789") == 3)
			continue;
		else
			break;
		text[n++] = *p;
	}
	text[n] = '\0';
	if (num_double(text, number) < 0)
		return NULL;
	if ((*p == 'e' || *p == 'E') &&
	    (isdigit((unsigned char)p[1]) ||
	     ((p[1] == '-' || p[1] == '+') && isdigit((unsigned char)p[2])))) {
		exponent = strtol(p + 1, &end, 10);
		if (labs(exponent) > 300)
			return NULL;
		p = end;
	}
	*number *= pow(10, (double)exponent);
	*half = 0.5 * pow(10, (double)(exponent - decimals));
	return isfinite(*number) ? p : NULL;
}

static bool is_unit_char(char c)
{
	return isalpha((unsigned char)c) || c == '/' || c == '_' ||
	       (unsigned char)c >= 0x80;
}

/* "(-18.13%)", "( +- 0.47% )", "* -18.13%*", "+-2%" after the figure. */
static const char *take_aside(const char *p, struct quantity *q)
{
	const char *start = skip_blanks(p);
	char open = *start;
	const char *at = start;

	if (open == '(' || open == '*')
		at = skip_blanks(start + 1);
	else if (skip_plus_minus(start) == start)
		return p;
	at = skip_plus_minus(at);
	at = take_number(at, &q->aside, &q->aside_half);
	if (!at)
		return p;
	at = skip_blanks(at);
	if (*at != '%')
		return p;
	at = skip_blanks(at + 1);
	if (open == '(' && *at != ')')
		return p;
	if (open == '*' && *at != '*')
		return p;
	q->has_aside = true;
	if (open == '*')
		q->mark = '*';
	return open == '(' || open == '*' ? at + 1 : at;
}

static const char *take_mark(const char *p, struct quantity *q)
{
	if (*p == '(' && (p[1] == 'I' || p[1] == 'R') && p[2] == ')') {
		q->mark = p[1];
		return skip_blanks(p + 3);
	}
	return p;
}

bool quantity_parse(const char *text, struct quantity *out, size_t *n)
{
	struct quantity q = { 0 };
	const char *p = take_mark(skip_blanks(text), &q);
	const char *unit;
	size_t len = 0;

	p = take_number(skip_plus_minus(p), &q.number, &q.half);
	if (!p)
		return false;
	unit = *p == ' ' && p[1] != ' ' ? p + 1 : p;
	if (*unit == '%') {
		q.is_percent = true;
		len = 1;
	} else {
		while (is_unit_char(unit[len]))
			len++;
		if (isalnum((unsigned char)unit[len]) ||
		    (unit == p && (unit[len] == '-' || unit[len] == '.') &&
		     isalnum((unsigned char)unit[len + 1])))
			return false;
		if (unit == p && len && !isspace((unsigned char)unit[len]) &&
		    unit[len] && !strchr(",;)|", unit[len]))
			return false;
	}
	if (len < sizeof(q.unit))
		memcpy(q.unit, unit, len);
	if (unit == p && len && !q.is_percent && !quantity_is_unit(q.unit))
		return false;
	p = take_aside(len ? unit + len : p, &q);
	if (n)
		*n = (size_t)(p - text);
	*out = q;
	return true;
}

bool quantity_is_whole(const struct quantity *q)
{
	return q->half >= 0.5;
}

bool quantity_is_unit(const char *word)
{
	static const char *const units[] = {
		"%",
		"pct",
		"percent",
		"percentage",
		"s",
		"sec",
		"secs",
		"second",
		"seconds",
		"ms",
		"msec",
		"msecs",
		"millisecond",
		"milliseconds",
		"us",
		"usec",
		"usecs",
		"microsecond",
		"microseconds",
		"ns",
		"nsec",
		"nsecs",
		"nanoseconds",
		"min",
		"minutes",
		"hours",
		"b",
		"byte",
		"bytes",
		"kb",
		"kib",
		"k",
		"mb",
		"mib",
		"m",
		"gb",
		"gib",
		"g",
		"tb",
		"tib",
		"t",
		"pages",
		"gi",
		"mi",
		"ki",
		"mb/s",
		"mib/s",
		"gb/s",
		"gib/s",
		"kb/s",
		"mbyte/s",
		"mb/sec",
		"m/sec",
		"ops",
		"op/s",
		"ops/s",
		"ops/sec",
		"tps",
		"qps",
		"eps",
		"iops",
		"tpm",
		"hz",
		"mhz",
		"ghz",
		"bp",
		"1",
		"1/s",
		"count",
		"counts",
		"number",
		"cycles",
		"instructions",
		"faults",
		"runs",
		"n",
		"ratio",
		"factor",
		"x",
		"w",
		"watts",
		"j",
		"joules",
		"cpu",
		"cpus",
		"threads",
		"tasks",
		"req/s",
		"requests",
		"events",
		"transactions",
		"operations",
		"accesses",
		"walks",
		"misses",
		"hits",
		"ns/op",
		"b/op",
		"allocs/op",
		"mpki",
		"ipc",
		"µs",
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (strcasecmp(word, units[i]) == 0)
			return true;
	return strchr(word, '/') && word[0] != '/' && word[1];
}
