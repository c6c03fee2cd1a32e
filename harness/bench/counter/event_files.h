/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All event files: the user's folder first, then ours. */
#ifndef BENCH_EVENT_FILES_H
#define BENCH_EVENT_FILES_H

#include "bench/counter/event_file.h"

struct event_files {
	struct event_file *list;
	size_t n;
};

/*
 * Read every *.ini of the folder (NULL: none) and of ours, by name. 0;
 * -EBADMSG if one is bad, -errno if one cannot be read (printed).
 * event_files_free() it.
 */
int event_files_read(const char *folder, struct event_files *out);
void event_files_free(struct event_files *files);

/*
 * The first PMU that is for the CPU and the folder of sysfs; one that is for
 * every CPU of the architecture only where no other is. NULL: none.
 */
const struct event_pmu *event_files_find(const struct event_files *files,
					 const struct cpu_id *id,
					 const char *sysfs,
					 const struct event_file **file);

#endif
