/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kern/collapse and kern/pagemap on a child of ours: live, under whatever THP
 * mode is set, for MADV_COLLAPSE asks for none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>

#include "child.h"
#include "kern/collapse.h"
#include "kern/pagemap.h"

static struct root live;
static const char *why; /* nothing can be collapsed here; NULL: it can */

static const char *why_not(void)
{
	struct child child = { 0 };
	struct collapse c;
	struct collapse_result r = { 0 };
	uint64_t huge = host_huge_page_bytes(&live);
	int ret;

	if (huge > 32 << 20)
		return "huge pages of this machine are too large for a test";
	if (!root_exists(&live, "sys/kernel/mm/transparent_hugepage/enabled"))
		return "this kernel has no transparent huge pages";
	if (!child_start(&child, huge, child_fill_all, NULL))
		return "a child could not be started";
	ret = collapse_open(&live, child.pid, &c);
	if (!ret) {
		ret = collapse_vma(&c, &child.vma, NULL, NULL, &r);
		collapse_close(&c);
	}
	child_end(&child);
	if (ret)
		return "process_madvise() is not permitted, or not there";
	/* EINVAL for all: MADV_COLLAPSE came with Linux 6.1. */
	if (r.n_refused == CHILD_PAGES)
		return "this kernel refuses MADV_COLLAPSE";
	return NULL;
}

#define NEEDS_COLLAPSE()                                                       \
	do {                                                                   \
		if (why) {                                                     \
			printf("skipped: %s\n", why);                          \
			skip();                                                \
		}                                                              \
	} while (0)

static void fill_with_holes(char *mem, size_t huge)
{
	for (size_t i = 0; i < CHILD_PAGES; i++)
		for (size_t j = 0; i != 2 && i != 5 && j < huge; j += 4096)
			mem[i * huge + j] = 1;
}

static void fill_one_page_each(char *mem, size_t huge)
{
	for (size_t i = 0; i < CHILD_PAGES; i++)
		mem[i * huge + i * 4096] = 1;
}

static void fill_nothing(char *mem, size_t huge)
{
	(void)mem;
	(void)huge;
}

static void switch_off(char *mem, size_t huge)
{
	(void)mem;
	(void)huge;
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}

static void advise_no(char *mem, size_t huge)
{
	madvise(mem, CHILD_PAGES * huge, MADV_NOHUGEPAGE);
}

static void unmap_one(char *mem, size_t huge)
{
	munmap(mem + 3 * huge, huge);
}

/* Who holds a page, as a pipe does here, keeps it where it is: EAGAIN. */
static void hold_one_page(char *mem, size_t huge)
{
	struct iovec page = { .iov_base = mem + 2 * huge, .iov_len = 4096 };
	int fds[2];

	if (pipe(fds) || vmsplice(fds[1], &page, 1, 0) != 4096)
		_exit(1);
}

struct row {
	void (*fill)(char *mem, size_t huge);
	void (*then)(char *mem, size_t huge);
	uint64_t n_collapsed;
	uint64_t n_busy;
	uint64_t n_empty;
	uint64_t n_no_memory;
	uint64_t n_refused;
	int last_refused;
};

static void check_collapse(void **state)
{
	const struct row *row = *state;
	struct collapse_result r;
	struct smaps_sum sum;
	struct child child = { 0 };
	struct collapse c;
	int ret;

	NEEDS_COLLAPSE();
	assert_true(child_start(&child, host_huge_page_bytes(&live), row->fill,
				row->then));
	assert_int_equal(collapse_open(&live, child.pid, &c), 0);
	ret = collapse_vma(&c, &child.vma, NULL, NULL, &r);
	collapse_close(&c);
	assert_int_equal(child_sum(&child, &live, &sum), 0);
	child_end(&child);
	assert_int_equal(ret, 0);
	assert_int_equal(r.n_ranges, CHILD_PAGES);
	/* A page that somebody looks at just then may stay busy. */
	assert_int_equal(r.n_collapsed + r.n_busy,
			 row->n_collapsed + row->n_busy);
	assert_in_range(r.n_busy, row->n_busy, row->n_busy + 1);
	assert_int_equal(r.n_empty, row->n_empty);
	assert_int_equal(r.n_no_memory, row->n_no_memory);
	assert_int_equal(r.n_refused, row->n_refused);
	assert_int_equal(r.last_refused, row->last_refused);
	assert_true(r.longest_ns > 0);
	assert_int_equal(sum.anon_huge_bytes, r.n_collapsed * child.huge_bytes);
}

