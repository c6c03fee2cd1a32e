/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/claim.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/extra.h"
#include "data/judge.h"
#include "data/sample.h"

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

static void cannot_tell(struct claim_finding *out, char *why)
{
	out->outcome = CLAIM_CANNOT_TELL;
	free(out->why);
	out->why = why;
}

static bool has_interval(const struct claim_finding *f)
{
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
	struct sample s;

	sample_take(e, arm, m->name, &s);
	out->n = s.n;
	out->ours = stats_t_interval(s.x, s.n, 0.95);
	if (!s.n)
		cannot_tell(out, xstrdup(s.why));
	else if (!has_interval(out))
		cannot_tell(out, xstrdup("an interval needs 2 runs; this is "
					 "1"));
	sample_free(&s);
	return has_interval(out);
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
	out->is_change = false;
	out->n = n;
	out->ours = stats_t_interval(d, n, 0.95);
}

static void take_ratio(const struct judgement *j, struct claim_finding *out)
{
	out->is_change = true;
	out->n = j->n;
	out->ours.centre = 100 * (j->ratio.centre - 1);
	out->ours.low = 100 * (j->ratio.low - 1);
	out->ours.high = 100 * (j->ratio.high - 1);
}

/*
 * The change of arm against base in %, or the difference if one of them is 0
 * somewhere. *is_equivalent: within the margin. False with the reason set.
 */
static bool take_change(const struct versus *v, const struct metric *m,
			bool *is_equivalent, struct claim_finding *out)
{
	const struct judge_options options = {
		.primary = m->name,
		.margin = judge_margin(v->base.e),
		.emulated = true,
		.source = "",
	};
	const struct judgement *one;
	struct judgements j;

	judge(v, 1, &options, &j);
	one = judgement_of(&j, &v->arm, m->name);
	*is_equivalent = false;
	if (one && !one->why) {
		take_ratio(one, out);
		*is_equivalent = effect_is_equivalent(&one->effect, j.margin);
	} else if (one && one->base.n && one->arm.n && one->is_paired) {
		take_differences(one, out);
	}
	if (!has_interval(out))
		cannot_tell(out, xstrdup(!one ? "not a metric of these runs"
					 : one->why ? one->why
						    : "an interval needs 2 "
						      "blocks; this is 1"));
	judgements_free(&j);
	return has_interval(out);
}

/* --- judging --- */

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

static enum claim_outcome of_change(const struct claim_finding *f,
				    const struct expect *x, double number)
{
	if (x->op == EXPECT_EQUAL)
		return of_range(&f->ours, number - x->tolerance,
				number + x->tolerance);
	return of_side(&f->ours, x->op, number,
		       is_opposite(&f->ours, x->op) ? CLAIM_CONTRADICTED
						    : CLAIM_NOT_REPRODUCED);
}

static void judge_number(const struct experiment *e, size_t arm,
			 const struct metric *m, const struct expect *x,
			 struct claim_finding *out)
{
	if (!take_mean(e, arm, m, out))
		return;
	if (x->op == EXPECT_EQUAL)
		out->outcome = of_range(&out->ours, x->number - x->tolerance,
					x->number + x->tolerance);
	else
		out->outcome = of_side(&out->ours, x->op, x->number,
				       CLAIM_CONTRADICTED);
}

static void judge_arms(const struct versus *v, const struct metric *m,
		       const struct expect *x, struct claim_finding *out)
{
	bool is_equivalent;

	if (!take_change(v, m, &is_equivalent, out))
		return;
	if (x->of == EXPECT_CHANGE && !out->is_change)
		cannot_tell(out, xstrdup("0 in some run: no ratio"));
	else if (x->of == EXPECT_CHANGE)
		out->outcome = of_change(out, x, x->number);
	else if (x->op != EXPECT_EQUAL)
		out->outcome = of_change(out, x, 0);
	else if (is_equivalent)
		out->outcome = CLAIM_REPRODUCED;
	else if (out->ours.low > 0 || out->ours.high < 0)
		out->outcome = CLAIM_NOT_REPRODUCED;
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

	*out = (struct claim_finding){
		.outcome = CLAIM_CANNOT_TELL,
		.ours = { NAN, NAN, NAN },
	};
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

/*
 * A published change is borne out by its direction: how large it is depends on
 * the machine.
 */
static enum claim_outcome of_published(const struct stats_interval *ours,
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

void claim_judge_change(const struct experiment *e, size_t arm, size_t base,
			const struct metric *m, double expected_pct,
			struct claim_finding *out)
{
	const struct versus v = { { e, base }, { e, arm } };
	bool is_equivalent;

	*out = (struct claim_finding){
		.outcome = CLAIM_CANNOT_TELL,
		.ours = { NAN, NAN, NAN },
	};
	if (judge_is_emulated(e) && is_of_time(m)) {
		cannot_tell(out,
			    xstrdup("under emulation times are no measure"));
		return;
	}
	if (!take_change(&v, m, &is_equivalent, out))
		return;
	if (isfinite(expected_pct) && !(fabs(expected_pct) > 0)) {
		if (is_equivalent)
			out->outcome = CLAIM_REPRODUCED;
		else if (out->ours.low > 0 || out->ours.high < 0)
			out->outcome = CLAIM_NOT_REPRODUCED;
	} else if (out->is_change || !isfinite(expected_pct)) {
		out->outcome = of_published(&out->ours, expected_pct);
	} else {
		/* A difference in the unit has a direction all the same. */
		out->outcome = of_published(&out->ours,
					    copysign(HUGE_VAL, expected_pct));
	}
}

void claim_finding_free(struct claim_finding *f)
{
	free(f->why);
	f->why = NULL;
}
