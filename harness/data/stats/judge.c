/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/stats/judge.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "data/extra.h"
#include "data/stats/multiple.h"
#include "data/stats/power.h"

const char *verdict_text(enum verdict v)
{
	static const char *const texts[] = {
		[VERDICT_NONE] = "n/a",
		[VERDICT_IMPROVED] = "improved",
		[VERDICT_REGRESSED] = "regressed",
		[VERDICT_DIFFERS] = "differs",
		[VERDICT_EQUIVALENT] = "equivalent",
		[VERDICT_INCONCLUSIVE] = "inconclusive",
	};

	return texts[v];
}

bool judge_is_emulated(const struct experiment *e)
{
	return str_eq(facts_get(&e->host, "accel"), "tcg");
}

/* --- one comparison --- */

static void estimate(struct judgement *j)
{
	auto_free double *base = NULL;
	auto_free double *arm = NULL;

	if (j->is_paired) {
		j->d = xcalloc(j->base.n + 1, sizeof(*j->d));
		j->n = sample_log_ratios(&j->base, &j->arm, j->d);
		j->effect = effect_paired(j->d, j->n);
		return;
	}
	base = xcalloc(j->base.n + 1, sizeof(*base));
	arm = xcalloc(j->arm.n + 1, sizeof(*arm));
	sample_logs(&j->base, base);
	sample_logs(&j->arm, arm);
	j->n = j->base.n < j->arm.n ? j->base.n : j->arm.n;
	j->effect = effect_welch(base, j->base.n, arm, j->arm.n);
}

/* Why there is no ratio; NULL if there is one. free() it. */
static char *why_none(const struct judgement *j)
{
	if (!j->base.n || !j->arm.n)
		return xstrdup(j->arm.n ? j->base.why : j->arm.why);
	return sample_why_no_ratio(&j->base, &j->arm);
}

static void compare(struct judgement *j)
{
	const struct versus *v = &j->versus;

	j->is_paired = v->base.e == v->arm.e && !extra_is_imported(v->base.e);
	sample_take(v->base.e, v->base.arm, j->metric->name, &j->base);
	sample_take(v->arm.e, v->arm.arm, j->metric->name, &j->arm);
	j->effect = (struct effect){ NAN, NAN, NAN };
	j->why = why_none(j);
	if (!j->why)
		estimate(j);
	if (!j->why && !j->n)
		j->why = xstrdup("no block in which both arms have a value");
	j->p = effect_p(&j->effect);
	j->p_corrected = j->p;
	j->ratio = effect_interval(&j->effect, 0.95);
	j->ratio.centre = exp(j->ratio.centre);
	j->ratio.low = exp(j->ratio.low);
	j->ratio.high = exp(j->ratio.high);
}

/* --- families --- */

static bool is_family(const struct judgement *a, const struct judgement *b)
{
	return a->is_primary == b->is_primary &&
	       (a->is_primary || str_eq(a->metric->source, b->metric->source));
}

static void correct_family(struct judgements *out, size_t first)
{
	auto_free double *p = xcalloc(out->n, sizeof(*p));
	auto_free size_t *places = xcalloc(out->n, sizeof(*places));
	size_t n = 0;
	size_t family;

	for (size_t i = first; i < out->n; i++) {
		if (!is_family(&out->list[first], &out->list[i]))
			continue;
		places[n] = i;
		p[n++] = out->list[i].p;
	}
	family = multiple_count(p, n);
	multiple_holm(p, n);
	for (size_t i = 0; i < n; i++) {
		out->list[places[i]].p_corrected = p[i];
		out->list[places[i]].family = family;
	}
}

static void correct(struct judgements *out)
{
	for (size_t i = 0; i < out->n; i++) {
		bool is_first = true;

		for (size_t k = 0; k < i && is_first; k++)
			is_first = !is_family(&out->list[k], &out->list[i]);
		if (is_first)
			correct_family(out, i);
	}
}

/* --- verdicts --- */

static enum verdict verdict_of(const struct judgement *j, double margin)
{
	enum metric_better better = j->metric->better;

	if (j->why)
		return VERDICT_NONE;
	if (j->p_corrected < JUDGE_LEVEL) {
		if (better == METRIC_NEITHER)
			return VERDICT_DIFFERS;
		return (j->effect.d > 0) == (better == METRIC_MORE)
			       ? VERDICT_IMPROVED
			       : VERDICT_REGRESSED;
	}
	return effect_is_equivalent(&j->effect, margin) ? VERDICT_EQUIVALENT
							: VERDICT_INCONCLUSIVE;
}

static bool is_asked(const struct metric *m, const struct judge_options *o,
		     const char *primary)
{
	return !o->source || str_eq(m->source, o->source) ||
	       str_eq(m->name, primary);
}

