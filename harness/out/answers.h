/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What probes answered, as a table, and two kernels side by side. */
#ifndef OUT_ANSWERS_H
#define OUT_ANSWERS_H

#include "data/answers.h"
#include "out/table.h"

/* All that were asked, with their figures. */
void answers_table(const struct answers *a, struct table *t);

/*
 * What two kernels do differently; how many answers are alike, and which are
 * of one alone, stand below. Figures (detail) and the questions are left out.
 */
void answers_compare(const struct answers *a, const struct answers *b,
		     struct table *t);

/*
 * {"a": facts, "b": facts, "alike": [names], "differ": [{"name", "asks",
 * "a", "b"}], "only": [names]}; a missing one is {"missing": reason}.
 */
void answers_compare_json(const struct answers *a, const struct answers *b,
			  struct str *out);

#endif
