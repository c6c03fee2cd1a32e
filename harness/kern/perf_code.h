/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One event as perf_event_open(2) takes it. */
#ifndef KERN_PERF_CODE_H
#define KERN_PERF_CODE_H

#include <stdbool.h>
#include <stdint.h>

/* Fields of struct perf_event_attr by the same names. */
struct perf_code {
	uint64_t config;
	uint64_t config1;
	uint64_t config2;
	uint32_t type;
	bool exclude_kernel;
	bool exclude_hv;
	bool exclude_guest;
};

#endif
