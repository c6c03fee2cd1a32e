/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kern/smaps: mappings, their huge pages, and which are a buffer pool. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/root.h"
#include "base/str.h"
#include "kern/smaps.h"

#define RW " rw-p 00000000 00:00 0 \n"

static char *read_tree(const char *tree, const char *file)
{
	auto_free char *path = xasprintf("tests/roots/%s", tree);
	struct root root;
	char *text;

	assert_int_equal(root_open(path, &root), 0);
	assert_int_equal(root_read(&root, file, &text), 0);
	root_close(&root);
	return text;
}

struct rollup_row {
	const char *text;
	int ret;
	struct smaps_sum sum;
};

static void check_rollup(void **state)
{
	const struct rollup_row *row = *state;
	struct smaps_sum sum = { .rss_bytes = 4711 };

	assert_int_equal(smaps_parse_rollup(row->text, &sum), row->ret);
	if (row->ret)
		assert_int_equal(sum.rss_bytes, 4711);
	else
		assert_memory_equal(&sum, &row->sum, sizeof(sum));
}

static void reads_rollups_of_trees(void **state)
{
	auto_free char *host = read_tree("host-6.18", "proc/4242/smaps_rollup");
	auto_free char *arm = read_tree("arm64-6.12", "proc/4242/smaps_rollup");
	auto_free char *broken = read_tree("broken", "proc/4242/smaps_rollup");
	struct smaps_sum sum;

	(void)state;
	assert_int_equal(smaps_parse_rollup(host, &sum), 0);
	assert_int_equal(sum.rss_bytes, 242752 * NUM_KIB);
	assert_int_equal(sum.anon_huge_bytes, 182272 * NUM_KIB);
	assert_int_equal(smaps_parse_rollup(arm, &sum), 0);
	assert_int_equal(sum.rss_bytes, 5242880 * NUM_KIB);
	assert_int_equal(sum.pss_bytes, 5230080 * NUM_KIB);
	assert_int_equal(sum.anon_bytes, 5111808 * NUM_KIB);
	assert_int_equal(sum.anon_huge_bytes, 1572864 * NUM_KIB);
	assert_int_equal(smaps_parse_rollup(broken, &sum), -EPROTO);
}

struct parse_row {
	const char *text;
	int ret;
	size_t n;
	struct smaps_vma last;
};

static void check_vma(const struct smaps_vma *vma, const struct smaps_vma *want)
{
	assert_int_equal(vma->start, want->start);
	assert_int_equal(vma->end, want->end);
	assert_string_equal(vma->perms, want->perms);
	assert_string_equal(vma->name, want->name);
	assert_int_equal(vma->rss_bytes, want->rss_bytes);
	assert_int_equal(vma->anon_bytes, want->anon_bytes);
	assert_int_equal(vma->anon_huge_bytes, want->anon_huge_bytes);
	assert_int_equal(vma->file_huge_bytes, want->file_huge_bytes);
	assert_int_equal(vma->shmem_huge_bytes, want->shmem_huge_bytes);
	assert_int_equal(vma->hugetlb_bytes, want->hugetlb_bytes);
	assert_int_equal(vma->is_eligible, want->is_eligible);
	assert_int_equal(vma->has_hugepage, want->has_hugepage);
	assert_int_equal(vma->has_nohugepage, want->has_nohugepage);
}

static void check_parse(void **state)
{
	const struct parse_row *row = *state;
	struct smaps s = { .n = 4711 };

	assert_int_equal(smaps_parse(row->text, &s), row->ret);
	if (row->ret) {
		assert_int_equal(s.n, 4711);
		return;
	}
	assert_int_equal(s.n, row->n);
	check_vma(&s.list[s.n - 1], &row->last);
	smaps_free(&s);
	assert_int_equal(s.n, 0);
	assert_null(s.list);
}

