/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/pagemap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"

/*
 * As include/uapi/linux/fs.h has them since 6.7, under names of our own: the
 * installed headers may be older or newer than that.
 */
struct scan_region {
	uint64_t start;
	uint64_t end;
	uint64_t categories;
};

struct scan_arg {
	uint64_t size;
	uint64_t flags;
	uint64_t start;
	uint64_t end;
	uint64_t walk_end;
	uint64_t vec;
	uint64_t vec_len;
	uint64_t max_pages;
	uint64_t category_inverted;
	uint64_t category_mask;
	uint64_t category_anyof_mask;
	uint64_t return_mask;
};

enum {
	IS_FILE = 1 << 2,
	IS_PRESENT = 1 << 3,
	IS_PFNZERO = 1 << 5,
	IS_HUGE = 1 << 6,
};

#define SCAN_IOCTL _IOWR('f', 16, struct scan_arg)

/* One call; returns the number of regions, or -errno. */
static int scan(int fd, struct scan_arg *arg, struct scan_region *regions,
		size_t room)
{
	int n;

	arg->size = sizeof(*arg);
	arg->vec = (uint64_t)(uintptr_t)regions;
	arg->vec_len = room;
	/* Present, huge, and not the huge page of zeros. */
	arg->category_mask |= IS_PRESENT | IS_HUGE | IS_PFNZERO;
	arg->category_inverted |= IS_PFNZERO;
	arg->return_mask = IS_HUGE;
	do
		n = ioctl(fd, SCAN_IOCTL, arg);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

int pagemap_open(const struct root *root, pid_t pid)
{
	auto_free char *path = xasprintf("proc/%d/pagemap", (int)pid);
	int fd = openat(root->fd, path, O_RDONLY | O_CLOEXEC);
	struct scan_arg arg = { .end = (uint64_t)sysconf(_SC_PAGESIZE) };
	struct scan_region region;
	int ret;

	if (fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	ret = scan(fd, &arg, &region, 1);
	if (ret >= 0)
		return fd;
	close(fd);
	return ret == -ENOTTY ? -ENOTSUP : ret;
}

/* The scan of an address space that is gone finds nothing; a read says so. */
static bool is_gone(int fd)
{
	uint64_t entry;

	return pread(fd, &entry, sizeof(entry), 0) == 0;
}

/*
 * Of a range that is huge, what belongs to no file. To ask that of the whole
 * address space would look up the page behind each entry of 4 KiB: eight
 * times as dear.
 */
static int scan_anonymous(int fd, const struct scan_region *range,
			  uint64_t *bytes)
{
	struct scan_region regions[64];
	struct scan_arg arg = {
		.start = range->start,
		.end = range->end,
		.category_mask = IS_FILE,
		.category_inverted = IS_FILE,
	};

	do {
		int n = scan(fd, &arg, regions, ARRAY_SIZE(regions));

		if (n < 0)
			return n;
		for (int i = 0; i < n; i++)
			*bytes += regions[i].end - regions[i].start;
		if (arg.walk_end <= arg.start)
			break;
		arg.start = arg.walk_end;
	} while (arg.start < range->end);
	return 0;
}

int pagemap_huge_in(int fd, uint64_t start, uint64_t end, uint64_t *bytes)
{
	struct scan_region regions[256];
	struct scan_arg arg = { .start = start, .end = end };
	uint64_t sum = 0;

	do {
		int n = scan(fd, &arg, regions, ARRAY_SIZE(regions));

		if (n < 0)
			return n;
		for (int i = 0; i < n; i++) {
			int ret = scan_anonymous(fd, &regions[i], &sum);

			if (ret)
				return ret;
		}
		/* Full, or at the end: from where it stopped. */
		if (arg.walk_end <= arg.start)
			break;
		arg.start = arg.walk_end;
	} while (arg.start < end);
	*bytes = sum;
	return 0;
}

int pagemap_huge_bytes(int fd, uint64_t *bytes)
{
	int ret = -EFAULT;

	/*
	 * access_ok() refuses an end beyond the user's addresses with EFAULT;
	 * how many bits they have differs by machine and page table levels.
	 * The last page or so below is not for users (TASK_SIZE_MAX of x86).
	 */
	for (unsigned int bits = 62; bits > 30 && ret == -EFAULT; bits--)
		ret = pagemap_huge_in(fd, 0,
				      (UINT64_C(1) << bits) - 64 * NUM_KIB,
				      bytes);
	if (!ret && is_gone(fd))
		ret = -ESRCH;
	return ret;
}

int pagemap_has_pages(int fd, uint64_t start, uint64_t end)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t entries[512];
	/* Bit 63 present, 62 swapped (Documentation/admin-guide/mm/pagemap) */
	const uint64_t there = UINT64_C(3) << 62;

	for (uint64_t at = start / page; at < end / page;) {
		size_t want = sizeof(entries);
		ssize_t got;

		if (end / page - at < ARRAY_SIZE(entries))
			want = (size_t)(end / page - at) * sizeof(entries[0]);
		got = pread(fd, entries, want,
			    (off_t)(at * sizeof(entries[0])));
		if (got < 0)
			return -errno;
		if (got == 0)
			return -ESRCH;
		for (size_t i = 0; i < (size_t)got / sizeof(entries[0]); i++)
			if (entries[i] & there)
				return 1;
		at += (size_t)got / sizeof(entries[0]);
	}
	return 0;
}
