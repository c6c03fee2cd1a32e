/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each arm asked of the kernel, what was read back, and how often. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "out/notes.h"
#include "out/tables.h"

/* One thing that an arm saw: a setting as asked and as read back. */
struct seen {
	const char *name; /* path, or a key of the configuration */
	size_t arm;
	const char *asked;
	const char *read_back; /* NULL: no kernel file */
	size_t n;              /* runs */
};

struct seens {
	struct seen *list;
	size_t n;
	size_t next; /* where to look first: runs have the same order */
};

static void see(struct seens *s, const struct seen *one)
{
	for (size_t i = 0; i < s->n; i++) {
		size_t at = (s->next + i) % s->n;
		struct seen *old = &s->list[at];

		if (old->arm == one->arm && str_eq(old->name, one->name) &&
		    str_eq(old->asked, one->asked) &&
		    str_eq(old->read_back, one->read_back)) {
			old->n++;
			s->next = at + 1;
			return;
		}
	}
	XGROW(s->list, s->n);
	s->list[s->n++] = *one;
}

/* A watched file may have only its value before. */
static const char *value_of(const struct setting_record *r)
{
	return r->read_back && *r->read_back ? r->read_back : r->before;
}

static void see_run(struct seens *s, const struct run *run)
{
	for (size_t i = 0; i < run->n_settings; i++) {
		const struct setting_record *r = &run->settings[i];
		struct seen one = { r->path, run->arm, r->asked, value_of(r),
				    1 };

		see(s, &one);
	}
}

/* Keys that stand for kernel files show as those, see bench/config. */
static bool is_kernel_key(const char *name)
{
	return str_starts(name, "thp") || str_starts(name, "sysctl.");
}

static const char *key_of(const struct experiment *e, size_t arm,
			  const char *name)
{
	const char *value = facts_get(&e->arms[arm].settings, name);

	return *value ? value : "-";
}

/* Keys of any arm that are no kernel file: damos, env.NAME. */
static void see_keys(struct seens *s, const struct experiment *e)
{
	for (size_t arm = 0; arm < e->n_arms; arm++) {
		const struct facts *keys = &e->arms[arm].settings;

		for (size_t i = 0; i < keys->n; i++) {
			const char *name = keys->list[i].name;

			if (is_kernel_key(name))
				continue;
			for (size_t a = 0; a < e->n_arms; a++) {
				struct seen one = { name, a, key_of(e, a, name),
						    NULL, 0 };

				see(s, &one);
			}
		}
	}
}

/* A key of a scheme is nothing to arms without one. */
static bool is_for(const struct seen *s)
{
	return !str_starts(s->name, "damos.") || !str_eq(s->asked, "-");
}

static bool holds(const struct seen *s)
{
	return !s->read_back || !*s->asked || str_eq(s->asked, s->read_back);
}

/* Is this setting the same in all arms that have runs, and did it hold? */
static bool is_equal(const struct seens *s, const char *name)
{
	const struct seen *first = NULL;

	for (size_t i = 0; i < s->n; i++) {
		const struct seen *one = &s->list[i];

		if (!str_eq(one->name, name) || !is_for(one))
			continue;
		if (!first)
			first = one;
		if (!holds(one) || !str_eq(one->asked, first->asked) ||
		    !str_eq(one->read_back, first->read_back))
			return false;
	}
	return true;
}

static const char *short_name(const char *path)
{
	static const char *const prefixes[] = { "sys/kernel/mm/", "proc/sys/" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (str_starts(path, prefixes[i]))
			return path + strlen(prefixes[i]);
	return path;
}

static void add_row(const struct experiment *e, const struct seen *s,
		    struct table *t)
{
	table_cell(t, "%s", short_name(s->name));
	table_cell(t, "%s", e->arms[s->arm].label);
	table_cell(t, "%s", *s->asked ? s->asked : "-");
	if (!s->read_back) {
		table_missing(t, "no kernel file, so nothing to read back");
		table_missing(t, "no kernel file, so nothing to read back");
		return;
	}
	table_cell(t, "%s", *s->read_back ? s->read_back : "-");
	table_cell(t, "%zu", s->n);
}

/* All rows of a setting, arm by arm. */
static void add_setting(const struct experiment *e, const struct seens *s,
			const char *name, struct table *t)
{
	for (size_t arm = 0; arm < e->n_arms; arm++)
		for (size_t i = 0; i < s->n; i++)
			if (s->list[i].arm == arm &&
			    str_eq(s->list[i].name, name))
				add_row(e, &s->list[i], t);
}

static bool is_first(const struct seens *s, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (str_eq(s->list[j].name, s->list[i].name))
			return false;
	return true;
}

/* What those ask that it is for. */
static const char *asked_of(const struct seens *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->list[i].name, name) && is_for(&s->list[i]))
			return s->list[i].asked;
	return "-";
}

static void add_equal(struct str *list, const char *name, const char *value)
{
	str_addf(list, "%s%s = %s", list->len ? ", " : "", short_name(name),
		 value);
}

static void note_equal(const struct seens *s, struct table *t)
{
	auto_str struct str list = { 0 };
	auto_str struct str scheme = { 0 };
	size_t n_watched = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct seen *one = &s->list[i];

		if (!is_first(s, i) || !is_equal(s, one->name))
			continue;
		if (str_starts(one->name, "damos."))
			add_equal(&scheme, one->name, asked_of(s, one->name));
		else if (!one->read_back)
			add_equal(&list, one->name, one->asked);
		else if (*one->asked)
			add_equal(&list, one->name, one->read_back);
		else
			n_watched++;
	}
	table_note(t, "Asked and the same in all arms: %s.",
		   list.len ? list.text : "none");
	if (scheme.len)
		table_note(t, "The same in all arms whose scheme has it: %s.",
			   scheme.text);
	table_note(t,
		   "Watched, not asked, and the same in all arms: %zu "
		   "settings.",
		   n_watched);
}

void tables_settings(const struct experiment *e, struct table *t)
{
	struct seens s = { 0 };

	table_column(t, "setting", "", true);
	table_column(t, "arm", "", true);
	table_column(t, "asked", "", true);
	table_column(t, "read back", "", true);
	table_column(t, "n", "runs", false);
	t->is_grouped = true;
	for (size_t i = 0; i < e->n_runs; i++)
		see_run(&s, &e->runs[i]);
	see_keys(&s, e);
	for (size_t i = 0; i < s.n; i++)
		if (is_first(&s, i) && !is_equal(&s, s.list[i].name))
			add_setting(e, &s, s.list[i].name, t);
	if (!t->n_cells)
		table_note(t, "No setting differs between the arms.");
	note_equal(&s, t);
	table_note(t, "Rows: settings that differ between arms, or whose "
		      "value did not hold; '-' was not asked. All runs that "
		      "got as far are in n.");
	note_thp_disable(e, t);
	free(s.list);
}
