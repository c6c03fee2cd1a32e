/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/config/config_check.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/config/config_arm.h"
#include "bench/config/config_attach.h"
#include "bench/config/config_claim.h"
#include "bench/config/config_key.h"
#include "bench/config/config_points.h"

static const char *const sections[] = { "experiment", "guest",   "server",
					"workload",   "collect", "arm",
					"claim" };

static bool is_known(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		if (str_eq(name, sections[i]))
			return true;
	return false;
}

static void say_unknown(const struct text_section *s, struct faults *faults)
{
	const char *near = str_nearest(s->name, sections, ARRAY_SIZE(sections));

	if (near)
		fault_add(faults, s->line,
			  "unknown section [%s]; did you mean [%s]?", s->name,
			  near);
	else
		fault_add(faults, s->line,
			  "unknown section [%s]; experiment, guest, server, "
			  "workload, collect, arm \"LABEL\" or claim "
			  "\"NAME\"",
			  s->name);
}

static void check_section(const struct text_section *s, struct faults *faults)
{
	bool is_arm = str_eq(s->name, "arm");
	bool is_claim = str_eq(s->name, "claim");

	if (!*s->name)
		return; /* a fault already */
	if (!is_known(s->name))
		say_unknown(s, faults);
	else if (is_arm && !s->label && !s->is_all)
		fault_add(faults, s->line,
			  "an arm without a label; [arm \"LABEL\"], or [arm *] "
			  "for all");
	else if (is_claim && !s->label)
		fault_add(faults, s->line,
			  "a claim without a name; [claim \"NAME\"]");
	else if (!is_arm && !is_claim && (s->label || s->is_all))
		fault_add(faults, s->line,
			  "only arms and claims have labels; [%s]", s->name);
}

static bool is_same(const struct text_section *a, const struct text_section *b)
{
	return *a->name && str_eq(a->name, b->name) &&
	       str_eq(a->label, b->label) && a->is_all == b->is_all;
}

static void say_same(const struct text_section *first,
		     const struct text_section *s, struct faults *faults)
{
	if (s->label)
		fault_add(faults, s->line,
			  "the label '%s' is line %u's already; one of its own",
			  s->label, first->line);
	else
		fault_add(faults, s->line,
			  "section [%s%s] is there already, line %u; all its "
			  "keys in one place",
			  s->name, s->is_all ? " *" : "", first->line);
}

void config_check_sections(const struct text *text, struct faults *faults)
{
	for (size_t i = 0; i < text->n; i++) {
		const struct text_section *s = &text->sections[i];

		check_section(s, faults);
		for (size_t k = 0; k < i; k++) {
			if (!is_same(&text->sections[k], s))
				continue;
			say_same(&text->sections[k], s, faults);
			break;
		}
	}
}

void config_check_twice(const struct text_section *s, struct faults *faults)
{
	auto_free char **ids = xcalloc(s->n + 1, sizeof(*ids));

	for (size_t i = 0; i < s->n; i++) {
		ids[i] = config_key_identity(s->keys[i].name);
		for (size_t k = 0; k < i; k++) {
			const struct text_key *first = &s->keys[k];

			if (!str_eq(ids[k], ids[i]))
				continue;
			if (str_eq(first->name, s->keys[i].name))
				fault_add(faults, s->keys[i].line,
					  "duplicate key '%s'; line %u has "
					  "it, keep one",
					  first->name, first->line);
			else
				fault_add(faults, s->keys[i].line,
					  "'%s' is the same as '%s' of line "
					  "%u; keep one",
					  s->keys[i].name, first->name,
					  first->line);
			break;
		}
	}
	for (size_t i = 0; i < s->n; i++)
		free(ids[i]);
}

