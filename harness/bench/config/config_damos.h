/* SPDX-License-Identifier: GPL-3.0-or-later */
/* damos and damos.* of an arm: what its keys come to, read together. */
#ifndef BENCH_CONFIG_DAMOS_H
#define BENCH_CONFIG_DAMOS_H

#include "bench/config/config.h"
#include "bench/config/config_text.h"

/* Where the keys of an arm stand; its own win. */
struct arm_text {
	const struct text_section *all; /* [arm *]; may be NULL */
	const struct text_section *own;
};

/* The key of that name that counts for the arm; NULL: it is not given. */
const struct text_key *arm_text_key(const struct arm_text *text,
				    const char *name);

/* What an arm without a key of damos.* asks for: nothing. */
void config_damos_init(struct damos_config *c);

/*
 * Once all keys of an arm were read without a fault: convert shares into hits
 * and times into aggregation intervals, fill in what rests on other keys, and
 * check what the kernel asks of a scheme as a whole. Keys of the arm's own
 * section that mean nothing beside the others are faults; those of [arm *]
 * are passed over (config_damos_unused() says which no arm takes).
 */
void config_damos_finish(const struct arm_text *text, struct arm *arm,
			 struct faults *faults);

/* Does this key mean something in the arm? True for all but damos.*. */
bool config_damos_takes(const struct arm *arm, const char *key);

/* Keys of [arm *] that mean nothing in any arm. */
void config_damos_unused(const struct text_section *all, const struct config *c,
			 struct faults *faults);

/* Do two arms ask the same of DAMON? */
bool config_damos_same(const struct arm *a, const struct arm *b);

/*
 * The bounds of damos.access_rate as sampled hits, where an aggregation holds
 * hits samples; of damos.age as aggregation intervals of aggr_us (0: they are
 * not fixed, so a time has no meaning). 0; -EINVAL if the value is not of
 * this form; -EDOM (*why says it, free() it) if it has no whole result.
 */
int config_damos_rate(const char *value, uint64_t hits, struct damon_range *out,
		      char **why);
int config_damos_age(const char *value, uint64_t aggr_us,
		     struct damon_range *out, char **why);

#endif
