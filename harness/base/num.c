/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/num.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

int num_u64(const char *text, uint64_t *out)
{
	unsigned long long v;
	char *end;
	int base = 10;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		base = 16;
	if (!isxdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	v = strtoull(text, &end, base);
	if (end == text || *end)
		return -EINVAL;
	if (errno)
		return -ERANGE;
	*out = v;
	return 0;
}

int num_i64(const char *text, int64_t *out)
{
	long long v;
	char *end;

	if (!isdigit((unsigned char)text[text[0] == '-']))
		return -EINVAL;
	errno = 0;
	v = strtoll(text, &end, 10);
	if (end == text || *end)
		return -EINVAL;
	if (errno)
		return -ERANGE;
	*out = v;
	return 0;
}

int num_double(const char *text, double *out)
{
	double v;
	char *end;

	/* strtod() would take inf, nan and hexadecimal as well. */
	if (!*text || text[strspn(text, "0123456789+-.eE")])
		return -EINVAL;
	errno = 0;
	v = strtod(text, &end);
	if (end == text || *end)
		return -EINVAL;
	if (!isfinite(v))
		return -ERANGE;
	*out = v;
	return 0;
}

struct unit {
	const char *name;
	uint64_t scale;
};

static const struct unit *find_unit(const char *name, size_t len,
				    const struct unit *units, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(units[i].name) == len &&
		    strncmp(units[i].name, name, len) == 0)
			return &units[i];
	return NULL;
}

/* Whole numbers stay exact above 2^53. */
static int scale(const char *digits, uint64_t factor, uint64_t *out)
{
	uint64_t whole;
	double v;

	if (!strchr(digits, '.')) {
		int ret = num_u64(digits, &whole);

		if (ret)
			return ret;
		return __builtin_mul_overflow(whole, factor, out) ? -ERANGE : 0;
	}
	if (num_double(digits, &v))
		return -EINVAL;
	v = round(v * (double)factor);
	if (v >= 18446744073709551616.0)
		return -ERANGE;
	*out = (uint64_t)v;
	return 0;
}

/* One number with its unit; *text moves behind it. */
static int scan_unit(const char **text, const struct unit *units, size_t n,
		     uint64_t *out)
{
	size_t len = strspn(*text, "0123456789.");
	auto_free char *digits = xstrndup(*text, len);
	const char *name = *text + len;
	size_t name_len = strspn(name, "abcdefghijklmnopqrstuvwxyz"
				       "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
	const struct unit *unit = find_unit(name, name_len, units, n);

	if (!unit)
		return -EINVAL;
	*text = name + name_len;
	return scale(digits, unit->scale, out);
}

int num_size(const char *text, uint64_t *bytes)
{
	static const struct unit units[] = {
		{ "", 1 },
		{ "B", 1 },
		{ "k", NUM_KIB },
		{ "K", NUM_KIB },
		{ "kB", NUM_KIB },
		{ "KiB", NUM_KIB },
		{ "M", NUM_MIB },
		{ "MiB", NUM_MIB },
		{ "G", NUM_GIB },
		{ "GiB", NUM_GIB },
		{ "T", NUM_GIB * 1024 },
		{ "TiB", NUM_GIB * 1024 },
	};
	uint64_t v;
	int ret = scan_unit(&text, units, ARRAY_SIZE(units), &v);

	if (ret)
		return ret;
	if (*text)
		return -EINVAL;
	*bytes = v;
	return 0;
}

int num_time(const char *text, uint64_t *ns)
{
	static const struct unit units[] = {
		{ "ns", 1 },
		{ "us", 1000 },
		{ "ms", NUM_NS_PER_MS },
		{ "s", NUM_NS_PER_S },
		{ "m", 60 * NUM_NS_PER_S },
		{ "min", 60 * NUM_NS_PER_S },
		{ "h", 3600 * NUM_NS_PER_S },
	};
	uint64_t sum = 0;

	if (!*text)
		return -EINVAL;
	if (str_eq(text, "0")) {
		*ns = 0;
		return 0;
	}
	while (*text) {
		uint64_t v;
		int ret = scan_unit(&text, units, ARRAY_SIZE(units), &v);

		if (ret)
			return ret;
		if (__builtin_add_overflow(sum, v, &sum))
			return -ERANGE;
	}
	*ns = sum;
	return 0;
}

int num_percent(const char *text, double *pct)
{
	auto_free char *copy = xstrdup(text);
	size_t n = strlen(copy);

	if (n && copy[n - 1] == '%')
		copy[--n] = '\0';
	while (n && copy[n - 1] == ' ')
		copy[--n] = '\0';
	return num_double(copy, pct);
}

int num_scan_u64(const char **text, uint64_t *out)
{
	const char *s = *text;
	uint64_t v = 0;

	while (*s == ' ' || *s == '\t')
		s++;
	if (!isdigit((unsigned char)*s))
		return -EINVAL;
	for (; isdigit((unsigned char)*s); s++) {
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*s - '0'), &v))
			return -EINVAL;
	}
	*text = s;
	*out = v;
	return 0;
}

char *num_size_text(uint64_t bytes)
{
	static const char units[] = { 'T', 'G', 'M', 'k' };

	for (size_t i = 0; i < sizeof(units); i++) {
		unsigned int shift = 10 * (unsigned int)(sizeof(units) - i);

		if (bytes && !(bytes & ((1ULL << shift) - 1)))
			return xasprintf("%" PRIu64 "%c", bytes >> shift,
					 units[i]);
	}
	return xasprintf("%" PRIu64, bytes);
}

char *num_time_text(uint64_t ns)
{
	uint64_t s = ns / NUM_NS_PER_S;
	uint64_t rest = ns % NUM_NS_PER_S;
	struct str out = { 0 };

	if (s >= 3600)
		str_addf(&out, "%" PRIu64 "h", s / 3600);
	if (s / 60 % 60)
		str_addf(&out, "%" PRIu64 "m", s / 60 % 60);
	if (s % 60)
		str_addf(&out, "%" PRIu64 "s", s % 60);
	if (rest && rest % NUM_NS_PER_MS == 0)
		str_addf(&out, "%" PRIu64 "ms", rest / NUM_NS_PER_MS);
	else if (rest && rest % 1000 == 0)
		str_addf(&out, "%" PRIu64 "us", rest / 1000);
	else if (rest)
		str_addf(&out, "%" PRIu64 "ns", rest);
	if (!out.len)
		str_add(&out, "0s");
	return str_steal(&out);
}