static void collapses_twice(void **state)
{
	struct collapse_result r;
	struct child child = { 0 };
	struct collapse c;

	(void)state;
	NEEDS_COLLAPSE();
	assert_true(child_start(&child, host_huge_page_bytes(&live),
				child_fill_all, NULL));
	assert_int_equal(collapse_open(&live, child.pid, &c), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(collapse_vma(&c, &child.vma, NULL, NULL, &r),
				 0);
		assert_true(r.n_collapsed + r.n_busy == CHILD_PAGES);
	}
	collapse_close(&c);
	child_end(&child);
}

/* Only whole aligned huge pages are ranges. */
static void takes_whole_ranges_only(void **state)
{
	struct collapse_result r;
	struct child child = { 0 };
	struct smaps_vma vma;
	struct collapse c;

	(void)state;
	NEEDS_COLLAPSE();
	assert_true(child_start(&child, host_huge_page_bytes(&live),
				child_fill_all, NULL));
	assert_int_equal(collapse_open(&live, child.pid, &c), 0);
	vma = child.vma;
	vma.start += 4096;
	vma.end -= 4096;
	assert_int_equal(collapse_vma(&c, &vma, NULL, NULL, &r), 0);
	assert_int_equal(r.n_ranges, CHILD_PAGES - 2);
	vma.start = child.vma.start + 4096;
	vma.end = vma.start + 2 * child.huge_bytes - 8192;
	assert_int_equal(collapse_vma(&c, &vma, NULL, NULL, &r), 0);
	assert_int_equal(r.n_ranges, 0);
	/* At the end of all addresses: no wrap. */
	vma.start = UINT64_MAX - 4095;
	vma.end = UINT64_MAX;
	assert_int_equal(collapse_vma(&c, &vma, NULL, NULL, &r), 0);
	assert_int_equal(r.n_ranges, 0);
	collapse_close(&c);
	child_end(&child);
}

static int stops_left;

static int stop_after(void *arg)
{
	(void)arg;
	return stops_left-- <= 0;
}

static void stops_when_told(void **state)
{
	struct collapse_result r;
	struct child child = { 0 };
	struct collapse c;

	(void)state;
	NEEDS_COLLAPSE();
	assert_true(child_start(&child, host_huge_page_bytes(&live),
				child_fill_all, NULL));
	assert_int_equal(collapse_open(&live, child.pid, &c), 0);
	stops_left = 3;
	assert_int_equal(collapse_vma(&c, &child.vma, stop_after, NULL, &r), 0);
	assert_int_equal(r.n_ranges, 3);
	collapse_close(&c);
	child_end(&child);
}

static void says_when_the_process_is_gone(void **state)
{
	struct collapse_result r;
	struct child child = { 0 };
	struct collapse c;
	uint64_t bytes = 4711;
	int fd;

	(void)state;
	NEEDS_COLLAPSE();
	assert_true(child_start(&child, host_huge_page_bytes(&live),
				child_fill_all, NULL));
	assert_int_equal(collapse_open(&live, child.pid, &c), 0);
	fd = pagemap_open(&live, child.pid);
	child_end(&child);
	assert_int_equal(collapse_vma(&c, &child.vma, NULL, NULL, &r), -ESRCH);
	assert_int_equal(r.n_ranges, 0);
	assert_int_equal(pagemap_has_pages(c.pagemap_fd, child.vma.start,
					   child.vma.end),
			 -ESRCH);
	collapse_close(&c);
	/* Nothing found in a dead address space is not 0 bytes. */
	if (fd >= 0) {
		assert_int_equal(pagemap_huge_bytes(fd, &bytes), -ESRCH);
		close(fd);
	}
	assert_int_equal(collapse_open(&live, child.pid, &c), -ESRCH);
	assert_int_equal(pagemap_open(&live, child.pid), -ESRCH);
}

