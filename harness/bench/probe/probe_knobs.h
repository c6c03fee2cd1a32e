/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings that probes ask for: each probe is an arm of them. */
#ifndef BENCH_PROBE_KNOBS_H
#define BENCH_PROBE_KNOBS_H

#include "bench/config/config.h"
#include "bench/guard/journal.h"
#include "bench/probe/probe.h"
#include "bench/guard/settings.h"

struct probe_knobs {
	struct config config; /* an arm a probe, its label the probe's name */
	char **why;           /* an arm's cannot be had: the reason, or NULL */
	struct settings settings;
};

/*
 * Read the settings that these probes ask for, and journal them. One that is
 * as wanted and may not be written is left alone. A probe with "thp=" gets
 * hugepages-NkB/enabled = inherit too, where there is one. 0 or -errno,
 * printed. probe_knobs_close() it.
 */
int probe_knobs_open(const struct root *root, const struct probe *const *list,
		     size_t n, struct journal *journal,
		     struct probe_knobs *out);
/* Those of one probe hold from now on. 0, or out says why they do not. */
int probe_knobs_apply(struct probe_knobs *k, const struct root *root,
		      const struct probe *p, struct answer *out);
/* Put all back. 0 or -errno, printed. */
int probe_knobs_close(struct probe_knobs *k, const struct root *root);

/* The arm of one probe; *why (free() it) if its settings cannot be had. */
void probe_knobs_arm(const struct root *root, const struct probe *p,
		     struct arm *arm, char **why);

#endif
