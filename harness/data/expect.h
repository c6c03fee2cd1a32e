/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a claim expects of a metric in an arm, as a configuration has it:
 *
 *   > 0        >= 1G      < 12.5     of the arm's mean; bytes may be 64k, 2M
 *   > +0.5 %   < -3 %     with a sign and a %: the change against the baseline
 *   > arm T m, D h        against another arm; "baseline" stands for that one
 *   = 10 +- 1             = and what may be off; = +0.6 % +- 0.2 %
 *   = arm T m, D h        equivalent: within the experiment's margin
 */
#ifndef DATA_EXPECT_H
#define DATA_EXPECT_H

#include "data/metric.h"

enum expect_op {
	EXPECT_ABOVE,    /* > */
	EXPECT_AT_LEAST, /* >= */
	EXPECT_BELOW,    /* < */
	EXPECT_AT_MOST,  /* <= */
	EXPECT_EQUAL,    /* = */
};

enum expect_of {
	EXPECT_NUMBER,
	EXPECT_CHANGE,
	EXPECT_ARM,
};

struct expect {
	enum expect_op op;
	enum expect_of of;
	double number;    /* in the metric's unit, or a change in % */
	double tolerance; /* of EXPECT_EQUAL, in the same unit */
	char *arm;        /* EXPECT_ARM; NULL: the baseline */
};

/*
 * Read it; the metric says whether numbers are bytes. 0; -EINVAL, and out is
 * empty. expect_free() it.
 */
int expect_parse(const char *text, const struct metric *m, struct expect *out);
void expect_free(struct expect *e);

/* What would be right, for messages. */
extern const char expect_right[];

#endif