/* What is said before agrees with what a try shows. */
static void probes_what_can_be_done(void **state)
{
	struct root root;

	(void)state;
	assert_int_equal(root_open("tests/roots/host-6.18", &root), 0);
	assert_int_equal(collapse_probe(&root), -ENOTSUP);
	root_close(&root);
	NEEDS_COLLAPSE();
	assert_int_equal(collapse_probe(&live), 0);
}

static void refuses_recorded_machines(void **state)
{
	struct collapse c;
	struct root root;

	(void)state;
	assert_int_equal(root_open("tests/roots/host-6.18", &root), 0);
	assert_int_equal(collapse_open(&root, 4242, &c), -ENOTSUP);
	assert_int_equal(pagemap_open(&root, 4242), -ESRCH);
	root_close(&root);
}

/* Of the mapping alone, huge page by huge page: each is, or is not. */
static void check_range(int fd, const struct child *child, uint64_t bytes)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < CHILD_PAGES; i++) {
		uint64_t at = child->vma.start + i * child->huge_bytes;
		uint64_t one = 4711;

		assert_int_equal(pagemap_huge_in(fd, at, at + child->huge_bytes,
						 &one),
				 0);
		assert_true(one == 0 || one == child->huge_bytes);
		sum += one;
	}
	assert_true(sum > 0);
	assert_int_equal(sum, bytes);
}

/* The scan against the walk of smaps: the same to the byte. */
static void scans_what_smaps_counts(void **state)
{
	struct collapse_result r;
	struct smaps_sum sum;
	struct child child = { 0 };
	struct collapse c;
	uint64_t before = 4711;
	uint64_t after = 4711;
	int fd;

	(void)state;
	NEEDS_COLLAPSE();
	assert_true(child_start(&child, host_huge_page_bytes(&live),
				fill_with_holes, NULL));
	fd = pagemap_open(&live, child.pid);
	if (fd == -ENOTSUP) {
		child_end(&child);
		printf("skipped: no PAGEMAP_SCAN before Linux 6.7\n");
		skip();
	}
	assert_true(fd >= 0);
	assert_int_equal(pagemap_huge_bytes(fd, &before), 0);
	assert_int_equal(collapse_open(&live, child.pid, &c), 0);
	assert_int_equal(collapse_vma(&c, &child.vma, NULL, NULL, &r), 0);
	assert_int_equal(pagemap_huge_bytes(fd, &after), 0);
	check_range(fd, &child, after - before);
	assert_int_equal(child_sum(&child, &live, &sum), 0);
	assert_int_equal(before, 0);
	assert_true(r.n_collapsed >= CHILD_PAGES - 3);
	assert_int_equal(after, r.n_collapsed * child.huge_bytes);
	assert_int_equal(after, sum.anon_huge_bytes);
	collapse_close(&c);
	close(fd);
	child_end(&child);
}

/* The huge page of zeros is nobody's memory; smaps leaves it out as well. */
static void read_one_byte(char *mem, size_t huge)
{
	madvise(mem, CHILD_PAGES * huge, MADV_HUGEPAGE);
	(void)*(volatile char *)mem;
}

static void leaves_out_the_page_of_zeros(void **state)
{
	struct smaps_sum sum;
	struct child child = { 0 };
	uint64_t bytes = 4711;
	int fd;

	(void)state;
	NEEDS_COLLAPSE();
	assert_true(child_start(&child, host_huge_page_bytes(&live),
				fill_nothing, read_one_byte));
	fd = pagemap_open(&live, child.pid);
	assert_int_equal(child_sum(&child, &live, &sum), 0);
	if (fd >= 0) {
		assert_int_equal(pagemap_huge_bytes(fd, &bytes), 0);
		assert_int_equal(bytes, sum.anon_huge_bytes);
		close(fd);
	}
	child_end(&child);
}

