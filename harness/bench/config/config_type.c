/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types whose value goes into a field of the configuration. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpulist.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/packages/apt_sources.h"
#include "bench/config/config_key.h"
#include "bench/server/servers.h"

static void *field(const struct config_item *item, void *base)
{
	return (char *)base + item->key->offset;
}

static int read_number(const struct config_item *item,
		       int (*parse)(const char *text, uint64_t *out),
		       uint64_t *out)
{
	const struct config_key *key = item->key;
	uint64_t v;
	uint64_t bound;
	int ret = parse(item->value, &v);

	if (ret)
		return ret;
	if (key->least && (parse(key->least, &bound) || v < bound))
		return -ERANGE;
	if (key->most && (parse(key->most, &bound) || v > bound))
		return -ERANGE;
	*out = v;
	return 0;
}

static int read_count64(const struct config_item *item, void *base)
{
	return read_number(item, num_u64, field(item, base));
}

static int read_count(const struct config_item *item, void *base)
{
	unsigned int *to = field(item, base);
	uint64_t v;
	int ret = read_number(item, num_u64, &v);

	if (!ret)
		*to = (unsigned int)v;
	return ret;
}

static int read_size(const struct config_item *item, void *base)
{
	return read_number(item, num_size, field(item, base));
}

static int read_pool(const struct config_item *item, void *base)
{
	uint64_t *to = field(item, base);

	if (!str_eq(item->value, "auto"))
		return read_size(item, base);
	*to = 0;
	return 0;
}

static int read_time(const struct config_item *item, void *base)
{
	return read_number(item, num_time, field(item, base));
}

static int read_settle(const struct config_item *item, void *base)
{
	static const char until[] = "until-stable";
	struct config *c = base;
	struct config_item time = *item;
	bool is_limit = str_starts(item->value, until);
	int ret;

	if (is_limit) {
		time.value += strlen(until);
		if (*time.value != ' ' && *time.value != '\t')
			return -EINVAL;
		time.value += strspn(time.value, " \t");
	}
	ret = read_number(&time, num_time, &c->workload.settle_ns);
	if (!ret)
		c->workload.settle_until_stable = is_limit;
	return ret;
}

static int read_percent(const struct config_item *item, void *base)
{
	double *to = field(item, base);
	double v;
	double least;
	double most;
	int ret = num_percent(item->value, &v);

	if (ret)
		return ret;
	if (num_percent(item->key->least, &least) ||
	    num_percent(item->key->most, &most) || v < least || v > most)
		return -ERANGE;
	*to = v;
	return 0;
}

static int read_node(const struct config_item *item, void *base)
{
	int *to = field(item, base);
	uint64_t v;
	int ret;

	if (str_eq(item->value, "any")) {
		*to = -1;
		return 0;
	}
	ret = read_number(item, num_u64, &v);
	if (!ret)
		*to = (int)v;
	return ret;
}

static int read_bool(const struct config_item *item, void *base)
{
	bool *to = field(item, base);

	if (!str_eq(item->value, "yes") && !str_eq(item->value, "no"))
		return -EINVAL;
	*to = str_eq(item->value, "yes");
	return 0;
}

static int read_text(const struct config_item *item, void *base)
{
	char **to = field(item, base);

	free(*to);
	*to = xstrdup(item->value);
	return 0;
}

/* The index of the word in the key's list, or -1. */
static int word_index(const struct config_item *item)
{
	const char *const *words = item->key->words;

	for (int i = 0; words[i]; i++)
		if (str_eq(words[i], item->value))
			return i;
	return -1;
}

static int read_word(const struct config_item *item, void *base)
{
	unsigned int *to = field(item, base);
	int i = word_index(item);

	if (i < 0)
		return -EINVAL;
	*to = (unsigned int)i;
	return 0;
}

static int read_name(const struct config_item *item, void *base)
{
	return word_index(item) < 0 ? -EINVAL : read_text(item, base);
}

