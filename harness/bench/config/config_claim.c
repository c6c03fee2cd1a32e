/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/config/config_claim.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/config/config_check.h"
#include "bench/config/config_key.h"
#include "bench/config/config_points.h"
#include "data/expect.h"

void config_say_no_arm(const struct config *c, const struct text_key *k,
		       const char *label, struct faults *faults)
{
	auto_free const char **labels = xcalloc(c->n_arms + 1, sizeof(*labels));
	const char *near;

	for (size_t i = 0; i < c->n_arms; i++)
		labels[i] = c->arms[i].label;
	near = str_nearest(label, labels, c->n_arms);
	if (near)
		fault_add(faults, k->line,
			  "%s = %s: no such arm; did you mean '%s'?", k->name,
			  k->value, near);
	else
		fault_add(faults, k->line,
			  "%s = %s: no such arm; the label of an arm", k->name,
			  k->value);
}

static bool has_arm(const struct config *c, const char *label)
{
	for (size_t i = 0; i < c->n_arms; i++)
		if (str_eq(c->arms[i].label, label))
			return true;
	return false;
}

static void read_keys(const struct text_section *s, struct claim *claim,
		      struct faults *faults)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct text_key *k = &s->keys[i];
		struct config_item item = {
			.key = config_key_find("claim", k->name),
			.name = k->name,
			.value = k->value,
			.line = k->line,
		};

		if (item.key)
			config_item_read(&item, claim, faults);
		else
			config_key_unknown("claim", k->name, k->line, faults);
	}
}

/* An empty value is a fault already. */
static const struct text_key *given(const struct text_section *s,
				    const char *name, struct faults *faults)
{
	const struct text_key *k = text_key(s, name);

	if (!k)
		fault_add(faults, s->line,
			  "claim '%s' has no '%s'; metric, arm and expect",
			  s->label, name);
	return k && *k->value ? k : NULL;
}

/* A point's is known only where all else is right. */
static const struct metric *metric_of(const struct config *c,
				      const struct text_key *k,
				      const struct claim *claim,
				      struct faults *faults)
{
	const struct metric *m =
		k && claim->metric ? config_metric(c, claim->metric) : NULL;

	if (k && claim->metric && !m && config_knows_metrics(c))
		config_item_wrong(
			&(struct config_item){
				.key = config_key_find("claim", k->name),
				.name = k->name,
				.value = k->value,
				.line = k->line,
			},
			faults);
	return m;
}

/* What the keys say together. */
static void check_whole(const struct text_section *s, const struct config *c,
			const struct claim *claim, struct faults *faults)
{
	const struct text_key *metric = given(s, "metric", faults);
	const struct text_key *arm = given(s, "arm", faults);
	const struct text_key *expect = given(s, "expect", faults);
	const struct metric *m = metric_of(c, metric, claim, faults);
	struct expect x;

	if (arm && !has_arm(c, arm->value))
		config_say_no_arm(c, arm, arm->value, faults);
	if (!m || !expect)
		return;
	if (expect_parse(expect->value, m, &x) < 0)
		fault_add(faults, expect->line,
			  "expect = %s: not an expectation; %s", expect->value,
			  expect_right);
	else if (x.arm && !has_arm(c, x.arm))
		config_say_no_arm(c, expect, x.arm, faults);
	expect_free(&x);
}

void config_claims(const struct text *text, struct config *c,
		   struct faults *faults)
{
	for (size_t i = 0; i < text->n; i++) {
		const struct text_section *s = &text->sections[i];
		struct claim claim = { 0 };

		if (!str_eq(s->name, "claim") || !s->label)
			continue;
		if (!*s->label)
			fault_add(faults, s->line,
				  "a claim without a name; [claim \"NAME\"]");
		claim.name = xstrdup(s->label);
		config_check_twice(s, faults);
		read_keys(s, &claim, faults);
		check_whole(s, c, &claim, faults);
		XGROW(c->claims, c->n_claims);
		c->claims[c->n_claims++] = claim;
	}
}
