/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What this kernel's DAMON offers: tried, and put back. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/damos/damos_parts.h"

#define CONTEXT DAMON_ROOT "/0/contexts/0"
#define SCHEME CONTEXT "/schemes/0"

/* A file that takes words; which it takes is for the kernel to say. */
static const struct {
	const char *kind; /* of the facts: "action collapse" */
	const char *file;
	const char *words;
} offers[] = {
	{ "action", SCHEME "/action",
	  "willneed cold pageout hugepage nohugepage collapse lru_prio "
	  "lru_deprio migrate_hot migrate_cold stat" },
	{ "goal", SCHEME "/quotas/goals/0/target_metric",
	  "user_input hugepage_mem_bp some_mem_psi_us node_mem_used_bp "
	  "node_mem_free_bp node_memcg_used_bp node_memcg_free_bp "
	  "active_mem_bp inactive_mem_bp node_eligible_mem_bp" },
	{ "tuner", SCHEME "/quotas/goal_tuner", "consist temporal" },
	{ "filter", SCHEME "/filters/0/type", "addr" },
	{ "watermark", SCHEME "/watermarks/metric", "free_mem_rate" },
};

/* Files that not every kernel has; looked for, not written. */
static const struct {
	const char *name;
	const char *path;
} files[] = {
	{ "refresh_ms", DAMON_ROOT "/0/refresh_ms" },
	{ "intervals_goal",
	  CONTEXT "/monitoring_attrs/intervals/intervals_goal/access_bp" },
	{ "apply_interval_us", SCHEME "/apply_interval_us" },
	{ "target_nid", SCHEME "/target_nid" },
	{ "fail_charge", SCHEME "/quotas/fail_charge_num" },
	{ "goal_tuner", SCHEME "/quotas/goal_tuner" },
	{ "effective_bytes", SCHEME "/quotas/effective_bytes" },
	{ "goals", SCHEME "/quotas/goals/0/target_value" },
	{ "filter_allow", SCHEME "/filters/0/allow" },
	{ "nr_snapshots", SCHEME "/stats/nr_snapshots" },
};

static char *answer(int ret)
{
	return ret ? xasprintf("no: %s", strerrorname_np(-ret))
		   : xstrdup("yes");
}

static void try_words(const struct root *root, size_t i, struct facts *out)
{
	auto_free char *copy = xstrdup(offers[i].words);
	size_t n;
	auto_free char **words = str_split(copy, ' ', &n);

	for (size_t w = 0; w < n; w++) {
		int ret = damos_put(root, offers[i].file, words[w]);
		auto_free char *name =
			xasprintf("%s %s", offers[i].kind, words[w]);
		auto_free char *text = answer(ret);

		facts_set(out, name, text);
	}
}

/* "vaddr fvaddr paddr"; NULL: no context that lists them. free() it. */
static char *operations_seen(const struct root *root)
{
	char *words = NULL;

	if (damon_operations(root, &words))
		return NULL;
	for (char *at = words; *at; at++)
		if (*at == '\n')
			*at = ' ';
	return words;
}

void damos_note_operations(const struct root *root, struct facts *out)
{
	static const char *const all[] = { "vaddr", "fvaddr", "paddr" };
	auto_free char *words = operations_seen(root);
	auto_free char *copy = NULL;
	auto_free char **list = NULL;
	size_t n;

	if (!words)
		return;
	copy = xstrdup(words);
	list = str_split(copy, ' ', &n);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		auto_free char *name = xasprintf("operations %s", all[i]);
		bool is_there = false;

		for (size_t k = 0; k < n; k++)
			is_there |= str_eq(list[k], all[i]);
		if (is_there)
			facts_set(out, name, "yes");
		else
			facts_setf(out, name, "no: %s alone",
				   n ? words : "none");
	}
}

static void try_all(const struct root *root, struct facts *out)
{
	damos_note_operations(root, out);
	for (size_t i = 0; i < ARRAY_SIZE(offers); i++)
		try_words(root, i, out);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		auto_free char *name = xasprintf("file %s", files[i].name);
		auto_free char *text =
			answer(root_exists(root, files[i].path) ? 0 : -ENOENT);

		facts_set(out, name, text);
	}
}

