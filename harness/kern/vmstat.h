/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "name value" files: /proc/vmstat, memory.stat, and "Name: n kB" ones. */
#ifndef KERN_VMSTAT_H
#define KERN_VMSTAT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Look up names in a text of lines "name value" (vmstat, memory.stat) or
 * "Name: value kB" (meminfo; the value is returned in bytes). found[i] is
 * written and is_there[i] set for what is there, the first line of a name
 * only; is_there[i] is 0 for the rest. Unknown lines, and those whose number
 * is none or does not fit, are skipped. Returns how many were found.
 */
size_t vmstat_parse(const char *text, const char *const *names, size_t n,
		    uint64_t *found, unsigned char *is_there);

/* One name; 0, or -ENOENT with *out as it was. */
int vmstat_get(const char *text, const char *name, uint64_t *out);

#endif
