/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which mappings of the server are huge at the end of the window. */
#include <stdlib.h>

#include "base/mem.h"
#include "out/figure.h"
#include "out/notes.h"
#include "out/tables.h"

/* Mappings of one name, summed over all runs. */
struct heap {
	const char *name;
	double size_bytes;
	double rss_bytes;
	double huge_bytes;
};

struct heaps {
	struct heap *list;
	size_t n;
	size_t n_runs;
};

static struct heap *find(struct heaps *h, const char *name)
{
	for (size_t i = 0; i < h->n; i++)
		if (str_eq(h->list[i].name, name))
			return &h->list[i];
	XGROW(h->list, h->n);
	h->list[h->n] = (struct heap){ .name = name };
	return &h->list[h->n++];
}

static void add_mapping(struct heap *to, const struct mapping *m)
{
	to->size_bytes += (double)m->size_bytes;
	to->rss_bytes += (double)m->rss_bytes;
	to->huge_bytes += (double)m->huge_bytes;
}

static void collect(const struct experiment *e, size_t arm, struct heaps *h)
{
	for (size_t i = 0; i < e->n_runs; i++) {
		const struct run *run = &e->runs[i];

		if (run->arm != arm || !notes_run_counts(run) || !run->at_end.n)
			continue;
		h->n_runs++;
		for (size_t j = 0; j < run->at_end.n; j++)
			add_mapping(find(h, run->at_end.list[j].name),
				    &run->at_end.list[j]);
	}
}

static int by_rss(const void *a, const void *b)
{
	const struct heap *x = a;
	const struct heap *y = b;

	if (x->rss_bytes < y->rss_bytes || x->rss_bytes > y->rss_bytes)
		return x->rss_bytes < y->rss_bytes ? 1 : -1;
	return strcmp(x->name, y->name);
}

static void add_row(struct table *t, const char *arm, const struct heap *h,
		    const char *name, size_t n_runs)
{
	const double bytes[] = { h->size_bytes, h->rss_bytes, h->huge_bytes };

	table_cell(t, "%s", arm);
	table_cell(t, "%s", name);
	for (size_t i = 0; i < ARRAY_SIZE(bytes); i++) {
		auto_free char *text =
			figure_text(FIGURE_MIB, bytes[i] / (double)n_runs);

		table_cell(t, "%s", text);
	}
	if (h->rss_bytes > 0)
		table_cell(t, "%.2f", 100 * h->huge_bytes / h->rss_bytes);
	else
		table_missing(t, "nothing of it is resident");
}

/* Large ones, and all with huge pages; the rest as one row. */
static void add_arm(const struct experiment *e, size_t arm, struct table *t)
{
	const char *label = e->arms[arm].label;
	struct heaps h = { 0 };
	struct heap rest = { 0 };
	double total = 0;
	size_t n_rest = 0;

	collect(e, arm, &h);
	if (!h.n_runs) {
		table_note(t, "'%s': no counted run has a list of mappings.",
			   label);
		return;
	}
	qsort(h.list, h.n, sizeof(*h.list), by_rss);
	for (size_t i = 0; i < h.n; i++)
		total += h.list[i].rss_bytes;
	for (size_t i = 0; i < h.n; i++) {
		const struct heap *one = &h.list[i];

		if (one->huge_bytes > 0 || one->rss_bytes > 0.01 * total) {
			add_row(t, label, one, one->name, h.n_runs);
			continue;
		}
		rest.size_bytes += one->size_bytes;
		rest.rss_bytes += one->rss_bytes;
		n_rest++;
	}
	if (n_rest) {
		auto_free char *name =
			xasprintf("%zu other%s", n_rest, n_rest > 1 ? "s" : "");

		add_row(t, label, &rest, name, h.n_runs);
	}
	free(h.list);
}

void tables_mappings(const struct experiment *e, struct table *t)
{
	table_column(t, "arm", "", true);
	table_column(t, "mapping", "", true);
	table_column(t, "size", "MiB", false);
	table_column(t, "resident", "MiB", false);
	table_column(t, "huge", "MiB", false);
	table_column(t, "share", "%", false);
	t->is_grouped = true;
	for (size_t arm = 0; arm < e->n_arms; arm++)
		add_arm(e, arm, t);
	note_runs(e, t);
	table_note(t, "Estimator: the mean over the counted runs, mappings of "
		      "one name summed; share is huge in %% of resident.");
	table_note(t, "Others: no huge pages, and at most 1 %% of what is "
		      "resident, each.");
	table_note(t, "Source: /proc/PID/smaps of the server when the window "
		      "closed; huge is mapped by whole PMDs.");
	note_thp_disable(e, t);
}
