/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules by which other tools mark a difference, so that their readers can
 * follow. None of them corrects for several arms.
 */
#ifndef DATA_FOREIGN_H
#define DATA_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "data/metric.h"

struct foreign_rule {
	const char *name;  /* "fastpath" */
	const char *title; /* of its column */
	const char *help;  /* the rule, one line */
	/* The rule itself: false if too few. Call foreign_is_marked(). */
	bool (*is_marked)(const double *base, size_t n_base, const double *arm,
			  size_t n_arm);
	/* The mark for better and for worse. */
	const char *better;
	const char *worse;
};

/* fastpath, mmtests, mmtests-2018, lkp */
extern const struct foreign_rule foreign_rules[];
extern const size_t n_foreign_rules;

/* Do these runs of two arms get the mark? Rounding is no difference. */
bool foreign_is_marked(const struct foreign_rule *rule, const double *base,
		       size_t n_base, const double *arm, size_t n_arm);

/* "(I)", "*", ...; "-" where there is none, or no better direction. */
const char *foreign_mark(const struct foreign_rule *rule,
			 enum metric_better better, const double *base,
			 size_t n_base, const double *arm, size_t n_arm);

/* perf stat's "+-": the standard error of the mean in % of it. */
double foreign_perf_pct(const double *x, size_t n);

/*
 * mmtests: the harmonic mean where higher is better, else the arithmetic one;
 * NAN for n = 0.
 */
double foreign_mmtests_mean(enum metric_better better, const double *x,
			    size_t n);
/*
 * Its change in %: positive is better, whichever direction that is. NAN where
 * base is not above 0: of a negative one it would have the wrong sign.
 */
double foreign_mmtests_pct(enum metric_better better, double base, double arm);

#endif
