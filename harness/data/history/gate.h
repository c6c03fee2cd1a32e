/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two experiments of a history, arm by arm: a pinned baseline and a newer one.
 * Runs of different experiments share no block (Welch on logs). The arms are a
 * family, corrected by Holm's method; the verdicts are those of
 * data/stats/judge.h.
 */
#ifndef DATA_GATE_H
#define DATA_GATE_H

#include "data/history/history_read.h"
#include "data/stats/judge.h"

struct gate_row {
	const struct history_series *series;
	const struct history_point *base; /* NULL: why says why */
	const struct history_point *now;
	struct stats_interval ratio; /* now / base, 95 % */
	double p;                    /* corrected */
	enum verdict verdict;
	const char *why; /* VERDICT_NONE */
};

struct gate {
	struct gate_row *rows; /* a series each */
	size_t n;
	double margin;
};

/*
 * list: the series of both experiments, which must outlive it. margin: as a
 * ratio; NAN: the experiment's own, or 1 %. gate_free() it.
 */
void gate_judge(const struct history_list *list, const char *base_uid,
		const char *now_uid, double margin, struct gate *out);
void gate_free(struct gate *g);

#endif
