/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report that comes in pieces, whole or broken. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/load/load.h"

#define LINE(at, n) "line\t" at "\t1\t4\t" n "\t0\t0\t0\t1\t1\t-\t0\t0\n"
#define FINAL(at, n) "final\t" at "\t2\t" n "\n"

struct row {
	const char *text;
	unsigned int n_lines;
	double transactions;
	bool has_final;
	const char *bad; /* part of the sentence; NULL: none */
};

static void free_load(struct load *l)
{
	free(l->bad_line);
	free(l->log);
}

static void check(const struct row *r, const struct load *l)
{
	assert_int_equal(l->n_lines, r->n_lines);
	assert_true(fabs(l->transactions - r->transactions) < 0.5);
	assert_int_equal(l->has_final, r->has_final);
	if (!r->bad)
		assert_null(l->bad_line);
	else if (!l->bad_line || !strstr(l->bad_line, r->bad))
		fail_msg("%s", l->bad_line ? l->bad_line : "no bad line");
}

/* In pieces of every size: where a report is cut makes no difference. */
static void check_row(void **state)
{
	const struct row *r = *state;
	size_t n = strlen(r->text);

	for (size_t piece = 1; piece <= n + 1; piece++) {
		struct load l = { .tps = (double)NAN };

		for (size_t at = 0; at < n; at += piece)
			load_feed(&l, r->text + at,
				  at + piece < n ? piece : n - at, NULL, 0);
		check(r, &l);
		free_load(&l);
	}
}

static void too_long_a_line_is_dropped_whole(void **state)
{
	static const size_t sizes[] = { 1023, 1024, 1025, 5000, 100000 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		auto_free char *text = xmalloc(sizes[i]);
		struct load l = { 0 };

		memset(text, 'x', sizes[i]);
		load_feed(&l, text, sizes[i], NULL, 0);
		assert_true(l.n_pending <= sizeof(l.pending));
		load_feed(&l, "\n" LINE("1", "7"), strlen("\n" LINE("1", "7")),
			  NULL, 0);
		assert_int_equal(l.n_lines, 1);
		assert_non_null(l.bad_line);
		assert_true(strlen(l.bad_line) < 200);
		assert_non_null(strstr(l.bad_line, sizes[i] > 1024
							   ? "too long"
							   : "not a line"));
		free_load(&l);
	}
}

static void garbage_is_made_printable(void **state)
{
	static const char text[] = "a\0b\x1b[2J\xff\n";
	struct load l = { 0 };

	(void)state;
	load_feed(&l, text, sizeof(text) - 1, NULL, 0);
	assert_non_null(l.bad_line);
	assert_string_equal(l.bad_line, "not a line of a report: \"a?b?[2J?\"");
	free_load(&l);
}

static void times_before_and_behind_the_run_are_refused(void **state)
{
	auto_free char *late = xasprintf(LINE("%.6f", "7"),
					 (double)(clock_ns() + NUM_NS_PER_S) /
						 (double)NUM_NS_PER_S);
	struct load early = { .started_ns = 10 * NUM_NS_PER_S };
	struct load l = { 0 };

	(void)state;
	load_feed(&l, late, strlen(late), NULL, 0);
	assert_non_null(strstr(l.bad_line, "outside the run"));
	assert_int_equal(l.n_lines, 0);
	load_feed(&early, LINE("9", "7"), strlen(LINE("9", "7")), NULL, 0);
	assert_non_null(strstr(early.bad_line, "outside the run"));
	free_load(&l);
	free_load(&early);
}

static void tps_is_that_of_the_last_line(void **state)
{
	static const char text[] =
		LINE("1", "7") "line\t2\t0.5\t4\t100\t0\t0\t0\t-\t-\t-\t0\t0\n";
	struct load l = { .tps = (double)NAN };

	(void)state;
	load_feed(&l, text, strlen(text), NULL, 0);
	assert_true(fabs(l.tps - 200) < 1e-9);
	assert_true(fabs(l.seconds - 1.5) < 1e-9);
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
		ROW("nothing", "", 0, 0, false, NULL),
		ROW("a line", LINE("1", "7"), 1, 7, false, NULL),
		ROW("whole", LINE("1", "7") LINE("2", "8") FINAL("2", "15"), 2,
		    15, true, NULL),
		ROW("no newline yet", LINE("1", "7") "line\t2", 1, 7, false,
		    NULL),
		ROW("garbage between",
		    LINE("1", "7") "FATAL: x\n" LINE("2", "8"), 2, 15, false,
		    "FATAL: x"),
		ROW("the first bad one is kept", "a\nb\n", 0, 0, false,
		    "\"a\""),
		ROW("empty line", "\n", 0, 0, false, "not a line"),
		ROW("a line behind the final", FINAL("1", "7") LINE("2", "8"),
		    0, 0, true, "behind the final"),
		ROW("two finals", FINAL("1", "7") FINAL("2", "7"), 0, 0, true,
		    "behind the final"),
		cmocka_unit_test(too_long_a_line_is_dropped_whole),
		cmocka_unit_test(garbage_is_made_printable),
		cmocka_unit_test(times_before_and_behind_the_run_are_refused),
		cmocka_unit_test(tps_is_that_of_the_last_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
