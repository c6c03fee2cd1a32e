/* SPDX-License-Identifier: GPL-3.0-or-later */
/* khugepaged: huge pages that it made, and scans over all memory. */
#include <string.h>

#include "base/mem.h"
#include "bench/collect/collectors.h"
#include "data/column.h"

#define DIR "sys/kernel/mm/transparent_hugepage/khugepaged"

static const struct {
	const char *path;
	const char *column;
} files[] = {
	{ DIR "/pages_collapsed", COL_KH_COLLAPSED },
	{ DIR "/full_scans", COL_KH_SCANS },
};

static void *khugepaged_open(const struct collect_target *t, char **source,
			     char **why)
{
	struct numbers *s = xcalloc(1, sizeof(*s));
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		int err = numbers_add(s, t->root, files[i].path,
				      xstrdup(files[i].column));

		ret = ret ? ret : err;
	}
	if (!s->columns.n) {
		*why = xasprintf("/%s: %s: a kernel without transparent huge "
				 "pages?",
				 files[0].path, strerror(-ret));
		numbers_close(s);
		return NULL;
	}
	*source = xstrdup("/" DIR);
	return s;
}

const struct collector collector_khugepaged = {
	.name = "khugepaged",
	.help = "huge pages by khugepaged, and its scans",
	.open = khugepaged_open,
	.columns = numbers_columns,
	.sample = numbers_sample,
	.close = numbers_close,
	.none = "its files gave no number",
};
