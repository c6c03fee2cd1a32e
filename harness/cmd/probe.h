/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of thpbench probe. */
#ifndef CMD_PROBE_H
#define CMD_PROBE_H

#include <stdbool.h>

#include "bench/probe/probe.h"

struct probe_choice {
	const char *kernel; /* --kernel; NULL: the host's */
	const char *output; /* --output; NULL: none */
	bool is_json;
	bool is_compared;
	const struct probe **list; /* those named, or all */
	size_t n;
};

/*
 * The answers of "host", of a kernel that is booted for it ("guest", a name of
 * the cache, a path), or of a file that was kept: those that were chosen.
 * Returns 0 or an exit status, printed. answers_free() them.
 */
int probe_answers(const struct probe_choice *c, const char *from,
		  struct answers *out);

/* --compare A B */
int probe_compare(const struct probe_choice *c, const char *a, const char *b);

#endif
