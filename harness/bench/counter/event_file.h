/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An event file: which events of which CPUs count accesses and walks of the
 * TLBs. Ours are workloads/events/; their form is in thpbench-events(5).
 */
#ifndef BENCH_EVENT_FILE_H
#define BENCH_EVENT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kern/cpu_id.h"

/* Numbers from first to last. */
struct event_range {
	uint64_t first;
	uint64_t last;
};

/* CPUs: of one vendor and family, or of one implementer. */
struct event_match {
	bool is_arm;
	bool is_any; /* every CPU of the architecture */
	char vendor[32];
	uint64_t family_or_implementer;
	struct event_range *models; /* or parts */
	size_t n_models;
	struct event_range steppings; /* not on arm64 */
};

struct event_pmu {
	char *name; /* as libpfm4 calls it, where it does */
	char *title;
	struct event_match *cpus;
	size_t n_cpus;
	char *sysfs;   /* folder of a hybrid CPU's: "cpu_core"; NULL: any */
	char **tables; /* of libpfm4 to encode by, the first that it has */
	size_t n_tables;
	unsigned int line;
};

/* One event: its name in the tables, and what must come out. */
struct event_word {
	char *name;
	bool has_code;
	uint64_t code;
};

struct event_role {
	char *name;
	struct event_word *words; /* to be summed */
	size_t n;
	char *note; /* a footnote; NULL: none */
	bool is_proxy;
	unsigned int line;
};

struct event_group {
	char *name;
	char **roles; /* the first are kept where counters are short */
	size_t n;
	unsigned int line;
};

struct event_missing {
	char *role;
	char *why;
};

struct event_file {
	char *path;
	struct event_pmu *pmus;
	size_t n_pmus;
	struct event_role *roles;
	size_t n_roles;
	struct event_group *groups;
	size_t n_groups;
	struct event_missing *missing;
	size_t n_missing;
	char *note;       /* of the whole PMU; NULL: none */
	uint64_t general; /* counters that take any of the events */
	char **fixed;     /* roles that have a counter of their own */
	size_t n_fixed;
	bool is_watchdog_fixed; /* the NMI watchdog takes the cycles' own */
};

/* The table that stands for the encodings of the file itself. */
#define EVENT_RAW "raw"

/*
 * Read and check a text; name is what messages call it. 0, or -EBADMSG with
 * "name:line: what is wrong; what would be right" printed for each fault.
 */
int event_file_parse(const char *name, const char *text,
		     struct event_file *out);
/* The same for a file; -errno if it cannot be read (printed). */
int event_file_read(const char *path, struct event_file *out);
void event_file_free(struct event_file *f);

/* NULL: none of that name. */
const struct event_role *event_file_role(const struct event_file *f,
					 const char *name);

/*
 * The PMU for that CPU and folder of sysfs; NULL: none. is_any: those that
 * are for every CPU of the architecture, and no others.
 */
const struct event_pmu *event_file_find(const struct event_file *f,
					const struct cpu_id *id,
					const char *sysfs, bool is_any);

/* Does the role have a counter of its own? */
bool event_file_is_fixed(const struct event_file *f, const char *role);

#endif
