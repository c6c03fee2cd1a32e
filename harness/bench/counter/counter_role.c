/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/counter/counter_role.h"

#include "base/mem.h"

const char *const counter_roles[] = {
	"cycles",
	"instructions",
	"dtlb_access",
	"itlb_access",
	"dtlb_walk",
	"itlb_walk",
	"dtlb_walk_cycles",
	"itlb_walk_cycles",
	"dtlb_walk_4k",
	"dtlb_walk_2m",
	"dtlb_walk_1g",
	"itlb_walk_4k",
	"itlb_walk_2m",
	"dtlb_stlb_hit",
	"itlb_stlb_hit",
	/* of the kernel */
	"page_faults",
	"minor_faults",
	"major_faults",
	"task_clock",
	"context_switches",
	"cpu_migrations",
};

/* For the last of counter_roles[], in their order. */
static const char *const software_events[] = {
	"perf::PAGE-FAULTS", "perf::MINOR-FAULTS",     "perf::MAJOR-FAULTS",
	"perf::TASK-CLOCK",  "perf::CONTEXT-SWITCHES", "perf::CPU-MIGRATIONS",
};

const size_t n_counter_roles = ARRAY_SIZE(counter_roles);
const size_t n_hardware_roles =
	ARRAY_SIZE(counter_roles) - ARRAY_SIZE(software_events);

const char *counter_software_event(size_t role)
{
	return software_events[role - n_hardware_roles];
}
