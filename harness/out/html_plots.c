/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plots of an HTML report: drawn into a folder that is gone afterwards. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/tree.h"
#include "out/draw.h"
#include "out/html.h"

static char *read_drawn(const char *dir, const char *name, const char *ending)
{
	auto_free char *path = xasprintf("%s/%s.%s", dir, name, ending);
	char *text = NULL;
	int ret = file_read(path, &text, NULL);

	if (ret < 0)
		fail(ret, "%s", path);
	return text;
}

static void add_absence(const char *name, const char *why, struct str *out)
{
	str_add(out, "<p class=\"absent\">");
	html_text(out, name);
	str_add(out, ": not made: ");
	html_text(out, why);
	str_add(out, "</p>\n");
}

/* "plot-tps"; "plot-tps-2" on a page where another experiment has that one. */
static char *free_id(const char *name, const struct str *out)
{
	for (int n = 1;; n++) {
		auto_free char *id = n > 1 ? xasprintf("plot-%s-%d", name, n)
					   : xasprintf("plot-%s", name);
		auto_free char *there = xasprintf("<figure id=\"%s\">", id);

		if (!strstr(out->text, there))
			return xstrdup(id);
	}
}

static void add_figure(const struct plot_maker *maker, const char *dir,
		       struct str *out)
{
	auto_free char *svg = read_drawn(dir, maker->name, "svg");
	auto_free char *data = read_drawn(dir, maker->name, "tsv");
	auto_free char *file = xasprintf("%s.tsv", maker->name);
	auto_free char *prefix = free_id(maker->name, out);

	if (!svg || !data) {
		add_absence(maker->name, err_last(), out);
		return;
	}
	str_addf(out, "<figure id=\"%s\">\n", prefix);
	html_svg(out, svg, prefix);
	str_add(out, "<figcaption>");
	html_download(out, file, "text/tab-separated-values", data);
	str_add(out, "</figcaption>\n</figure>\n");
}

static void add_plot(const struct experiment *e, const struct plot_maker *maker,
		     const char *dir, struct str *out)
{
	auto_free char *why = NULL;
	int ret = draw_plot(e, maker, dir, DRAW_SVG, &why);

	if (ret > 0)
		add_figure(maker, dir, out);
	else
		add_absence(maker->name, ret < 0 ? err_last() : why, out);
}

/* A folder of our own for what gnuplot reads and writes; NULL (printed). */
static char *make_folder(void)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = xasprintf("%s/thpbench-plots-XXXXXX",
			      tmp && *tmp ? tmp : "/tmp");

	if (mkdtemp(dir))
		return dir;
	fail(-errno, "report: %s", dir);
	free(dir);
	return NULL;
}

void html_plots(const struct experiment *e, struct str *out)
{
	auto_free char *gnuplot = proc_find_program("gnuplot");
	auto_free char *dir = NULL;
	struct stop stop;

	str_add(out, "<section class=\"plots\">\n<h2>plots</h2>\n");
	if (!gnuplot) {
		warn("report: no plots, as there is no gnuplot; apt-get "
		     "install gnuplot-nox");
		str_add(out, "<p class=\"absent\">None: there was no gnuplot "
			     "(gnuplot-nox).</p>\n</section>\n");
		return;
	}
	stop_hold(&stop);
	dir = make_folder();
	for (size_t i = 0; dir && i < n_plot_makers && !stop_asked(); i++)
		add_plot(e, &plot_makers[i], dir, out);
	if (dir)
		tree_remove(dir);
	else
		str_add(out, "<p class=\"absent\">None: no folder to draw "
			     "in.</p>\n");
	stop_release(&stop);
	str_add(out, "</section>\n");
}
