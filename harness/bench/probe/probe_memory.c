/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/probe/probe_memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "kern/smaps.h"

enum { ADVICE_COLLAPSE = 25 }; /* MADV_COLLAPSE: older headers lack it */
enum { PAGE_BYTES = 4096, LINE_BYTES = 64 };

int probe_memory_huge(const struct root *root, const struct probe_memory *m,
		      pid_t pid, uint64_t *huge_bytes)
{
	auto_free char *path =
		xasprintf("proc/%d/smaps", (int)(pid ? pid : getpid()));
	auto_free char *text = NULL;
	uint64_t start = (uint64_t)(uintptr_t)m->base;
	struct smaps s = { 0 };
	int ret = root_read(root, path, &text);

	if (!ret)
		ret = smaps_parse(text, &s);
	if (ret)
		return ret;
	*huge_bytes = 0;
	for (size_t i = 0; i < s.n; i++)
		if (s.list[i].start < start + m->bytes && s.list[i].end > start)
			*huge_bytes += s.list[i].anon_huge_bytes +
				       s.list[i].shmem_huge_bytes +
				       s.list[i].file_huge_bytes;
	smaps_free(&s);
	return 0;
}

/*
 * Room without access, base in the middle: a mapping put there has no
 * neighbours that it could be merged with.
 */
static int reserve(size_t bytes, size_t huge_bytes, struct probe_memory *m)
{
	*m = (struct probe_memory){ .bytes = bytes, .huge_bytes = huge_bytes };
	m->map_bytes = bytes + 2 * huge_bytes;
	m->map = mmap(NULL, m->map_bytes, PROT_NONE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (m->map == MAP_FAILED) {
		*m = (struct probe_memory){ 0 };
		return -ENOMEM;
	}
	m->base = m->map + huge_bytes - ((uintptr_t)m->map & (huge_bytes - 1));
	return 0;
}

static int put(struct probe_memory *m, int fd, int prot, int flags)
{
	void *at = mmap(m->base, m->bytes, prot, flags | MAP_FIXED, fd, 0);
	int err = -errno;

	if (at == m->base)
		return 0;
	probe_memory_free(m);
	return err < 0 ? err : -EFAULT;
}

int probe_memory_map(size_t bytes, size_t huge_bytes, struct probe_memory *out)
{
	int ret = reserve(bytes, huge_bytes, out);

	/* mmap(2): anonymous memory lacks nothing else */
	if (!ret && put(out, -1, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE))
		ret = -ENOMEM;
	return ret;
}

int probe_memory_map_file(int fd, int prot, int flags, size_t huge_bytes,
			  struct probe_memory *m)
{
	int ret = reserve(huge_bytes, huge_bytes, m);

	return ret ? ret : put(m, fd, prot, flags);
}

void probe_memory_fill(const struct probe_memory *m, size_t from, size_t bytes)
{
	for (size_t at = from; at < from + bytes; at += PAGE_BYTES)
		*(volatile char *)(m->base + at) = 1;
}

int probe_memory_make(const struct root *root, size_t bytes, size_t huge_bytes,
		      bool is_huge, struct probe_memory *out)
{
	struct probe_memory m;
	uint64_t got;
	int ret = probe_memory_map(bytes, huge_bytes, &m);

	if (ret)
		return ret;
	madvise(m.base, bytes, is_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	probe_memory_fill(&m, 0, bytes);
	if (is_huge)
		madvise(m.base, bytes, ADVICE_COLLAPSE);
	ret = probe_memory_huge(root, &m, 0, &got);
	/* A few that the kernel had no room for do not matter. */
	if (!ret && (is_huge ? got < bytes - bytes / 50 : got > 0))
		ret = -ENOTSUP;
	if (ret)
		probe_memory_free(&m);
	else
		*out = m;
	return ret;
}

void probe_memory_free(struct probe_memory *m)
{
	if (m->map)
		munmap(m->map, m->map_bytes);
	*m = (struct probe_memory){ 0 };
}

void probe_memory_touch(const struct probe_memory *m, uint64_t n)
{
	uint64_t pages = m->bytes / PAGE_BYTES;
	uint64_t x = 88172645463325252; /* Marsaglia's xorshift64 */

	for (uint64_t i = 0; i < n; i++) {
		uint64_t line;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		/* Another line of each page, or few sets of the cache serve
		 * them all. */
		line = (x >> 40) % (PAGE_BYTES / LINE_BYTES);
		(*(volatile uint64_t *)(void *)(m->base +
						(x % pages) * PAGE_BYTES +
						line * LINE_BYTES))++;
	}
}
