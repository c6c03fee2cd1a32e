/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/config/config_damos.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/config/config_damos_rules.h"
#include "bench/config/config_key.h"

/* What a quota without an interval of its own is for: a second's work. */
static const uint64_t quota_reset_ms = 1000;

const struct text_key *arm_text_key(const struct arm_text *text,
				    const char *name)
{
	const struct text_key *key = text_key(text->own, name);

	return key ? key : text_key(text->all, name);
}

static bool is_scheme_key(const char *name)
{
	return str_starts(name, "damos.");
}

/* What must hold in the arm for a key to mean something; NULL: it does. */
static const struct damos_need *unmet(const struct arm *arm, const char *key)
{
	for (size_t i = 0; i < n_damos_needs; i++)
		if ((!damos_needs[i].key || str_eq(damos_needs[i].key, key)) &&
		    !damos_needs[i].is_met(&arm->scheme))
			return &damos_needs[i];
	return NULL;
}

bool config_damos_takes(const struct arm *arm, const char *key)
{
	return !is_scheme_key(key) || !unmet(arm, key);
}

/* "damos.kdamonds = 1" asks for nothing. */
static bool is_default(const struct text_key *key)
{
	const struct config_key *row = config_key_find("arm", key->name);

	return row && str_eq(row->value, key->value);
}

static void say_unmet(const struct text_key *key, const struct damos_need *need,
		      struct faults *faults)
{
	fault_add(faults, key->line, "'%s' means nothing here; it needs %s",
		  key->name, need->text);
}

static void check_needs(const struct text_section *own, const struct arm *arm,
			struct faults *faults)
{
	for (size_t i = 0; i < own->n; i++) {
		const struct text_key *key = &own->keys[i];
		const struct damos_need *need =
			is_scheme_key(key->name) ? unmet(arm, key->name) : NULL;

		if (need && !is_default(key))
			say_unmet(key, need, faults);
	}
}

void config_damos_unused(const struct text_section *all, const struct config *c,
			 struct faults *faults)
{
	for (size_t i = 0; all && i < all->n; i++) {
		const struct text_key *key = &all->keys[i];
		bool is_taken = !is_scheme_key(key->name) || is_default(key);

		for (size_t a = 0; a < c->n_arms && !is_taken; a++)
			is_taken = !unmet(&c->arms[a], key->name);
		if (!is_taken && c->n_arms)
			say_unmet(key, unmet(&c->arms[0], key->name), faults);
	}
}

/* "damos.age = 3 2: more at the least than at the most; ..." */
static void say_wrong(const struct arm_text *text, const struct arm *arm,
		      const char *name, const char *wrong,
		      struct faults *faults)
{
	const struct text_key *key = arm_text_key(text, name);

	if (key)
		fault_add(faults, key->line, "%s = %s: %s", name, key->value,
			  wrong);
	else
		fault_add(faults, arm->line, "%s: %s", name, wrong);
}

/* A number of hits, or of intervals, out of the value of the key. */
static void convert(const struct arm_text *text, struct arm *arm,
		    struct faults *faults)
{
	struct damon_setup *s = &arm->scheme.setup;
	uint64_t aggr_us = s->intervals_goal.aggrs ? 0 : s->aggr_us;
	const struct text_key *rate = arm_text_key(text, "damos.access_rate");
	const struct text_key *age = arm_text_key(text, "damos.age");
	auto_free char *bad_rate = NULL;
	auto_free char *bad_age = NULL;

	if (rate && config_damos_rate(rate->value, s->aggr_us / s->sample_us,
				      &s->scheme.nr_accesses, &bad_rate))
		say_wrong(text, arm, rate->name, bad_rate, faults);
	if (age &&
	    config_damos_age(age->value, aggr_us, &s->scheme.age, &bad_age))
		say_wrong(text, arm, age->name, bad_age, faults);
}

static void check_rules(const struct arm_text *text, const struct arm *arm,
			enum damos_stage stage, struct faults *faults)
{
	for (size_t i = 0; i < n_damos_rules; i++) {
		const struct damos_rule *rule = &damos_rules[i];

		if (rule->stage == stage && !rule->holds(&arm->scheme))
			say_wrong(text, arm, rule->key, rule->wrong, faults);
	}
}

void config_damos_init(struct damos_config *c)
{
	*c = (struct damos_config){ .n_kdamonds = 1 };
	damon_setup_init(&c->setup);
}

static void read_taken(const struct text_section *s, const struct arm *asked,
		       struct arm *arm, struct faults *faults)
{
	for (size_t i = 0; s && i < s->n; i++) {
		struct config_item item = {
			.key = config_key_find("arm", s->keys[i].name),
			.name = s->keys[i].name,
			.value = s->keys[i].value,
			.line = s->keys[i].line,
		};

		if (str_eq(item.name, "damos") ||
		    (is_scheme_key(item.name) && !unmet(asked, item.name)))
			config_item_read(&item, arm, faults);
	}
}

/* The scheme again, without the keys of [arm *] that are not for this arm. */
static void drop_untaken(const struct arm_text *text, struct arm *arm,
			 struct faults *faults)
{
	struct arm asked = *arm;

	config_damos_init(&arm->scheme);
	read_taken(text->all, &asked, arm, faults);
	read_taken(text->own, &asked, arm, faults);
	damon_setup_free(&asked.scheme.setup);
}

void config_damos_finish(const struct arm_text *text, struct arm *arm,
			 struct faults *faults)
{
	struct damos_config *c = &arm->scheme;
	size_t n_faults = faults->n;

	check_needs(text->own, arm, faults);
	drop_untaken(text, arm, faults);
	if (!c->is_used)
		return;
	c->is_pool |= str_eq(c->setup.ops, "fvaddr") && !c->setup.n_regions;
	if (damos_has_quota(c) && !arm_text_key(text, "damos.quota_interval"))
		c->setup.scheme.quota_reset_ms = quota_reset_ms;
	check_rules(text, arm, DAMOS_STAGE_ALONE, faults);
	if (faults->n != n_faults)
		return;
	convert(text, arm, faults);
	if (faults->n == n_faults)
		check_rules(text, arm, DAMOS_STAGE_CONVERTED, faults);
}

static bool is_equal_write(const struct damon_write *a,
			   const struct damon_write *b)
{
	return str_eq(a->path, b->path) && str_eq(a->value, b->value);
}

/* Are the set-ups the same, as far as the kernel is told? */
static bool is_equal_setup(const struct damon_setup *a,
			   const struct damon_setup *b)
{
	struct damon_writes x;
	struct damon_writes y;
	bool is_equal;

	damon_plan(a, 1, &x);
	damon_plan(b, 1, &y);
	is_equal = x.n == y.n;
	for (size_t i = 0; i < x.n && is_equal; i++)
		is_equal = is_equal_write(&x.list[i], &y.list[i]);
	damon_writes_free(&x);
	damon_writes_free(&y);
	return is_equal;
}

bool config_damos_same(const struct arm *a, const struct arm *b)
{
	const struct damos_config *x = &a->scheme;
	const struct damos_config *y = &b->scheme;

	if (!x->is_used || !y->is_used)
		return a->damos == b->damos;
	return x->by == y->by && x->n_kdamonds == y->n_kdamonds &&
	       x->is_pool == y->is_pool && x->goal == y->goal &&
	       x->goal_bp == y->goal_bp && is_equal_setup(&x->setup, &y->setup);
}
