/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DAMON's sysfs tree as the kernel plays it, on a scratch root: numbers make
 * and remove folders, words are taken or refused, state starts and stops.
 * root_write() of the code under test comes here (ld --wrap, see Makefile).
 * The folders are those of tests/roots/damon-7.3.
 */
#ifndef TESTS_UNIT_DAMON_SIM_H
#define TESTS_UNIT_DAMON_SIM_H

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "kern/damon_fs.h"
#include "scratch.h"

enum { SIM_FIRST_PID = 900 };

struct damon_sim {
	struct scratch s;
	struct str log;       /* "PATH VALUE" a line, as written */
	unsigned int n_busy;  /* so many writes from now answer EBUSY */
	bool is_stat_on;      /* DAMON_STAT runs: state = on is EBUSY */
	bool is_target_dead;  /* state = on is EINVAL */
	bool is_off_refused;  /* state = off, when off, is EPERM */
	const char *lacks;    /* a word that this kernel does not know */
	const char *also;     /* one that it knows besides */
	const char *no_file;  /* a file that it does not have */
	const char *has_ops;  /* the only operations that it has; NULL: all */
	unsigned int n_stats; /* update_schemes_stats so far */
	/* Called for every command that is taken while running. */
	void (*on_command)(struct damon_sim *sim, size_t k, const char *word);
};

static struct damon_sim *sim_now;

int __wrap_root_write(const struct root *root, const char *path,
		      const char *text);
int __real_root_write(const struct root *root, const char *path,
		      const char *text);

static inline void sim_put(const struct damon_sim *sim, const char *path,
			   const char *text)
{
	auto_free char *line = xasprintf("%s\n", text);

	if (scratch_put(&sim->s, path, line))
		abort();
}

static inline bool sim_is_number(const char *name)
{
	return *name && strspn(name, "0123456789") == strlen(name);
}

static inline char *sim_full(const struct damon_sim *sim, const char *path)
{
	return xasprintf("%s/root/%s", sim->s.dir, path);
}

/* The same folder of the recorded tree, which has one of each. */
static inline char *sim_template(const char *path)
{
	auto_free char *copy = xstrdup(path);
	struct str out = { 0 };
	size_t n;
	auto_free char **parts = str_split(copy, '/', &n);

	str_add(&out, "tests/roots/damon-7.3");
	for (size_t i = 0; i < n; i++)
		str_addf(&out, "/%s", sim_is_number(parts[i]) ? "0" : parts[i]);
	return str_steal(&out);
}

static inline void sim_set_number(const struct damon_sim *sim, const char *path,
				  uint64_t n);

static inline void sim_empty(const struct damon_sim *sim, const char *dir)
{
	static const char *const nested[] = {
		"contexts/nr_contexts",    "targets/nr_targets",
		"schemes/nr_schemes",      "regions/nr_regions",
		"quotas/goals/nr_goals",   "filters/nr_filters",
		"core_filters/nr_filters", "ops_filters/nr_filters",
	};

	for (size_t i = 0; i < ARRAY_SIZE(nested); i++) {
		auto_free char *path = xasprintf("%s/%s", dir, nested[i]);

		if (root_exists(&sim->s.root, path))
			sim_set_number(sim, path, 0);
	}
}

static inline void sim_set_number(const struct damon_sim *sim, const char *path,
				  uint64_t n)
{
	auto_free char *dir = xstrndup(path, strrchr(path, '/') - path);
	auto_free char *template = sim_template(dir);
	auto_free char *text = xasprintf("%llu", (unsigned long long)n);
	char **names;
	size_t n_names;

	root_list(&sim->s.root, dir, &names, &n_names);
	for (size_t i = 0; i < n_names; i++) {
		auto_free char *old =
			xasprintf("%s/root/%s/%s", sim->s.dir, dir, names[i]);

		if (sim_is_number(names[i]))
			tree_remove(old);
	}
	root_list_free(names, n_names);
	sim_put(sim, path, text);
	for (uint64_t i = 0; i < n; i++) {
		auto_free char *from = xasprintf("%s/0", template);
		auto_free char *one =
			xasprintf("%s/%llu", dir, (unsigned long long)i);
		auto_free char *to = sim_full(sim, one);

		if (tree_copy(from, to, NULL))
			abort();
		sim_empty(sim, one);
		if (sim->has_ops && str_ends(path, "/nr_contexts")) {
			auto_free char *avail =
				xasprintf("%s/avail_operations", one);

			sim_put(sim, avail, sim->has_ops);
		}
	}
}

static inline bool sim_knows(const struct damon_sim *sim, const char *words,
			     const char *word)
{
	auto_free char *padded = xasprintf(" %s ", word);

	return str_eq(sim->also, word) ||
	       (!str_eq(sim->lacks, word) && strstr(words, padded));
}

