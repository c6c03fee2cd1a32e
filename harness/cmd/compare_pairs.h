/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which arms `compare` sets against each other. */
#ifndef CMD_COMPARE_PAIRS_H
#define CMD_COMPARE_PAIRS_H

#include "data/stats/judge.h"

struct pairs_request {
	const char *const *dirs;
	int n_dirs; /* 1 or 2 */
	const char *arms[2];
	size_t n_arms;
};

struct pairs {
	struct experiment folders[2];
	const struct experiment *base;
	const struct experiment *arm; /* base itself, if there is one folder */
	struct versus *list;
	size_t n;
};

/*
 * Read the folders and choose. Of one folder: each arm against the baseline,
 * of one named arm that alone, of two the second against the first. Of two
 * folders: arms of the same label, new against base; the one named; the first
 * named of BASE and the second of NEW; or the only arm of each.
 *
 * Returns 0 or an exit status (printed). pairs_close() it either way.
 */
int pairs_open(const struct pairs_request *r, struct pairs *out);
void pairs_close(struct pairs *p);

/* A metric that both folders know, by name; or NULL. */
const struct metric *pairs_metric(const struct pairs *p, const char *name);

#endif
