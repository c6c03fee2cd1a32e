/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel's tracepoints, by a trace instance of our own: nobody else's
 * buffers, events or filters are touched. Documentation/trace/ftrace.rst,
 * "Instances". All is silent.
 */
#ifndef KERN_TRACEFS_H
#define KERN_TRACEFS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"
#include "base/str.h"

#define TRACEFS_INSTANCES "sys/kernel/tracing/instances"

/* One event, as trace_pipe prints it. The texts belong to the line. */
struct trace_event {
	const char *comm; /* of the task: "kdamond.0" */
	pid_t pid;
	uint64_t t_ns;      /* of clock_ns() */
	const char *name;   /* "damos_esz" */
	const char *fields; /* "ctx_idx=0 scheme_idx=0 esz=2" */
};

/*
 * Cut a line of trace_pipe in place:
 *        kdamond.0-77      [000] .....    11.234567: damos_esz: esz=2
 * False if it is none (a comment, lost events).
 */
bool trace_event_parse(char *line, struct trace_event *out);
/* The number behind "NAME=" in an event's fields. 0 or -ENOENT. */
int trace_event_u64(const struct trace_event *e, const char *name,
		    uint64_t *out);
/* The word behind "NAME=". free() it; NULL. */
char *trace_event_word(const struct trace_event *e, const char *name);

struct tracefs {
	const struct root *root;
	char *path; /* of the instance, below the root */
	int fd;     /* its trace_pipe; -1: closed */
	struct str rest;
	uint64_t n_lost; /* events that the buffer had no room for */
};

#define TRACEFS_CLOSED ((struct tracefs){ .fd = -1 })

/* 0; -ENOENT: tracefs is not mounted at /sys/kernel/tracing; -EACCES. */
int tracefs_probe(const struct root *root);
/* Is this tracepoint there ("damon/damos_esz")? */
bool tracefs_has(const struct root *root, const char *event);

/*
 * Make the instance (path begins with TRACEFS_INSTANCES), with its events on
 * our clock and a buffer of buffer_kb a CPU. One that is there already is
 * used. 0 or -errno, and then nothing is left.
 */
int tracefs_open(const struct root *root, const char *path,
		 unsigned int buffer_kb, struct tracefs *out);
int tracefs_enable(struct tracefs *t, const char *event);
/* Hand every event since the last call to each(). 0 or -errno. */
int tracefs_read(struct tracefs *t,
		 void (*each)(void *arg, const struct trace_event *e),
		 void *arg);
/* Close it and take the instance away. */
void tracefs_close(struct tracefs *t);

/* Take an instance away, with whatever it has switched on. 0 or -errno. */
int tracefs_remove(const struct root *root, const char *path);

#endif
