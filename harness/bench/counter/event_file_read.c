/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/counter/event_file_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/counter/event_file_check.h"
#include "bench/counter/event_match.h"

enum { MOST_COUNTERS = 64 };

struct fill {
	struct event_file *out;
	struct faults *faults;
};

/* The words of a value, each copied; the array and they are the caller's. */
static char **words_of(const char *value, size_t *n)
{
	auto_free char *copy = xstrdup(value);
	char **words = str_split(copy, ' ', n);

	for (size_t i = 0; i < *n; i++)
		words[i] = xstrdup(words[i]);
	return words;
}

static void free_words(char **words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(words[i]);
	free(words);
}

static void add_cpus(struct fill *f, const struct text_key *k, bool is_arm)
{
	struct event_pmu *pmu = &f->out->pmus[f->out->n_pmus - 1];
	size_t n;
	char **words = words_of(k->value, &n);

	for (size_t i = 0; i < n; i++) {
		struct event_match match;

		if (event_match_parse(words[i], is_arm, &match)) {
			fault_add(f->faults, k->line,
				  "%s = %s: not a CPU; such as %s", k->name,
				  words[i],
				  is_arm ? "0x48/0xd01, or any"
					 : "GenuineIntel/6/85/0-4");
			continue;
		}
		XGROW(pmu->cpus, pmu->n_cpus);
		pmu->cpus[pmu->n_cpus++] = match;
	}
	free_words(words, n);
}

static void take_pmu(struct fill *f, const struct text_key *k)
{
	struct event_pmu *pmu = &f->out->pmus[f->out->n_pmus - 1];

	if (str_eq(k->name, "cpuid") || str_eq(k->name, "midr"))
		add_cpus(f, k, str_eq(k->name, "midr"));
	else if (str_eq(k->name, "title"))
		pmu->title = xstrdup(k->value);
	else if (str_eq(k->name, "sysfs"))
		pmu->sysfs = xstrdup(k->value);
	else if (str_eq(k->name, "tables"))
		pmu->tables = words_of(k->value, &pmu->n_tables);
	else
		fault_add(f->faults, k->line,
			  "unknown key %s in [pmu]; title, cpuid, midr, sysfs "
			  "or tables",
			  k->name);
}

static void take_fixed(struct fill *f, const struct text_key *k)
{
	f->out->fixed = words_of(k->value, &f->out->n_fixed);
	for (size_t i = 0; i < f->out->n_fixed; i++)
		event_role_is(f->out->fixed[i], k->line, f->faults);
}

static void take_counters(struct fill *f, const struct text_key *k)
{
	struct event_file *out = f->out;

	if (str_eq(k->name, "general")) {
		if (num_u64(k->value, &out->general) || !out->general ||
		    out->general > MOST_COUNTERS)
			fault_add(f->faults, k->line,
				  "general = %s: not a number of counters; 1 "
				  "to %d",
				  k->value, MOST_COUNTERS);
	} else if (str_eq(k->name, "fixed")) {
		take_fixed(f, k);
	} else if (str_eq(k->name, "watchdog")) {
		out->is_watchdog_fixed = str_eq(k->value, "cycles");
		if (!out->is_watchdog_fixed && !str_eq(k->value, "general"))
			fault_add(f->faults, k->line,
				  "watchdog = %s: not known; cycles (it takes "
				  "their fixed counter) or general",
				  k->value);
	} else {
		fault_add(f->faults, k->line,
			  "unknown key %s in [counters]; general, fixed or "
			  "watchdog",
			  k->name);
	}
}

/* "NAME", "NAME CODE". */
static void add_word(struct fill *f, const struct text_key *k,
		     struct event_role *role, char *text)
{
	size_t n;
	auto_free char **words = str_split(text, ' ', &n);
	struct event_word word = { .has_code = n == 2 };

	if (n != 1 && n != 2) {
		fault_add(f->faults, k->line,
			  "%s: not an event; NAME CODE, several by +", k->name);
		return;
	}
	if (n == 2 && num_u64(words[1], &word.code)) {
		fault_add(f->faults, k->line,
			  "%s: %s is no code; a number such as 0x83d0", k->name,
			  words[1]);
		return;
	}
	word.name = xstrdup(words[0]);
	XGROW(role->words, role->n);
	role->words[role->n++] = word;
}

static void take_event(struct fill *f, const struct text_key *k)
{
	auto_free char *copy = xstrdup(k->value);
	size_t n;
	auto_free char **parts = str_split(copy, '+', &n);
	struct event_role role = { .line = k->line };

	if (!event_role_is(k->name, k->line, f->faults))
		return;
	role.name = xstrdup(k->name);
	for (size_t i = 0; i < n; i++)
		add_word(f, k, &role, parts[i]);
	XGROW(f->out->roles, f->out->n_roles);
	f->out->roles[f->out->n_roles++] = role;
}

static void take_group(struct fill *f, const struct text_key *k)
{
	struct event_group g = { .name = xstrdup(k->name), .line = k->line };

	g.roles = words_of(k->value, &g.n);
	for (size_t i = 0; i < g.n; i++)
		event_role_is(g.roles[i], k->line, f->faults);
	XGROW(f->out->groups, f->out->n_groups);
	f->out->groups[f->out->n_groups++] = g;
}

