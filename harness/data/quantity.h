/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A figure as people and other tools print it: "(I) -12.13%", "2.38 GB". */
#ifndef DATA_QUANTITY_H
#define DATA_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

struct quantity {
	double number;
	double half; /* half a unit of its last printed digit */
	bool is_percent;
	char unit[24]; /* what follows it directly: "GB", "usec"; "" if none */
	char mark;     /* 'I' 'R' of Fastpath, '*' of mmtests; 0: none */
	/* A percentage beside it: "31788.42 ( -18.13%)", "1.2 ( +- 0.47% )". */
	bool has_aside;
	double aside;
	double aside_half;
};

/*
 * Read the figure that a text begins with, after blanks and a mark. Thousands
 * may be parted by commas. False if there is none, or if what follows it makes
 * it part of a word ("10.5.29", "4k-pages", "3rd"); n gets how many bytes were
 * read, if it is not NULL.
 */
bool quantity_parse(const char *text, struct quantity *out, size_t *n);

/* Is it printed as a whole number? */
bool quantity_is_whole(const struct quantity *q);

/* The word is a unit: of time, size, rate, share or count. */
bool quantity_is_unit(const char *word);

#endif
