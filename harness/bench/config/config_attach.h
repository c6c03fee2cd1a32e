/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program = attach: what it takes, and what it leaves no room for. */
#ifndef BENCH_CONFIG_ATTACH_H
#define BENCH_CONFIG_ATTACH_H

#include "bench/config/config.h"
#include "bench/config/config_text.h"

/*
 * Its pid is given; it runs on the host's kernel, in a cgroup that is not
 * ours. Without a primary metric that is the memory in huge pages.
 */
void config_attach(const struct text *text, struct config *c,
		   struct faults *faults);

#endif
