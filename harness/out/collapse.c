/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What MADV_COLLAPSE did with the mappings of the server, from the events. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "out/figure.h"
#include "out/notes.h"
#include "out/tables.h"

/*
 * An event reads, as bench/run/action.c writes it:
 *   START-END NAME: N ranges, N collapsed, N empty, N busy, N without memory,
 *   N refused: WHY; ...
 */
static const char *const counts[] = {
	" ranges", " collapsed",      " empty",
	" busy",   " without memory", " refused",
};

enum { N_COUNTS = ARRAY_SIZE(counts) };

/* Mappings of one name, summed over the runs of an arm. */
struct outcome {
	char *name;
	double n[N_COUNTS];
	char *why; /* of the last refusal; NULL: none */
};

struct outcomes {
	struct outcome *list;
	size_t n;
	size_t n_runs;
};

/* The last number before a word, and *text behind the word. */
static bool take_count(const char **text, const char *word, double *n)
{
	const char *end = strstr(*text, word);
	const char *start = end;
	uint64_t number;

	while (start && start > *text && start[-1] >= '0' && start[-1] <= '9')
		start--;
	if (!end || num_scan_u64(&start, &number) || start != end)
		return false;
	*n = (double)number;
	*text = end + strlen(word);
	return true;
}

/* The ": " before the first count: a name may hold one too. NULL: none. */
static const char *end_of_name(const char *name)
{
	const char *end = strstr(name, counts[0]);

	while (end && end > name && end[-1] >= '0' && end[-1] <= '9')
		end--;
	return end && end - name > 2 && str_starts(end - 2, ": ") ? end - 2
								  : NULL;
}

/* Returns false for what does not read like that. one->name, why: free(). */
static bool parse(const char *detail, struct outcome *one)
{
	const char *name = strchr(detail, ' ');
	const char *end = name ? end_of_name(name) : NULL;
	const char *text = end;
	const char *slash;

	if (!end)
		return false;
	for (size_t i = 0; i < N_COUNTS; i++)
		if (!take_count(&text, counts[i], &one->n[i]))
			return false;
	slash = memrchr(name, '/', (size_t)(end - name));
	name = slash ? slash : name;
	one->name = xstrndup(name + 1, (size_t)(end - name - 1));
	if (str_starts(text, ": "))
		one->why = xstrndup(text + 2, strcspn(text + 2, ";"));
	return true;
}

/* Takes the texts of one. */
static void add(struct outcomes *o, struct outcome *one)
{
	struct outcome *sum = NULL;

	for (size_t i = 0; i < o->n && !sum; i++)
		if (str_eq(o->list[i].name, one->name))
			sum = &o->list[i];
	if (!sum) {
		XGROW(o->list, o->n);
		o->list[o->n++] = *one;
		return;
	}
	for (size_t i = 0; i < N_COUNTS; i++)
		sum->n[i] += one->n[i];
	free(one->name);
	if (one->why) {
		free(sum->why);
		sum->why = one->why;
	}
}

static void add_run(struct outcomes *o, const struct run *run)
{
	bool any = false;

	for (size_t i = 0; i < run->n_events; i++) {
		struct outcome one = { 0 };

		if (str_eq(run->events[i].name, "collapse") &&
		    parse(run->events[i].detail, &one)) {
			add(o, &one);
			any = true;
		}
	}
	o->n_runs += any;
}

static void add_row(struct table *t, const char *label,
		    const struct outcome *one, size_t n_runs)
{
	table_cell(t, "%s", label);
	table_cell(t, "%s", one->name);
	for (size_t i = 0; i < N_COUNTS; i++) {
		auto_free char *text =
			figure_text(FIGURE_COUNT, one->n[i] / (double)n_runs);

		table_cell(t, "%s", text);
	}
	table_cell(t, "%s", one->why ? one->why : "-");
}

static void add_arm(const struct experiment *e, size_t arm, struct table *t)
{
	struct outcomes o = { 0 };

	for (size_t i = 0; i < e->n_runs; i++)
		if (e->runs[i].arm == arm && notes_run_counts(&e->runs[i]))
			add_run(&o, &e->runs[i]);
	for (size_t i = 0; i < o.n; i++) {
		add_row(t, e->arms[arm].label, &o.list[i], o.n_runs);
		free(o.list[i].name);
		free(o.list[i].why);
	}
	free(o.list);
}

void tables_collapse(const struct experiment *e, struct table *t)
{
	static const char *const titles[] = {
		"ranges", "collapsed", "empty", "busy", "no memory", "refused",
	};

	table_column(t, "arm", "", true);
	table_column(t, "mapping", "", true);
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++)
		table_column(t, titles[i], "", false);
	table_column(t, "why refused", "", true);
	t->is_grouped = true;
	for (size_t arm = 0; arm < e->n_arms; arm++)
		add_arm(e, arm, t);
	if (!t->n_cells)
		table_note(t, "No counted run has collapsed by madvise.");
	note_runs(e, t);
	table_note(t,
		   "Unit: ranges of one huge page; the mean over the counted "
		   "runs, mappings of one name summed. Empty: nothing of it "
		   "was resident.");
	table_note(t, "Source: results of process_madvise(MADV_COLLAPSE) when "
		      "settling starts; the last reason of a refusal.");
	note_thp_disable(e, t);
}
