/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/stats/multiple.h"

#include <gsl/gsl_sort.h>
#include <math.h>

#include "base/mem.h"

size_t multiple_count(const double *p, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += !isnan(p[i]);
	return count;
}

void multiple_holm(double *p, size_t n)
{
	auto_free double *known = xcalloc(n + 1, sizeof(*known));
	auto_free size_t *places = xcalloc(n + 1, sizeof(*places));
	auto_free size_t *order = xcalloc(n + 1, sizeof(*order));
	size_t count = 0;
	double least = 0;

	for (size_t i = 0; i < n; i++) {
		if (isnan(p[i]))
			continue;
		known[count] = p[i];
		places[count++] = i;
	}
	if (!count)
		return;
	gsl_sort_index(order, known, 1, count);
	for (size_t i = 0; i < count; i++) {
		least = fmax(least,
			     fmin(1, known[order[i]] * (double)(count - i)));
		p[places[order[i]]] = least;
	}
}