/* The rollup is the kernel's own sum over what smaps says of each. */
static void sums_to_the_rollup(void **state)
{
	auto_free char *text = read_tree("host-6.18", "proc/4242/smaps");
	auto_free char *rollup =
		read_tree("host-6.18", "proc/4242/smaps_rollup");
	struct smaps_sum sum;
	struct smaps_sum mine = { 0 };
	struct smaps s;

	(void)state;
	assert_int_equal(smaps_parse(text, &s), 0);
	assert_int_equal(smaps_parse_rollup(rollup, &sum), 0);
	assert_true(s.n > 100);
	for (size_t i = 0; i < s.n; i++) {
		mine.rss_bytes += s.list[i].rss_bytes;
		mine.anon_bytes += s.list[i].anon_bytes;
		mine.anon_huge_bytes += s.list[i].anon_huge_bytes;
	}
	assert_int_equal(mine.rss_bytes, sum.rss_bytes);
	assert_int_equal(mine.anon_bytes, sum.anon_bytes);
	assert_int_equal(mine.anon_huge_bytes, sum.anon_huge_bytes);
	smaps_free(&s);
}

/* maps and smaps name the same mappings. */
static void reads_maps(void **state)
{
	auto_free char *text = read_tree("host-6.18", "proc/4242/smaps");
	auto_free char *maps = read_tree("host-6.18", "proc/4242/maps");
	struct smaps a;
	struct smaps b;

	(void)state;
	assert_int_equal(smaps_parse(text, &a), 0);
	assert_int_equal(smaps_parse(maps, &b), 0);
	assert_int_equal(a.n, b.n);
	for (size_t i = 0; i < a.n; i++) {
		assert_int_equal(a.list[i].start, b.list[i].start);
		assert_int_equal(a.list[i].end, b.list[i].end);
		assert_string_equal(a.list[i].name, b.list[i].name);
		assert_int_equal(b.list[i].rss_bytes, 0);
	}
	smaps_free(&a);
	smaps_free(&b);
}

struct pool_row {
	const char *text;
	const char *want; /* a digit for each mapping: is it the pool? */
};

static void check_pool_of(const char *text, const char *want)
{
	struct smaps s;
	bool is_pool[64];
	struct str got = { 0 };
	size_t count = 0;
	size_t n;

	assert_int_equal(smaps_parse(text, &s), 0);
	assert_true(s.n <= 64);
	n = smaps_find_pool(&s, is_pool);
	for (size_t i = 0; i < s.n; i++) {
		str_addc(&got, is_pool[i] ? '1' : '0');
		count += is_pool[i];
	}
	assert_string_equal(got.text, want);
	assert_int_equal(n, count);
	smaps_free(&s);
	str_free(&got);
}

static void check_pool(void **state)
{
	const struct pool_row *row = *state;

	check_pool_of(row->text, row->want);
}

/* Chunks of 1 GiB, the last half full; not the heap, nor what is reserved. */
static void finds_chunks(void **state)
{
	auto_free char *text = read_tree("arm64-6.12", "proc/4242/smaps");

	(void)state;
	check_pool_of(text, "001111000");
}

static void finds_a_recorded_pool(void **state)
{
	auto_free char *text = read_tree("host-6.18", "proc/4242/smaps");
	struct smaps s;
	bool is_pool[256];
	bool has_pool = false;

	(void)state;
	assert_int_equal(smaps_parse(text, &s), 0);
	assert_true(s.n <= 256);
	assert_int_equal(smaps_find_pool(&s, is_pool), 3);
	for (size_t i = 0; i < s.n; i++)
		if (s.list[i].end - s.list[i].start == 160 * NUM_MIB)
			has_pool = is_pool[i];
	assert_true(has_pool);
	smaps_free(&s);
}

static void finds_no_pool_in_nothing(void **state)
{
	struct smaps none = { 0 };
	bool is_pool = true;

	(void)state;
	assert_int_equal(smaps_find_pool(&none, &is_pool), 0);
	assert_true(is_pool);
}

