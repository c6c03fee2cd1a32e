/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of bench/packages/apt.h among themselves. */
#ifndef BENCH_APT_PARTS_H
#define BENCH_APT_PARTS_H

#include "bench/packages/apt.h"

void apt_tell(const struct apt *apt, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The sources of this machine (apt_sources.h). 0 or -errno, printed. */
int apt_machine_sources(struct deb822 *out);
/* "bookworm"; "" if the machine does not say. free() it. */
char *apt_machine_codename(void);

/*
 * Keyrings of the suite's release in the folder of those that an entry names,
 * with blanks between them. free() it.
 */
char *apt_keyrings_beside(const struct facts *entry, const char *suite);

/*
 * Run a program in English within a limit; stdout to *out (NULL: nobody),
 * stderr to the file log. dir: where; NULL: here. Returns its exit status, or
 * -errno, printed.
 */
struct apt_call {
	const char *const *argv;
	const char *dir;
	const char *log;
	uint64_t limit_ns;
};
int apt_call(const struct apt_call *call, char **out);

/*
 * What apt complained of in its log: the line that says most, without its
 * "E: "; "" if there is none. free() it.
 */
char *apt_complaint(const char *log_text);

#endif
