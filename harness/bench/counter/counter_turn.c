/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which groups count at once, where the PMU has no room for all. */
#include "base/mem.h"
#include "bench/counter/counter_set.h"

/* The groups of one turn, from those that had none; how many it took. */
static size_t fill_turn(const struct counter_plan *plan, bool *had, bool *is_on)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n_groups; i++)
		is_on[i] = plan->groups[i].is_software;
	for (size_t i = 0; i < plan->n_groups; i++) {
		if (had[i] || is_on[i])
			continue;
		is_on[i] = true;
		/* One that does not fit alone is tried alone: the kernel says
		 * why not. */
		if (n && !counter_groups_fit(plan, is_on)) {
			is_on[i] = false;
			continue;
		}
		had[i] = true;
		n++;
	}
	return n;
}

size_t counter_turn(const struct counter_plan *plan, size_t turn, bool *is_on)
{
	auto_free bool *had = xcalloc(plan->n_groups + 1, sizeof(*had));
	auto_free bool *now = xcalloc(plan->n_groups + 1, sizeof(*now));
	size_t n = 0;

	while (fill_turn(plan, had, now))
		n++;
	if (!n)
		n = 1;
	for (size_t i = 0; i < plan->n_groups; i++)
		had[i] = false;
	for (size_t i = 0; i <= turn % n; i++)
		fill_turn(plan, had, is_on);
	return n;
}
