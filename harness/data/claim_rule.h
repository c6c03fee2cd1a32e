/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an interval says to a claim, at whatever level it is to be judged. */
#ifndef DATA_CLAIM_RULE_H
#define DATA_CLAIM_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "data/stats/effect.h"
#include "data/expect.h"

enum claim_outcome {
	CLAIM_REPRODUCED,
	CLAIM_NOT_REPRODUCED,
	CLAIM_CONTRADICTED,
	CLAIM_CANNOT_TELL,
};

enum claim_kind {
	CLAIM_AMOUNT,    /* op, number, tolerance: of the arm's mean */
	CLAIM_CHANGE,    /* the same of a change: beyond 0 it is contradicted */
	CLAIM_SAME,      /* a change within the margin */
	CLAIM_DIRECTION, /* a published change: number, or NAN: above */
};

struct claim_rule {
	enum claim_kind kind;
	enum expect_op op;
	double number;
	double tolerance;
	double margin; /* as a ratio: 0.01 for 1 % */
};

/* What the runs say: a mean or difference, or a change. */
struct claim_ours {
	bool is_change;       /* effect is of logs, the interval in % */
	struct effect effect; /* se NAN: there is no interval */
};

/* The interval at a level (0.05: of 95 %). */
struct stats_interval claim_interval(const struct claim_ours *ours,
				     double alpha);

enum claim_outcome claim_rule_at(const struct claim_rule *rule,
				 const struct claim_ours *ours, double alpha);

/*
 * The smallest level at which the answer is another one than "cannot tell": a
 * p value. NAN without an interval; 1 if there is no such level.
 */
double claim_rule_p(const struct claim_rule *rule,
		    const struct claim_ours *ours);

/*
 * Several claims at once: outcomes at 5 % after Holm's correction
 * (data/stats/multiple.h) over those that have a p. Returns how many these are.
 */
size_t claim_rules_correct(const struct claim_rule *const *rules,
			   const struct claim_ours *const *ours, size_t n,
			   enum claim_outcome *outcomes);

#endif