/* Why no verdict is given, though there may be figures; or NULL. */
static const char *why_withheld(const struct versus *v,
				const struct judge_options *o)
{
	if (!o->invalid &&
	    (judge_aa_failed(v->base.e) || judge_aa_failed(v->arm.e)))
		return "invalid: the A/A arm shows a difference";
	if (!o->emulated &&
	    (judge_is_emulated(v->base.e) || judge_is_emulated(v->arm.e)))
		return "under emulation: judged only with compare --emulated";
	return NULL;
}

static void add_pair(const struct versus *v, const struct judge_options *o,
		     const char *primary, struct judgements *out)
{
	const char *withheld = why_withheld(v, o);

	for (size_t i = 0; i < extra_count(v->base.e); i++) {
		struct judgement j = {
			.versus = *v,
			.metric = extra_at(v->base.e, i),
		};

		j.is_primary = str_eq(j.metric->name, primary);
		if (!is_asked(j.metric, o, primary))
			continue;
		compare(&j);
		if (withheld && !j.why)
			j.why = xstrdup(withheld);
		XGROW(out->list, out->n);
		out->list[out->n++] = j;
	}
}

void judge(const struct versus *list, size_t n,
	   const struct judge_options *options, struct judgements *out)
{
	const char *primary = options->primary;

	*out = (struct judgements){ .margin = options->margin };
	if (!primary && n)
		primary = list[0].base.e->primary;
	for (size_t i = 0; i < n; i++)
		add_pair(&list[i], options, primary, out);
	correct(out);
	if (options->dunnett)
		judge_dunnett(out);
	for (size_t i = 0; i < out->n; i++)
		out->list[i].verdict = verdict_of(&out->list[i], out->margin);
}

double judge_margin(const struct experiment *e)
{
	double pct;

	if (num_percent(facts_get(&e->judging, "margin"), &pct) < 0)
		return JUDGE_MARGIN;
	return pct / 100;
}

bool judge_is_aa(const struct experiment *e, size_t arm)
{
	return str_eq(e->arms[arm].label, facts_get(&e->judging, "aa"));
}

void judge_experiment(const struct experiment *e, const char *source,
		      struct judgements *out)
{
	const struct judge_options options = {
		.margin = judge_margin(e),
		.source = source,
	};
	auto_free struct versus *list = xcalloc(e->n_arms + 1, sizeof(*list));
	size_t n = 0;

	for (size_t arm = 0; arm < e->n_arms; arm++)
		if (arm != e->baseline && !judge_is_aa(e, arm))
			list[n++] = (struct versus){ { e, e->baseline },
						     { e, arm } };
	judge(list, n, &options, out);
}

void judgements_free(struct judgements *j)
{
	for (size_t i = 0; i < j->n; i++) {
		sample_free(&j->list[i].base);
		sample_free(&j->list[i].arm);
		free(j->list[i].d);
		free(j->list[i].why);
	}
	free(j->list);
	*j = (struct judgements){ 0 };
}

const struct judgement *judgement_of(const struct judgements *j,
				     const struct side *arm, const char *metric)
{
	for (size_t i = 0; i < j->n; i++)
		if (j->list[i].versus.arm.e == arm->e &&
		    j->list[i].versus.arm.arm == arm->arm &&
		    str_eq(j->list[i].metric->name, metric))
			return &j->list[i];
	return NULL;
}

/* --- what could have been seen --- */

static double first_level(const struct judgement *j)
{
	return JUDGE_LEVEL / (double)(j->family ? j->family : 1);
}

double judgement_shows(const struct judgement *j)
{
	if (!isfinite(j->effect.se))
		return NAN;
	return expm1(power_delta(POWER_USUAL, j->effect.df, first_level(j)) *
		     j->effect.se);
}

size_t judgement_needs(const struct judgement *j, double margin)
{
	double se = j->effect.se;
	double least = log1p(margin);
	double n;

	if (!isfinite(se))
		return 0;
	if (j->is_paired)
		return power_paired_needs(se * sqrt((double)j->n), least,
					  first_level(j));
	/* As if both arms were as large, and as noisy. */
	n = 2 / (1 / (double)j->base.n + 1 / (double)j->arm.n);
	return power_unpaired_needs(se * sqrt(n / 2), least, first_level(j));
}

/* --- A/A --- */

void judge_aa(const struct experiment *e, struct judgements *out)
{
	const struct judge_options options = {
		.margin = JUDGE_MARGIN,
		.emulated = true,
		.invalid = true,
		.source = "",
	};

	*out = (struct judgements){ 0 };
	for (size_t arm = 0; arm < e->n_arms; arm++) {
		const struct versus v = { { e, e->baseline }, { e, arm } };

		if (!judge_is_aa(e, arm))
			continue;
		judge(&v, 1, &options, out);
		return;
	}
}

bool judge_aa_failed(const struct experiment *e)
{
	struct judgements j;
	bool has_failed;

	judge_aa(e, &j);
	has_failed = j.n && j.list[0].p < JUDGE_LEVEL;
	judgements_free(&j);
	return has_failed;
}
