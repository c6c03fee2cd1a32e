/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each collector on recorded machines, and on this one against smaps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "base/tree.h"
#include "bench/collect/collectors.h"
#include "toucher.h"
#include "kern/cgroup.h"
#include "kern/smaps.h"
#include "kern/statm.h"

/* A collector at work, and the cells of its last sample. */
struct work {
	const struct collector *kind;
	const struct collect_target *target;
	void *state; /* NULL: missing */
	char *source;
	char *why;
	const char *const *columns;
	double *cells;
	size_t n;
};

static void work_open(struct work *w, const struct collector *kind,
		      const struct collect_target *t)
{
	*w = (struct work){ .kind = kind, .target = t };
	w->state = kind->open(t, &w->source, &w->why);
	if (!w->state)
		return;
	w->columns = kind->columns(w->state, &w->n);
	w->cells = xcalloc(w->n, sizeof(*w->cells));
}

static void work_sample(struct work *w)
{
	for (size_t i = 0; i < w->n; i++)
		w->cells[i] = NAN;
	w->kind->sample(w->state, w->target, w->cells);
}

static double work_cell(const struct work *w, const char *column)
{
	for (size_t i = 0; i < w->n; i++)
		if (str_eq(w->columns[i], column))
			return w->cells[i];
	return NAN;
}

static bool work_has(const struct work *w, const char *column)
{
	for (size_t i = 0; i < w->n; i++)
		if (str_eq(w->columns[i], column))
			return true;
	return false;
}

static void work_close(struct work *w)
{
	if (w->state)
		w->kind->close(w->state);
	free(w->source);
	free(w->why);
	free(w->cells);
}

/* --- recorded machines --- */

static char v1_path[] = "sys/fs/cgroup/memory/ours";
static char v2_path[] = "sys/fs/cgroup/user.slice/user-0.slice/session-3.scope";
static const struct cgroup v1 = { 1, v1_path };
static const struct cgroup v2 = { 2, v2_path };

struct row {
	const char *root;
	const struct cgroup *cgroup;
	const struct collector *kind;
	const char *source; /* what it must hold; NULL: missing */
	const char *column; /* or what the reason must hold */
	double value;       /* NAN: missing at this tick; -1: no such column */
};

static void check_row(void **state)
{
	const struct row *row = *state;
	auto_free char *dir = xasprintf("tests/roots/%s", row->root);
	struct collect_target t = { .cgroup = row->cgroup, .server_pid = 4242 };
	struct root root;
	struct work w;
	double value;

	assert_int_equal(root_open(dir, &root), 0);
	t.root = &root;
	work_open(&w, row->kind, &t);
	if (!row->source) {
		assert_null(w.state);
		assert_non_null(w.why);
		assert_non_null(strstr(w.why, row->column));
	} else {
		assert_non_null(w.state);
		assert_non_null(strstr(w.source, row->source));
		for (int i = 0; i < 3; i++)
			work_sample(&w);
		value = work_cell(&w, row->column);
		assert_int_equal(work_has(&w, row->column),
				 row->value >= 0 || isnan(row->value));
		if (row->value >= 0)
			assert_true(fabs(value - row->value) < 1e-6);
		else
			assert_true(isnan(value));
	}
	work_close(&w);
	root_close(&root);
}

/* --- this machine --- */

struct fixture {
	struct root live;
	struct root linked; /* the same files, but not "/" */
	char dir[32];
	struct cgroup cgroup;
	bool has_cgroup;
	bool can_collapse;
	char *why; /* it has no cgroup */
};