static void take_missing(struct fill *f, const struct text_key *k)
{
	struct event_missing m;

	if (!event_role_is(k->name, k->line, f->faults))
		return;
	m = (struct event_missing){ xstrdup(k->name), xstrdup(k->value) };
	XGROW(f->out->missing, f->out->n_missing);
	f->out->missing[f->out->n_missing++] = m;
}

static void take_note(struct fill *f, const struct text_key *k)
{
	for (size_t i = 0; i < f->out->n_roles; i++) {
		struct event_role *role = &f->out->roles[i];

		if (!str_eq(role->name, k->name))
			continue;
		if (role->note)
			fault_add(f->faults, k->line,
				  "%s has a note already; one of [proxies] and "
				  "[notes]",
				  k->name);
		else
			role->note = xstrdup(k->value);
		return;
	}
	if (event_role_is(k->name, k->line, f->faults))
		fault_add(f->faults, k->line,
			  "no events for %s above; [events] first", k->name);
}

static void take_notes(struct fill *f, const struct text_key *k)
{
	if (str_eq(k->name, "pmu"))
		f->out->note = xstrdup(k->value);
	else
		take_note(f, k);
}

static void take_proxy(struct fill *f, const struct text_key *k)
{
	take_note(f, k);
	for (size_t i = 0; i < f->out->n_roles; i++)
		if (str_eq(f->out->roles[i].name, k->name))
			f->out->roles[i].is_proxy = true;
}

static const struct section {
	const char *name;
	void (*take)(struct fill *f, const struct text_key *k);
} sections[] = {
	{ "pmu", take_pmu },         { "counters", take_counters },
	{ "events", take_event },    { "groups", take_group },
	{ "proxies", take_proxy },   { "notes", take_notes },
	{ "missing", take_missing },
};

static const struct section *section_of(const struct text_section *s,
					struct faults *faults)
{
	const char *names[ARRAY_SIZE(sections)];
	const char *near;

	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		if (str_eq(s->name, sections[i].name))
			return &sections[i];
		names[i] = sections[i].name;
	}
	near = str_nearest(s->name, names, ARRAY_SIZE(names));
	fault_add(faults, s->line, "unknown section [%s]; %s%s%s", s->name,
		  near ? "did you mean [" : "",
		  near ? near
		       : "pmu, counters, events, groups, proxies, notes or "
			 "missing",
		  near ? "]?" : "");
	return NULL;
}

/* Everything is said once: a PMU, a section, a key. */
static void check_once(const struct text *t, size_t at, struct faults *faults)
{
	const struct text_section *s = &t->sections[at];

	for (size_t i = 0; i < at; i++)
		if (str_eq(s->name, t->sections[i].name) &&
		    str_eq(s->label, t->sections[i].label))
			fault_add(faults, s->line,
				  "this section stands in line %u already; one "
				  "of the two",
				  t->sections[i].line);
	for (size_t i = 0; i < s->n; i++) {
		const struct text_key *first = text_key(s, s->keys[i].name);

		if (first != &s->keys[i])
			fault_add(faults, s->keys[i].line,
				  "%s stands in line %u already; one of the "
				  "two",
				  first->name, first->line);
		if (!*s->keys[i].value)
			fault_add(faults, s->keys[i].line,
				  "%s is empty; a value, or no line",
				  s->keys[i].name);
	}
}

static bool begin(struct fill *f, const struct text_section *s,
		  const struct section *section)
{
	bool is_pmu = section == &sections[0];

	if (s->is_all || is_pmu != (s->label && *s->label)) {
		fault_add(f->faults, s->line, "%s; [%s%s]",
			  is_pmu ? "a PMU without a name"
				 : "only a PMU has a name",
			  s->name, is_pmu ? " \"NAME\"" : "");
		return false;
	}
	if (!is_pmu)
		return true;
	XGROW(f->out->pmus, f->out->n_pmus);
	f->out->pmus[f->out->n_pmus++] = (struct event_pmu){
		.name = xstrdup(s->label),
		.line = s->line,
	};
	return true;
}

/* Without tables: those of the PMU's own name. */
static void set_tables(struct event_pmu *pmu)
{
	if (pmu->n_tables)
		return;
	free(pmu->tables);
	pmu->tables = xcalloc(1, sizeof(*pmu->tables));
	pmu->tables[pmu->n_tables++] = xstrdup(pmu->name);
}

void event_file_fill(const struct text *t, struct event_file *out,
		     struct faults *faults)
{
	struct fill f = { .out = out, .faults = faults };

	for (size_t i = 0; i < t->n; i++)
		check_once(t, i, faults);
	for (size_t i = 0; i < t->n && !faults->n; i++) {
		const struct text_section *s = &t->sections[i];
		const struct section *section = section_of(s, faults);

		if (!section || !begin(&f, s, section))
			continue;
		for (size_t k = 0; k < s->n; k++)
			section->take(&f, &s->keys[k]);
	}
	for (size_t i = 0; i < out->n_pmus; i++)
		set_tables(&out->pmus[i]);
}
