/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/claim_rule.h"

#include <math.h>

#include "base/mem.h"
#include "data/stats/judge.h"
#include "data/stats/multiple.h"

struct stats_interval claim_interval(const struct claim_ours *ours,
				     double alpha)
{
	struct stats_interval i = effect_interval(&ours->effect, 1 - alpha);

	if (!ours->is_change)
		return i;
	return (struct stats_interval){ 100 * expm1(i.centre),
					100 * expm1(i.low),
					100 * expm1(i.high) };
}

/* Is all of the interval as wanted, or nothing of it? */
static enum claim_outcome of_side(const struct stats_interval *ours,
				  enum expect_op op, double x,
				  enum claim_outcome otherwise)
{
	bool is_all = op == EXPECT_ABOVE      ? ours->low > x
		      : op == EXPECT_AT_LEAST ? ours->low >= x
		      : op == EXPECT_BELOW    ? ours->high < x
					      : ours->high <= x;
	bool is_none = op == EXPECT_ABOVE      ? ours->high <= x
		       : op == EXPECT_AT_LEAST ? ours->high < x
		       : op == EXPECT_BELOW    ? ours->low >= x
					       : ours->low > x;

	return is_all    ? CLAIM_REPRODUCED
	       : is_none ? otherwise
			 : CLAIM_CANNOT_TELL;
}

static enum claim_outcome of_range(const struct stats_interval *ours,
				   double least, double most)
{
	if (ours->low >= least && ours->high <= most)
		return CLAIM_REPRODUCED;
	if (ours->high < least || ours->low > most)
		return CLAIM_NOT_REPRODUCED;
	return CLAIM_CANNOT_TELL;
}

/* Does the interval lie beyond 0, away from what is claimed? */
static bool is_opposite(const struct stats_interval *ours, enum expect_op op)
{
	if (op == EXPECT_ABOVE || op == EXPECT_AT_LEAST)
		return ours->high < 0;
	return ours->low > 0;
}

/* Two one-sided tests at this level, as effect_is_equivalent() at 5 %. */
static bool is_same(const struct claim_rule *rule,
		    const struct claim_ours *ours, double alpha)
{
	struct stats_interval i =
		effect_interval(&ours->effect, fmax(0, 1 - 2 * alpha));
	double edge = log1p(rule->margin);

	return ours->is_change && i.low > -edge && i.high < edge;
}

/*
 * A published change is borne out by its direction: how large it is depends on
 * the machine.
 */
static enum claim_outcome of_direction(const struct stats_interval *ours,
				       double expected_pct)
{
	bool is_more = !(expected_pct < 0);

	if (is_more ? ours->low > 0 : ours->high < 0)
		return CLAIM_REPRODUCED;
	if (is_more ? ours->high < 0 : ours->low > 0)
		return CLAIM_CONTRADICTED;
	if (!isfinite(expected_pct))
		return (is_more ? ours->high > 0 : ours->low < 0)
			       ? CLAIM_CANNOT_TELL
			       : CLAIM_NOT_REPRODUCED;
	/* No difference seen, though one as large would have been. */
	if (expected_pct < ours->low || expected_pct > ours->high)
		return CLAIM_NOT_REPRODUCED;
	return CLAIM_CANNOT_TELL;
}

enum claim_outcome claim_rule_at(const struct claim_rule *rule,
				 const struct claim_ours *ours, double alpha)
{
	struct stats_interval i = claim_interval(ours, alpha);
	enum claim_outcome otherwise = CLAIM_CONTRADICTED;

	if (!isfinite(i.low) || !isfinite(i.high))
		return CLAIM_CANNOT_TELL;
	if (rule->kind == CLAIM_DIRECTION)
		return of_direction(&i, rule->number);
	if (rule->kind == CLAIM_SAME)
		return is_same(rule, ours, alpha) ? CLAIM_REPRODUCED
		       : i.low > 0 || i.high < 0  ? CLAIM_NOT_REPRODUCED
						  : CLAIM_CANNOT_TELL;
	if (rule->op == EXPECT_EQUAL)
		return of_range(&i, rule->number - rule->tolerance,
				rule->number + rule->tolerance);
	if (rule->kind == CLAIM_CHANGE && !is_opposite(&i, rule->op))
		otherwise = CLAIM_NOT_REPRODUCED;
	return of_side(&i, rule->op, rule->number, otherwise);
}

double claim_rule_p(const struct claim_rule *rule,
		    const struct claim_ours *ours)
{
	enum { STEPS = 50 };
	double open = 0;
	double told = 1;

	if (!isfinite(ours->effect.se))
		return NAN;
	if (claim_rule_at(rule, ours, 1) == CLAIM_CANNOT_TELL)
		return 1;
	/* Intervals lie in one another: once told is told. */
	for (int i = 0; i < STEPS; i++) {
		/* As a logarithm, for p values are small; 1e-15 is 0. */
		double alpha = open > 0 ? sqrt(open * told) : told / 1024;

		if (open <= 0 && alpha < 1e-15)
			return 0;
		if (claim_rule_at(rule, ours, alpha) == CLAIM_CANNOT_TELL)
			open = alpha;
		else
			told = alpha;
	}
	return told;
}

size_t claim_rules_correct(const struct claim_rule *const *rules,
			   const struct claim_ours *const *ours, size_t n,
			   enum claim_outcome *outcomes)
{
	auto_free double *p = xcalloc(n + 1, sizeof(*p));
	auto_free double *corrected = xcalloc(n + 1, sizeof(*corrected));
	size_t family;

	for (size_t i = 0; i < n; i++)
		corrected[i] = p[i] = claim_rule_p(rules[i], ours[i]);
	family = multiple_count(p, n);
	multiple_holm(corrected, n);
	for (size_t i = 0; i < n; i++) {
		/* The level that Holm's method leaves to this one. */
		double alpha = p[i] > 0 ? JUDGE_LEVEL * p[i] / corrected[i]
					: JUDGE_LEVEL / (double)family;

		outcomes[i] = corrected[i] < JUDGE_LEVEL
				      ? claim_rule_at(rules[i], ours[i], alpha)
				      : CLAIM_CANNOT_TELL;
	}
	return family;
}