static inline int sim_word(const struct damon_sim *sim, const char *path,
			   const char *word)
{
	/* As tried on 7.3.4. */
	static const struct {
		const char *file;
		const char *words;
	} rows[] = {
		{ "/operations", " vaddr fvaddr paddr " },
		{ "/action",
		  " willneed cold pageout hugepage nohugepage collapse "
		  "lru_prio lru_deprio migrate_hot migrate_cold stat " },
		{ "/target_metric",
		  " user_input some_mem_psi_us node_mem_used_bp "
		  "node_mem_free_bp node_memcg_used_bp node_memcg_free_bp "
		  "active_mem_bp inactive_mem_bp node_eligible_mem_bp " },
		{ "/goal_tuner", " consist temporal " },
		{ "/watermarks/metric", " none free_mem_rate " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (str_ends(path, rows[i].file))
			return sim_knows(sim, rows[i].words, word) ? 0
								   : -EINVAL;
	return 0;
}

static inline int sim_switch(struct damon_sim *sim, size_t k, bool is_on,
			     bool must)
{
	auto_free char *state = xasprintf(DAMON_ROOT "/%zu/state", k);
	auto_free char *pid = xasprintf(DAMON_ROOT "/%zu/pid", k);
	auto_free char *number = xasprintf("%zu", SIM_FIRST_PID + k);

	if (!is_on && must && sim->is_off_refused)
		return -EPERM;
	sim_put(sim, state, is_on ? "on" : "off");
	sim_put(sim, pid, is_on ? number : "-1");
	return 0;
}

/* The file takes each word that is one; a kdamond starts with those it has. */
static inline bool sim_has_ops(const struct damon_sim *sim, size_t k)
{
	auto_free char *path =
		xasprintf(DAMON_ROOT "/%zu/contexts/0/operations", k);
	auto_free char *ops = NULL;

	return !sim->has_ops || (!root_read_word(&sim->s.root, path, &ops) &&
				 str_eq(ops, sim->has_ops));
}

static inline int sim_state(struct damon_sim *sim, size_t k, const char *word)
{
	bool is_on = damon_is_on(&sim->s.root, k) == 1;

	if (str_eq(word, "on")) {
		if (is_on || sim->is_stat_on)
			return -EBUSY;
		if (sim->is_target_dead || !sim_has_ops(sim, k))
			return -EINVAL;
		return sim_switch(sim, k, true, false);
	}
	if (str_eq(word, "off"))
		return sim_switch(sim, k, false, !is_on);
	if (!str_starts(word, "update_") && !str_starts(word, "commit"))
		return -EINVAL;
	if (!is_on)
		return -ECANCELED;
	sim->n_stats += str_eq(word, "update_schemes_stats");
	if (sim->on_command)
		sim->on_command(sim, k, word);
	return 0;
}

static inline int sim_write(struct damon_sim *sim, const char *path,
			    const char *value)
{
	const char *rest = path + strlen(DAMON_ROOT "/");
	const char *name = strrchr(path, '/') + 1;
	uint64_t n;
	int ret;

	str_addf(&sim->log, "%s %s\n", rest, value);
	if (sim->n_busy) {
		sim->n_busy--;
		return -EBUSY;
	}
	if (!root_exists(&sim->s.root, path) ||
	    (sim->no_file && str_ends(path, sim->no_file)))
		return -ENOENT;
	if (strstr(path, "/stats/"))
		return -EACCES;
	if (str_starts(name, "nr_") && !strstr(path, "access_pattern")) {
		if (num_u64(value, &n))
			return -EINVAL;
		sim_set_number(sim, path, n);
		return 0;
	}
	if (str_eq(name, "state"))
		return sim_state(sim, (size_t)strtoul(rest, NULL, 10), value);
	ret = sim_word(sim, path, value);
	if (!ret)
		sim_put(sim, path, value);
	return ret;
}

int __wrap_root_write(const struct root *root, const char *path,
		      const char *text)
{
	if (sim_now && str_starts(path, DAMON_ROOT "/"))
		return sim_write(sim_now, path, text);
	return __real_root_write(root, path, text);
}

/* A machine whose DAMON nobody uses. */
static inline int sim_setup(void **state)
{
	struct damon_sim *sim = xcalloc(1, sizeof(*sim));

	*state = sim;
	if (scratch_open(&sim->s, "damon-7.3"))
		return -1;
	sim_set_number(sim, DAMON_ROOT "/nr_kdamonds", 0);
	sim_now = sim;
	return 0;
}

static inline int sim_teardown(void **state)
{
	struct damon_sim *sim = *state;
	int ret = scratch_close(&sim->s);

	sim_now = NULL;
	str_free(&sim->log);
	free(sim);
	return ret;
}

/* Somebody else's: n of them, all on. */
static inline void sim_foreign(struct damon_sim *sim, size_t n)
{
	sim_set_number(sim, DAMON_ROOT "/nr_kdamonds", n);
	for (size_t k = 0; k < n; k++)
		sim_switch(sim, k, true, false);
}

static inline char *sim_read(const struct damon_sim *sim, const char *file)
{
	auto_free char *path = xasprintf(DAMON_ROOT "/%s", file);
	char *text = NULL;

	if (root_read_word(&sim->s.root, path, &text))
		return xstrdup("(none)");
	return text;
}

#endif
