/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a load printed for people: only looked at for what went wrong. */
#ifndef BENCH_LOAD_LOG_H
#define BENCH_LOAD_LOG_H

/* The first line that begins with "FATAL:"; NULL if none. free() it. */
char *load_log_fatal(const char *path);

/*
 * Why it ended with this status: that line; else, if the status is not 0, the
 * last that is not blank. NULL if none. free() it.
 */
char *load_log_reason(const char *path, int wstatus);

#endif
