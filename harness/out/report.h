/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that `report` prints of one result folder. */
#ifndef OUT_REPORT_H
#define OUT_REPORT_H

#include "out/table.h"

/*
 * The tables asked for, by their place in table_makers; n == 0: all of them.
 * As text and Markdown a header with title, machine and configuration comes
 * first, what is to be doubted last; as HTML plots and raw numbers too, where
 * all tables are asked for. As JSON the experiment as an object; the
 * tables asked for are in it.
 */
void report_print(const struct experiment *e, const size_t *tables, size_t n,
		  enum table_format format, struct str *out);

/* The folders one after another: as JSON an array if there are several. */
void report_begin(size_t n_experiments, enum table_format format,
		  struct str *out);
void report_between(enum table_format format, struct str *out);
void report_end(size_t n_experiments, enum table_format format,
		struct str *out);

/*
 * "text", "markdown", "csv", "html", "json". -1 if it is none of them. The
 * names in the order of the enum, for messages.
 */
int report_format_parse(const char *word);
extern const char *const report_formats[];
extern const size_t n_report_formats;

#endif
