/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An action of an arm on a child of ours: what is due is looked at meanwhile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "base/str.h"
#include "base/tree.h"
#include "bench/run/action.h"
#include "kern/collapse.h"

#include "child.h"

static struct {
	char dir[32];
	struct experiment e;
	struct run run;
	struct store_run *store;
	struct root root;
} f;

static int set_up(void **state)
{
	struct arm_record *arm = xcalloc(1, sizeof(*arm));

	(void)state;
	snprintf(f.dir, sizeof(f.dir), "/tmp/test_action.XXXXXX");
	assert_non_null(mkdtemp(f.dir));
	assert_int_equal(root_open("/", &f.root), 0);
	arm->label = xstrdup("an arm");
	f.e = (struct experiment){ .dir = xasprintf("%s/results", f.dir),
				   .id = xstrdup("results"),
				   .title = xstrdup(""),
				   .config_path = xstrdup(""),
				   .config_text = xstrdup(""),
				   .config_hash = xstrdup(""),
				   .program = xstrdup(""),
				   .created = xstrdup(""),
				   .primary = xstrdup("tps"),
				   .arms = arm,
				   .n_arms = 1 };
	f.run = (struct run){ .number = 1, .block = 1, .attempt = 1 };
	f.run.reason = xstrdup("");
	assert_int_equal(store_create(&f.e), 0);
	return store_run_open(&f.e, &f.run, &f.store);
}

static int tear_down(void **state)
{
	(void)state;
	store_run_close(f.store, &f.e, &f.run);
	run_free(&f.run);
	experiment_free(&f.e);
	root_close(&f.root);
	return tree_remove(f.dir);
}

static void fill(char *mem, size_t huge)
{
	for (size_t i = 0; i < CHILD_PAGES; i++)
		mem[i * huge] = 1;
}

struct looks {
	size_t n;
	size_t most;
};

static int look(void *arg)
{
	struct looks *l = arg;

	return l->n++ < l->most ? 0 : -EINTR;
}

static int act(size_t most, struct looks *l)
{
	struct child child = { 0 };
	const struct arm arm = { .damos = DAMOS_MADVISE_COLLAPSE };
	struct action_job job = { .root = &f.root,
				  .arm = &arm,
				  .store = f.store,
				  .look = look,
				  .arg = l };
	uint64_t huge = host_huge_page_bytes(&f.root);
	char *mark = NULL;
	int ret;

	if (collapse_probe(&f.root) || huge > 32 << 20) {
		print_message("nothing can be collapsed here\n");
		skip();
	}
	*l = (struct looks){ .most = most };
	assert_true(child_start(&child, huge, fill, NULL));
	job.pid = child.pid;
	ret = action_start(&job, &mark);
	child_end(&child);
	free(mark);
	return ret;
}

static void looks_at_each_step(void **state)
{
	struct looks l;

	(void)state;
	assert_int_equal(act(SIZE_MAX, &l), 0);
	assert_true(l.n >= CHILD_PAGES);
}

static void ends_when_told(void **state)
{
	struct looks l;

	(void)state;
	assert_int_equal(act(2, &l), -EINTR);
	assert_int_equal(l.n, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(looks_at_each_step),
		cmocka_unit_test(ends_when_told),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
