/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which mappings of the server are huge at the end of the window. */
#include "base/mem.h"
#include "out/figure.h"
#include "out/heap.h"
#include "out/notes.h"
#include "out/tables.h"

static void add_row(struct table *t, const char *arm, const struct heap *h)
{
	const double bytes[] = { h->size_bytes, h->rss_bytes, h->huge_bytes };

	table_cell(t, "%s", arm);
	table_cell(t, "%s", h->name);
	for (size_t i = 0; i < ARRAY_SIZE(bytes); i++) {
		auto_free char *text = figure_text(FIGURE_MIB, bytes[i]);

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
	struct heaps h;

	heaps_of_arm(e, arm, &h);
	if (!h.n_runs)
		table_note(t, "'%s': no counted run has a list of mappings.",
			   label);
	for (size_t i = 0; i < h.n; i++)
		add_row(t, label, &h.list[i]);
	heaps_free(&h);
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
