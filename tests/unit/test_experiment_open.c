/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which experiment a result folder goes on with. */
#include "folder.h"

#include <errno.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "bench/guest/guest_set.h"
#include "bench/run/experiment.h"

/* A guest's kernel of that name, built as text says. */
static void note_guest(const char *path, const char *text, struct experiment *e)
{
	static const struct config config = { 0 };
	auto_free char *image = xstrdup(path);
	char version[] = "7.3.4";
	struct guest_target target = {
		.image = { .path = image, .version = version },
	};
	const struct guest_set set = { .targets = &target, .n = 1 };

	assert_int_equal(file_publish(path, text), 0);
	guest_set_note(&set, &config, e);
}

static struct experiment *begin(struct fixture *f)
{
	f->e.config_hash = xstrdup("0123456789abcdef");
	return &f->e;
}

static void expect_refused(struct experiment *e, const char *why)
{
	assert_int_equal(experiment_open(e, true), -EINVAL);
	assert_non_null(strstr(err_last(), why));
}

static void test_same(void **state)
{
	struct experiment *e = begin(*state);

	assert_int_equal(experiment_open(e, false), 0);
	assert_int_equal(experiment_open(e, true), 0);
	assert_int_equal(experiment_open(e, false), -EINVAL);
}

static void test_guest_built_anew(void **state)
{
	struct experiment *e = begin(*state);
	auto_free char *image =
		xasprintf("%s/image", ((struct fixture *)*state)->top);

	note_guest(image, "one build", e);
	assert_int_equal(experiment_open(e, false), 0);
	note_guest(image, "one build", e);
	assert_int_equal(experiment_open(e, true), 0);
	note_guest(image, "another", e);
	expect_refused(e, "other kernels");
	assert_int_equal(unlink(image), 0);
}

static void test_kernel_built_anew(void **state)
{
	struct experiment *e = begin(*state);

	facts_set(&e->host, "kernel", "7.3.4");
	facts_set(&e->host, "kernel_version", "#1 SMP");
	assert_int_equal(experiment_open(e, false), 0);
	facts_set(&e->host, "kernel_version", "#2 SMP");
	expect_refused(e, "another build of Linux 7.3.4: #1 SMP");
}

static void test_programs(void **state)
{
	struct experiment *e = begin(*state);

	facts_set(&e->server, "version", "10.11.1");
	facts_set(&e->workload, "sysbench_version", "1.0.20");
	facts_set(&e->arms[0].settings, "mariadbd", "/opt/x, 11.4.1");
	assert_int_equal(experiment_open(e, false), 0);
	facts_set(&e->arms[0].settings, "mariadbd", "/opt/x, 11.4.2");
	expect_refused(e, "mariadbd /opt/x, 11.4.1");
	facts_set(&e->workload, "sysbench_version", "1.1.0");
	expect_refused(e, "sysbench 1.0.20, and here is 1.1.0");
	facts_set(&e->server, "version", "10.11.2");
	expect_refused(e, "MariaDB 10.11.1, and here is 10.11.2");
}

static void test_other_arms(void **state)
{
	struct experiment *e = begin(*state);
	char *label = e->arms[0].label;

	assert_int_equal(experiment_open(e, false), 0);
	e->arms[0].label = xstrdup("another");
	expect_refused(e, "choice of arms");
	free(e->arms[0].label);
	e->arms[0].label = label;
	assert_int_equal(experiment_open(e, true), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_same),
		TEST(test_guest_built_anew),
		TEST(test_kernel_built_anew),
		TEST(test_programs),
		TEST(test_other_arms),
	};

	return cmocka_run_group_tests_name("experiment_open", tests, NULL,
					   NULL);
}