/* A name of the cache's begins with its version. */
static int read_kernel(const struct config_item *item, void *base)
{
	if (word_index(item) < 0 && !strchr(item->value, '/') &&
	    !isdigit((unsigned char)item->value[0]))
		return -EINVAL;
	return read_text(item, base);
}

static int read_cpus(const struct config_item *item, void *base)
{
	cpu_set_t set;

	return cpulist_parse(item->value, &set) ? -EINVAL
						: read_text(item, base);
}

static int read_program(const struct config_item *item, void *base)
{
	if (!str_eq(item->value, "system") && !strchr(item->value, '/'))
		return -EINVAL;
	return read_text(item, base);
}

static int read_server(const struct config_item *item, void *base)
{
	const char *suite = servers_suite(item->value);

	if (!suite)
		return read_program(item, base);
	return apt_is_suite_name(suite) ? read_text(item, base) : -EINVAL;
}

static int read_script(const struct config_item *item, void *base)
{
	if (word_index(item) < 0 && !str_ends(item->value, ".lua"))
		return -EINVAL;
	return read_text(item, base);
}

static int read_label(const struct config_item *item, void *base)
{
	(void)item;
	(void)base;
	return 0;
}

static int read_collectors(const struct config_item *item, void *base)
{
	auto_free char *copy = xstrdup(item->value);
	size_t n;
	auto_free char **names = str_split(copy, ' ', &n);

	for (size_t i = 0; i < n; i++) {
		struct config_item one = *item;

		one.value = names[i];
		if (word_index(&one) < 0)
			return -EINVAL;
	}
	return read_text(item, base);
}

const struct config_type type_bool = { "yes or no", "neither yes nor no",
				       "yes or no", NULL, read_bool };
const struct config_type type_count = { "number", "not a whole number", NULL,
					NULL, read_count };
const struct config_type type_count64 = { "number", "not a whole number", NULL,
					  NULL, read_count64 };
const struct config_type type_seed = { "number", "not a whole number",
				       "0 to 18446744073709551615", NULL,
				       read_count64 };
const struct config_type type_size = { "size", "not a size", NULL, NULL,
				       read_size };
const struct config_type type_pool = { "size or auto", "not a size",
				       ", or auto", NULL, read_pool };
const struct config_type type_time = { "time", "not a time with its unit", NULL,
				       NULL, read_time };
const struct config_type type_settle = { "time, or until-stable time",
					 "not a time with its unit",
					 "a time, or until-stable and a time",
					 NULL, read_settle };
const struct config_type type_percent = { "percentage", "not a percentage",
					  NULL, NULL, read_percent };
const struct config_type type_node = { "number or any", "not a node's number",
				       ", or any", NULL, read_node };
const struct config_type type_text = { "text", "not a text", NULL, NULL,
				       read_text };
const struct config_type type_word = { "word", "no such word", NULL, NULL,
				       read_word };
const struct config_type type_name = { "word", "no such word", NULL, NULL,
				       read_name };
const struct config_type type_kernel = {
	"word, name or path", "no such kernel",
	"host, guest, auto, the name of one in the cache, or a path with a /",
	NULL, read_kernel
};
const struct config_type type_cpus = { "list of CPUs", "not a list of CPUs",
				       "such as 0-3,8", NULL, read_cpus };
const struct config_type type_program = { "system or path",
					  "neither system nor a path",
					  "system, or a path with a /", NULL,
					  read_program };
const struct config_type type_server = {
	"system, debian:SUITE or path", "no server",
	"system, debian:SUITE, or a path with a /", NULL, read_server
};
const struct config_type type_script = { "word or path", "no such script", NULL,
					 NULL, read_script };
const struct config_type type_metric = { "metric", "no such metric", NULL, NULL,
					 read_text };
const struct config_type type_label = { "label", "no such arm", NULL, NULL,
					read_label };
const struct config_type type_collectors = { "words", "not names of collectors",
					     NULL, NULL, read_collectors };
