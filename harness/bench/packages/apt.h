/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Packages of any suite of the distribution, by this machine's own apt and
 * as whoever we are: with lists, cache and sources of our own, and nothing
 * installed. apt checks the signatures.
 */
#ifndef BENCH_APT_H
#define BENCH_APT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/deb822.h"

struct apt {
	char *suite;
	char *arch; /* Debian's word: "amd64", "arm64" */
	char *dir;  /* lists, cache and configuration of this suite */
	char *conf; /* the configuration that apt is called with */
	void (*tell)(const char *what);
};

/* All return 0 or -errno, printed; -ENOTSUP: apt cannot, and why. */

/* This machine's architecture as dpkg calls it. free() it. */
int apt_own_arch(char **arch);

/*
 * Get the lists of a suite, with its fixes where it has a suite for them.
 * They are kept below dir, so that the next time less is fetched. tell may be
 * NULL. apt_close() it.
 */
int apt_open(const char *dir, const char *suite, const char *arch,
	     void (*tell)(const char *what), struct apt *out);
void apt_close(struct apt *apt);

/* The names of packages that begin so, in no order; facts of no value. */
int apt_names(const struct apt *apt, const char *prefix, struct facts *out);

/*
 * What the lists say of packages: a paragraph each, of the newest version, in
 * no order. Names that are not there are left out; none is no error.
 */
int apt_show(const struct apt *apt, const char *const *names, size_t n,
	     struct deb822 *out);

/*
 * Download a package and unpack it into a folder, which is there. Told with
 * its size before.
 */
int apt_unpack(const struct apt *apt, const struct facts *package,
	       const char *into);

/* Unpack a .deb file. */
int deb_unpack(const char *path, const char *into);

/* The control fields of a .deb file. facts_free() them. */
int deb_fields(const char *path, struct facts *out);

/* Is a package of this name installed here? */
bool deb_is_installed(const char *name);

/* "name=version" of each, with blanks between them. free() it. */
char *deb_list_text(const struct deb822 *packages);

/* What a package takes unpacked, and besides while it is fetched. */
uint64_t deb_room_bytes(const struct facts *package);

#endif
