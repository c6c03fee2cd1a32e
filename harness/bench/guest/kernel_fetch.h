/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Get a kernel into the cache (kernels.h): from a suite, or from files. */
#ifndef BENCH_KERNEL_FETCH_H
#define BENCH_KERNEL_FETCH_H

#include <stdbool.h>

#include "bench/guest/kernels.h"

/* What is asked for: one of suite, deb and image is set. */
struct kernel_spec {
	char *suite;
	char *pattern; /* of the release, or a package; NULL: the newest */
	char *deb;     /* a file */
	char *image;   /* a file */
};

/* Where kernels come from if nobody says. */
extern const char kernel_default_suite[];

/*
 * SUITE | SUITE/PATTERN | PACKAGE | FILE.deb | IMAGE; "": the default. What
 * is a file here is one. 0, or -EINVAL (printed) for what is none of these.
 * kernel_spec_free() it.
 */
int kernel_spec_parse(const char *text, struct kernel_spec *out);
void kernel_spec_free(struct kernel_spec *spec);

/*
 * Does a release ("7.2.12+deb13-cloud-amd64") match: a pattern of fnmatch(3),
 * or the start of it up to a sign that is no digit?
 */
bool kernel_release_matches(const char *release, const char *pattern);

struct kernel_fetch {
	const struct kernel_spec *spec;
	const char *arch;    /* "amd64", "arm64" */
	const char *modules; /* a folder, for an image; NULL: none */
	void (*tell)(const char *what);
};

/*
 * Get it; what is there already stays. *was_there: it was. 0 or -errno,
 * printed: -ENOENT no such suite or kernel, -ENOTSUP apt cannot, -ENOSPC.
 * kernel_free() *out.
 */
int kernel_fetch(const struct kernel_fetch *fetch, struct kernel *out,
		 bool *was_there);

#endif
