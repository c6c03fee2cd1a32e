/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kern/tracefs: lines of trace_pipe, and an instance read as it fills. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "kern/tracefs.h"
#include "scratch.h"

#define OURS TRACEFS_INSTANCES "/thpbench.1"

struct row {
	const char *line;
	bool is_event;
	const char *comm;
	pid_t pid;
	uint64_t t_ns;
	const char *name;
	const char *fields;
};

static void check(void **state)
{
	const struct row *r = *state;
	auto_free char *line = xstrdup(r->line);
	struct trace_event e;

	assert_int_equal(trace_event_parse(line, &e), r->is_event);
	if (!r->is_event)
		return;
	assert_string_equal(e.comm, r->comm);
	assert_int_equal(e.pid, r->pid);
	assert_int_equal(e.t_ns, r->t_ns);
	assert_string_equal(e.name, r->name);
	assert_string_equal(e.fields, r->fields);
}

static void test_fields(void **state)
{
	struct trace_event e = {
		.fields = "mm=000, isolated=1, status=succeeded, order=9"
	};
	auto_free char *status = trace_event_word(&e, "status");
	auto_free char *none = trace_event_word(&e, "tatus");
	uint64_t n;

	(void)state;
	assert_string_equal(status, "succeeded");
	assert_null(none);
	assert_int_equal(trace_event_u64(&e, "order", &n), 0);
	assert_int_equal(n, 9);
	assert_int_equal(trace_event_u64(&e, "status", &n), -ENOENT);
	assert_int_equal(trace_event_u64(&e, "esz", &n), -ENOENT);
}

static int setup(void **state)
{
	*state = xcalloc(1, sizeof(struct scratch));
	return scratch_open(*state, "damon-7.3");
}

static int teardown(void **state)
{
	int ret = scratch_close(*state);

	free(*state);
	return ret;
}

static void count(void *arg, const struct trace_event *e)
{
	uint64_t n;

	assert_string_equal(e->name, "damos_esz");
	assert_int_equal(trace_event_u64(e, "esz", &n), 0);
	*(uint64_t *)arg += n;
}

static void add(const struct scratch *s, const char *text)
{
	auto_free char *path = xasprintf("%s/root/" OURS "/trace_pipe", s->dir);
	FILE *f = fopen(path, "a");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

#define EVENT(n) " kdamond.0-7 [000] .....  1.000000: damos_esz: esz=" n "\n"

/* The kernel makes an instance's files; here they are there before. */
static void make_instance(const struct scratch *s)
{
	scratch_put(s, OURS "/buffer_size_kb", "1410\n");
	scratch_put(s, OURS "/trace_clock", "[local] mono\n");
	scratch_put(s, OURS "/trace_pipe", "");
	scratch_put(s, OURS "/events/damon/damos_esz/enable", "0\n");
}

static void test_read(void **state)
{
	const struct scratch *s = *state;
	struct tracefs t;
	auto_free char *enabled = NULL;
	uint64_t sum = 0;

	make_instance(s);
	assert_int_equal(tracefs_open(&s->root, OURS, 64, &t), 0);
	assert_int_equal(tracefs_enable(&t, "damon/damos_esz"), 0);
	assert_int_equal(tracefs_enable(&t, "damon/none"), -ENOENT);
	root_read(&s->root, OURS "/events/damon/damos_esz/enable", &enabled);
	assert_string_equal(enabled, "1");
	assert_int_equal(tracefs_read(&t, count, &sum), 0);
	assert_int_equal(sum, 0);
	add(s, EVENT("2") EVENT("3") " kdamond.0-7 [000] ..");
	assert_int_equal(tracefs_read(&t, count, &sum), 0);
	assert_int_equal(sum, 5);
	add(s, "...  1.000000: damos_esz: esz=10\nCPU:1 [LOST 12 EVENTS]\n");
	assert_int_equal(tracefs_read(&t, count, &sum), 0);
	assert_int_equal(sum, 15);
	assert_int_equal(t.n_lost, 12);
	tracefs_close(&t);
	assert_int_equal(t.fd, -1);
}

static void test_none(void **state)
{
	const struct scratch *s = *state;
	struct tracefs t;

	assert_int_equal(tracefs_probe(&s->root), -ENOENT);
	assert_int_equal(tracefs_open(&s->root, OURS, 64, &t), -ENOENT);
	scratch_put(s, TRACEFS_INSTANCES "/other/trace_clock", "local\n");
	assert_int_equal(tracefs_probe(&s->root), 0);
	/* An instance without files: what was made is taken away. */
	assert_int_equal(tracefs_open(&s->root, OURS, 64, &t), -ENOENT);
	assert_false(root_exists(&s->root, OURS));
	assert_int_equal(tracefs_read(&t, count, NULL), -EBADF);
	assert_int_equal(tracefs_remove(&s->root, OURS), -ENOENT);
}

#define YES(name, line, ...)                                                   \
	{                                                                      \
		name, check, NULL, NULL, &(struct row)                         \
		{                                                              \
			line, true, __VA_ARGS__                                \
		}                                                              \
	}
#define NO(name, text)                                                         \
	{                                                                      \
		name, check, NULL, NULL, &(struct row)                         \
		{                                                              \
			.line = (text)                                         \
		}                                                              \
	}
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		YES("kdamond",
		    "       kdamond.0-77      [000] .....    11.234567: "
		    "damos_esz: ctx_idx=0 scheme_idx=0 esz=2",
		    "kdamond.0", 77, UINT64_C(11234567000), "damos_esz",
		    "ctx_idx=0 scheme_idx=0 esz=2"),
		YES("a name with everything",
		    " a [1] b-c-4242    [001] d..2.  3.000001: x: y=1",
		    "a [1] b-c", 4242, UINT64_C(3000001000), "x", "y=1"),
		YES("no fields", " t-1 [0] ..... 0.000000: x:", "t", 1, 0, "x",
		    ""),
		NO("empty", ""),
		NO("comment", "# tracer: nop"),
		NO("lost", "CPU:0 [LOST 5 EVENTS]"),
		NO("no pid", " kdamond [000] ..... 1.000000: x: y"),
		NO("no time", " t-1 [000] ..... x: y"),
		NO("short time", " t-1 [000] ..... 1.5: x: y"),
		NO("no event", " t-1 [000] ..... 1.000000:"),
		NO("cut", " t-1 [000] "),
		cmocka_unit_test(test_fields),
		TEST(test_read),
		TEST(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
