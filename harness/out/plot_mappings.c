/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the huge pages are: bars of the mappings of each arm. */
#include "base/mem.h"
#include "base/num.h"
#include "out/figure.h"
#include "out/heap.h"
#include "out/notes.h"
#include "out/plots.h"

enum { ROW_PX = 20 };

/* What is gathered while rows are added. */
struct bars {
	struct plot_list names;
	struct plot_list name_rows;
	struct plot_list shares;
	struct plot_list arms;
	struct plot_list arm_rows;
	enum figure figure;
	double row;
	size_t longest;
};

static void add_bar(struct bars *b, const struct heap *h, struct plot *p)
{
	double unit = b->figure == FIGURE_GIB ? NUM_GIB : NUM_MIB;
	auto_free char *huge = figure_text(b->figure, h->huge_bytes);
	auto_free char *rss = figure_text(b->figure, h->rss_bytes);
	auto_free char *text =
		h->rss_bytes > 0
			? xasprintf("%s of %s huge, %.1f %%", huge, rss,
				    100 * h->huge_bytes / h->rss_bytes)
			: xstrdup("nothing resident");
	const double cells[] = { ++b->row, h->rss_bytes / unit,
				 h->huge_bytes / unit };

	plot_row(p, cells, ARRAY_SIZE(cells));
	plot_list_text(&b->names, h->name);
	plot_list_number(&b->name_rows, b->row);
	plot_list_text(&b->shares, text);
	if (strlen(h->name) > b->longest)
		b->longest = strlen(h->name);
}

static void add_arm(const struct experiment *e, size_t arm, struct bars *b,
		    struct plot *p)
{
	auto_free char *title = NULL;
	struct heaps h;

	heaps_of_arm(e, arm, &h);
	if (h.n) {
		title = xasprintf("%s (n = %zu)", e->arms[arm].label, h.n_runs);
		plot_list_text(&b->arms, title);
		if (strlen(title) > b->longest)
			b->longest = strlen(title);
		plot_list_number(&b->arm_rows, ++b->row);
	} else {
		table_note(&p->notes,
			   "'%s': no counted run has a list of mappings.",
			   e->arms[arm].label);
	}
	for (size_t i = 0; i < h.n; i++)
		add_bar(b, &h.list[i], p);
	heaps_free(&h);
}

/* GiB if something is that large. */
static enum figure choose_figure(const struct experiment *e)
{
	enum figure figure = FIGURE_MIB;

	for (size_t arm = 0; arm < e->n_arms; arm++) {
		struct heaps h;

		heaps_of_arm(e, arm, &h);
		if (h.n && h.list[0].rss_bytes >= (double)NUM_GIB)
			figure = FIGURE_GIB;
		heaps_free(&h);
	}
	return figure;
}

void plots_mappings(const struct experiment *e, struct plot *p)
{
	struct bars b = { .figure = choose_figure(e) };
	auto_free char *axis = xasprintf("resident memory of the server, %s",
					 figure_unit(b.figure, ""));

	plot_set(p, "mappings when the window closed, mean over the runs",
		 "row\tresident\thuge");
	for (size_t arm = 0; arm < e->n_arms; arm++)
		add_arm(e, arm, &b, p);
	if (!b.names.n)
		plot_miss(p, "no counted run has a list of mappings");
	p->body_px = (unsigned int)(ROW_PX * (b.row + 1)) + 58;
	plot_number(p, "key_rows", 1);
	plot_number(p, "n_row", b.row);
	plot_text(p, "axis_text", axis);
	plot_list_end(p, "name", &b.names);
	plot_list_end(p, "name_row", &b.name_rows);
	plot_list_end(p, "share", &b.shares);
	plot_list_end(p, "arm", &b.arms);
	plot_list_end(p, "arm_row", &b.arm_rows);
	plot_number(p, "label_px", plot_label_px(b.longest));
	table_note(&p->notes, "Source: /proc/PID/smaps when the window closed; "
			      "huge is mapped by whole PMDs; the mean over the "
			      "counted runs (n).");
	note_thp_disable(e, &p->notes);
	note_machine(e, &p->notes);
}
