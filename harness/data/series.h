/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams of numbers as text: samples.tsv, sysbench.tsv. */
#ifndef DATA_SERIES_H
#define DATA_SERIES_H

#include <stddef.h>

#include "data/record.h"

/*
 * Read n bytes of a stream: a header that begins with "t_s", then rows. The
 * column "phase" is text and left out. "-", an empty cell and whatever is no
 * number become NAN. Left out are a last line without its newline (a write
 * cut short), a row that is shorter than the header, one whose time is no
 * number, and lines that begin with '#'. Cells beyond the header are ignored.
 * Returns 0 (an empty text gives an empty series), or -EPROTO if the header
 * is another. Free it with series_free().
 */
int series_parse(const char *text, size_t n, struct series *out);
void series_free(struct series *s); /* and empties it */

#endif
