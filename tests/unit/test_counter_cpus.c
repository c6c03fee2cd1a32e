/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters by CPU, against a kernel with PMUs that not all its CPUs have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/counter/counter_set.h"
#include "kern/cgroup.h"
#include "kern/perf_sys.h"

/* CPUs that were asked for, by whether the event was the kernel's own. */
static struct {
	char cpus[2][16];
	bool is_cgroup;
} fake;

int __wrap_perf_sys_open(struct perf_event_attr *attr, pid_t pid, int cpu,
			 int group_fd, unsigned long flags);
ssize_t __wrap_perf_sys_read(int fd, void *buf, size_t n);

/* CPUs 0 and 1 are of type 4, CPUs 2 and 3 of type 10 (both trees say so). */
int __wrap_perf_sys_open(struct perf_event_attr *attr, pid_t pid, int cpu,
			 int group_fd, unsigned long flags)
{
	bool is_software = attr->type == PERF_TYPE_SOFTWARE;
	char *cpus = fake.cpus[is_software];

	assert_true((flags & PERF_FLAG_PID_CGROUP) ? pid >= 0 : pid == -1);
	fake.is_cgroup = (flags & PERF_FLAG_PID_CGROUP) != 0;
	if (!is_software && (cpu >= 2) != (attr->type == 10))
		return -ENOENT;
	if (group_fd < 0)
		cpus[strlen(cpus)] = (char)('0' + cpu);
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

ssize_t __wrap_perf_sys_read(int fd, void *buf, size_t n)
{
	(void)fd;
	(void)buf;
	(void)n;
	return -EIO;
}

struct row {
	const char *server_cpus;
	enum counters_scope scope;
	const char *pmu_cpus; /* of the first group of the PMU */
};

static void make_set(const struct root *root, struct config *c,
		     struct counter_set *s)
{
	c->collect.counters = COUNTERS_TLB;
	c->collect.level = PFM_USER_KERNEL;
	assert_int_equal(counter_set_make(root, c, 1, s), 0);
	memset(&fake, 0, sizeof(fake));
}

static void check_row(void **state)
{
	const struct row *row = *state;
	struct config c = { .server.cpus = (char *)row->server_cpus,
			    .collect.scope = row->scope };
	char folder[] = "proc";
	const struct cgroup cg = { 2, folder };
	struct counter_set s;
	struct root root;

	assert_int_equal(root_open("tests/roots/pmu/alder-lake", &root), 0);
	make_set(&root, &c, &s);
	assert_int_equal(s.plan.n_groups > 1, 1);
	counter_set_open_cpus(&s, &cg);
	for (size_t i = 0; i < s.plan.n_groups; i++)
		if (s.live[i].is_on) {
			assert_null(s.live[i].why);
			assert_non_null(s.live[i].perf);
		}
	assert_string_equal(fake.cpus[0], row->pmu_cpus);
	assert_string_equal(fake.cpus[1], "0123");
	assert_int_equal(fake.is_cgroup, row->scope == COUNTERS_OF_CGROUP);
	counter_set_free(&s);
	root_close(&root);
}

struct refusal {
	const char *tree;
	const char *cgroup;
	enum counters_scope scope;
	const char *why;
};

static void check_refusal(void **state)
{
	const struct refusal *row = *state;
	struct config c = { .collect.scope = row->scope };
	const struct cgroup cg = { 2, (char *)row->cgroup };
	auto_free char *path = xasprintf("tests/roots/%s", row->tree);
	struct counter_set s;
	struct root root;

	assert_int_equal(root_open(path, &root), 0);
	make_set(&root, &c, &s);
	counter_set_open_cpus(&s, row->cgroup ? &cg : NULL);
	for (size_t i = 0; i < s.plan.n_groups; i++) {
		assert_null(s.live[i].perf);
		assert_string_equal(s.live[i].why, row->why);
	}
	assert_string_equal(fake.cpus[1], "");
	counter_set_free(&s);
	root_close(&root);
}

#define ROW(name, check, kind, ...)                                            \
	{                                                                      \
		name, check, NULL, NULL, &(struct kind)                        \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("the big cores of the system", check_row, row, "0-1",
		    COUNTERS_OF_SYSTEM, "01"),
		ROW("the small ones", check_row, row, "3", COUNTERS_OF_SYSTEM,
		    "23"),
		ROW("of a cgroup", check_row, row, "0", COUNTERS_OF_CGROUP,
		    "01"),
		ROW("no cgroup", check_refusal, refusal, "pmu/alder-lake", NULL,
		    COUNTERS_OF_CGROUP,
		    "scope = cgroup: no cgroup was made for the run: there is "
		    "no program of its own, or no memory controller"),
		ROW("one that is gone", check_refusal, refusal,
		    "pmu/alder-lake", "sys/gone", COUNTERS_OF_CGROUP,
		    "scope = cgroup: /sys/gone: No such file or directory"),
		ROW("CPUs that nobody knows of", check_refusal, refusal,
		    "pmu/unknown-intel", "proc", COUNTERS_OF_SYSTEM,
		    "not known which CPUs are online: "
		    "/sys/devices/system/cpu/online: No such file or "
		    "directory"),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
