/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report as one HTML file that needs no network and no script: tables, plots
 * as inline SVG, and the raw numbers as links that hold their data.
 */
#ifndef OUT_HTML_H
#define OUT_HTML_H

#include "base/str.h"
#include "data/record.h"

/* Text as HTML has it; white space and signs of control become a blank. */
void html_text(struct str *out, const char *text);

/* A link that saves text as a file of that name; type: "text/csv". */
void html_download(struct str *out, const char *file, const char *type,
		   const char *text);

/* Head and foot of the page. */
void html_begin(struct str *out);
void html_end(struct str *out);

/*
 * All plots that can be made, by gnuplot; where one cannot, the reason. Errors
 * are printed and said on the page too.
 */
void html_plots(const struct experiment *e, struct str *out);

/* Links to the values of every run, to the whole as JSON, the configuration. */
void html_downloads(const struct experiment *e, struct str *out);

/*
 * And to the tables of all runs, second by second, as HTML_RAW; where they are
 * too many for a page, or cannot be packed, a line that says so.
 */
#define HTML_RAW "runs.tar.gz"
void html_raw(const struct experiment *e, struct str *out);

/*
 * Add a picture of gnuplot's; its ids get prefix in front, so that several
 * fit on one page.
 */
void html_svg(struct str *out, const char *svg, const char *prefix);

#endif