int damos_free_to_use(const struct root *root, char **why)
{
	uint64_t n;
	int ret = damon_count(root, &n);
	auto_free char *whose = NULL;
	auto_free char *operations = NULL;

	*why = NULL;
	if (ret == -ENOENT)
		*why = xstrdup("this kernel has no DAMON sysfs "
			       "(CONFIG_DAMON_SYSFS), or /sys is not mounted");
	else if (ret)
		*why = xasprintf("/" DAMON_ROOT "/nr_kdamonds: %s",
				 strerror(-ret));
	if (ret)
		return ret;
	if (!n) {
		ret = root_writable(root, DAMON_ROOT "/nr_kdamonds");
		if (ret)
			*why = xasprintf("may not write /" DAMON_ROOT
					 "/nr_kdamonds: %s",
					 strerror(-ret));
		return ret;
	}
	whose = damon_describe(root);
	operations = operations_seen(root);
	*why = xasprintf("somebody else uses DAMON, and to set up another "
			 "would destroy it: %s%s%s",
			 whose,
			 operations ? "; of operations this kernel has: " : "",
			 operations ? operations : "");
	return -EBUSY;
}

int damos_probe(const struct root *root, struct facts *out, char **why)
{
	int ret = damos_free_to_use(root, why);
	int back;

	if (ret)
		return ret;
	ret = damos_stage(root);
	if (!ret)
		try_all(root, out);
	back = damos_put(root, DAMON_ROOT "/nr_kdamonds", "0");
	ret = ret ? ret : back;
	if (ret)
		*why = xasprintf("DAMON's files cannot be set up: %s",
				 strerror(-ret));
	return ret;
}

/* One thing that an arm asks for. */
struct demand {
	const char *kind;
	const char *word;
	const char *help;
};

static bool has_allow(const struct damon_scheme *s)
{
	for (size_t i = 0; i < s->n_filters; i++)
		if (s->filters[i].is_allow)
			return true;
	return false;
}

static size_t list_demands(const struct damos_config *c, struct demand *list)
{
	const struct damon_scheme *s = &c->setup.scheme;
	size_t n = 0;

	list[n++] = (struct demand){ "operations", c->setup.ops,
				     "a kernel with CONFIG_DAMON_VADDR" };
	list[n++] = (struct demand){ "action", s->action,
				     "collapse: Linux 7.2; madvise-collapse "
				     "needs no DAMON" };
	if (s->tuner && !str_eq(s->tuner, "consist"))
		list[n++] = (struct demand){ "tuner", s->tuner, "Linux 7.1" };
	if (c->goal == DAMOS_GOAL_KERNEL && s->n_goals)
		list[n++] = (struct demand){ "goal", s->goals[0].metric,
					     "a newer kernel" };
	if (c->goal != DAMOS_GOAL_NONE)
		list[n++] = (struct demand){ "file", "goals", "Linux 6.8" };
	if (s->has_fail_charge)
		list[n++] =
			(struct demand){ "file", "fail_charge", "Linux 7.2" };
	if (c->setup.intervals_goal.access_bp)
		list[n++] = (struct demand){ "file", "intervals_goal",
					     "Linux 6.15" };
	if (s->apply_interval_us)
		list[n++] = (struct demand){ "file", "apply_interval_us",
					     "Linux 6.7" };
	if (s->target_nid >= 0)
		list[n++] =
			(struct demand){ "file", "target_nid", "Linux 6.11" };
	if (s->n_filters)
		list[n++] = (struct demand){ "filter", "addr", "Linux 6.6" };
	if (has_allow(s))
		list[n++] =
			(struct demand){ "file", "filter_allow", "Linux 6.14" };
	return n;
}

char *damos_lacks(const struct damos_config *c, const struct facts *offered)
{
	enum { MOST_DEMANDS = 11 };
	struct demand list[MOST_DEMANDS];
	struct str text = { 0 };
	size_t n = c->by == DAMOS_BY_SYSFS ? list_demands(c, list) : 0;

	for (size_t i = 0; i < n; i++) {
		auto_free char *name =
			xasprintf("%s %s", list[i].kind, list[i].word);
		const char *said = facts_get(offered, name);

		/* A word that nobody tried: the run will tell. */
		if (str_eq(said, "") || str_eq(said, "yes"))
			continue;
		str_addf(&text, "%s%s %s is not offered (%s): %s",
			 text.len ? "; " : "", list[i].kind, list[i].word,
			 said + strlen("no: "), list[i].help);
	}
	return text.len ? str_steal(&text) : NULL;
}
