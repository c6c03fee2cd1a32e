/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/probe_memory.h"

#include <errno.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "kern/smaps.h"

enum { ADVICE_COLLAPSE = 25 }; /* MADV_COLLAPSE: older headers lack it */
enum { PAGE_BYTES = 4096, LINE_BYTES = 64 };

/* How much of it smaps has as mapped by whole PMDs. */
static int huge_of(const struct root *root, const struct probe_memory *m,
		   uint64_t *huge_bytes)
{
	auto_free char *text = NULL;
	uint64_t start = (uint64_t)(uintptr_t)m->map;
	struct smaps s;
	int ret = root_read(root, "proc/self/smaps", &text);

	if (!ret)
		ret = smaps_parse(text, &s);
	if (ret)
		return ret;
	*huge_bytes = 0;
	for (size_t i = 0; i < s.n; i++)
		if (s.list[i].start < start + m->map_bytes &&
		    s.list[i].end > start)
			*huge_bytes += s.list[i].anon_huge_bytes;
	smaps_free(&s);
	return 0;
}

static int map(struct probe_memory *m, size_t huge_bytes)
{
	m->map_bytes = m->bytes + huge_bytes;
	m->map = mmap(NULL, m->map_bytes, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (m->map == MAP_FAILED)
		return -ENOMEM; /* mmap(2): anonymous memory lacks nothing else
				 */
	m->base = m->map + (-(uintptr_t)m->map & (huge_bytes - 1));
	return 0;
}

int probe_memory_make(const struct root *root, size_t bytes, size_t huge_bytes,
		      bool is_huge, struct probe_memory *out)
{
	struct probe_memory m = { .bytes = bytes };
	uint64_t got;
	int ret = map(&m, huge_bytes);

	if (ret)
		return ret;
	madvise(m.base, bytes, is_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	for (size_t at = 0; at < bytes; at += PAGE_BYTES)
		*(volatile char *)(m.base + at) = 1;
	if (is_huge)
		madvise(m.base, bytes, ADVICE_COLLAPSE);
	ret = huge_of(root, &m, &got);
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
