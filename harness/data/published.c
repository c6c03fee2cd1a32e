/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/published.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/claim.h"

const struct published_value *
published_find(const struct published *p, const char *metric, const char *arm)
{
	for (size_t i = 0; i < p->n_values; i++)
		if (str_eq(p->values[i].metric, metric) &&
		    str_eq(p->values[i].arm, arm))
			return &p->values[i];
	return NULL;
}

bool published_change(const struct published *p,
		      const struct published_value *v, double *pct)
{
	const struct published_value *base;

	if (v->is_change) {
		*pct = *v->mark ? v->number : 0;
		return true;
	}
	if (!p->base || str_eq(v->arm, p->base))
		return false;
	base = published_find(p, v->metric, p->base);
	if (!base || base->is_change)
		return false;
	*pct = base->number > 0 ? 100 * (v->number / base->number - 1)
				: (double)NAN;
	return base->number > 0 || v->number > 0;
}

/* Shares in %, and the counts that they are of. */
static const struct {
	const char *share;
	const char *part;
	const char *whole;
} shares[] = {
	{ "huge_share_pct", "huge_bytes", "rss_bytes" },
	{ "dtlb_walk_share_pct", "dtlb_walk", "dtlb_access" },
	{ "itlb_walk_share_pct", "itlb_walk", "itlb_access" },
};

/* Half of the last digit that was printed. */
static double rounding(const char *text)
{
	const char *point = strchr(text, '.');

	return 0.5 * pow(10, point ? -(double)strlen(point + 1) : 0);
}

static void add_error(struct published *p, const char *kind, char *text)
{
	XGROW(p->errors, p->n_errors);
	p->errors[p->n_errors++] =
		(struct published_error){ xstrdup(kind), text };
}

static size_t recompute_points(struct published *p)
{
	for (size_t i = 0; i < p->n_points; i++) {
		const struct published_point *one = &p->points[i];
		double pct = 100 * one->huge / one->total;

		if (fabs(pct - one->printed_pct) > 0.5 + 1e-9)
			add_error(p, "share",
				  xasprintf("at %.0f s of '%s' %.0f %% is "
					    "printed; its amounts give %.2f %%",
					    one->t_s, one->arm,
					    one->printed_pct, pct));
	}
	return p->n_points;
}

size_t published_recompute(struct published *p)
{
	size_t n = recompute_points(p);

	for (size_t i = 0; i < p->n_values * ARRAY_SIZE(shares); i++) {
		const struct published_value *v =
			&p->values[i / ARRAY_SIZE(shares)];
		size_t s = i % ARRAY_SIZE(shares);
		const struct published_value *part;
		const struct published_value *whole;
		double pct;

		part = published_find(p, shares[s].part, v->arm);
		whole = published_find(p, shares[s].whole, v->arm);
		if (!str_eq(v->metric, shares[s].share) || !part || !whole)
			continue;
		n++;
		pct = 100 * part->number / whole->number;
		if (fabs(pct - v->number) > 1.01 * rounding(v->text))
			add_error(p, "share",
				  xasprintf("%s of '%s' is printed as %s; its "
					    "counts give %.9g",
					    v->metric, v->arm, v->text, pct));
	}
	return n;
}

static bool has_settings(const struct arm_record *arm,
			 const struct facts *settings)
{
	for (size_t i = 0; i < settings->n; i++)
		if (!str_eq(facts_get(&arm->settings, settings->list[i].name),
			    settings->list[i].value))
			return false;
	return settings->n;
}

bool published_arm(const struct published *p, const char *label,
		   const struct experiment *e, size_t *arm)
{
	const struct facts *settings = NULL;
	size_t n = 0;

	if (claim_find_arm(e, label, arm))
		return true;
	for (size_t i = 0; i < p->n_arms; i++)
		if (str_eq(p->arms[i].label, label))
			settings = &p->arms[i].settings;
	for (size_t i = 0; settings && i < e->n_arms; i++) {
		if (!has_settings(&e->arms[i], settings))
			continue;
		*arm = i;
		n++;
	}
	return n == 1;
}
