/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which claims the runs of a result folder bear out.
 *
 *   reproduced      the whole 95 % interval is as claimed
 *   contradicted    the whole interval is on the other side
 *   not reproduced  the interval leaves out what is claimed, but is not on the
 *                   other side: an effect smaller than claimed, none, or
 *                   another amount
 *   cannot tell     else: too few runs, too much noise, or no value
 *
 * An amount is compared with the Student interval of the mean of the arm's
 * runs; a change, and another arm, with that of the log ratios
 * (data/stats/judge.h), or of the differences within blocks where there is a 0.
 * Several claims are several tests: claims_correct() widens the intervals by
 * Holm's method.
 */
#ifndef DATA_CLAIM_H
#define DATA_CLAIM_H

#include "data/claim_rule.h"
#include "data/record.h"

/* "reproduced", ... */
const char *claim_outcome_text(enum claim_outcome o);

struct claim_finding {
	enum claim_outcome outcome;
	enum claim_outcome alone;   /* by the 95 % interval of its own */
	struct claim_rule rule;     /* what is claimed */
	struct claim_ours evidence; /* what the runs say */
	struct stats_interval ours; /* at 95 %, by itself; NAN: none */
	size_t n;                   /* runs, or blocks */
	char *why;                  /* cannot tell, or a note; may be NULL */
};

/* Nothing found: "cannot tell". */
struct claim_finding claim_nothing(void);

/* The index of an arm by its label; false if there is none. */
bool claim_find_arm(const struct experiment *e, const char *label, size_t *arm);

/*
 * Judge a claim of a configuration or a letter. claim_finding_free() it.
 */
void claim_judge(const struct experiment *e, const struct claim *claim,
		 struct claim_finding *out);

/*
 * The same for a published change of arm against base: expected in %; NAN:
 * above the base, where that was 0. An expected 0 is a change that was found to
 * be none.
 */
void claim_judge_change(const struct experiment *e, size_t arm, size_t base,
			const struct metric *m, double expected_pct,
			struct claim_finding *out);

/*
 * Judge them once more, as one family: an outcome that its own interval would
 * give may then be "cannot tell". Returns how many claims are in it.
 */
size_t claims_correct(struct claim_finding *list, size_t n);

void claim_finding_free(struct claim_finding *f);

#endif
