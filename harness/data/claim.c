/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/claim.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/extra.h"
#include "data/stats/judge.h"
#include "data/stats/sample.h"

const char *claim_outcome_text(enum claim_outcome o)
{
	static const char *const texts[] = {
		[CLAIM_REPRODUCED] = "reproduced",
		[CLAIM_NOT_REPRODUCED] = "not reproduced",
		[CLAIM_CONTRADICTED] = "contradicted",
		[CLAIM_CANNOT_TELL] = "cannot tell",
	};

	return texts[o];
}

bool claim_find_arm(const struct experiment *e, const char *label, size_t *arm)
{
	for (*arm = 0; *arm < e->n_arms; (*arm)++)
		if (str_eq(e->arms[*arm].label, label))
			return true;
	return false;
}

struct claim_finding claim_nothing(void)
{
	const struct effect none = { NAN, NAN, NAN };

	return (struct claim_finding){
		.outcome = CLAIM_CANNOT_TELL,
		.alone = CLAIM_CANNOT_TELL,
		.evidence = { false, none },
		.ours = { NAN, NAN, NAN },
	};
}

static void cannot_tell(struct claim_finding *out, char *why)
{
	out->outcome = CLAIM_CANNOT_TELL;
	free(out->why);
	out->why = why;
}

/* The interval of what was found. False if there is none. */
static bool set_ours(struct claim_finding *f)
{
	f->ours = claim_interval(&f->evidence, JUDGE_LEVEL);
	return isfinite(f->ours.low) && isfinite(f->ours.high);
}

/* Under emulation an amount is one, and a time is none. */
static bool is_of_time(const struct metric *m)
{
	return str_eq(m->unit, "1/s") || str_eq(m->unit, "ms") ||
	       str_eq(m->unit, "s");
}

/* --- what is ours --- */

/* The mean of the arm's runs. False with the reason set. */
static bool take_mean(const struct experiment *e, size_t arm,
		      const struct metric *m, struct claim_finding *out)
{
	bool has_interval;
	struct sample s;

	sample_take(e, arm, m->name, &s);
	out->n = s.n;
	out->evidence.effect = effect_paired(s.x, s.n);
	has_interval = set_ours(out);
	if (!s.n)
		cannot_tell(out, xstrdup(s.why));
	else if (!has_interval)
		cannot_tell(out, xstrdup("an interval needs 2 runs; this is "
					 "1"));
	sample_free(&s);
	return has_interval;
}

/* Differences of the arms within each block, in the metric's unit. */
static void take_differences(const struct judgement *j,
			     struct claim_finding *out)
{
	auto_free double *d = xcalloc(j->base.n + 1, sizeof(*d));
	size_t n = 0;

	for (size_t i = 0; i < j->base.n; i++)
		for (size_t k = 0; k < j->arm.n; k++)
			if (j->base.block[i] == j->arm.block[k])
				d[n++] = j->arm.x[k] - j->base.x[i];
	out->n = n;
	out->evidence = (struct claim_ours){ false, effect_paired(d, n) };
}

/*
 * The change of arm against base, or the difference if one of them is 0
 * somewhere. False with the reason set.
 */
static bool take_change(const struct versus *v, const struct metric *m,
			struct claim_finding *out)
{
	const struct judge_options options = {
		.primary = m->name,
		.margin = judge_margin(v->base.e),
		.emulated = true,
		.source = "",
	};
	const struct judgement *one;
	struct judgements j;
	bool has_interval;

	judge(v, 1, &options, &j);
	one = judgement_of(&j, &v->arm, m->name);
	out->rule.margin = j.margin;
	if (one && !one->why) {
		out->n = one->n;
		out->evidence = (struct claim_ours){ true, one->effect };
	} else if (one && one->base.n && one->arm.n && one->is_paired) {
		take_differences(one, out);
	}
	has_interval = set_ours(out);
	if (!has_interval)
		cannot_tell(out, xstrdup(!one ? "not a metric of these runs"
					 : one->why ? one->why
						    : "an interval needs 2 "
						      "blocks; this is 1"));
	judgements_free(&j);
	return has_interval;
}

/* --- judging --- */

static void judge_finding(struct claim_finding *out)
{
	out->outcome = claim_rule_at(&out->rule, &out->evidence, JUDGE_LEVEL);
	out->alone = out->outcome;
}

