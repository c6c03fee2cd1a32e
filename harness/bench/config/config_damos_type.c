/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of damos.* whose value is several fields, or a kernel's word. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/config/config_key.h"

enum { NS_PER_US = 1000 };

static void *field(const struct config_item *item, void *base)
{
	return (char *)base + item->key->offset;
}

/* A value cut at its blanks, or at another separator. */
struct fields {
	char *copy;
	char **list;
	size_t n;
};

#define auto_fields __attribute__((cleanup(free_fields)))

static void free_fields(struct fields *f)
{
	free(f->list);
	free(f->copy);
}

static struct fields cut(const char *value, char sep)
{
	struct fields f = { .copy = xstrdup(value) };

	f.list = str_split(f.copy, sep, &f.n);
	return f;
}

/* A time in whole microseconds. */
static int read_us(const char *text, uint64_t *us)
{
	uint64_t ns;

	if (num_time(text, &ns) || ns % NS_PER_US)
		return -EINVAL;
	*us = ns / NS_PER_US;
	return 0;
}

static int read_count(const char *text, uint64_t *out)
{
	return num_u64(text, out) ? -EINVAL : 0;
}

/* What each field is read by, and where it goes. */
struct slot {
	int (*read)(const char *text, uint64_t *out);
	uint64_t *to;
};

static int read_slots(const struct config_item *item, const struct slot *slots,
		      size_t n)
{
	auto_fields struct fields f = cut(item->value, ' ');

	if (f.n != n)
		return -EINVAL;
	for (size_t i = 0; i < n; i++)
		if (slots[i].read(f.list[i], slots[i].to))
			return -EINVAL;
	return 0;
}

/* monitor is the kernel's stat: looked at, nothing done. */
static int read_action(const struct config_item *item, void *base)
{
	struct arm *arm = base;
	const char *const *word = item->key->words;

	while (*word && !str_eq(*word, item->value))
		word++;
	if (!*word)
		return -EINVAL;
	if (str_eq(*word, "none"))
		arm->damos = DAMOS_NONE;
	else if (str_eq(*word, "madvise-collapse"))
		arm->damos = DAMOS_MADVISE_COLLAPSE;
	else
		arm->damos = DAMOS_SCHEME;
	arm->scheme.is_used = arm->damos == DAMOS_SCHEME;
	arm->scheme.setup.scheme.action =
		str_eq(*word, "monitor") ? "stat" : *word;
	return 0;
}

/* The key's own word, which lives as long as the program. */
static int read_constant(const struct config_item *item, void *base)
{
	const char **to = field(item, base);

	for (const char *const *word = item->key->words; *word; word++) {
		if (!str_eq(*word, item->value))
			continue;
		*to = *word;
		return 0;
	}
	return -EINVAL;
}

/* "0x1000-0x3000": [start, end) */
static int read_addresses(const char *text, struct damon_range *out)
{
	auto_fields struct fields f = cut(text, '-');

	if (f.n != 2 || num_u64(f.list[0], &out->min))
		return -EINVAL;
	return num_u64(f.list[1], &out->max) ? -EINVAL : 0;
}

static int read_regions(const struct config_item *item, void *base)
{
	struct damos_config *c = &((struct arm *)base)->scheme;
	auto_fields struct fields f = cut(item->value, ' ');

	free(c->setup.regions);
	c->setup.regions = NULL;
	c->setup.n_regions = 0;
	c->is_pool = str_eq(item->value, "pool");
	for (size_t i = 0; !c->is_pool && i < f.n; i++) {
		struct damon_range range;

		if (read_addresses(f.list[i], &range))
			return -EINVAL;
		XGROW(c->setup.regions, c->setup.n_regions);
		c->setup.regions[c->setup.n_regions++] = range;
	}
	return 0;
}

static int read_intervals(const struct config_item *item, void *base)
{
	struct damon_setup *s = &((struct arm *)base)->scheme.setup;
	const struct slot slots[] = {
		{ read_us, &s->sample_us },
		{ read_us, &s->aggr_us },
		{ read_us, &s->update_us },
	};

	return read_slots(item, slots, ARRAY_SIZE(slots));
}

static int read_intervals_goal(const struct config_item *item, void *base)
{
	struct damon_intervals_goal *g =
		&((struct arm *)base)->scheme.setup.intervals_goal;
	const struct slot slots[] = {
		{ read_count, &g->access_bp },
		{ read_count, &g->aggrs },
		{ read_us, &g->min_sample_us },
		{ read_us, &g->max_sample_us },
	};

	return read_slots(item, slots, ARRAY_SIZE(slots));
}

static int read_counts(const struct config_item *item, void *base)
{
	struct damon_range *range = field(item, base);
	const struct slot slots[] = {
		{ read_count, &range->min },
		{ read_count, &range->max },
	};

	return read_slots(item, slots, ARRAY_SIZE(slots));
}

static int read_most_size(const char *text, uint64_t *out)
{
	if (!str_eq(text, "max"))
		return num_size(text, out) ? -EINVAL : 0;
	*out = DAMON_MOST;
	return 0;
}