static int set_up(void **state)
{
	static struct fixture f;
	auto_free char *name = xasprintf("thpbench.test.%d", (int)getpid());
	auto_free char *proc = NULL;
	auto_free char *sys = NULL;

	f = (struct fixture){ .dir = "/tmp/test_collectors.XXXXXX" };
	assert_non_null(mkdtemp(f.dir));
	proc = xasprintf("%s/proc", f.dir);
	sys = xasprintf("%s/sys", f.dir);
	assert_int_equal(symlink("/proc", proc), 0);
	assert_int_equal(symlink("/sys", sys), 0);
	assert_int_equal(root_open("/", &f.live), 0);
	assert_int_equal(root_open(f.dir, &f.linked), 0);
	/* Of no range, the call says but whether it knows the advice. */
	f.can_collapse = madvise(NULL, 0, 25 /* MADV_COLLAPSE */) == 0;
	f.has_cgroup = cgroup_make(&f.live, name, &f.cgroup, &f.why) == 0;
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	if (f->has_cgroup) {
		assert_int_equal(cgroup_remove(&f->live, f->cgroup.path), 0);
		cgroup_free(&f->cgroup);
	}
	free(f->why);
	root_close(&f->live);
	root_close(&f->linked);
	return tree_remove(f->dir);
}

static int enter(void *arg)
{
	struct fixture *f = arg;

	return cgroup_enter(&f->live, &f->cgroup);
}

static void read_rollup(const struct root *root, pid_t pid,
			struct smaps_sum *sum)
{
	auto_free char *path = xasprintf("proc/%d/smaps_rollup", (int)pid);
	auto_free char *text = NULL;

	assert_int_equal(root_read(root, path, &text), 0);
	assert_int_equal(smaps_parse_rollup(text, sum), 0);
}

/* Every way to the same two figures. */
struct way {
	bool with_cgroup;
	bool is_linked; /* a root that is not "/": statm is not relied on */
	const char *source;
};

static void check_way(struct fixture *f, const struct way *way)
{
	const struct toucher memory = {
		.huge_bytes = 48 * NUM_MIB,
		.small_bytes = 30 * NUM_MIB,
		.before = f->has_cgroup ? enter : NULL,
		.arg = f,
	};
	struct collect_target t = {
		.root = way->is_linked ? &f->linked : &f->live,
		.cgroup = way->with_cgroup ? &f->cgroup : NULL,
	};
	struct smaps_sum sum;
	struct work w;

	work_open(&w, &collector_memory, &t);
	assert_non_null(w.state);
	assert_non_null(strstr(w.source, way->source));
	/* No server yet. */
	work_sample(&w);
	assert_true(isnan(work_cell(&w, "rss_bytes")));
	assert_true(isnan(work_cell(&w, "huge_bytes")));

	/* Two servers one after the other: files are opened anew. */
	for (int i = 0; i < 2; i++) {
		double rss;

		t.server_pid = toucher_start(&memory);
		assert_int_not_equal(t.server_pid, 0);
		read_rollup(&f->live, t.server_pid, &sum);
		for (int j = 0; j < 3; j++)
			work_sample(&w);
		rss = work_cell(&w, "rss_bytes");
		print_message("%s: rss %.0f of %llu, huge %.0f of %llu\n",
			      w.source, rss, (unsigned long long)sum.rss_bytes,
			      work_cell(&w, "huge_bytes"),
			      (unsigned long long)sum.anon_huge_bytes);
		assert_true(sum.rss_bytes >= 78 * NUM_MIB);
		/* 0 of 0 would show nothing. */
		if (f->can_collapse)
			assert_true(sum.anon_huge_bytes > 0);
		assert_true(fabs(work_cell(&w, "huge_bytes") -
				 (double)sum.anon_huge_bytes) < 1);
		assert_true(fabs(rss - (double)sum.rss_bytes) <
			    0.01 * (double)sum.rss_bytes);
		toucher_end(t.server_pid);
		work_sample(&w);
		assert_true(isnan(work_cell(&w, "rss_bytes")));
		assert_true(isnan(work_cell(&w, "huge_bytes")));
	}
	work_close(&w);
}

