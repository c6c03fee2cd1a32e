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

/* May the character at p be part of the digits before an exponent? */
static bool is_comma(const char *from, const char *p)
{
	return *p == ',' && p > from && isdigit((unsigned char)p[-1]) &&
	       strspn(p + 1, "0123456789") == 3;
}

/* "e-3"; NULL if it is none that a double bears. p if there is none. */
static const char *take_exponent(const char *p, long *exponent)
{
	const char *digits = p + 1;
	char *end;

	*exponent = 0;
	if (*p != 'e' && *p != 'E')
		return p;
	digits += *digits == '-' || *digits == '+';
	if (!isdigit((unsigned char)*digits))
		return p;
	*exponent = strtol(p + 1, &end, 10);
	return labs(*exponent) > 300 ? NULL : end;
}

/* Digits with commas between threes, a point, an exponent. */
static const char *take_number(const char *p, double *number, double *half)
{
	char text[64];
	const char *from = p;
	const char *point = NULL;
	size_t n = 0;
	long exponent;
	int decimals = 0;

	if (*p == '+' || *p == '-')
		text[n++] = *p++;
	for (; n < sizeof(text) - 2; p++) {
		if (!point && is_comma(from, p))
			continue;
		if (!point && *p == '.' && isdigit((unsigned char)p[1]))
			point = p;
		else if (!isdigit((unsigned char)*p))
			break;
		text[n++] = *p;
	}
	text[n] = '\0';
	/* "1.234,56", as other languages write it, is not 1.234. */
	if (point && *p == ',' && isdigit((unsigned char)p[1]))
		return NULL;
	if (point)
		decimals = (int)(p - point) - 1;
	if (num_double(text, number) < 0)
		return NULL;
	p = take_exponent(p, &exponent);
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

/*
 * How long the unit at p is; is_near: it follows the figure directly, and then
 * must be one that is known, with the end of the word behind it. -1: the
 * figure is part of a word.
 */
static int unit_length(const char *p, bool is_near)
{
	char word[24];
	size_t n = 0;

	while (is_unit_char(p[n]))
		n++;
	if (isalnum((unsigned char)p[n]))
		return -1;
	if (!is_near)
		return (int)n;
	if (strchr("-.", p[n]) && p[n] && isalnum((unsigned char)p[n + 1]))
		return -1;
	if (!n)
		return 0;
	if (n >= sizeof(word) ||
	    (!isspace((unsigned char)p[n]) && p[n] && !strchr(",;)|", p[n])))
		return -1;
	memcpy(word, p, n);
	word[n] = '\0';
	return quantity_is_unit(word) ? (int)n : -1;
}

bool quantity_parse(const char *text, struct quantity *out, size_t *n)
{
	struct quantity q = { 0 };
	const char *p = take_mark(skip_blanks(text), &q);
	const char *unit;
	int len;

	p = take_number(skip_plus_minus(p), &q.number, &q.half);
	if (!p)
		return false;
	unit = *p == ' ' && p[1] != ' ' ? p + 1 : p;
	q.is_percent = *unit == '%';
	len = q.is_percent ? 1 : unit_length(unit, unit == p);
	if (len < 0)
		return false;
	if (len < (int)sizeof(q.unit))
		memcpy(q.unit, unit, (size_t)len);
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

/* In lower case, whatever case they are printed in. */
/* clang-format off */
static const char *const units[] = {
	"%", "pct", "percent", "percentage", "s", "sec", "secs", "second",
	"seconds", "ms", "msec", "msecs", "millisecond", "milliseconds", "us",
	"usec", "usecs", "microsecond", "microseconds", "ns", "nsec", "nsecs",
	"nanoseconds", "min", "minutes", "hours", "b", "byte", "bytes", "kb",
	"kib", "k", "mb", "mib", "m", "gb", "gib", "g", "tb", "tib", "t",
	"pages", "gi", "mi", "ki", "mb/s", "mib/s", "gb/s", "gib/s", "kb/s",
	"mbyte/s", "mb/sec", "m/sec", "ops", "op/s", "ops/s", "ops/sec", "tps",
	"qps", "eps", "iops", "tpm", "hz", "mhz", "ghz", "bp", "1", "1/s",
	"count", "counts", "number", "cycles", "instructions", "faults",
	"runs", "n", "ratio", "factor", "x", "w", "watts", "j", "joules",
	"cpu", "cpus", "threads", "tasks", "req/s", "requests", "events",
	"transactions", "operations", "accesses", "walks", "misses", "hits",
	"ns/op", "b/op", "allocs/op", "mpki", "ipc", "µs", "kiops", "rps",
	"jops", "stalls", "failures", "splits", "fallbacks", "migrations",
	"switches", "collapses", "refaults",
};
/* clang-format on */

bool quantity_is_unit(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (strcasecmp(word, units[i]) == 0)
			return true;
	return strchr(word, '/') && word[0] != '/' && word[1];
}
