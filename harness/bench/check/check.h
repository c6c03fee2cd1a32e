/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What this machine can run, and for what it cannot, why and what helps. */
#ifndef BENCH_CHECK_H
#define BENCH_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/root.h"
#include "bench/check/check_counters.h"
#include "bench/config/config.h"

/* One thing that a run needs, or is better with. */
struct check_need {
	const char *name;
	bool is_ok;
	bool is_needed; /* not ok: nothing can run without */
	char *text;     /* ok: what there is; else why it is missing */
	char *help;     /* not ok: what would help, or what is done instead */
};

struct check_arm {
	const char *label; /* the configuration's */
	char *why;         /* it cannot run here; NULL: it can */
	char *help;        /* what would help; NULL: why says it */
};

struct check {
	struct check_need *needs;
	size_t n_needs;
	struct check_arm *arms;
	size_t n_arms;
	struct check_counters counters;
};

/*
 * Look at the machine below the root. config: what it is to run; NULL: a
 * database under any arm. Programs are asked for their version; nothing is
 * written, and nothing is printed. is_probed: what DAMON can do is tried,
 * where nobody uses it, by writing to its files and putting them back.
 * check_free() it.
 */
void check_machine(const struct root *root, const struct config *config,
		   bool is_probed, struct check *out);
/* All that is needed is there, and every arm can run. */
bool check_is_ok(const struct check *c);
void check_free(struct check *c);

#endif
