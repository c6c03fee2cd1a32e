/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/config/config_arm.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/config/config_check.h"
#include "bench/config/config_damos.h"
#include "bench/config/config_key.h"

enum { MOST_LABEL = 40 };

/* NULL if it may name an arm, else what is wrong. */
static const char *label_fault(const char *label)
{
	bool has_word = false;
	size_t n = strlen(label);

	for (size_t i = 0; i < n; i++) {
		if (label[i] < ' ' || label[i] > '~' || label[i] == ';')
			return "holds what it may not; printable ASCII "
			       "without \" and ;";
		has_word |= !!isalnum((unsigned char)label[i]);
	}
	if (!has_word)
		return "names nothing; at least one letter or digit";
	if (label[0] == ' ' || label[n - 1] == ' ')
		return "begins or ends in a blank; none at its ends";
	if (n > MOST_LABEL)
		return "is too long; at most 40 characters";
	return NULL;
}

static void read_keys(const struct text_section *s, struct arm *arm,
		      struct faults *faults)
{
	for (size_t i = 0; s && i < s->n; i++) {
		struct config_item item = {
			.key = config_key_find("arm", s->keys[i].name),
			.name = s->keys[i].name,
			.value = s->keys[i].value,
			.line = s->keys[i].line,
		};

		if (item.key)
			config_item_read(&item, arm, faults);
		else
			config_key_unknown("arm", item.name, item.line, faults);
	}
}

/* What the arm came to, in the words of the file. */
static void note_keys(struct arm *arm, const struct arm_text *text)
{
	for (size_t i = 0; i < arm->n_knobs; i++)
		facts_set(&arm->keys, arm->knobs[i].key, arm->knobs[i].value);
	for (size_t i = 0; i < n_config_keys; i++) {
		const char *name = config_keys[i].name;
		const struct text_key *key =
			str_eq(config_keys[i].section, "arm")
				? arm_text_key(text, name)
				: NULL;

		if (key && config_keys[i].type != &type_knob &&
		    config_damos_takes(arm, name))
			facts_set(&arm->keys, name, key->value);
	}
	for (size_t i = 0; i < arm->env.n; i++) {
		auto_free char *name =
			xasprintf("env.%s", arm->env.list[i].name);

		facts_set(&arm->keys, name, arm->env.list[i].value);
	}
}

static void add_arm(const struct arm_text *text, struct config *c,
		    struct faults *faults)
{
	const struct text_section *own = text->own;
	const char *wrong = label_fault(own->label);
	struct faults said = { 0 };
	struct arm arm = { .label = xstrdup(own->label), .line = own->line };
	size_t n_faults = faults->n;

	if (wrong)
		fault_add(faults, own->line, "the label '%s' %s", own->label,
			  wrong);
	config_damos_init(&arm.scheme);
	read_keys(text->all, &arm, &said);
	read_keys(own, &arm, faults);
	/* What was read wrongly may seem to need what is there. */
	if (!said.n && faults->n == n_faults)
		config_damos_finish(text, &arm, faults);
	faults_free(&said);
	note_keys(&arm, text);
	XGROW(c->arms, c->n_arms);
	c->arms[c->n_arms++] = arm;
}

static const struct text_section *find_all(const struct text *text)
{
	for (size_t i = 0; i < text->n; i++)
		if (str_eq(text->sections[i].name, "arm") &&
		    text->sections[i].is_all)
			return &text->sections[i];
	return NULL;
}

static bool has_knob(const struct arm *arm, const struct knob *knob)
{
	for (size_t i = 0; i < arm->n_knobs; i++)
		if (str_eq(arm->knobs[i].path, knob->path))
			return str_eq(arm->knobs[i].value, knob->value);
	return false;
}

static bool has_env(const struct arm *arm, const struct fact *fact)
{
	for (size_t i = 0; i < arm->env.n; i++)
		if (str_eq(arm->env.list[i].name, fact->name))
			return str_eq(arm->env.list[i].value, fact->value);
	return false;
}

