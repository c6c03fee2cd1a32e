/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/load/settle.h"

#include <math.h>

#include "base/num.h"

void settle_add(struct settle *s, uint64_t now_ns, double huge_bytes)
{
	unsigned int i = s->n++ % SETTLE_MOST_TICKS;

	s->at_ns[i] = now_ns;
	s->bytes[i] = huge_bytes;
}

bool settle_is_stable(const struct settle *s)
{
	const uint64_t window = SETTLE_WINDOW_S * NUM_NS_PER_S;
	unsigned int seen = 0;
	double least = INFINITY;
	double most = -INFINITY;
	uint64_t newest;

	if (s->n < SETTLE_LEAST_TICKS)
		return false;
	newest = s->at_ns[(s->n - 1) % SETTLE_MOST_TICKS];
	while (seen < s->n && seen < SETTLE_MOST_TICKS) {
		unsigned int i = (s->n - 1 - seen) % SETTLE_MOST_TICKS;

		if (isnan(s->bytes[i]))
			return false;
		least = fmin(least, s->bytes[i]);
		most = fmax(most, s->bytes[i]);
		seen++;
		/* The tick at or before the window's start closes it. */
		if (newest - s->at_ns[i] >= window)
			return seen >= SETTLE_LEAST_TICKS &&
			       most - least <=
				       fmax((double)(2 * NUM_MIB), most / 200);
	}
	/* A full ring whose ticks lie closer than the window: use it whole. */
	return seen == SETTLE_MOST_TICKS &&
	       most - least <= fmax((double)(2 * NUM_MIB), most / 200);
}
