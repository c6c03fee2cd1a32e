/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When keys of the configuration mean something: for the table of keys. */
#ifndef BENCH_CONFIG_NEEDS_H
#define BENCH_CONFIG_NEEDS_H

#include "bench/config/config_key.h"

extern const struct config_need need_sysbench;
extern const struct config_need need_server;
extern const struct config_need need_attach;
extern const struct config_need need_memtouch;
extern const struct config_need need_process;
extern const struct config_need need_place;
extern const struct config_need need_phases;
extern const struct config_need need_threads;
extern const struct config_need need_program;
extern const struct config_need need_points;
extern const struct config_need need_hackbench;
extern const struct config_need need_timed;
extern const struct config_need need_command;
extern const struct config_need need_hot;
extern const struct config_need need_options;
extern const struct config_need need_special;
extern const struct config_need need_summed;
extern const struct config_need need_pareto;
extern const struct config_need need_zipfian;
extern const struct config_need need_reuse;
extern const struct config_need need_counters;
extern const struct config_need need_pmu_counters;

#endif
