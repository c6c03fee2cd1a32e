/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the sections of a text to the fields of a configuration. */
#ifndef BENCH_CONFIG_CHECK_H
#define BENCH_CONFIG_CHECK_H

#include "bench/config/config.h"
#include "bench/config/config_text.h"

/* Sections that are unknown, there twice, or labelled where none may be. */
void config_check_sections(const struct text *text, struct faults *faults);

/*
 * Read all sections but the arms, fill in the defaults, and say which keys
 * mean nothing beside the others.
 */
void config_fill(const struct text *text, struct config *c,
		 struct faults *faults);

/* Keys of one section that set the same thing. */
void config_check_twice(const struct text_section *s, struct faults *faults);

/*
 * Keys of one section that mean nothing beside what c says, or that the
 * harness gives itself.
 */
void config_check_needs(const struct text_section *s, const struct config *c,
			struct faults *faults);

/* What no single key can tell: baseline, window, interval. */
void config_check_whole(const struct text *text, struct config *c,
			struct faults *faults);

#endif
