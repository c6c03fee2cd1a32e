/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dependencies of packages, followed through the lists of a suite. */
#ifndef BENCH_DEB_DEPENDS_H
#define BENCH_DEB_DEPENDS_H

#include <stdbool.h>

#include "bench/packages/apt.h"

struct deb_depend {
	char *name;
	bool is_alternative; /* to the one before it */
};

/*
 * The names of a Depends field, without versions and architectures; what
 * cannot be a package's name is left out. free() each name and the list.
 */
struct deb_depend *deb_depends_parse(const char *field, size_t *n);
void deb_depends_free(struct deb_depend *list, size_t n);

/*
 * A package and all that it depends on as far as wants() takes names, each
 * once, in the order in which they were met. -ENOENT (silent) if the suite
 * has no such package; else 0 or -errno, printed. deb822_free() it.
 */
int deb_closure(const struct apt *apt, const char *name,
		bool (*wants)(const char *name, void *arg), void *arg,
		struct deb822 *out);

#endif
