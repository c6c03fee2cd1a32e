/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When huge pages are taken as stable: by ticks of hand-made runs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/num.h"
#include "bench/load/settle.h"

#define MIB(n) ((double)(n)*1048576.0)

struct row {
	double step_s;
	unsigned int n;
	double first;  /* MiB at the first tick */
	double growth; /* MiB a tick */
	int bad_tick;  /* this one is NAN; -1: none */
	bool stable;
};

static void check_row(void **state)
{
	const struct row *r = *state;
	struct settle s = { 0 };

	for (unsigned int i = 0; i < r->n; i++) {
		double mib = r->first + r->growth * i;

		settle_add(&s, (uint64_t)(r->step_s * i * (double)NUM_NS_PER_S),
			   (int)i == r->bad_tick ? (double)NAN : MIB(mib));
	}
	assert_int_equal(settle_is_stable(&s), r->stable);
}

/* Growth that has ended: stable a window after its last step, no sooner. */
static void stable_a_window_after_the_last_step(void **state)
{
	struct settle s = { 0 };
	unsigned int first = 0;

	(void)state;
	for (unsigned int i = 0; i < 60; i++) {
		double mib = i < 20 ? 10.0 * i : 190;

		settle_add(&s, i * NUM_NS_PER_S, MIB(mib));
		if (!first && settle_is_stable(&s))
			first = i;
	}
	assert_int_equal(first, 19 + SETTLE_WINDOW_S);
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
		ROW("no tick", 1, 0, 0, 0, -1, false),
		ROW("too few ticks", 6, 3, 0, 0, -1, false),
		ROW("too short a time", 1, 12, 0, 0, -1, false),
		ROW("nothing ever huge", 1, 13, 0, 0, -1, true),
		ROW("level", 1, 30, 800, 0, -1, true),
		ROW("grows by a huge page a tick", 1, 30, 0, 2, -1, false),
		ROW("half a percent of a large level", 1, 30, 2000, 0.8, -1,
		    true),
		ROW("more than half a percent", 1, 30, 2000, 0.9, -1, false),
		ROW("shrinks", 1, 30, 800, -2, -1, false),
		ROW("not known within the window", 1, 30, 800, 0, 25, false),
		ROW("not known before the window", 1, 30, 800, 0, 5, true),
		ROW("a ring of fast ticks", 0.01, 300, 800, 0, -1, true),
		ROW("a ring of fast growth", 0.01, 300, 800, 0.1, -1, false),
		ROW("four slow ticks", 10, 4, 800, 0, -1, false),
		ROW("five slow ticks", 4, 5, 800, 0, -1, true),
		cmocka_unit_test(stable_a_window_after_the_last_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