#define ROLLUP(name, ...)                                                      \
	{                                                                      \
		"rollup: " name, check_rollup, NULL, NULL,                     \
			&(struct rollup_row)                                   \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define PARSE(name, ...)                                                       \
	{                                                                      \
		"parse: " name, check_parse, NULL, NULL, &(struct parse_row)   \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define POOL(name, ...)                                                        \
	{                                                                      \
		"pool: " name, check_pool, NULL, NULL, &(struct pool_row)      \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define BAD(name, text) PARSE(name, text, -EPROTO, .n = 0)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROLLUP("all fields",
		       "1-2 ---p 0 00:00 0 [rollup]\nRss: 1 kB\nPss: 2 kB\n"
		       "Anonymous: 3 kB\nAnonHugePages: 4 kB\n"
		       "ShmemPmdMapped: 5 kB\nFilePmdMapped: 6 kB\n"
		       "Shared_Hugetlb: 7 kB\nPrivate_Hugetlb: 8 kB\n",
		       0, { 1024, 2048, 3072, 4096, 6144, 5120, 15360 }),
		ROLLUP("the least", "Rss: 1 kB\nAnonHugePages: 0 kB", 0,
		       { .rss_bytes = 1024 }),
		ROLLUP("unknown fields",
		       "X: 1 kB\nRss: 1 kB\nAnonHuge: 9 kB\n"
		       "AnonHugePages: 2 kB\nY Z\n",
		       0, { .rss_bytes = 1024, .anon_huge_bytes = 2048 }),
		ROLLUP("empty", "", -EPROTO, { .rss_bytes = 0 }),
		ROLLUP("no Rss", "Pss: 1 kB\nAnonHugePages: 0 kB\n", -EPROTO,
		       { .rss_bytes = 0 }),
		ROLLUP("no AnonHugePages", "Rss: 1 kB\n", -EPROTO,
		       { .rss_bytes = 0 }),
		ROLLUP("AnonHugePages cut short", "Rss: 1 kB\nAnonHugePages:",
		       -EPROTO, { .rss_bytes = 0 }),
		cmocka_unit_test(reads_rollups_of_trees),
		PARSE("anonymous", "7f0000000000-7f0000200000" RW, 0, 1,
		      { .start = 0x7f0000000000,
			.end = 0x7f0000200000,
			.perms = "rw-p",
			.name = (char[]){ "" } }),
		PARSE("a name with blanks and a newline as the kernel has it",
		      "1000-2000 r-xp 00001000 fe:00 12      /usr/a b\\012 "
		      "(deleted)\n",
		      0, 1,
		      { .start = 0x1000,
			.end = 0x2000,
			.perms = "r-xp",
			.name = (char[]){ "/usr/a b\\012 (deleted)" } }),
		PARSE("fields",
		      "0-1000" RW "7f0000000000-7f0000200000" RW
		      "Size: 99 kB\nRss: 1 kB\nAnonymous: 2 kB\n"
		      "AnonHugePages: 3 kB\nShmemPmdMapped: 4 kB\n"
		      "FilePmdMapped: 5 kB\nShared_Hugetlb: 6 kB\n"
		      "Private_Hugetlb: 7 kB\nTHPeligible:           1\n"
		      "VmFlags: rd wr mr hg \n",
		      0, 2,
		      { .start = 0x7f0000000000,
			.end = 0x7f0000200000,
			.perms = "rw-p",
			.name = (char[]){ "" },
			.rss_bytes = 1024,
			.anon_bytes = 2048,
			.anon_huge_bytes = 3072,
			.shmem_huge_bytes = 4096,
			.file_huge_bytes = 5120,
			.hugetlb_bytes = 13312,
			.is_eligible = true,
			.has_hugepage = true }),
		PARSE("unknown lines and flags",
		      "0-1000" RW "AnonZeros: few\nNew\n\nRssExtra: x\n"
		      "THPeligible: 0\nVmFlags: ah nh gh\n",
		      0, 1,
		      { .start = 0,
			.end = 0x1000,
			.perms = "rw-p",
			.name = (char[]){ "" },
			.has_nohugepage = true }),
		PARSE("the highest address",
		      "ffffffffff600000-ffffffffffffffff --xp 00000000 00:00 0 "
		      "                 [vsyscall]\n",
		      0, 1,
		      { .start = 0xffffffffff600000,
			.end = UINT64_MAX,
			.perms = "--xp",
			.name = (char[]){ "[vsyscall]" } }),
		PARSE("a header without its end", "0-1000 rw-p 0 00:00 0", 0, 1,
		      { .start = 0,
			.end = 0x1000,
			.perms = "rw-p",
			.name = (char[]){ "" } }),
		BAD("empty, as of a dead process", ""),
		BAD("a field before the first mapping", "Rss: 1 kB\n"),
		BAD("an address that does not fit",
		    "0-10000000000000000 rw-p 0 00:00 0 \n"),
		BAD("end before start", "2000-1000 rw-p 0 00:00 0 \n"),
		BAD("no length", "1000-1000 rw-p 0 00:00 0 \n"),
		BAD("no permissions", "0-1000 0 00:00 0 \n"),
		BAD("header cut short", "0-1000 rw-p 000"),
		BAD("upper case", "0-A000 rw-p 0 00:00 0 \n"),
		BAD("no number", "0-1000" RW "Rss: x kB\n"),
		BAD("no unit", "0-1000" RW "Rss: 12\n"),
		BAD("number that does not fit",
		    "0-1000" RW "Rss: 18014398509481984 kB\n"),
		BAD("eligible cut short", "0-1000" RW "THPeligible:\n"),
		BAD("garbage", "\xff\xfe garbage\n"),
		cmocka_unit_test(sums_to_the_rollup),
		cmocka_unit_test(reads_maps),
		POOL("largest by what is resident, not by space",
		     "100000-900000" RW "Rss: 10 kB\n"
		     "1000000-1100000" RW "Rss: 100 kB\n",
		     "01"),
		POOL("others from a quarter on",
		     "1000-2000" RW "Rss: 400 kB\n"
		     "3000-4000" RW "Rss: 100 kB\n"
		     "5000-6000" RW "Rss: 99 kB\n",
		     "110"),
		POOL("by space where nothing is resident",
		     "0-1000" RW "10000-90000" RW "a0000-d0000" RW, "011"),
		POOL("not the reserved address space",
		     "0-80000000000 ---p 0 00:00 0 \n"
		     "80000000000-80000200000" RW,
		     "01"),
		POOL("neither heap, stack, file nor shared",
		     "1000-2000 rw-p 0 00:00 0 [heap]\nRss: 900 kB\n"
		     "2000-3000 rw-p 0 00:00 0 [stack]\nRss: 900 kB\n"
		     "3000-4000 rw-p 0 fe:00 9 /usr/lib/x\nRss: 900 kB\n"
		     "4000-5000 rw-s 0 00:01 9 /dev/zero (deleted)\n"
		     "Rss: 900 kB\n"
		     "5000-6000 r--p 0 00:00 0 \nRss: 900 kB\n"
		     "6000-7000" RW "Rss: 4 kB\n",
		     "000001"),
		POOL("pages of hugetlb are not in Rss",
		     "1000-2000" RW "Rss: 900 kB\n"
		     "3000-4000 rw-p 0 00:0f 9 /anon_hugepage (deleted)\n"
		     "Rss: 0 kB\nPrivate_Hugetlb: 9000 kB\n",
		     "01"),
		POOL("named by prctl",
		     "1000-2000 rw-p 0 00:00 0 [anon:pool]\nRss: 4 kB\n", "1"),
		POOL("no candidate", "0-1000 r--p 0 00:00 0 \n", "0"),
		cmocka_unit_test(finds_chunks),
		cmocka_unit_test(finds_a_recorded_pool),
		cmocka_unit_test(finds_no_pool_in_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
