/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The collectors, one file each, and what several of them share. */
#ifndef BENCH_COLLECTORS_H
#define BENCH_COLLECTORS_H

#include "bench/collect/collect.h"
#include "bench/collect/kept.h"

extern const struct collector collector_memory;
extern const struct collector collector_vmstat;
extern const struct collector collector_khugepaged;
extern const struct collector collector_mthp;
extern const struct collector collector_cgroup;
extern const struct collector collector_cpu;
extern const struct collector collector_psi;
extern const struct collector collector_mariadb;
extern const struct collector collector_damos;
extern const struct collector collector_trace;
extern const struct collector collector_counters;

/* The names of a collector's columns. */
struct columns {
	char **names;
	size_t n;
};

void columns_add(struct columns *c, char *name); /* takes the name */
void columns_free(struct columns *c);

/* A collector's state: files that hold one number each, a column each. */
struct numbers {
	struct columns columns;
	struct kept *files;
};

/* A column, if the file can be read (0 or -errno). Takes the column's name. */
int numbers_add(struct numbers *s, const struct root *root, const char *path,
		char *column);

/* For struct collector, where the state is a struct numbers. */
const char *const *numbers_columns(void *state, size_t *n);
void numbers_sample(void *state, const struct collect_target *t, double *cells);
void numbers_close(void *state);

#endif
