/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judgements of the primary metric by Dunnett's method. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/stats/dunnett.h"
#include "data/stats/judge.h"

/* The primary metric's judgements; NULL where one cannot stand in Dunnett's. */
static struct judgement **balanced(struct judgements *out, size_t *n)
{
	struct judgement **list = NULL;
	const struct judgement *first = NULL;
	bool is_balanced = true;

	*n = 0;
	for (size_t i = 0; i < out->n; i++) {
		struct judgement *j = &out->list[i];

		if (!j->is_primary)
			continue;
		first = first ? first : j;
		/* All blocks of the baseline, and no others: in each arm. */
		is_balanced &= j->is_paired && j->n > 1 &&
			       j->versus.base.e == first->versus.base.e &&
			       j->versus.base.arm == first->versus.base.arm &&
			       j->n == j->base.n && j->n == j->arm.n;
		list = mem_grow(list, *n, sizeof(void *));
		list[(*n)++] = j;
	}
	if (is_balanced)
		return list;
	free(list);
	return NULL;
}

void judge_dunnett(struct judgements *out)
{
	size_t n;
	auto_free struct judgement **list = balanced(out, &n);
	size_t blocks = list ? list[0]->n : 0;
	auto_free double *y = xcalloc((n + 1) * blocks + 1, sizeof(*y));
	double df;
	double limit;
	double se;

	out->dunnett = true;
	if (!list)
		return;
	sample_logs(&list[0]->base, y);
	for (size_t i = 0; i < n; i++)
		sample_logs(&list[i]->arm, y + (i + 1) * blocks);
	se = dunnett_se(y, n + 1, blocks, &df);
	limit = dunnett_quantile(JUDGE_LEVEL, n, df) * se;
	for (size_t i = 0; i < n; i++) {
		struct judgement *j = list[i];

		j->is_dunnett = true;
		j->effect.se = se;
		j->effect.df = df;
		j->p = effect_p(&j->effect);
		j->p_corrected =
			se > 0 ? dunnett_p(j->effect.d / se, n, df) : j->p;
		j->ratio.low = exp(j->effect.d - limit);
		j->ratio.high = exp(j->effect.d + limit);
	}
}