static void judge_number(const struct experiment *e, size_t arm,
			 const struct metric *m, const struct expect *x,
			 struct claim_finding *out)
{
	if (!take_mean(e, arm, m, out))
		return;
	out->rule = (struct claim_rule){ CLAIM_AMOUNT, x->op, x->number,
					 x->tolerance, 0 };
	judge_finding(out);
}

/* What cannot be told stays so: no claim of a family. */
static void leave_out(struct claim_finding *out, char *why)
{
	cannot_tell(out, why);
	out->evidence.effect.se = NAN;
}

static void judge_arms(const struct versus *v, const struct metric *m,
		       const struct expect *x, struct claim_finding *out)
{
	struct claim_rule *rule = &out->rule;

	if (!take_change(v, m, out))
		return;
	if (x->of == EXPECT_CHANGE && !out->evidence.is_change) {
		leave_out(out, xstrdup("0 in some run: no ratio"));
		return;
	}
	rule->kind = x->of != EXPECT_CHANGE && x->op == EXPECT_EQUAL
			     ? CLAIM_SAME
			     : CLAIM_CHANGE;
	rule->op = x->op;
	rule->number = x->of == EXPECT_CHANGE ? x->number : 0;
	rule->tolerance = x->tolerance;
	judge_finding(out);
}

/* "no arm 'x' here"; NULL if it can be judged. free() it. */
static char *why_not(const struct experiment *e, const struct claim *claim,
		     const struct metric *m, const struct expect *x)
{
	size_t arm;

	if (!claim_find_arm(e, claim->arm, &arm))
		return xstrdup("no such arm here");
	if (x->arm && !claim_find_arm(e, x->arm, &arm))
		return xasprintf("no arm '%s' here", x->arm);
	if (judge_is_emulated(e) && is_of_time(m))
		return xstrdup("under emulation times are no measure");
	return NULL;
}

void claim_judge(const struct experiment *e, const struct claim *claim,
		 struct claim_finding *out)
{
	const struct metric *m = extra_find(e, claim->metric);
	struct versus v = { { e, e->baseline }, { e, 0 } };
	struct expect x;

	*out = claim_nothing();
	if (!m) {
		cannot_tell(out, xstrdup("not a metric of these runs"));
		return;
	}
	if (expect_parse(claim->expect, m, &x) < 0) {
		cannot_tell(out, xasprintf("'%s' is no expectation; %s",
					   claim->expect, expect_right));
		return;
	}
	out->why = why_not(e, claim, m, &x);
	if (!out->why) {
		claim_find_arm(e, claim->arm, &v.arm.arm);
		if (x.arm)
			claim_find_arm(e, x.arm, &v.base.arm);
		if (x.of == EXPECT_NUMBER)
			judge_number(e, v.arm.arm, m, &x, out);
		else
			judge_arms(&v, m, &x, out);
	}
	expect_free(&x);
}

void claim_judge_change(const struct experiment *e, size_t arm, size_t base,
			const struct metric *m, double expected_pct,
			struct claim_finding *out)
{
	const struct versus v = { { e, base }, { e, arm } };

	*out = claim_nothing();
	if (judge_is_emulated(e) && is_of_time(m)) {
		cannot_tell(out,
			    xstrdup("under emulation times are no measure"));
		return;
	}
	if (!take_change(&v, m, out))
		return;
	/* A difference in the unit has a direction all the same. */
	if (isfinite(expected_pct) && fabs(expected_pct) > 0 &&
	    !out->evidence.is_change)
		expected_pct = copysign(HUGE_VAL, expected_pct);
	out->rule.kind = fabs(expected_pct) > 0 || isnan(expected_pct)
				 ? CLAIM_DIRECTION
				 : CLAIM_SAME;
	out->rule.number = expected_pct;
	judge_finding(out);
}

size_t claims_correct(struct claim_finding *list, size_t n)
{
	auto_free const struct claim_rule **rules =
		xcalloc(n + 1, sizeof(void *));
	auto_free const struct claim_ours **ours =
		xcalloc(n + 1, sizeof(void *));
	auto_free enum claim_outcome *outcomes =
		xcalloc(n + 1, sizeof(*outcomes));
	size_t family;

	for (size_t i = 0; i < n; i++) {
		rules[i] = &list[i].rule;
		ours[i] = &list[i].evidence;
	}
	family = claim_rules_correct(rules, ours, n, outcomes);
	for (size_t i = 0; i < n; i++)
		list[i].outcome = outcomes[i];
	return family;
}

void claim_finding_free(struct claim_finding *f)
{
	free(f->why);
	f->why = NULL;
}
