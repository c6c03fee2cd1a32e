/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mappings of a server by their names, a mean over the runs of an arm. */
#ifndef OUT_HEAP_H
#define OUT_HEAP_H

#include "data/record.h"

/* Mappings of one name. */
struct heap {
	char *name;
	double size_bytes;
	double rss_bytes;
	double huge_bytes;
};

struct heaps {
	struct heap *list;
	size_t n;
	size_t n_runs; /* counted runs that have a list of mappings */
};

/*
 * Those of an arm when the window closed, the largest first. What has no huge
 * pages and at most 1 % of what is resident comes last, as one: "12 others".
 * heaps_free() it.
 */
void heaps_of_arm(const struct experiment *e, size_t arm, struct heaps *out);
void heaps_free(struct heaps *h);

#endif
