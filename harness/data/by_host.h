/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One arm against the baseline, host by host, in an experiment whose blocks lie
 * in several (data/merge.h). Blocks are complete, so that a host's level drops
 * out of each difference; what is left to ask is whether the difference itself
 * is another one on each host.
 */
#ifndef DATA_BY_HOST_H
#define DATA_BY_HOST_H

#include <stddef.h>

#include "data/stats/effect.h"
#include "data/record.h"
#include "data/stats/stats.h"

struct host_effect {
	size_t n;             /* blocks in which both arms have a value */
	double base;          /* means over those of the host that count; */
	double arm;           /* NAN: none, and why */
	const char *why_base; /* not owned, as long as the experiment is */
	const char *why_arm;
	struct effect effect; /* paired, of these blocks */
};

struct by_host {
	struct host_effect *list; /* one a host, in the order of e->hosts */
	size_t n;
	/*
	 * Host x arm: one-way analysis of variance of the blocks' log ratios
	 * by host; f and p NAN where it cannot be told (a host without blocks,
	 * or one block each).
	 */
	struct stats_anova differ;
	/*
	 * Hosts as what is repeated: the mean of the hosts' effects, each
	 * counted once, with n - 1 degrees of freedom. It is what speaks for
	 * hosts that are not here, as far as these were drawn from them.
	 */
	struct effect over_hosts;
	size_t n_over; /* hosts with a block that has both values */
};

/* by_host_free() it. */
void by_host(const struct experiment *e, size_t arm, const char *metric,
	     struct by_host *out);
void by_host_free(struct by_host *b);

/*
 * Of the arms against the baseline, by the primary metric: p of host x arm,
 * corrected by Holm for all of them; NAN for the baseline, the A/A arm and what
 * cannot be told. xcalloc()ed, one an arm.
 */
double *by_host_differ(const struct experiment *e);

#endif
