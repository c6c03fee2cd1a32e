/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench/pace: ticks on a grid, thinned out to stay in a budget. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/num.h"
#include "bench/collect/pace.h"

#define MS NUM_NS_PER_MS
#define S NUM_NS_PER_S

/* A run of ten minutes, played with a clock of our own. */
struct row {
	uint64_t interval_ns;
	double budget_pct;
	uint64_t first_cost_ns; /* of the first ten ticks */
	uint64_t later_cost_ns;
	uint64_t late_ns; /* each tick comes so much late */
	unsigned int least_ticks;
	unsigned int most_ticks;
	uint64_t widest_ns; /* 0: must not widen */
};

static void check_row(void **state)
{
	const struct row *row = *state;
	const uint64_t zero = 1234567 * MS + 89;
	const uint64_t length = 600 * S;
	struct pace p;
	uint64_t now = zero;
	uint64_t spent = 0;
	unsigned int n = 0;

	pace_begin(&p, row->interval_ns, row->budget_pct, zero);
	while (now < zero + length) {
		uint64_t cost =
			n < 10 ? row->first_cost_ns : row->later_cost_ns;
		uint64_t next;

		pace_spend(&p, cost);
		spent += cost;
		n++;
		next = pace_next_ns(&p, now + cost);
		assert_true(next > now + cost);
		assert_int_equal((next - zero) % row->interval_ns, 0);
		now = next + row->late_ns;
	}
	if (row->budget_pct > 0)
		assert_true((double)spent <=
			    row->budget_pct / 100 * (double)(now - zero));
	assert_in_range(n, row->least_ticks, row->most_ticks);
	assert_int_equal(p.widest_ns, row->widest_ns);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("cheap ticks keep the interval", S, 0.5, 300000, 300000, 0,
		    600, 600, 0),
		ROW("no budget, no limit", 100 * MS, 0, 50 * MS, 50 * MS, 0,
		    6000, 6000, 0),
		ROW("just affordable", S, 0.5, 4 * MS, 4 * MS, 0, 598, 600,
		    2 * S),
		ROW("a little too dear: every other place", S, 0.5, 6 * MS,
		    6 * MS, 0, 290, 301, 4 * S),
		ROW("13 ms a read, ten times a second", 100 * MS, 0.5, 13 * MS,
		    13 * MS, 0, 220, 231, 5200 * MS),
		ROW("dearer as memory grows", S, 0.5, 1 * MS, 20 * MS, 0, 130,
		    160, 7 * S),
		ROW("cheaper later: the interval comes back", S, 0.5, 20 * MS,
		    100000, 0, 300, 600, 8 * S),
		ROW("late ticks are not made up", S, 0.5, 100000, 100000,
		    2500 * MS, 200, 200, 0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
