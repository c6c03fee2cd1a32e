/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memtouch: its memory. */
#include "memtouch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t huge_page_bytes(void)
{
	FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size",
			"re");
	char text[32] = "";
	uint64_t bytes = 0;

	if (f) {
		if (fgets(text, sizeof(text), f)) {
			text[strcspn(text, "\n")] = '\0';
			parse_number(text, UINT64_MAX, &bytes);
		}
		fclose(f);
	}
	/* Without THP any size does. */
	return bytes && (bytes & (bytes - 1)) == 0 ? bytes : 2 << 20;
}

static char *map(uint64_t bytes, int protection)
{
	char *p = mmap(NULL, bytes, protection,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		die("cannot map", "the memory");
	return p;
}

static void make_friendly(struct area *a, uint64_t huge)
{
	uint64_t bytes = a->n_pages * a->page_bytes;
	char *p = map(bytes + huge, PROT_READ | PROT_WRITE);
	uint64_t skip = (huge - (uint64_t)(uintptr_t)p % huge) % huge;

	if (skip)
		munmap(p, skip);
	munmap(p + skip + bytes, huge - skip);
	a->base = p + skip;
	a->chunk_shift = 63;
}

/* A page between two mappings that may not be touched keeps them apart. */
static void make_unfriendly(struct area *a, uint64_t huge)
{
	uint64_t chunk = huge / 2;
	uint64_t n = (a->n_pages * a->page_bytes + chunk - 1) / chunk;

	a->chunk_shift = (unsigned int)__builtin_ctzll(chunk);
	a->stride = chunk + a->page_bytes;
	a->base = map(n * a->stride, PROT_NONE);
	for (uint64_t i = 0; i < n; i++) {
		if (mprotect(a->base + i * a->stride, chunk,
			     PROT_READ | PROT_WRITE))
			die("cannot part", "the memory (vm.max_map_count)");
	}
}

static void place_hot(struct area *a, const struct options *o)
{
	a->n_hot = (uint64_t)((double)a->n_pages * o->hot_range / 100 + 0.5);
	if (a->n_hot == 0)
		a->n_hot = 1;
	a->first_hot = (uint64_t)((double)(a->n_pages - a->n_hot) *
				  o->hot_start / 100);
}

void area_make(const struct options *o, struct area *a)
{
	uint64_t huge = huge_page_bytes();

	a->page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	a->n_pages = o->bytes / a->page_bytes;
	place_hot(a, o);
	if (o->is_friendly)
		make_friendly(a, huge);
	else
		make_unfriendly(a, huge);
	/* What is advised but not mapped at the end makes ENOMEM: harmless. */
	if (o->is_advised)
		madvise(a->base, a->n_pages * a->page_bytes, MADV_HUGEPAGE);
	for (uint64_t i = 0; o->is_populated && i < a->n_pages; i++) {
		if (must_end)
			return;
		*area_word(a, i * a->page_bytes) = i;
	}
}
