/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An experiment of two runs in a fresh folder, to test the store with. */
#ifndef TESTS_UNIT_FOLDER_H
#define TESTS_UNIT_FOLDER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Before cmocka.h, which has a macro of the name of fail(). */
#include "base/err.h"

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/tree.h"
#include "data/store.h"

struct fixture {
	char top[32];
	struct experiment e;
};

static inline int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	struct experiment *e = &f->e;

	strncat(f->top, "/tmp/test_store.XXXXXX", sizeof(f->top) - 1);
	if (!mkdtemp(f->top))
		return -1;
	*e = (struct experiment){
		.dir = xasprintf("%s/new/r", f->top),
		.title = xstrdup("two runs"),
		.primary = xstrdup("tps"),
		.blocks = 1,
		.n_arms = 2,
		.arms = xcalloc(2, sizeof(*e->arms)),
		.n_runs = 2,
		.n_planned = 2,
		.runs = xcalloc(2, sizeof(*e->runs)),
	};
	e->arms[0].label = xstrdup("T n");
	e->arms[1].label = xstrdup("T a, D h");
	for (unsigned int i = 0; i < 2; i++)
		e->runs[i] = (struct run){
			.number = i + 1,
			.block = 1,
			.attempt = 1,
			.arm = i,
			.reason = xstrdup(""),
		};
	err_quiet(1);
	*state = f;
	return 0;
}

static inline int teardown(void **state)
{
	struct fixture *f = *state;

	err_quiet(0);
	experiment_free(&f->e);
	tree_remove(f->top);
	free(f);
	return 0;
}

static inline char *path_of(const struct experiment *e, const char *file)
{
	return xasprintf("%s/%s", e->dir, file);
}

/* A run of no content that ends in this state. */
static inline void write_run(struct experiment *e, size_t i,
			     enum run_state state, const char *reason)
{
	struct run *run = &e->runs[i];
	struct store_run *s;

	assert_int_equal(store_run_open(e, run, &s), 0);
	run->state = state;
	free(run->reason);
	run->reason = xstrdup(reason);
	assert_int_equal(store_run_close(s, e, run), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif
