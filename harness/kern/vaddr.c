/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/vaddr.h"

#include "base/str.h"

/* Keep the two largest, the larger first. */
static void keep(uint64_t largest[2], uint64_t gap)
{
	if (gap > largest[0]) {
		largest[1] = largest[0];
		largest[0] = gap;
	} else if (gap > largest[1]) {
		largest[1] = gap;
	}
}

void vaddr_of(const struct smaps *maps, struct vaddr *out)
{
	const struct smaps_vma *last = NULL;
	uint64_t largest[2] = { 0, 0 };
	uint64_t gaps = 0;

	*out = (struct vaddr){ 0 };
	for (size_t i = 0; i < maps->n; i++) {
		const struct smaps_vma *vma = &maps->list[i];

		if (str_eq(vma->name, "[vsyscall]"))
			continue;
		if (last && vma->start > last->end) {
			gaps += vma->start - last->end;
			keep(largest, vma->start - last->end);
		}
		out->mapped_bytes += vma->end - vma->start;
		last = vma;
	}
	out->monitored_bytes =
		out->mapped_bytes + gaps - largest[0] - largest[1];
}
