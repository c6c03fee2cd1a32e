/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compare doubles as doubles: cmocka 1.1.5 has only float. */
#ifndef TESTS_UNIT_NEAR_H
#define TESTS_UNIT_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* |a - b| <= most; fails for NAN too. */
#define assert_near(a, b, most)                                                \
	do {                                                                   \
		double a_ = (a);                                               \
		double b_ = (b);                                               \
		if (!(fabs(a_ - b_) <= (most)))                                \
			fail_msg("%.17g is not %.17g", a_, b_);                \
	} while (0)

#endif
