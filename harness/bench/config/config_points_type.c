/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of the keys of benchmarks. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/config/config_key.h"
#include "bench/config/pick.h"

enum { MOST_VALUES = 64 };

/* With single blanks. */
static void put_list(char **list, size_t n, char **to)
{
	struct str out = { 0 };

	for (size_t i = 0; i < n; i++)
		str_addf(&out, "%s%s", i ? " " : "", list[i]);
	free(*to);
	*to = str_steal(&out);
}

/*
 * Each of the words between blanks is looked at. 0; -EINVAL for none, for too
 * many, or what check returned.
 */
static int read_list(const struct config_item *item, char **to,
		     int (*check)(const struct config_item *one))
{
	auto_free char *copy = xstrdup(item->value);
	size_t n;
	auto_free char **list = str_split(copy, ' ', &n);

	if (!n || n > MOST_VALUES)
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		struct config_item one = *item;
		int ret;

		one.value = list[i];
		ret = check(&one);
		if (ret)
			return ret;
	}
	put_list(list, n, to);
	return 0;
}

static int check_number(const struct config_item *one)
{
	uint64_t least = 0;
	uint64_t most = UINT64_MAX;
	uint64_t v;

	/* "08" would be the point of "8". */
	if (num_u64(one->value, &v) || !isdigit((unsigned char)*one->value) ||
	    (one->value[0] == '0' && one->value[1]))
		return -EINVAL;
	if (num_u64(one->key->least, &least) || num_u64(one->key->most, &most))
		return -EINVAL;
	return v < least || v > most ? -ERANGE : 0;
}

static int word_index(const struct config_item *item)
{
	const char *const *words = item->key->words;

	for (int i = 0; words[i]; i++)
		if (str_eq(words[i], item->value))
			return i;
	return -1;
}

static int check_word(const struct config_item *one)
{
	return word_index(one) < 0 ? -EINVAL : 0;
}

/* What a metric is named by: it goes into files, JSON and command lines. */
static int check_name(const struct config_item *one)
{
	const char *p = one->value;

	for (; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_.-+", *p))
			return -EINVAL;
	return p == one->value || p - one->value > 64 ? -EINVAL : 0;
}

static char **text_field(const struct config_item *item, void *base)
{
	return (void *)((char *)base + item->key->offset);
}

static int read_numbers(const struct config_item *item, void *base)
{
	return read_list(item, text_field(item, base), check_number);
}

static int read_words(const struct config_item *item, void *base)
{
	return read_list(item, text_field(item, base), check_word);
}

static int read_values(const struct config_item *item, void *base)
{
	return read_list(item, text_field(item, base), check_name);
}

static int read_threads(const struct config_item *item, void *base)
{
	struct config *c = base;
	char **list = &c->workload.points_config.threads;
	int ret = read_list(item, list, check_number);

	if (!ret)
		c->workload.threads = (unsigned int)strtoul(*list, NULL, 10);
	return ret;
}

/* One program, or as many benchmarks as are wanted. */
static int read_programs(const struct config_item *item, void *base)
{
	struct config *c = base;
	struct workload_config *w = &c->workload;
	auto_free char *copy = xstrdup(item->value);
	size_t n;
	auto_free char **list = str_split(copy, ' ', &n);

	for (size_t i = 0; i < n; i++) {
		struct config_item one = *item;
		int word;

		one.value = list[i];
		word = word_index(&one);
		if (word < 0)
			return -EINVAL;
		if (word < WORKLOAD_POINTS) {
			w->program = (enum workload_program)word;
			continue;
		}
		w->program = WORKLOAD_POINTS;
		w->points_config.is_wanted[word - WORKLOAD_POINTS] = true;
	}
	return 0;
}

/* Of those that are known, some are not run with others. */
static char *check_programs(const struct config_item *item)
{
	auto_free char *copy = xstrdup(item->value);
	size_t n;
	auto_free char **list = str_split(copy, ' ', &n);

	for (size_t i = 0; n > 1 && i < n; i++) {
		struct config_item one = *item;
		int word;

		one.value = list[i];
		word = word_index(&one);
		if (word >= 0 && word < WORKLOAD_POINTS)
			return xasprintf("%s = %s: %s stands alone; only "
					 "benchmarks are run one after the "
					 "other",
					 item->name, item->value, list[i]);
	}
	return NULL;
}

static int read_seconds(const struct config_item *item, void *base)
{
	uint64_t v;

	if (num_time(item->value, &v) || v % NUM_NS_PER_S)
		return -EINVAL;
	return type_time.read(item, base);
}

static int keep_text(const struct config_item *item, void *base)
{
	return type_text.read(item, base);
}

static int read_name(const struct config_item *item, void *base)
{
	return check_name(item) ? -EINVAL : keep_text(item, base);
}

/* The key is sound; its value says what is wrong with it. */
static char *check_regex(const struct config_item *item)
{
	auto_free char *why =
		*item->value ? pick_regex_fault(item->value) : NULL;

	return why ? xasprintf("%s = %s: %s; such as ^Time: ([0-9.]+)$",
			       item->name, item->value, why)
		   : NULL;
}

static char *check_json(const struct config_item *item)
{
	auto_free char *why =
		*item->value ? pick_json_fault(item->value) : NULL;

	return why ? xasprintf("%s = %s: %s; such as .jobs[0].read.iops",
			       item->name, item->value, why)
		   : NULL;
}

const struct config_type type_programs = { "word, or words", "no such word",
					   NULL, check_programs,
					   read_programs };
const struct config_type type_threads = { "number, or numbers",
					  "not a whole number", NULL, NULL,
					  read_threads };
const struct config_type type_numbers = { "numbers",
					  "not whole numbers by blanks", NULL,
					  NULL, read_numbers };
const struct config_type type_words = { "words", "not such words by blanks",
					NULL, NULL, read_words };
const struct config_type type_seconds = { "time in whole seconds",
					  "not whole seconds", NULL, NULL,
					  read_seconds };
const struct config_type type_point = {
	"name", "not a name", "letters, digits and _ . - +, at most 64", NULL,
	read_name
};
const struct config_type type_points = {
	"names", "not names by blanks",
	"at most 64 of letters, digits and _ . - +", NULL, read_values
};
const struct config_type type_regex = { "regular expression", "no such", "one",
					check_regex, keep_text };
const struct config_type type_json = { "path", "no such", "one", check_json,
				       keep_text };
