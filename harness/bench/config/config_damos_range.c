/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * damos.access_rate and damos.age: limits in the kernel's own counts, or in
 * units that a user thinks in and that the intervals convert.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/config/config_damos.h"
#include "bench/config/config_key.h"

/* struct damos_access_pattern keeps both in unsigned int. */
static const uint64_t most_count = UINT32_MAX;

/* What one bound is converted with; its unit is hits or intervals. */
struct scale {
	uint64_t hits;
	uint64_t aggr_us;
};

typedef int bound_reader(const char *text, const struct scale *scale,
			 uint64_t *out, char **why);

static int read_rate(const char *text, const struct scale *scale, uint64_t *out,
		     char **why)
{
	double pct;
	double hits;

	if (!str_ends(text, "%"))
		return num_u64(text, out) ? -EINVAL : 0;
	if (num_percent(text, &pct) || pct < 0 || pct > 100)
		return -EINVAL;
	hits = pct * (double)scale->hits / 100;
	*out = (uint64_t)llround(hits);
	if (fabs(hits - (double)*out) < 1e-6)
		return 0;
	*why = xasprintf("%s of the %" PRIu64 " samples of an aggregation are "
			 "%.4g; a share that makes whole samples",
			 text, scale->hits, hits);
	return -EDOM;
}

static int read_age(const char *text, const struct scale *scale, uint64_t *out,
		    char **why)
{
	uint64_t ns;

	if (!num_u64(text, out))
		return 0;
	if (num_time(text, &ns))
		return -EINVAL;
	if (!scale->aggr_us) {
		*why = xstrdup("a time, while damos.intervals_goal changes "
			       "the aggregation interval; a number of "
			       "aggregation intervals");
		return -EDOM;
	}
	*out = ns / 1000 / scale->aggr_us;
	if (ns == *out * scale->aggr_us * 1000)
		return 0;
	*why = xasprintf("%s is no whole number of aggregation intervals; "
			 "a multiple of %" PRIu64 " us",
			 text, scale->aggr_us);
	return -EDOM;
}

static int read_bound(bound_reader *read, const char *text,
		      const struct scale *scale, uint64_t *out, char **why)
{
	int ret;

	if (str_eq(text, "max")) {
		*out = DAMON_MOST;
		return 0;
	}
	ret = read(text, scale, out, why);
	if (ret || *out <= most_count)
		return ret;
	*why = xasprintf("%s is more than the kernel counts; at most %" PRIu64
			 ", or max",
			 text, most_count);
	return -EDOM;
}

static int read_range(bound_reader *read, const char *value,
		      const struct scale *scale, struct damon_range *out,
		      char **why)
{
	auto_free char *copy = xstrdup(value);
	size_t n;
	auto_free char **bounds = str_split(copy, ' ', &n);
	int ret;

	*why = NULL;
	if (n != 2 || str_eq(bounds[0], "max"))
		return -EINVAL;
	ret = read_bound(read, bounds[0], scale, &out->min, why);
	return ret ? ret : read_bound(read, bounds[1], scale, &out->max, why);
}

int config_damos_rate(const char *value, uint64_t hits, struct damon_range *out,
		      char **why)
{
	struct scale scale = { .hits = hits };
	int ret = read_range(read_rate, value, &scale, out, why);

	if (ret)
		return ret;
	if (out->min <= hits && (out->max <= hits || out->max == DAMON_MOST))
		return 0;
	*why = xasprintf("more hits than the %" PRIu64
			 " samples of an aggregation; at most these, a share "
			 "in %%, or max",
			 hits);
	return -EDOM;
}

int config_damos_age(const char *value, uint64_t aggr_us,
		     struct damon_range *out, char **why)
{
	struct scale scale = { .aggr_us = aggr_us };

	return read_range(read_age, value, &scale, out, why);
}

/* Only the form: what it comes to rests on keys that may stand behind it. */
static int check_rate(const struct config_item *item, void *base)
{
	auto_free char *why = NULL;
	struct damon_range range;

	(void)base;
	return config_damos_rate(item->value, 1, &range, &why) == -EINVAL
		       ? -EINVAL
		       : 0;
}

static int check_age(const struct config_item *item, void *base)
{
	auto_free char *why = NULL;
	struct damon_range range;

	(void)base;
	return config_damos_age(item->value, 1, &range, &why) == -EINVAL
		       ? -EINVAL
		       : 0;
}

const struct config_type type_damos_rate = {
	"two shares or numbers", "not two access rates",
	"the least and the most, such as 0% 100% or 1 max", NULL, check_rate
};
const struct config_type type_damos_age = {
	"two times or numbers", "not two ages",
	"the least and the most, such as 5s max or 50 max", NULL, check_age
};
