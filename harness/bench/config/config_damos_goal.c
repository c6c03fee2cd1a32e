/* SPDX-License-Identifier: GPL-3.0-or-later */
/* damos.goal: what a quota is tuned for. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/config/config_key.h"

/* Where a metric is taken from decides what stands behind its target. */
enum place {
	PLACE_ALL,    /* the system */
	PLACE_NODE,   /* a node */
	PLACE_CGROUP, /* a memory cgroup, on a node */
};

/* enum damos_quota_goal_metric, and ours. */
static const struct metric_word {
	const char *name;
	enum damos_goal goal;
	enum place place;
} words[] = {
	{ "hugepage_mem_bp", DAMOS_GOAL_SYSTEM, PLACE_ALL },
	{ "process_huge_bp", DAMOS_GOAL_PROCESS, PLACE_ALL },
	{ "some_mem_psi_us", DAMOS_GOAL_KERNEL, PLACE_ALL },
	{ "node_mem_used_bp", DAMOS_GOAL_KERNEL, PLACE_NODE },
	{ "node_mem_free_bp", DAMOS_GOAL_KERNEL, PLACE_NODE },
	{ "node_memcg_used_bp", DAMOS_GOAL_KERNEL, PLACE_CGROUP },
	{ "node_memcg_free_bp", DAMOS_GOAL_KERNEL, PLACE_CGROUP },
	{ "active_mem_bp", DAMOS_GOAL_KERNEL, PLACE_ALL },
	{ "inactive_mem_bp", DAMOS_GOAL_KERNEL, PLACE_ALL },
	{ "node_eligible_mem_bp", DAMOS_GOAL_KERNEL, PLACE_NODE },
};

/* A goal as written. */
struct written {
	char *copy;
	char **fields;
	size_t n;
	const struct metric_word *word; /* NULL: none of ours */
	const char *metric;             /* without "kernel:" */
};

static const char newer[] = "kernel:"; /* a metric that we do not know */

static void written_free(struct written *w)
{
	free(w->fields);
	free(w->copy);
}

#define auto_written __attribute__((cleanup(written_free)))

static struct written cut(const char *value)
{
	struct written w = { .copy = xstrdup(value) };

	w.fields = str_split(w.copy, ' ', &w.n);
	w.metric = w.n ? w.fields[0] : "";
	if (str_starts(w.metric, newer))
		w.metric += strlen(newer);
	else
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			if (str_eq(words[i].name, w.metric))
				w.word = &words[i];
	return w;
}

static bool is_newer(const struct written *w)
{
	return !w->word && w->metric != w->fields[0] && *w->metric;
}

/* A number, then what the metric's place asks for. */
static bool has_form(const struct written *w, uint64_t *target, uint64_t *nid)
{
	static const size_t n_fields[] = {
		[PLACE_ALL] = 2, [PLACE_NODE] = 3, [PLACE_CGROUP] = 4
	};

	*nid = 0;
	if (w->word ? w->n != n_fields[w->word->place] : w->n < 2 || w->n > 4)
		return false;
	return !num_u64(w->fields[1], target) &&
	       (w->n < 3 || (!num_u64(w->fields[2], nid) && *nid < 1024));
}

static char *say_form(const struct config_item *item,
		      const struct metric_word *word)
{
	static const char *const forms[] = { [PLACE_ALL] = "",
					     [PLACE_NODE] = " NODE",
					     [PLACE_CGROUP] = " NODE CGROUP" };

	return xasprintf("%s = %s: not of its form; %s TARGET%s", item->name,
			 item->value, word ? word->name : "kernel:METRIC",
			 word ? forms[word->place] : " [NODE [CGROUP]]");
}

static char *say_unknown(const struct config_item *item, const char *metric)
{
	const char *names[ARRAY_SIZE(words)];
	const char *near;

	if (str_eq(metric, "user_input"))
		return xasprintf("%s = %s: nobody feeds it; hugepage_mem_bp "
				 "or process_huge_bp, which thpbench feeds",
				 item->name, item->value);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		names[i] = words[i].name;
	near = str_nearest(metric, names, ARRAY_SIZE(words));
	return xasprintf("%s = %s: no such metric; %s%s%skernel:METRIC for "
			 "one of a newer kernel",
			 item->name, item->value, near ? "did you mean '" : "",
			 near ? near : "", near ? "'? or " : "");
}

/*
 * 0 is taken by the kernel without a word, and there is no goal then: the
 * full quota applies (damos_sysfs_add_quota_score()).
 */
static char *say_target(const struct config_item *item, const struct written *w,
			uint64_t target)
{
	if (!target)
		return xasprintf("%s = %s: a target of 0, which the kernel "
				 "drops silently, for the full quota; at "
				 "least 1",
				 item->name, item->value);
	if (target > 10000 && str_ends(w->metric, "_bp"))
		return xasprintf("%s = %s: more than all; 1 to 10000 basis "
				 "points",
				 item->name, item->value);
	return NULL;
}

static char *check_goal(const struct config_item *item)
{
	auto_written struct written w = cut(item->value);
	uint64_t target;
	uint64_t nid;

	if (!w.n)
		return NULL;
	if (!w.word && !is_newer(&w))
		return say_unknown(item, w.metric);
	if (!has_form(&w, &target, &nid))
		return say_form(item, w.word);
	return say_target(item, &w, target);
}

static void forget_goals(struct damon_scheme *s)
{
	for (size_t i = 0; i < s->n_goals; i++) {
		free(s->goals[i].metric);
		free(s->goals[i].path);
	}
	free(s->goals);
	s->goals = NULL;
	s->n_goals = 0;
}

/* Only what check_goal() has let pass. */
static int read_goal(const struct config_item *item, void *base)
{
	struct damos_config *c = &((struct arm *)base)->scheme;
	struct damon_scheme *s = &c->setup.scheme;
	auto_written struct written w = cut(item->value);
	uint64_t target;
	uint64_t nid;

	if (!has_form(&w, &target, &nid))
		return -EINVAL;
	forget_goals(s);
	c->goal = w.word ? w.word->goal : DAMOS_GOAL_KERNEL;
	c->goal_bp = 0;
	if (c->goal != DAMOS_GOAL_KERNEL) {
		c->goal_bp = target;
		return 0;
	}
	XGROW(s->goals, s->n_goals);
	s->goals[s->n_goals++] = (struct damon_goal){
		.metric = xstrdup(w.metric),
		.target = target,
		.nid = w.n > 2 ? (int)nid : -1,
		.path = w.n > 3 ? xstrdup(w.fields[3]) : NULL,
	};
	return 0;
}

const struct config_type type_goal = { "metric and number", "no goal",
				       "such as hugepage_mem_bp 1000",
				       check_goal, read_goal };