/* Do the keys of other rows' needs rest on this one? */
static bool is_decisive(const struct config_key *key)
{
	static const char *const names[] = { "program", "dry_run", "script",
					     "rand_type", "memtouch_pattern" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (str_eq(key->name, names[i]))
			return true;
	return false;
}

/* Returns whether what the needs rest on is known. */
static bool read_section(const struct text_section *s, struct config *c,
			 struct faults *faults)
{
	bool is_sure = true;

	for (size_t i = 0; i < s->n; i++) {
		const struct text_key *k = &s->keys[i];
		struct config_item item = {
			.key = config_key_find(s->name, k->name),
			.name = k->name,
			.value = k->value,
			.line = k->line,
		};

		if (!item.key)
			config_key_unknown(s->name, k->name, k->line, faults);
		else if (!config_item_read(&item, c, faults))
			is_sure &= !is_decisive(item.key);
	}
	config_check_twice(s, faults);
	return is_sure;
}

static void add_fact(struct config *c, const char *section, const char *name,
		     const char *value)
{
	auto_free char *full = xasprintf("%s.%s", section, name);

	facts_set(&c->keys, full, value);
}

/* One row of the table: what the text has for it, else its default. */
static void fill_row(const struct config_key *key, const struct text_section *s,
		     struct config *c, struct faults *faults)
{
	struct config_item item = { .key = key,
				    .name = key->name,
				    .value = key->value };
	bool is_given = false;

	for (size_t i = 0; s && i < s->n; i++) {
		if (!config_key_is(key, s->keys[i].name))
			continue;
		add_fact(c, key->section, s->keys[i].name, s->keys[i].value);
		is_given = true;
	}
	if (is_given || !key->value || (key->need && !key->need->is_met(c)))
		return;
	config_item_read(&item, c, faults);
	add_fact(c, key->section, key->name, key->value);
}

static bool is_plain(const struct text_section *s)
{
	return is_known(s->name) && !str_eq(s->name, "arm") &&
	       !str_eq(s->name, "claim");
}

void config_fill(const struct text *text, struct config *c,
		 struct faults *faults)
{
	bool is_sure = true;

	c->server.numa_node = -1;
	for (size_t i = 0; i < text->n; i++)
		if (is_plain(&text->sections[i]))
			is_sure &= read_section(&text->sections[i], c, faults);
	for (size_t i = 0; i < n_config_keys; i++)
		if (!str_eq(config_keys[i].section, "arm") &&
		    !str_eq(config_keys[i].section, "claim"))
			fill_row(&config_keys[i],
				 text_section(text, config_keys[i].section), c,
				 faults);
	for (size_t i = 0; is_sure && i < text->n; i++)
		if (is_plain(&text->sections[i]))
			config_check_needs(&text->sections[i], c, faults);
}

static void find_baseline(const struct text *text, struct config *c,
			  struct faults *faults)
{
	const struct text_key *k =
		text_key(text_section(text, "experiment"), "baseline");

	if (!k || !*k->value)
		return;
	for (size_t i = 0; i < c->n_arms; i++) {
		if (!str_eq(c->arms[i].label, k->value))
			continue;
		c->baseline = i;
		return;
	}
	config_say_no_arm(c, k, k->value, faults);
}

static void check_window(const struct text *text, const struct config *c,
			 struct faults *faults)
{
	const struct text_key *measure =
		text_key(text_section(text, "workload"), "measure");
	const struct text_key *interval =
		text_key(text_section(text, "collect"), "interval");
	unsigned int line = measure    ? measure->line
			    : interval ? interval->line
				       : 0;
	/* The load reports once a second. */
	bool has_lines = c->workload.program != WORKLOAD_NULL &&
			 c->workload.program != WORKLOAD_ATTACH;
	uint64_t tick = has_lines ? NUM_NS_PER_S : 0;
	uint64_t least;

	if (c->collect.interval_ns > tick)
		tick = c->collect.interval_ns;
	least = 2 * tick;
	if (line && c->workload.measure_ns && c->collect.interval_ns &&
	    c->workload.measure_ns < least) {
		auto_free char *is = num_time_text(c->workload.measure_ns);
		auto_free char *must = num_time_text(least);

		fault_add(faults, line,
			  "measure = %s holds less than two samples; at least "
			  "%s",
			  is, must);
	}
}

/* hot-range brings its own distribution. */
static void check_hot_range(const struct text *text, const struct config *c,
			    struct faults *faults)
{
	const struct text_key *type =
		text_key(text_section(text, "workload"), "rand_type");

	if (!type || !str_eq(c->workload.script, "hot-range") ||
	    !c->workload.rand_type || str_eq(c->workload.rand_type, "uniform"))
		return;
	fault_add(faults, type->line,
		  "rand_type = %s: hot-range draws by hot_share and hot_range; "
		  "uniform, or leave it out",
		  type->value);
}

void config_check_whole(const struct text *text, struct config *c,
			struct faults *faults)
{
	find_baseline(text, c, faults);
	config_attach(text, c, faults);
	config_primary(text, c, faults);
	check_window(text, c, faults);
	check_hot_range(text, c, faults);
	config_repeat_baseline(text, c, faults);
}
