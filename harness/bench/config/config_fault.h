/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong with a configuration: kept by line, said once at the end. */
#ifndef BENCH_CONFIG_FAULT_H
#define BENCH_CONFIG_FAULT_H

#include <stddef.h>

struct fault {
	unsigned int line;
	char *text; /* "what is wrong; what would be right" */
};

struct faults {
	struct fault *list;
	size_t n;
};

/* The same text for the same line is kept once: [arm *] counts for all. */
void fault_add(struct faults *f, unsigned int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Print "name:line: text" of each, by line; of very many the first. */
void faults_say(struct faults *f, const char *name);
void faults_free(struct faults *f);

#endif