static bool is_equal(const struct config *c, const struct arm *a,
		     const struct arm *b)
{
	if (!config_damos_same(a, b) || a->collectors != b->collectors ||
	    !str_eq(config_kernel(c, a), config_kernel(c, b)) ||
	    !str_eq(config_mariadbd(c, a), config_mariadbd(c, b)) ||
	    a->n_knobs != b->n_knobs || a->env.n != b->env.n)
		return false;
	for (size_t i = 0; i < a->n_knobs; i++)
		if (!has_knob(b, &a->knobs[i]))
			return false;
	for (size_t i = 0; i < a->env.n; i++)
		if (!has_env(b, &a->env.list[i]))
			return false;
	return true;
}

static void check_equal(const struct config *c, struct faults *faults)
{
	for (size_t i = 0; i < c->n_arms; i++) {
		for (size_t k = 0; k < i; k++) {
			const struct arm *a = &c->arms[k];
			const struct arm *b = &c->arms[i];

			/* A label used twice is a fault of its own. */
			if (str_eq(a->label, b->label) || !is_equal(c, a, b))
				continue;
			fault_add(faults, b->line,
				  "arm '%s' equals arm '%s' of line %u; "
				  "settings of its own",
				  b->label, a->label, a->line);
			break;
		}
	}
}

void config_arms(const struct text *text, struct config *c,
		 struct faults *faults)
{
	const struct text_section *all = find_all(text);
	size_t n_faults = faults->n;

	if (all) {
		struct arm scratch = { 0 };

		config_damos_init(&scratch.scheme);
		read_keys(all, &scratch, faults);
		arm_free(&scratch);
	}
	for (size_t i = 0; i < text->n; i++) {
		const struct text_section *s = &text->sections[i];

		if (!str_eq(s->name, "arm"))
			continue;
		config_check_twice(s, faults);
		config_check_needs(s, c, faults);
		if (s->label)
			add_arm(&(struct arm_text){ all, s }, c, faults);
	}
	if (!c->n_arms)
		fault_add(faults, text->lines ? text->lines : 1,
			  "no arm; at least one section [arm \"LABEL\"]");
	/* What was read wrongly may seem unused, or equal. */
	if (faults->n == n_faults)
		config_damos_unused(all, c, faults);
	if (faults->n == n_faults)
		check_equal(c, faults);
}

void config_repeat_baseline(const struct text *text, struct config *c,
			    struct faults *faults)
{
	const struct text_section *own = NULL;

	/* What is wrong with the baseline was said once. */
	if (!c->has_aa || faults->n)
		return;
	for (size_t i = 0; i < text->n; i++) {
		const struct text_section *s = &text->sections[i];

		if (!str_eq(s->name, "arm") || !s->label)
			continue;
		if (str_eq(s->label, CONFIG_AA))
			fault_add(faults, s->line,
				  "arm '" CONFIG_AA "': with aa = yes that is "
				  "the baseline's second arm; another label");
		if (str_eq(s->label, c->arms[c->baseline].label))
			own = s;
	}
	if (!own || faults->n)
		return;
	add_arm(&(struct arm_text){ find_all(text), own }, c, faults);
	free(c->arms[c->n_arms - 1].label);
	c->arms[c->n_arms - 1].label = xstrdup(CONFIG_AA);
}

void arm_drop_knobs(struct arm *arm)
{
	for (size_t i = 0; i < arm->n_knobs; i++) {
		free(arm->knobs[i].key);
		free(arm->knobs[i].path);
		free(arm->knobs[i].value);
	}
	free(arm->knobs);
	arm->knobs = NULL;
	arm->n_knobs = 0;
}

void arm_free(struct arm *arm)
{
	arm_drop_knobs(arm);
	free(arm->label);
	free(arm->kernel);
	free(arm->mariadbd);
	damon_setup_free(&arm->scheme.setup);
	facts_free(&arm->env);
	facts_free(&arm->keys);
}
