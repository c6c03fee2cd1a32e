/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/probe/probe.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/probe/probe_parts.h"

/* Page faults bring small pages, but where they are asked for. */
#define MADVISE "thp=madvise"
/* Faults that may wait for a huge page: it is not for want of one. */
#define PATIENT " thp.defrag=always"
/* khugepaged comes round often, and scans much. */
#define BUSY                                                                   \
	MADVISE " thp.khugepaged.scan_sleep_millisecs=10"                      \
		" thp.khugepaged.alloc_sleep_millisecs=10"                     \
		" thp.khugepaged.pages_to_scan=65536"                          \
		" thp.khugepaged.defrag=1"

const struct probe probes[] = {
	{ "collapse", "MADV_COLLAPSE of private anonymous memory",
	  probe_collapse_anon, MADVISE, 20, false, false },
	{ "collapse-never", "MADV_COLLAPSE under THP never",
	  probe_collapse_anon, "thp=never", 20, false, false },
	{ "collapse-disabled", "MADV_COLLAPSE under PR_SET_THP_DISABLE",
	  probe_collapse_disabled, MADVISE, 20, false, false },
	{ "collapse-except",
	  "MADV_COLLAPSE under PR_SET_THP_DISABLE with except-advised",
	  probe_collapse_except_advised, MADVISE, 20, false, false },
	{ "collapse-nohugepage", "MADV_COLLAPSE behind MADV_NOHUGEPAGE",
	  probe_collapse_nohugepage, MADVISE, 20, false, false },
	{ "collapse-readonly", "MADV_COLLAPSE of read-only private memory",
	  probe_collapse_readonly, MADVISE, 20, false, false },
	{ "collapse-one-page",
	  "MADV_COLLAPSE where one page is there, under max_ptes_none 0",
	  probe_collapse_one_page, MADVISE " thp.khugepaged.max_ptes_none=0",
	  20, false, false },
	{ "collapse-empty", "MADV_COLLAPSE where no page is there",
	  probe_collapse_empty, MADVISE, 20, false, false },
	{ "collapse-hole",
	  "MADV_COLLAPSE of 8 huge pages of room, one with a hole",
	  probe_collapse_hole, MADVISE, 20, false, false },
	{ "collapse-part", "MADV_COLLAPSE of less than a huge page",
	  probe_collapse_part, MADVISE, 20, false, false },
	{ "collapse-shmem", "MADV_COLLAPSE of shmem, shmem_enabled never",
	  probe_collapse_shmem, MADVISE " thp.shmem_enabled=never", 20, false,
	  false },
	{ "collapse-file", "MADV_COLLAPSE of a file's pages, mapped as text",
	  probe_collapse_file, MADVISE, 20, false, false },
	{ "collapse-ramfs", "MADV_COLLAPSE of a file's pages, on a ramfs",
	  probe_collapse_ramfs, MADVISE, 20, false, false },
	{ "collapse-other", "MADV_COLLAPSE by process_madvise from outside",
	  probe_other_collapse, MADVISE, 20, false, false },
	{ "hugepage-other", "MADV_HUGEPAGE by process_madvise from outside",
	  probe_other_hugepage, MADVISE, 20, false, false },
	{ "collapse-stress", "MADV_COLLAPSE while other threads unmap and fork",
	  probe_stress, MADVISE, 60, false, false },
	{ "khugepaged", "khugepaged on advised memory", probe_khugepaged_anon,
	  BUSY, 30, false, false },
	{ "khugepaged-readonly",
	  "khugepaged on advised memory, its ptes not writable",
	  probe_khugepaged_readonly, BUSY, 30, false, false },
	{ "fault-always", "page faults under THP always", probe_fault,
	  "thp=always" PATIENT, 20, false, false },
	{ "fault-madvise", "page faults under THP madvise", probe_fault,
	  MADVISE PATIENT, 20, false, false },
	{ "fault-advised", "page faults on advised memory, THP madvise",
	  probe_fault_advised, MADVISE PATIENT, 20, false, false },
	{ "fault-never", "page faults on advised memory, THP never",
	  probe_fault_advised, "thp=never" PATIENT, 20, false, false },
	{ "fault-disabled",
	  "page faults on advised memory under PR_SET_THP_DISABLE",
	  probe_fault_disabled, "thp=always" PATIENT, 20, false, false },
	{ "fault-except",
	  "page faults under PR_SET_THP_DISABLE with except-advised",
	  probe_fault_except_advised, "thp=always" PATIENT, 20, false, false },
	{ "mmap-aligned", "where mmap() puts memory of several huge pages",
	  probe_mmap_aligned, NULL, 20, false, false },
	{ "damos-hugepage",
	  "what DAMOS hugepage advises around a narrow hot range",
	  probe_damos_hugepage, MADVISE, 60, true, false },
	{ "damos-collapse",
	  "what DAMOS collapse collapses around a narrow hot range",
	  probe_damos_collapse, "thp=never", 60, true, false },
	{ "tlb", "do the TLB counters of this CPU mean what they say?",
	  probe_tlb, NULL, 120, false, true },
};
const size_t n_probes = ARRAY_SIZE(probes);

const struct probe *probe_find(const char *name)
{
	auto_free const char **names = xcalloc(n_probes, sizeof(*names));
	const char *nearest;

	for (size_t i = 0; i < n_probes; i++) {
		names[i] = probes[i].name;
		if (str_eq(name, probes[i].name))
			return &probes[i];
	}
	nearest = str_nearest(name, names, n_probes);
	if (nearest)
		refuse(0, "probe: no probe '%s'; did you mean '%s'?", name,
		       nearest);
	else
		refuse(0, "probe: no probe '%s'; thpbench probe runs all",
		       name);
	return NULL;
}