static void memory_by_cgroup(void **state)
{
	static const struct way ways[] = {
		{ true, false, "memory.stat; resident: " },
		{ true, true, "memory.stat; resident: memory.stat and statm" },
	};
	struct fixture *f = *state;

	if (!f->has_cgroup) {
		print_message("%s\n", f->why);
		skip();
	}
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		check_way(f, &ways[i]);
}

static void memory_by_scan(void **state)
{
	static const struct way way = { false, false, "PAGEMAP_SCAN" };
	struct collect_target t = { 0 };
	struct fixture *f = *state;
	struct work w;
	bool can_scan;

	t.root = &f->live;
	work_open(&w, &collector_memory, &t);
	can_scan = w.source && strstr(w.source, "PAGEMAP_SCAN");
	work_close(&w);
	if (!can_scan || !statm_is_exact()) {
		print_message("no PAGEMAP_SCAN, or statm is not exact\n");
		skip();
	}
	check_way(f, &way);
}

static void memory_by_rollup(void **state)
{
	static const struct way way = { false, true,
					"huge: smaps_rollup; resident: "
					"smaps_rollup" };

	check_way(*state, &way);
}

/*
 * Shared memory is resident; its huge pages are not anonymous ones. All ways
 * but smaps_rollup itself.
 */
static void memory_of_others(void **state)
{
	struct fixture *f = *state;
	const struct toucher memory = {
		.huge_bytes = 8 * NUM_MIB,
		.shared_bytes = 20 * NUM_MIB,
		.before = f->has_cgroup ? enter : NULL,
		.arg = f,
	};
	struct collect_target by_cgroup = {
		.root = &f->linked,
		.cgroup = f->has_cgroup ? &f->cgroup : NULL,
	};
	struct collect_target by_scan = { .root = &f->live };
	struct collect_target *targets[] = { &by_cgroup, &by_scan };
	pid_t pid = toucher_start(&memory);
	struct smaps_sum sum;

	assert_int_not_equal(pid, 0);
	read_rollup(&f->live, pid, &sum);
	print_message("shmem, huge: %llu\n",
		      (unsigned long long)sum.shmem_huge_bytes);
	assert_true(sum.rss_bytes > 28 * NUM_MIB);
	for (size_t i = 0; i < ARRAY_SIZE(targets); i++) {
		struct work w;

		work_open(&w, &collector_memory, targets[i]);
		targets[i]->server_pid = pid;
		work_sample(&w);
		assert_true(fabs(work_cell(&w, "rss_bytes") -
				 (double)sum.rss_bytes) <
			    0.01 * (double)sum.rss_bytes);
		assert_true(fabs(work_cell(&w, "huge_bytes") -
				 (double)sum.anon_huge_bytes) < 1);
		work_close(&w);
	}
	toucher_end(pid);
}

static int burn_cpu(void *arg)
{
	uint64_t until = clock_cpu_ns() + 200 * NUM_NS_PER_MS;

	(void)arg;
	while (clock_cpu_ns() < until)
		;
	return 0;
}

static void cpu_of_processes(void **state)
{
	const struct toucher burns = { .before = burn_cpu };
	struct collect_target t = { 0 };
	struct fixture *f = *state;
	struct work w;

	t.root = &f->live;
	work_open(&w, &collector_cpu, &t);
	work_sample(&w);
	assert_true(isnan(work_cell(&w, "cpu_server_s")));
	t.server_pid = toucher_start(&burns);
	assert_int_not_equal(t.server_pid, 0);
	t.load_pid = getpid();
	work_sample(&w);
	assert_true(work_cell(&w, "cpu_server_s") >= 0.18);
	assert_true(work_cell(&w, "cpu_server_s") < 0.4);
	assert_true(work_cell(&w, "cpu_load_s") >= 0);
	toucher_end(t.server_pid);
	work_sample(&w);
	assert_true(isnan(work_cell(&w, "cpu_server_s")));
	work_close(&w);
}

