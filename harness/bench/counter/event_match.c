/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/counter/event_match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/* "4", "0-4". */
static int parse_range(char *text, struct event_range *out)
{
	char *dash = strchr(text, '-');

	if (dash)
		*dash = '\0';
	if (num_u64(text, &out->first) ||
	    num_u64(dash ? dash + 1 : text, &out->last) ||
	    out->first > out->last)
		return -EINVAL;
	return 0;
}

/* "85", "0x8f,0xcf", "0-15,48-63". */
static int parse_models(char *text, struct event_match *out)
{
	size_t n;
	auto_free char **fields = str_split(text, ',', &n);

	for (size_t i = 0; i < n; i++) {
		struct event_range range;

		if (parse_range(fields[i], &range))
			return -EINVAL;
		XGROW(out->models, out->n_models);
		out->models[out->n_models++] = range;
	}
	return 0;
}

static int parse_cpuid(char **fields, size_t n, struct event_match *out)
{
	size_t len = strlen(fields[0]);

	if ((n != 3 && n != 4) || !len || len >= sizeof(out->vendor))
		return -EINVAL;
	memcpy(out->vendor, fields[0], len + 1);
	out->steppings = (struct event_range){ 0, UINT64_MAX };
	if (num_u64(fields[1], &out->family_or_implementer) ||
	    parse_models(fields[2], out))
		return -EINVAL;
	return n == 4 ? parse_range(fields[3], &out->steppings) : 0;
}

int event_match_parse(const char *text, bool is_arm, struct event_match *out)
{
	auto_free char *copy = xstrdup(text);
	size_t n;
	auto_free char **fields = str_split(copy, '/', &n);
	int ret;

	*out = (struct event_match){ .is_arm = is_arm };
	if (is_arm && str_eq(text, "any")) {
		out->is_any = true;
		return 0;
	}
	if (is_arm)
		ret = n != 2 || num_u64(fields[0], &out->family_or_implementer)
			      ? -EINVAL
			      : parse_models(fields[1], out);
	else
		ret = parse_cpuid(fields, n, out);
	if (ret)
		event_match_free(out);
	return ret;
}

void event_match_free(struct event_match *m)
{
	free(m->models);
	*m = (struct event_match){ 0 };
}

static bool is_in(const struct event_range *range, uint64_t number)
{
	return range->first <= number && number <= range->last;
}

bool event_match_is(const struct event_match *m, const struct cpu_id *id)
{
	uint64_t group = id->is_arm ? id->implementer : id->family;
	uint64_t model = id->is_arm ? id->part : id->model;

	if (m->is_arm != id->is_arm)
		return false;
	if (m->is_any)
		return true;
	if (m->family_or_implementer != group ||
	    (!id->is_arm && (!str_eq(m->vendor, id->vendor) ||
			     !is_in(&m->steppings, id->stepping))))
		return false;
	for (size_t i = 0; i < m->n_models; i++)
		if (is_in(&m->models[i], model))
			return true;
	return false;
}
