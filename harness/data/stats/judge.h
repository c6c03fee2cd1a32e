/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From figures to verdicts. For each pair of arms and each metric: is there a
 * difference, which way, and if none is seen, could there have been one?
 *
 *   improved, regressed   p, corrected for all comparisons of its family, is
 *                         below 5 % (the interval at the corrected level
 *                         leaves 0 out), by the metric's direction
 *   differs               the same, where neither direction is better
 *   equivalent            else, and the 90 % interval lies inside the margin
 *   inconclusive          else
 *
 * Families, each corrected by Holm's method: the comparisons of the primary
 * metric; those of all other metrics of one source (data/metric.h), which are
 * called secondary. The primary metric's by Dunnett's (data/stats/dunnett.h)
 * where that is asked for and all arms have a value in the same blocks.
 *
 * No verdict is given where the A/A arm shows a difference (the experiment
 * finds what is not there), nor under emulation unless asked for.
 */
#ifndef DATA_JUDGE_H
#define DATA_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "data/stats/effect.h"
#include "data/metric.h"
#include "data/stats/sample.h"

#define JUDGE_LEVEL 0.05
#define JUDGE_MARGIN 0.01

enum verdict {
	VERDICT_NONE, /* see why */
	VERDICT_IMPROVED,
	VERDICT_REGRESSED,
	VERDICT_DIFFERS,
	VERDICT_EQUIVALENT,
	VERDICT_INCONCLUSIVE,
};

/* "improved"; "n/a" for VERDICT_NONE. */
const char *verdict_text(enum verdict v);

/* One arm of one experiment. */
struct side {
	const struct experiment *e;
	size_t arm;
};

struct versus {
	struct side base;
	struct side arm;
};

struct judgement {
	struct versus versus;
	const struct metric *metric;
	bool is_primary;
	bool is_paired;     /* by blocks, else all runs of both (Welch) */
	struct sample base; /* of both sides */
	struct sample arm;
	double *d; /* paired: log ratios; else NULL */
	size_t n;  /* paired: blocks; else the runs of the smaller sample */
	struct effect effect;
	struct stats_interval ratio; /* arm / base, and 95 % of its own */
	double p;
	double p_corrected;
	size_t family; /* how many comparisons it was corrected for */
	/*
	 * By Dunnett's method: effect is of the noise of all arms, ratio's
	 * interval one that holds for all of them together.
	 */
	bool is_dunnett;
	enum verdict verdict;
	char *why; /* VERDICT_NONE: the reason */
};

struct judge_options {
	const char *primary; /* NULL: the first experiment's */
	double margin;       /* as a ratio: 0.01 for 1 % */
	bool emulated;       /* judge runs under emulation too */
	bool invalid;        /* and experiments whose A/A arm differs */
	bool dunnett;        /* the primary metric by it, if it can be */
	const char *source;  /* only metrics of it and the primary; NULL: all */
};

struct judgements {
	struct judgement *list; /* all metrics of a pair, then the next pair */
	size_t n;
	double margin;
	bool dunnett; /* was asked for */
};

/*
 * Judge all metrics of these pairs. The experiments must outlive it.
 * judgements_free() it.
 */
void judge(const struct versus *list, size_t n,
	   const struct judge_options *options, struct judgements *out);

/*
 * The arms of one experiment against its baseline, the A/A arm left out;
 * source as above.
 */
void judge_experiment(const struct experiment *e, const char *source,
		      struct judgements *out);

void judgements_free(struct judgements *j);

/*
 * The primary metric once more, by Dunnett's method: nothing where its arms do
 * not have all blocks of one baseline. judge() calls it.
 */
void judge_dunnett(struct judgements *out);

/* Of an arm and a metric; NULL if there is none. */
const struct judgement *judgement_of(const struct judgements *j,
				     const struct side *arm,
				     const char *metric);

/*
 * What the runs could have shown, at 80 % power and the level of the family's
 * first step: the smallest effect as a ratio minus 1 (NAN: cannot be told),
 * and how many blocks (unpaired: runs of each arm) the margin needs (0: more
 * than a million, or cannot be told).
 */
double judgement_shows(const struct judgement *j);
size_t judgement_needs(const struct judgement *j, double margin);

/* The margin of an experiment as a ratio: as configured, or JUDGE_MARGIN. */
double judge_margin(const struct experiment *e);

/*
 * The A/A arm against the baseline, whose settings it shares, by the primary
 * metric, at 5 % by itself: a difference there says that the experiment finds
 * what is not there. out->n is 0 without such an arm.
 */
void judge_aa(const struct experiment *e, struct judgements *out);
/* Is this arm the one that repeats the baseline? */
bool judge_is_aa(const struct experiment *e, size_t arm);
/* There is such an arm, and it shows a difference. */
bool judge_aa_failed(const struct experiment *e);

/* Do TPS and times of it say nothing, since its CPU was emulated? */
bool judge_is_emulated(const struct experiment *e);

#endif