/* A kernel thread that ends keeps its seconds, and a new one adds to them. */
static void threads_that_end(void **state)
{
	static const char stat[] = " (kdamond.0) I 2 0 0 0 -1 2129984 0 0 0 0 "
				   "100 200 0 0 20 0 1 0 226 0 0\n";
	double tick = 1 / (double)sysconf(_SC_CLK_TCK);
	char dir[] = "/tmp/test_threads.XXXXXX";
	struct collect_target t = { 0 };
	auto_free char *from = NULL;
	auto_free char *to = NULL;
	auto_free char *file = NULL;
	auto_free char *text = NULL;
	struct root root;
	struct work w;

	(void)state;
	assert_non_null(mkdtemp(dir));
	from = xasprintf("%s/proc/77", dir);
	to = xasprintf("%s/proc/78", dir);
	file = xasprintf("%s/stat", from);
	text = xasprintf("77%s", stat);
	assert_int_equal(file_mkdirs(from), 0);
	assert_int_equal(file_publish(file, text), 0);
	free(file);
	file = xasprintf("%s/proc/2", dir);
	assert_int_equal(file_mkdirs(file), 0);
	free(file);
	file = xasprintf("%s/proc/2/stat", dir);
	assert_int_equal(file_publish(file, "2 (kthreadd) S 0 0 0 0 -1 2129984 "
					    "0 0 0 0 0 0 0 0 20 0 1 0 1 0 0\n"),
			 0);
	assert_int_equal(root_open(dir, &root), 0);
	t.root = &root;
	work_open(&w, &collector_cpu, &t);
	work_sample(&w);
	assert_true(fabs(work_cell(&w, "cpu_kdamond_s") - 300 * tick) < 1e-9);
	/* Kernel threads are to be seen, and khugepaged is not among them. */
	assert_true(fabs(work_cell(&w, "cpu_khugepaged_s")) < 1e-9);

	/* It ends: what is read of it is no longer a stat. */
	assert_int_equal(root_write(&root, "proc/77/stat", ""), 0);
	work_sample(&w);
	assert_true(fabs(work_cell(&w, "cpu_kdamond_s") - 300 * tick) < 1e-9);

	/* Another one is found at once, under another pid. */
	free(text);
	text = xasprintf("78%s", stat);
	assert_int_equal(rename(from, to), 0);
	assert_int_equal(root_write(&root, "proc/78/stat", text), 0);
	work_sample(&w);
	assert_true(fabs(work_cell(&w, "cpu_kdamond_s") - 600 * tick) < 1e-9);
	work_close(&w);
	root_close(&root);
	assert_int_equal(tree_remove(dir), 0);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define NO ((double)NAN)

/* clang-format off */
static const struct CMUnitTest tests[] = {
	ROW("vmstat: a counter", "host-6.18", NULL, &collector_vmstat,
	    "/proc/vmstat", "vm_thp_collapse_alloc", 128),
	ROW("vmstat: another", "arm64-6.12", NULL, &collector_vmstat,
	    "/proc/vmstat", "vm_pgfault", 91827364),
	ROW("vmstat: cut short has what is whole", "broken", NULL,
	    &collector_vmstat, "which has no thp_fault_alloc",
	    "vm_compact_stall", 7),
	ROW("vmstat: no number is no column", "broken", NULL,
	    &collector_vmstat, "pgfault", "vm_pgfault", -1),
	ROW("psi", "arm64-6.12", NULL, &collector_psi, "/proc/pressure/memory",
	    "psi_mem_some_us", 182736455),
	ROW("psi: cut short", "broken", NULL, &collector_psi, NULL,
	    "needs CONFIG_PSI", NO),
	ROW("khugepaged", "arm64-6.12", NULL, &collector_khugepaged,
	    "khugepaged", "kh_pages_collapsed", 3),
	ROW("khugepaged: scans", "host-6.18", NULL, &collector_khugepaged,
	    "khugepaged", "kh_full_scans", 2),
	ROW("khugepaged: none", "broken", NULL, &collector_khugepaged, NULL,
	    "No such file or directory", NO),
	ROW("mthp", "host-6.18", NULL, &collector_mthp, "/stats",
	    "mthp_2048kB_anon_fault_alloc", 36),
	ROW("mthp: PMD of 512 MiB", "arm64-6.12", NULL, &collector_mthp,
	    "/stats", "mthp_524288kB_nr_anon", 3),
	ROW("mthp: a file that is not there", "arm64-6.12", NULL,
	    &collector_mthp, "/stats", "mthp_524288kB_split", -1),
	ROW("mthp: none", "broken", NULL, &collector_mthp, NULL,
	    "needs Linux 6.8", NO),
	ROW("cgroup v1", "host-6.18", &v1, &collector_cgroup,
	    "cgroup v1 memory.stat", "cg_anon_thp_bytes", 186646528),
	ROW("cgroup v1 has no counts", "host-6.18", &v1, &collector_cgroup,
	    "cgroup v1", "cg_fault_alloc", -1),
	ROW("cgroup v2", "arm64-6.12", &v2, &collector_cgroup,
	    "cgroup v2 memory.stat", "cg_anon_bytes", 5234491392.0),
	ROW("cgroup v2 has counts", "arm64-6.12", &v2, &collector_cgroup,
	    "cgroup v2", "cg_collapse_alloc", 2),
	ROW("cgroup: none made", "guest-7.3", NULL, &collector_cgroup, NULL,
	    "no cgroup", NO),
	ROW("cgroup: gone", "guest-7.3", &v2, &collector_cgroup, NULL,
	    "No such file", NO),
	ROW("cpu: the server", "host-6.18", NULL, &collector_cpu,
	    "/proc/PID/stat", "cpu_server_s", 2.07),
	ROW("cpu: khugepaged", "arm64-6.12", NULL, &collector_cpu,
	    "/proc/PID/stat", "cpu_khugepaged_s", 4.12),
	ROW("cpu: kdamond", "guest-7.3", NULL, &collector_cpu,
	    "/proc/PID/stat", "cpu_kdamond_s", 3.40),
	ROW("cpu: no kdamond", "arm64-6.12", NULL, &collector_cpu,
	    "/proc/PID/stat", "cpu_kdamond_s", 0),
	ROW("cpu: no load", "host-6.18", NULL, &collector_cpu,
	    "/proc/PID/stat", "cpu_load_s", NO),
	ROW("cpu: cut short, no threads to be seen", "broken", NULL,
	    &collector_cpu, "not visible", "cpu_server_s", NO),
	ROW("cpu: threads not to be seen are not 0", "broken", NULL,
	    &collector_cpu, "not visible", "cpu_khugepaged_s", NO),
	ROW("memory: nothing to read it from", "guest-7.3", NULL,
	    &collector_memory, NULL, "no PAGEMAP_SCAN", NO),
	ROW("memory: a process that is gone", "arm64-6.12", &v2,
	    &collector_memory, "memory.stat and statm", "huge_bytes", NO),
	ROW("mariadb: no database", "host-6.18", NULL, &collector_mariadb,
	    "SHOW GLOBAL STATUS", "my_questions", NO),
	cmocka_unit_test_setup_teardown(memory_by_cgroup, set_up, tear_down),
	cmocka_unit_test_setup_teardown(memory_by_scan, set_up, tear_down),
	cmocka_unit_test_setup_teardown(memory_by_rollup, set_up, tear_down),
	cmocka_unit_test_setup_teardown(memory_of_others, set_up, tear_down),
	cmocka_unit_test_setup_teardown(cpu_of_processes, set_up, tear_down),
	cmocka_unit_test(threads_that_end),
};
/* clang-format on */

int main(int argc, char **argv)
{
	toucher_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