static int read_sizes(const struct config_item *item, void *base)
{
	struct damon_range *range = field(item, base);
	const struct slot slots[] = {
		{ read_most_size, &range->min },
		{ read_most_size, &range->max },
	};

	return read_slots(item, slots, ARRAY_SIZE(slots));
}

static int read_weights(const struct config_item *item, void *base)
{
	struct damon_scheme *s = &((struct arm *)base)->scheme.setup.scheme;
	const struct slot slots[] = {
		{ read_count, &s->weight_sz_permil },
		{ read_count, &s->weight_accesses_permil },
		{ read_count, &s->weight_age_permil },
	};

	return read_slots(item, slots, ARRAY_SIZE(slots));
}

static int read_fraction(const struct config_item *item, void *base)
{
	struct damon_scheme *s = &((struct arm *)base)->scheme.setup.scheme;
	auto_fields struct fields f = cut(item->value, '/');

	if (f.n != 2 || num_u64(f.list[0], &s->fail_charge_num) ||
	    num_u64(f.list[1], &s->fail_charge_denom))
		return -EINVAL;
	s->has_fail_charge = true;
	return 0;
}

static int read_time_us(const struct config_item *item, void *base)
{
	return read_us(item->value, field(item, base));
}

static int read_time_ms(const struct config_item *item, void *base)
{
	uint64_t *to = field(item, base);
	uint64_t us;

	if (read_us(item->value, &us) || us % 1000)
		return -EINVAL;
	*to = us / 1000;
	return 0;
}

/* "reject 0x0-0x1000" */
static int read_filter(const char *text, struct damon_filter *out)
{
	auto_fields struct fields f = cut(text, ' ');
	struct damon_range range;

	if (f.n != 2 || read_addresses(f.list[1], &range))
		return -EINVAL;
	out->is_allow = str_eq(f.list[0], "allow");
	out->start = range.min;
	out->end = range.max;
	return out->is_allow || str_eq(f.list[0], "reject") ? 0 : -EINVAL;
}

static int read_filters(const struct config_item *item, void *base)
{
	struct damon_scheme *s = &((struct arm *)base)->scheme.setup.scheme;
	auto_fields struct fields f = cut(item->value, ',');

	free(s->filters);
	s->filters = NULL;
	s->n_filters = 0;
	for (size_t i = 0; i < f.n; i++) {
		struct damon_filter filter;

		if (read_filter(f.list[i], &filter))
			return -EINVAL;
		XGROW(s->filters, s->n_filters);
		s->filters[s->n_filters++] = filter;
	}
	return 0;
}

static int read_watermarks(const struct config_item *item, void *base)
{
	struct damon_scheme *s = &((struct arm *)base)->scheme.setup.scheme;
	const struct slot slots[] = {
		{ read_us, &s->watermark_interval_us },
		{ read_count, &s->watermark_high },
		{ read_count, &s->watermark_mid },
		{ read_count, &s->watermark_low },
	};
	static const char metric[] = "free_mem_rate";
	struct config_item rest = *item;

	/* The only metric that there is, but for none. */
	if (!str_starts(item->value, metric))
		return -EINVAL;
	rest.value += strlen(metric);
	if (*rest.value != ' ' && *rest.value != '\t')
		return -EINVAL;
	free(s->watermark_metric);
	s->watermark_metric = xstrdup(metric);
	return read_slots(&rest, slots, ARRAY_SIZE(slots));
}

const struct config_type type_damos = { "word", "no such action", NULL, NULL,
					read_action };
const struct config_type type_constant = { "word", "no such word", NULL, NULL,
					   read_constant };
const struct config_type type_addresses = { "pool, or ranges",
					    "no ranges of addresses",
					    "pool, or 0xSTART-0xEND by blanks",
					    NULL, read_regions };
const struct config_type type_intervals = {
	"three times", "not three times with their units",
	"sampling, aggregation and update, such as 5ms 100ms 60s", NULL,
	read_intervals
};
const struct config_type type_intervals_goal = {
	"two numbers, two times", "not two numbers and two times",
	"such as 400 3 5ms 10s", NULL, read_intervals_goal
};
const struct config_type type_counts = { "two numbers", "not two numbers",
					 "the least and the most, such as 10 "
					 "1000",
					 NULL, read_counts };
const struct config_type type_sizes = { "two sizes", "not two sizes",
					"the least and the most, such as 2M "
					"max",
					NULL, read_sizes };
const struct config_type type_weights = {
	"three numbers", "not three numbers",
	"for size, accesses and age, such as 0 100 0", NULL, read_weights
};
const struct config_type type_fraction = { "fraction", "not a fraction",
					   "such as 1/4096", NULL,
					   read_fraction };
const struct config_type type_time_us = { "time", "not a time with its unit",
					  "whole microseconds, such as 50ms",
					  NULL, read_time_us };
const struct config_type type_time_ms = { "time", "not a time with its unit",
					  "whole milliseconds, such as 1s",
					  NULL, read_time_ms };
const struct config_type type_filters = {
	"ranges", "not allow or reject and a range",
	"such as reject 0x1000-0x2000, allow 0x2000-0x8000", NULL, read_filters
};
const struct config_type type_watermarks = {
	"word, time, three numbers", "no watermarks",
	"such as free_mem_rate 5s 500 400 200", NULL, read_watermarks
};
