/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where this machine gets its packages from, and the same places for another
 * suite of the distribution: sources.list(5), both of its forms.
 */
#ifndef BENCH_APT_SOURCES_H
#define BENCH_APT_SOURCES_H

#include <stdbool.h>

#include "base/deb822.h"

/* Which of the machine's places a suite is looked for in. */
enum apt_place {
	APT_MAIN,
	APT_SECURITY,
};

/* What there is beside a suite, by its name: data of one table. */
struct apt_suite_kind {
	enum apt_place place;
	bool has_security; /* a suite of fixes beside it */
};

struct apt_suite_kind apt_suite_kind(const char *suite);

/* May it be a suite's name: letters, digits, '-', '.', '/'? */
bool apt_is_suite_name(const char *text);

/*
 * Add the entries of a file of sources to *out, as fields of deb822: uris,
 * suites, components, signed-by. Left out are disabled ones, those of source
 * packages, and what apt could not sign-check. name: its file's, which ends
 * in ".sources" or ".list"; others are no sources. 0, or -EPROTO (silent).
 */
int apt_sources_parse(const char *name, const char *text, struct deb822 *out);

/*
 * Is this an entry that has the distribution of that codename ("bookworm"; ""
 * if not known) in this place?
 */
bool apt_source_is(const struct facts *entry, const char *codename,
		   enum apt_place place);

/*
 * The entry as a paragraph, with another suite. keyrings: files to trust
 * besides, with blanks between them, where the entry names files. free() it.
 */
char *apt_source_text(const struct facts *entry, const char *suite,
		      const char *keyrings);

#endif
