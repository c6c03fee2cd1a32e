/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Huge pages of each size (Linux 6.8 and later): how many there are, came by
 * a page fault, were split. AnonHugePages knows the PMD's size alone.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/collect/collectors.h"

#define DIR "sys/kernel/mm/transparent_hugepage"
#define PREFIX "hugepages-"

/* Documentation/admin-guide/mm/transhuge.rst, "Monitoring usage". */
static const char *const stats[] = { "nr_anon", "anon_fault_alloc", "split" };

static uint64_t size_of(const char *dir)
{
	const char *text = dir + strlen(PREFIX);
	uint64_t kb = 0;

	num_scan_u64(&text, &kb);
	return kb;
}

static int by_size(const void *a, const void *b)
{
	uint64_t x = size_of(*(char *const *)a);
	uint64_t y = size_of(*(char *const *)b);

	return (x > y) - (x < y);
}

static void add_size(struct numbers *s, const struct root *root,
		     const char *dir)
{
	for (size_t i = 0; i < ARRAY_SIZE(stats); i++) {
		auto_free char *path =
			xasprintf(DIR "/%s/stats/%s", dir, stats[i]);

		numbers_add(s, root, path,
			    xasprintf("mthp_%s_%s", dir + strlen(PREFIX),
				      stats[i]));
	}
}

static void *mthp_open(const struct collect_target *t, char **source,
		       char **why)
{
	struct numbers *s = xcalloc(1, sizeof(*s));
	char **names = NULL;
	size_t n = 0;
	size_t n_sizes = 0;

	root_list(t->root, DIR, &names, &n);
	for (size_t i = 0; i < n; i++) {
		char *name = names[i];

		if (!str_starts(name, PREFIX))
			continue;
		names[i] = names[n_sizes];
		names[n_sizes++] = name;
	}
	if (n_sizes)
		qsort(names, n_sizes, sizeof(*names), by_size);
	for (size_t i = 0; i < n_sizes; i++)
		add_size(s, t->root, names[i]);
	root_list_free(names, n);
	if (!s->columns.n) {
		*why = xstrdup("no /" DIR "/" PREFIX
			       "*kB/stats: needs Linux 6.8 or later");
		numbers_close(s);
		return NULL;
	}
	*source = xstrdup("/" DIR "/" PREFIX "*kB/stats");
	return s;
}

const struct collector collector_mthp = {
	.name = "mthp",
	.help = "huge pages of each size",
	.open = mthp_open,
	.columns = numbers_columns,
	.sample = numbers_sample,
	.close = numbers_close,
	.none = "its files gave no number",
};
