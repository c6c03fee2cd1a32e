/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memtouch: its options. */
#include "memtouch.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 4096 };

void die(const char *what, const char *name)
{
	fprintf(stderr, "memtouch: %s %s%s%s\n", what, name, errno ? ": " : "",
		errno ? strerror(errno) : "");
	exit(1);
}

static const char *const switch_words[] = { "off", "on", NULL };
static const char *const pattern_words[] = {
	[UNIFORM] = "uniform",
	[HOT] = "hot",
	[SEQUENTIAL] = "sequential",
	NULL,
};

static const struct option {
	const char *name;
	size_t offset;
	const char *const *words; /* NULL: a number */
	uint64_t most;            /* 0: a percentage */
} options[] = {
	{ "bytes", offsetof(struct options, bytes), NULL, UINT64_MAX / 4 },
	{ "threads", offsetof(struct options, threads), NULL, MOST_THREADS },
	{ "seconds", offsetof(struct options, seconds), NULL, 1000000 },
	{ "hot-share", offsetof(struct options, hot_share), NULL, 0 },
	{ "hot-range", offsetof(struct options, hot_range), NULL, 0 },
	{ "hot-start", offsetof(struct options, hot_start), NULL, 0 },
	{ "friendly", offsetof(struct options, is_friendly), switch_words, 0 },
	{ "advise", offsetof(struct options, is_advised), switch_words, 0 },
	{ "populate", offsetof(struct options, is_populated), switch_words, 0 },
	{ "pattern", offsetof(struct options, pattern), pattern_words, 0 },
};

static int parse_word(const char *text, const char *const *words, uint64_t *out)
{
	for (size_t i = 0; words[i]; i++) {
		if (strcmp(text, words[i]) == 0) {
			*out = i;
			return 1;
		}
	}
	return 0;
}

int parse_number(const char *text, uint64_t most, uint64_t *out)
{
	static const char units[] = "kMGT";
	const char *unit;
	char *end;
	uint64_t v;

	errno = 0;
	v = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (*text < '0' || *text > '9' || errno || (*end && !unit) ||
	    (unit && end[1]))
		return 0;
	for (; unit && unit >= units; unit--) {
		if (v > UINT64_MAX / 1024)
			return 0;
		v *= 1024;
	}
	*out = v;
	return v <= most;
}

static int parse_percent(const char *text, double *out)
{
	char *end;
	double v = strtod(text, &end);

	if (*text < '0' || *text > '9' || *end || !(v <= 100))
		return 0;
	*out = v;
	return 1;
}

static int parse_value(const struct option *p, const char *text,
		       struct options *o)
{
	void *out = (char *)o + p->offset;

	if (p->words)
		return parse_word(text, p->words, out);
	if (p->most == 0)
		return parse_percent(text, out);
	return parse_number(text, p->most, out);
}

/* "--hot_share=90": _ is as good as -. */
static int same_name(const char *arg, const char *name, size_t n)
{
	if (strlen(name) != n)
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (name[i] != (arg[i] == '_' ? '-' : arg[i]))
			return 0;
	}
	return 1;
}

static void parse_option(const char *arg, struct options *o)
{
	const char *value = strchr(arg, '=');

	errno = 0;
	if (strncmp(arg, "--", 2) != 0 || !value)
		die("not an option:", arg);
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		const struct option *p = &options[i];
		int good;

		if (!same_name(arg + 2, p->name, (size_t)(value - arg) - 2))
			continue;
		good = parse_value(p, value + 1, o);
		errno = 0;
		if (!good)
			die("bad value:", arg);
		return;
	}
	die("unknown option:", arg);
}

static void check_options(const struct options *o)
{
	errno = 0;
	if (o->bytes < 4 << 20)
		die("too few", "--bytes, at least 4M");
	if (o->threads == 0)
		die("no", "--threads");
}

void parse_options(int argc, char **argv, struct options *o)
{
	for (int i = 1; i < argc; i++)
		parse_option(argv[i], o);
	check_options(o);
}
