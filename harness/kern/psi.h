/* SPDX-License-Identifier: GPL-3.0-or-later */
/* /proc/pressure/memory: time lost for want of memory. */
#ifndef KERN_PSI_H
#define KERN_PSI_H

#include <stdint.h>

struct psi {
	uint64_t some_us; /* total= of "some": at least one task waited */
	uint64_t full_us; /* total= of "full": all waited; 0 if no line */
};

/*
 * 0, or -EPROTO if there is no "some" line, or a line without its total; *out
 * is written on success only.
 */
int psi_parse(const char *text, struct psi *out);

#endif
