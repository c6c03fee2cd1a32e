/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The [claim "..."] sections of a configuration. */
#ifndef BENCH_CONFIG_CLAIM_H
#define BENCH_CONFIG_CLAIM_H

#include "bench/config/config.h"
#include "bench/config/config_text.h"

/*
 * Read all claims into c->claims, when c->arms are read: each names a metric
 * and an arm that are there, and an expectation (data/expect.h).
 */
void config_claims(const struct text *text, struct config *c,
		   struct faults *faults);

/* "KEY = LABEL: no such arm", with the nearest. */
void config_say_no_arm(const struct config *c, const struct text_key *k,
		       const char *label, struct faults *faults);

#endif
