/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The [arm ...] sections of a configuration. */
#ifndef BENCH_CONFIG_ARM_H
#define BENCH_CONFIG_ARM_H

#include "bench/config/config.h"
#include "bench/config/config_text.h"

/* Read all arms into c->arms; labels and settings that occur twice are
 * faults. */
void config_arms(const struct text *text, struct config *c,
		 struct faults *faults);
/*
 * With aa = yes: add the arm CONFIG_AA, read from the baseline's section once
 * more. An arm of that label is a fault.
 */
void config_repeat_baseline(const struct text *text, struct config *c,
			    struct faults *faults);
/* It asks for no knob any more. */
void arm_drop_knobs(struct arm *arm);
/* What it holds, not itself. */
void arm_free(struct arm *arm);

#endif
