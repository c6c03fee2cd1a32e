/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of claims: what is claimed, what is here, and what that says. */
#ifndef OUT_CLAIMS_H
#define OUT_CLAIMS_H

#include "data/claim.h"
#include "data/published.h"
#include "out/table.h"

/* How often each enum claim_outcome was the answer. */
struct claims_counts {
	size_t n[CLAIM_CANNOT_TELL + 1];
};

/*
 * A cell: "tps (higher is better)", as CSV the name alone; better is NULL where
 * neither the runs nor a letter say it.
 */
void claims_metric_cell(struct table *t, const char *name,
			const enum metric_better *better);

/*
 * All add to tables that table_begin() was called for; the first two add to
 * counts.
 */

/* The claims that were configured. */
void claims_configured(const struct experiment *e, struct table *t,
		       struct claims_counts *counts);
/* What a letter says, and its changes. */
void claims_published(const struct experiment *e, const struct published *p,
		      struct table *t, struct claims_counts *counts);
/* Its numbers beside ours. */
void claims_values(const struct experiment *e, const struct published *p,
		   struct table *t);
/* What its set-up has that ours has otherwise. */
void claims_setup(const struct experiment *e, const struct published *p,
		  struct table *t);
/* What is wrong in it; n_shares of its own were computed again. */
void claims_letter(const struct published *p, size_t n_shares, struct table *t);

#endif
