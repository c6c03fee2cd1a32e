/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may be counted, by names that no CPU's manual knows. */
#ifndef BENCH_COUNTER_ROLE_H
#define BENCH_COUNTER_ROLE_H

#include <stddef.h>

/*
 * Every role that a plan may have, in the order of the tables: those of the
 * CPU's counters, n_hardware_roles, and the kernel's software events.
 */
extern const char *const counter_roles[];
extern const size_t n_counter_roles;
extern const size_t n_hardware_roles;

/* The name to libpfm4 of the software event behind a role. */
const char *counter_software_event(size_t role);

#endif