/* More regions than one call of the ioctl returns. */
static void fill_every_other(char *mem, size_t huge)
{
	(void)mem;
	mem = mmap(NULL, 701 * huge, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	mem += -(uintptr_t)mem & (huge - 1);
	for (size_t i = 0; i < 600; i += 2) {
		mem[i * huge] = 1;
		madvise(mem + i * huge, huge, 25 /* MADV_COLLAPSE */);
	}
}

static void scans_many_regions(void **state)
{
	struct smaps_sum sum;
	struct child child = { 0 };
	uint64_t bytes = 4711;
	int fd;

	(void)state;
	NEEDS_COLLAPSE();
	if (host_huge_page_bytes(&live) > 2 << 20 ||
	    host_available_bytes(&live) < UINT64_C(2) << 30) {
		printf("skipped: not enough memory for 300 huge pages\n");
		skip();
	}
	assert_true(child_start(&child, host_huge_page_bytes(&live),
				fill_nothing, fill_every_other));
	fd = pagemap_open(&live, child.pid);
	assert_int_equal(child_sum(&child, &live, &sum), 0);
	if (fd >= 0) {
		assert_int_equal(pagemap_huge_bytes(fd, &bytes), 0);
		assert_int_equal(bytes, sum.anon_huge_bytes);
		assert_true(bytes > 290 * child.huge_bytes);
		close(fd);
	}
	child_end(&child);
}

static void tells_pages_from_holes(void **state)
{
	struct child child = { 0 };
	struct collapse c;
	uint64_t start;
	uint64_t huge;

	(void)state;
	NEEDS_COLLAPSE();
	assert_true(child_start(&child, host_huge_page_bytes(&live),
				fill_with_holes, NULL));
	assert_int_equal(collapse_open(&live, child.pid, &c), 0);
	start = child.vma.start;
	huge = child.huge_bytes;
	assert_int_equal(pagemap_has_pages(c.pagemap_fd, start, start + huge),
			 1);
	assert_int_equal(pagemap_has_pages(c.pagemap_fd, start + 2 * huge,
					   start + 3 * huge),
			 0);
	assert_int_equal(pagemap_has_pages(c.pagemap_fd, start + 2 * huge,
					   start + 3 * huge + 4096),
			 1);
	assert_int_equal(pagemap_has_pages(c.pagemap_fd, start, start), 0);
	collapse_close(&c);
	child_end(&child);
}

static int open_live(void **state)
{
	int ret = root_open("/", &live);

	(void)state;
	if (!ret)
		why = why_not();
	return ret;
}

static int close_live(void **state)
{
	(void)state;
	root_close(&live);
	return 0;
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_collapse, NULL, NULL, &(struct row)                \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("all there", child_fill_all, NULL, .n_collapsed = 8),
		ROW("holes do not end it", fill_with_holes, NULL,
		    .n_collapsed = 6, .n_empty = 2),
		ROW("one page of each is enough", fill_one_page_each, NULL,
		    .n_collapsed = 8),
		ROW("nothing there", fill_nothing, NULL, .n_empty = 8),
		ROW("switched off by prctl", child_fill_all, switch_off,
		    .n_refused = 8, .last_refused = EINVAL),
		ROW("switched off by prctl, with holes", fill_with_holes,
		    switch_off, .n_empty = 2, .n_refused = 6,
		    .last_refused = EINVAL),
		ROW("MADV_NOHUGEPAGE", child_fill_all, advise_no,
		    .n_refused = 8, .last_refused = EINVAL),
		ROW("a page that is held", child_fill_all, hold_one_page,
		    .n_collapsed = 7, .n_busy = 1),
		ROW("a range that is not mapped", child_fill_all, unmap_one,
		    .n_collapsed = 7, .n_no_memory = 1),
		cmocka_unit_test(collapses_twice),
		cmocka_unit_test(takes_whole_ranges_only),
		cmocka_unit_test(stops_when_told),
		cmocka_unit_test(says_when_the_process_is_gone),
		cmocka_unit_test(probes_what_can_be_done),
		cmocka_unit_test(refuses_recorded_machines),
		cmocka_unit_test(scans_what_smaps_counts),
		cmocka_unit_test(leaves_out_the_page_of_zeros),
		cmocka_unit_test(scans_many_regions),
		cmocka_unit_test(tells_pages_from_holes),
	};

	return cmocka_run_group_tests(tests, open_live, close_live);
}
