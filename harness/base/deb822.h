/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paragraphs of "Name: value" lines: deb822(5). */
#ifndef BASE_DEB822_H
#define BASE_DEB822_H

#include "base/facts.h"

struct deb822 {
	struct facts *list; /* a paragraph: names in lower case */
	size_t n;
};

/*
 * A value of more lines has them with '\n' between them and without the
 * blank before each; a line of " ." is an empty one. Lines that begin with
 * '#' are comments. 0, or -EPROTO for a line that is no field (silent).
 * deb822_free() it.
 */
int deb822_parse(const char *text, struct deb822 *out);
void deb822_free(struct deb822 *d);

#endif
