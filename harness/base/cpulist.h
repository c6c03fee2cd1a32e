/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of CPUs as the kernel writes them: "0-3,8". */
#ifndef BASE_CPULIST_H
#define BASE_CPULIST_H

#include <sched.h>

/*
 * 0; -EINVAL for what is no such list (empty, "3-1", a blank); -ERANGE for a
 * CPU that a cpu_set_t has no room for. *out is written on success only.
 */
int cpulist_parse(const char *text, cpu_set_t *out);

/*
 * Bind the calling thread to exactly these CPUs; made for a child before its
 * exec. 0 or -errno as above; -ENODEV if one of them may not be used (absent,
 * offline, outside our cpuset): the kernel would leave it out silently.
 */
int cpulist_bind(const char *text);

#endif
