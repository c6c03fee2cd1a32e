/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/collect/pace.h"

#include <math.h>

/* The weight of the newest tick: a single slow one does not say much. */
static const double smoothing = 0.125;

void pace_begin(struct pace *p, uint64_t interval_ns, double budget_pct,
		uint64_t now_ns)
{
	*p = (struct pace){
		.interval_ns = interval_ns ? interval_ns : 1,
		.budget = budget_pct / 100,
		.zero_ns = now_ns,
		.begin_ns = now_ns,
	};
}

void pace_spend(struct pace *p, uint64_t cpu_ns)
{
	bool is_first = p->spent_ns == 0;

	p->spent_ns += cpu_ns;
	if (is_first)
		p->lately_ns = (double)cpu_ns;
	else
		p->lately_ns += smoothing * ((double)cpu_ns - p->lately_ns);
}

uint64_t pace_interval_ns(const struct pace *p)
{
	double paid = p->budget * (double)p->interval_ns;

	if (p->budget <= 0 || p->lately_ns <= paid)
		return p->interval_ns;
	return p->interval_ns * (uint64_t)ceil(p->lately_ns / paid);
}

/* The first place of the grid at or after a moment. */
static uint64_t on_grid(const struct pace *p, uint64_t ns, uint64_t interval)
{
	uint64_t since = ns > p->zero_ns ? ns - p->zero_ns : 0;

	return p->zero_ns + (since + interval - 1) / interval * interval;
}

uint64_t pace_next_ns(struct pace *p, uint64_t now_ns)
{
	uint64_t interval = pace_interval_ns(p);
	uint64_t next = on_grid(p, now_ns + 1, interval);
	uint64_t usual = on_grid(p, now_ns + 1, p->interval_ns);
	uint64_t waits;

	if (p->budget > 0) {
		double cost = (double)p->spent_ns + p->lately_ns;
		uint64_t paid = p->begin_ns + (uint64_t)(cost / p->budget);

		if (paid > next)
			next = on_grid(p, paid, interval);
	}
	waits = p->interval_ns + next - usual;
	if (waits > p->interval_ns && waits > p->widest_ns)
		p->widest_ns = waits;
	return next;
}
