/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The regions that a scheme was last tried on, for those who ask for them. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/damos/damos_parts.h"

static const char *const fields[] = { "start", "end", "nr_accesses", "age" };

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a;
	const uint64_t *y = b;

	return (*x > *y) - (*x < *y);
}

/* The folders that are numbers, in order: "10" is behind "9". */
static uint64_t *list_numbers(const struct root *root, const char *dir,
			      size_t *n)
{
	uint64_t *numbers = NULL;
	char **names;
	size_t n_names;

	*n = 0;
	if (root_list(root, dir, &names, &n_names))
		return NULL;
	for (size_t i = 0; i < n_names; i++) {
		uint64_t number;

		if (num_u64(names[i], &number))
			continue;
		XGROW(numbers, *n);
		numbers[(*n)++] = number;
	}
	root_list_free(names, n_names);
	if (*n)
		qsort(numbers, *n, sizeof(*numbers), by_number);
	return numbers;
}

static void add_region(const struct root *root, const char *dir, size_t k,
		       struct str *out)
{
	str_addf(out, "%zu", k);
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		auto_free char *path = xasprintf("%s/%s", dir, fields[i]);
		auto_free char *word = NULL;

		str_addf(out, "\t%s",
			 root_read_word(root, path, &word) ? "-" : word);
	}
	str_addc(out, '\n');
}

int damos_tried_regions(const struct damos *d, struct str *out)
{
	int ret = 0;

	str_add(out, "kdamond\tstart\tend\tnr_accesses\tage\n");
	for (size_t k = 0; k < d->owned.n && !ret; k++) {
		auto_free char *dir =
			xasprintf(DAMON_ROOT
				  "/%zu/contexts/0/schemes/0/tried_regions",
				  k);
		auto_free uint64_t *numbers = NULL;
		size_t n;

		ret = damos_command(d->root, k, "update_schemes_tried_regions");
		if (ret)
			break;
		numbers = list_numbers(d->root, dir, &n);
		for (size_t i = 0; i < n; i++) {
			auto_free char *one =
				xasprintf("%s/%" PRIu64, dir, numbers[i]);

			add_region(d->root, one, k, out);
		}
	}
	return ret;
}
