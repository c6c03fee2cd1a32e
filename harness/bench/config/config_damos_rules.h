/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernel asks of a scheme, and which keys need which. */
#ifndef BENCH_CONFIG_DAMOS_RULES_H
#define BENCH_CONFIG_DAMOS_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/damos/damos.h"

/* What must hold in an arm for a key to mean something. */
struct damos_need {
	const char *key; /* NULL: all of damos.* */
	bool (*is_met)(const struct damos_config *c);
	const char *text; /* "a quota" */
};

extern const struct damos_need damos_needs[];
extern const size_t n_damos_needs;

/* When a rule can be asked. */
enum damos_stage {
	DAMOS_STAGE_ALONE,     /* before shares and times are converted */
	DAMOS_STAGE_CONVERTED, /* after it */
};

struct damos_rule {
	const char *key; /* the one to blame */
	enum damos_stage stage;
	bool (*holds)(const struct damos_config *c);
	const char *wrong; /* "what is wrong; what would be right" */
};

extern const struct damos_rule damos_rules[];
extern const size_t n_damos_rules;

/* Does anything limit the scheme: bytes, time, a goal? */
bool damos_has_quota(const struct damos_config *c);

#endif
