/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kern/host: facts of recorded machines, whole and broken, and of this one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/facts.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/root.h"
#include "base/str.h"
#include "kern/host.h"
#include "kern/host_cpu.h"
#include "scratch.h"

struct fact_row {
	const char *tree;
	const char *name;
	const char *value; /* "": left out; "...x": has x in it */
};

static void check_fact(void **state)
{
	const struct fact_row *row = *state;
	auto_free char *path = xasprintf("tests/roots/%s", row->tree);
	struct facts facts = { 0 };
	struct root root;

	assert_int_equal(root_open(path, &root), 0);
	host_facts(&root, &facts);
	root_close(&root);
	if (str_starts(row->value, "..."))
		assert_non_null(
			strstr(facts_get(&facts, row->name), row->value + 3));
	else
		assert_string_equal(facts_get(&facts, row->name), row->value);
	facts_free(&facts);
}

struct list_row {
	const char *text;
	size_t n;
};

static void check_list(void **state)
{
	const struct list_row *row = *state;

	assert_int_equal(host_count_list(row->text), row->n);
}

static void sizes_of_trees(void **state)
{
	static const struct {
		const char *tree;
		uint64_t huge;
		uint64_t available;
	} rows[] = {
		{ "host-6.18", 2 << 20, UINT64_C(23982536) << 10 },
		{ "arm64-6.12", 512 << 20, UINT64_C(257949696) << 10 },
		{ "broken", 2 << 20, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		auto_free char *path =
			xasprintf("tests/roots/%s", rows[i].tree);
		struct root root;

		assert_int_equal(root_open(path, &root), 0);
		assert_int_equal(host_huge_page_bytes(&root), rows[i].huge);
		assert_int_equal(host_available_bytes(&root),
				 rows[i].available);
		root_close(&root);
	}
}

static void killed_for_want_of_memory(void **state)
{
	struct scratch s;

	(void)state;
	assert_int_equal(scratch_open(&s, "host-6.18"), 0);
	assert_int_equal(host_oom_kills(&s.root), 0);
	assert_int_equal(scratch_put(&s, "proc/vmstat",
				     "nr_free_pages 9\noom_kill 3\n"),
			 0);
	assert_int_equal(host_oom_kills(&s.root), 3);
	assert_int_equal(scratch_close(&s), 0);
}

/* A folder with nothing in it gives what stands for itself, no crash. */
static void nothing_is_left_out(void **state)
{
	char dir[] = "/tmp/thpbench-host.XXXXXX";
	struct facts facts = { 0 };
	struct root root;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(root_open(dir, &root), 0);
	host_facts(&root, &facts);
	assert_int_equal(host_available_bytes(&root), 0);
	assert_int_equal(host_oom_kills(&root), 0);
	root_close(&root);
	rmdir(dir);
	assert_int_equal(facts.n, 1);
	assert_string_equal(facts_get(&facts, "huge_page_bytes"), "2097152");
	facts_free(&facts);
}

static void knows_this_machine(void **state)
{
	auto_free char *cpus = NULL;
	struct facts facts = { 0 };
	struct utsname names;
	struct root root;
	uint64_t bytes;

	(void)state;
	assert_int_equal(root_open("/", &root), 0);
	assert_int_equal(uname(&names), 0);
	host_facts(&root, &facts);
	assert_string_equal(facts_get(&facts, "kernel"), names.release);
	assert_string_equal(facts_get(&facts, "kernel_version"), names.version);
	assert_string_equal(facts_get(&facts, "arch"), names.machine);
	assert_string_equal(facts_get(&facts, "hostname"), names.nodename);
	cpus = xasprintf("%ld", sysconf(_SC_NPROCESSORS_ONLN));
	assert_string_equal(facts_get(&facts, "cpus"), cpus);
	assert_int_equal(num_u64(facts_get(&facts, "memory_bytes"), &bytes), 0);
	assert_true(bytes > 64 * NUM_MIB);
	assert_true(host_available_bytes(&root) < bytes);
	assert_int_equal(num_u64(facts_get(&facts, "page_bytes"), &bytes), 0);
	assert_int_equal(bytes, sysconf(_SC_PAGESIZE));
	root_close(&root);
	facts_free(&facts);
}

#define FACT(tree, name, value)                                                \
	{                                                                      \
		tree ": " name, check_fact, NULL, NULL, &(struct fact_row)     \
		{                                                              \
			tree, name, value                                      \
		}                                                              \
	}
#define LIST(name, ...)                                                        \
	{                                                                      \
		"list: " name, check_list, NULL, NULL, &(struct list_row)      \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FACT("host-6.18", "hostname", "recorded"),
		FACT("host-6.18", "kernel", "...6.18."),
		FACT("host-6.18", "kernel_version", "...PREEMPT_DYNAMIC"),
		FACT("host-6.18", "kernel_cmdline", "...psi=1"),
		FACT("host-6.18", "arch", "x86_64"),
		FACT("host-6.18", "cpu", "AMD EPYC"),
		FACT("host-6.18", "cpus", "2"),
		FACT("host-6.18", "cpu_list", "0-1"),
		FACT("host-6.18", "numa_nodes", "1"),
		FACT("host-6.18", "memory_bytes", "25276514304"),
		FACT("host-6.18", "swap_bytes", "0"),
		FACT("host-6.18", "page_bytes", "4096"),
		FACT("host-6.18", "huge_page_bytes", "2097152"),
		FACT("host-6.18", "hypervisor", "unknown"),
		FACT("host-6.18", "os", "Debian GNU/Linux 12 (bookworm)"),
		FACT("host-6.18", "governor", ""),
		FACT("host-6.18", "mitigations", "...; meltdown: Not affect"),
		FACT("host-6.18", "buddyinfo", "...Node 0, zone DMA32 "),
		FACT("host-6.18", "thp_enabled_self", "1"),
		FACT("arm64-6.12", "arch", "aarch64"),
		FACT("arm64-6.12", "cpu",
		     "HiSilicon TaiShan v110 (Kunpeng 920)"),
		FACT("arm64-6.12", "cpus", "96"),
		FACT("arm64-6.12", "numa_nodes", "2"),
		FACT("arm64-6.12", "page_bytes", "65536"),
		FACT("arm64-6.12", "huge_page_bytes", "536870912"),
		FACT("arm64-6.12", "swap_bytes", "8589869056"),
		FACT("arm64-6.12", "hypervisor", ""),
		FACT("arm64-6.12", "governor", "performance"),
		FACT("arm64-6.12", "smt", "notsupported"),
		FACT("arm64-6.12", "mitigations",
		     "meltdown: Not affected; spectre_v1: Mitigation: __user "
		     "pointer sanitization; spectre_v2: Not affected"),
		FACT("guest-7.3", "hypervisor", "QEMU"),
		FACT("guest-7.3", "numa_nodes", ""),
		FACT("guest-7.3", "os", ""),
		FACT("broken", "hostname", ""),
		FACT("broken", "kernel", ""),
		FACT("broken", "kernel_cmdline", ""),
		FACT("broken", "arch", ""),
		FACT("broken", "cpu", ""),
		FACT("broken", "cpus", "1"),
		FACT("broken", "cpu_list", ""),
		FACT("broken", "numa_nodes", ""),
		FACT("broken", "memory_bytes", ""),
		FACT("broken", "swap_bytes", ""),
		FACT("broken", "page_bytes", ""),
		FACT("broken", "huge_page_bytes", "2097152"),
		FACT("broken", "os", ""),
		FACT("broken", "mitigations", ""),
		FACT("broken", "buddyinfo", ""),
		FACT("broken", "thp_enabled_self", ""),
		LIST("one", "0", 1),
		LIST("range", "0-95\n", 96),
		LIST("ranges and numbers", "0-3,8,10-11\n", 7),
		LIST("empty", "", 0),
		LIST("open range", "0-\n", 0),
		LIST("backwards", "3-1\n", 0),
		LIST("trailing comma", "0,", 0),
		LIST("word", "all", 0),
		LIST("rest", "0-3x", 0),
		LIST("absurd", "0-18446744073709551615", 0),
		cmocka_unit_test(sizes_of_trees),
		cmocka_unit_test(killed_for_want_of_memory),
		cmocka_unit_test(nothing_is_left_out),
		cmocka_unit_test(knows_this_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
