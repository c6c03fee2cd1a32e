/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/heap.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "out/notes.h"

static struct heap *add_heap(struct heaps *h, char *name)
{
	XGROW(h->list, h->n);
	h->list[h->n] = (struct heap){ .name = name };
	return &h->list[h->n++];
}

static struct heap *find(struct heaps *h, const char *name)
{
	for (size_t i = 0; i < h->n; i++)
		if (str_eq(h->list[i].name, name))
			return &h->list[i];
	return add_heap(h, xstrdup(name));
}

static void add(struct heap *to, double size, double rss, double huge)
{
	to->size_bytes += size;
	to->rss_bytes += rss;
	to->huge_bytes += huge;
}

/* Sums over all runs. */
static void collect(const struct experiment *e, size_t arm, struct heaps *h)
{
	for (size_t i = 0; i < e->n_runs; i++) {
		const struct run *run = &e->runs[i];

		if (run->arm != arm || !notes_run_counts(run) || !run->at_end.n)
			continue;
		h->n_runs++;
		for (size_t j = 0; j < run->at_end.n; j++) {
			const struct mapping *m = &run->at_end.list[j];

			add(find(h, m->name), (double)m->size_bytes,
			    (double)m->rss_bytes, (double)m->huge_bytes);
		}
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

/* Move all small ones into one; a mean of the sums. */
static void reduce(const struct heaps *all, struct heaps *out)
{
	double n = (double)all->n_runs;
	struct heap rest = { 0 };
	double total = 0;
	size_t n_rest = 0;

	for (size_t i = 0; i < all->n; i++)
		total += all->list[i].rss_bytes;
	for (size_t i = 0; i < all->n; i++) {
		const struct heap *one = &all->list[i];
		bool is_large =
			one->huge_bytes > 0 || one->rss_bytes > 0.01 * total;

		n_rest += !is_large;
		add(is_large ? add_heap(out, xstrdup(one->name)) : &rest,
		    one->size_bytes / n, one->rss_bytes / n,
		    one->huge_bytes / n);
	}
	if (n_rest) {
		rest.name =
			xasprintf("%zu other%s", n_rest, n_rest > 1 ? "s" : "");
		XGROW(out->list, out->n);
		out->list[out->n++] = rest;
	}
	out->n_runs = all->n_runs;
}

void heaps_of_arm(const struct experiment *e, size_t arm, struct heaps *out)
{
	struct heaps all = { 0 };

	*out = (struct heaps){ 0 };
	collect(e, arm, &all);
	if (all.n)
		qsort(all.list, all.n, sizeof(*all.list), by_rss);
	if (all.n_runs)
		reduce(&all, out);
	heaps_free(&all);
}

void heaps_free(struct heaps *h)
{
	for (size_t i = 0; i < h->n; i++)
		free(h->list[i].name);
	free(h->list);
	*h = (struct heaps){ 0 };
}
