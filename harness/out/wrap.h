/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines for mail: ASCII, narrow, and nothing that git or an mbox cuts off. */
#ifndef OUT_WRAP_H
#define OUT_WRAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

enum { WRAP_WIDTH = 72 };

/*
 * A text of UTF-8 as printable ASCII on one line: a sign that has a close
 * form is replaced by it, every other by '?', white space by a blank.
 * free() it.
 */
char *wrap_ascii(const char *text);

/*
 * How many characters of text make the next line of at most width (> 0): up
 * to a blank, behind a '/' or ',', else cut hard. *skip gets how many blanks
 * come after it.
 */
size_t wrap_take(const char *text, size_t width, size_t *skip);

/*
 * Would a line that begins so be lost or misread? '#' in column 1 (commit
 * messages), "---" and "diff -" and "Index: " (git am takes what follows for
 * the patch, see mailinfo), "From " (mbox), '>' (a quotation).
 */
bool wrap_is_unsafe(const char *line);

/*
 * Add a paragraph of ASCII text: first in front of its first line, rest in
 * front of the others. A line that would be unsafe is moved by one column.
 */
void wrap_add(struct str *out, const char *text, const char *first,
	      const char *rest);

#endif
