/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a load is started with: its arguments and its environment. */
#ifndef BENCH_LOAD_COMMAND_H
#define BENCH_LOAD_COMMAND_H

#include <stddef.h>

struct arm;
struct workload_config;

/* Both lists end in NULL once anything was added; free with _free(). */
struct load_command {
	char **argv;
	size_t n_argv;
	char **env; /* "NAME=value", added to ours */
	size_t n_env;
};

void load_command_arg(struct load_command *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void load_command_env(struct load_command *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void load_command_free(struct load_command *c);

/*
 * sysbench with workloads/report.lua; verb is "run" or "prepare", socket NULL
 * for a dry run. Every option that shapes the load is given, none is left to
 * a default that differs between versions. Returns 0; -ENOENT (printed) if
 * sysbench or our script is not found; -EINVAL (printed) for options that the
 * report cannot hold under.
 */
int load_sysbench_command(const struct workload_config *w, const char *socket,
			  const char *verb, struct load_command *out);

/* memtouch; arm's environment, if any. 0, or -ENOENT (printed). */
int load_memtouch_command(const struct workload_config *w,
			  const struct arm *arm, struct load_command *out);

#endif
