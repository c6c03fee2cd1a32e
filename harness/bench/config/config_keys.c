/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one table of keys. */
#include "base/mem.h"
#include "bench/config/config_key.h"
#include "bench/config/config_needs.h"

static const char *const yes_no[] = { "yes", "no", NULL };
static const char *const arm_words[] = { "on", "off", "no-counters", NULL };
static const char *const kernels[] = { "host", "guest", "auto", NULL };
static const char *const auto_off[] = { "auto", "off", NULL };
static const char *const thp_disables[] = { "block", "keep", NULL };
/* The first are as in enum workload_program, the rest benchmarks. */
static const char *const programs[] = { "sysbench",
					"memtouch",
					"null",
					"attach",
					"hackbench",
					"sysbench-mutex",
					"sysbench-memory",
					"sysbench-threads",
					"command",
					NULL };
static const char *const workers[] = { "process", "thread", NULL };
static const char *const channels[] = { "pipes", "sockets", NULL };
/* As in enum metric_better. */
static const char *const betters[] = { "neither", "more", "less", NULL };
static const char *const scripts[] = { "oltp_read_only",  "oltp_point_select",
				       "oltp_read_write", "oltp_write_only",
				       "hot-range",       NULL };
static const char *const rand_types[] = { "uniform", "gaussian", "special",
					  "pareto",  "zipfian",  NULL };
static const char *const patterns[] = { "uniform", "hot", "sequential", NULL };
static const char *const collector_names[] = {
	"memory", "vmstat",  "khugepaged", "mthp",  "cgroup",   "cpu",
	"psi",    "mariadb", "damos",      "trace", "counters", NULL
};
static const char *const counters_words[] = { "none", "software", "tlb", NULL };
static const char *const scopes[] = { "server", "cgroup", "system", NULL };
static const char *const levels[] = { "user", "user+kernel", NULL };
static const char *const thp_modes[] = { "never", "madvise", "always", NULL };
static const char *const damos_actions[] = { "none",         "madvise-collapse",
					     "monitor",      "hugepage",
					     "collapse",     "nohugepage",
					     "pageout",      "cold",
					     "willneed",     "lru_prio",
					     "lru_deprio",   "migrate_hot",
					     "migrate_cold", NULL };
static const char *const damon_ops[] = { "vaddr", "fvaddr", "paddr", NULL };
static const char *const damos_bys[] = { "sysfs", "module", NULL };
static const char *const damos_tuners[] = { "consist", "temporal", NULL };

#define KEY(sec, key, kind, field, ...)                                        \
	{                                                                      \
		.section = #sec, .name = key, .type = &type_##kind,            \
		.offset = offsetof(struct config, field), __VA_ARGS__          \
	}
#define OPTION(key, kind, ...)                                                 \
	KEY(workload, key, option_##kind, workload.options, __VA_ARGS__)
/* Not by way of ARM, which would make a _Bool of bool. */
#define SCHEME(key, kind, field, ...)                                          \
	{                                                                      \
		.section = "arm", .name = "damos." key, .type = &type_##kind,  \
		.offset = offsetof(struct arm, scheme.field),                  \
		.need = &need_process, __VA_ARGS__                             \
	}
/* Benchmarks: bench/load/points.h */
#define POINTS(key, kind, field, ...)                                          \
	KEY(workload, key, kind, workload.points_config.field, __VA_ARGS__)
#define ARM(key, kind, field, ...)                                             \
	{                                                                      \
		.section = "arm", .name = key, .type = &type_##kind,           \
		.offset = offsetof(struct arm, field), __VA_ARGS__             \
	}

#define CLAIM(key, kind, field, ...)                                           \
	{                                                                      \
		.section = "claim", .name = key, .type = &type_##kind,         \
		.offset = offsetof(struct claim, field), __VA_ARGS__           \
	}

/* A key whose need rests on another key stands behind that one. */
const struct config_key config_keys[] = {
	KEY(experiment, "title", text, title,
	    .help = "one line: what is tried"),
	KEY(experiment, "blocks", count, blocks, .value = "5", .least = "1",
	    .most = "1000", .help = "how often each arm is run"),
	KEY(experiment, "seed", seed, seed, .value = "1",
	    .help = "the order of the runs is drawn from it"),
	KEY(experiment, "baseline", label, baseline,
	    .help = "the arm that the others are compared with"),
	KEY(experiment, "primary", metric, primary, .value = "tps",
	    .help = "the metric that decides"),
	KEY(experiment, "margin", percent, margin_pct, .value = "1%",
	    .least = "0.01%", .most = "50%",
	    .help = "differences within it do not matter"),
	KEY(experiment, "aa", bool, has_aa, .value = "no", .words = yes_no,
	    .help = "run the baseline twice, as a test of the experiment"),
	KEY(experiment, "kernel", kernel, kernel, .value = "host",
	    .words = kernels, .help = "the kernel to run on"),

	KEY(guest, "memory", pool, guest.memory_bytes, .value = "auto",
	    .least = "256M", .most = "16T",
	    .help = "of a guest; auto: sized to the data"),
	KEY(guest, "cpus", count, guest.cpus, .value = "2", .least = "1",
	    .most = "255", .help = "CPUs of a guest"),
	KEY(guest, "cmdline", text, guest.cmdline,
	    .help = "added to the command line of its kernel"),
	KEY(guest, "kvm", word, guest.kvm, .value = "auto", .words = auto_off,
	    .help = "KVM where a trial boots, or emulation"),
	KEY(guest, "boot_limit", time, guest.boot_limit_ns, .least = "1s",
	    .most = "24h", .help = "for a guest's boot"),
	KEY(guest, "limit", time, guest.limit_ns, .least = "1s", .most = "24h",
	    .help = "for a run, from the guest's boot on"),

	KEY(server, "mariadbd", server, server.mariadbd, .value = "system",
	    .need = &need_server, .help = "the server's program"),
	KEY(server, "buffer_pool", pool, server.buffer_pool_bytes,
	    .value = "auto", .least = "8M", .most = "16T", .need = &need_server,
	    .help = "InnoDB's buffer pool; auto: sized to the data"),
	KEY(server, "cpus", cpus, server.cpus, .need = &need_place,
	    .help = "CPUs of the server"),
	KEY(server, "client_cpus", cpus, server.client_cpus,
	    .need = &need_sysbench, .help = "CPUs of sysbench"),
	KEY(server, "numa_node", node, server.numa_node, .value = "any",
	    .least = "0", .most = "1023", .need = &need_place,
	    .help = "node whose memory the server, or memtouch, is bound to"),
	KEY(server, "thp_disable", word, server.thp_disable, .value = "block",
	    .words = thp_disables, .need = &need_server,
	    .help = "what to do about a server that switches THP off"),
	KEY(server, "drop_caches", bool, server.drop_caches, .value = "no",
	    .words = yes_no, .help = "drop the page cache before each run"),
	KEY(server, "compact_memory", bool, server.compact_memory,
	    .value = "no", .words = yes_no,
	    .help = "compact all memory before each run"),
	KEY(server, "my.", variable, server.variables, .need = &need_server,
	    .help = "any variable of the server"),

	KEY(workload, "program", programs, workload.program,
	    .value = "sysbench", .words = programs,
	    .help = "what loads the memory, or benchmarks, by blanks"),
	KEY(workload, "dry_run", bool, workload.dry_run, .value = "no",
	    .words = yes_no, .need = &need_sysbench,
	    .help = "sysbench without a server"),
	KEY(workload, "sysbench", program, workload.sysbench, .value = "system",
	    .need = &need_program, .help = "sysbench's program"),
	KEY(workload, "script", script, workload.script,
	    .value = "oltp_read_only", .words = scripts, .need = &need_sysbench,
	    .help = "what the clients do"),
	KEY(workload, "tables", count, workload.tables, .value = "4",
	    .least = "1", .most = "1000", .need = &need_sysbench,
	    .help = "tables"),
	KEY(workload, "table_size", count64, workload.table_size,
	    .value = "200000", .least = "100", .most = "2000000000",
	    .need = &need_sysbench, .help = "rows of each table"),
	KEY(workload, "threads", threads, workload.threads, .value = "4",
	    .least = "1", .most = "4096", .need = &need_threads,
	    .help = "clients at once; of sysbench-...: a list, a point each"),
	KEY(workload, "rand_type", name, workload.rand_type, .value = "uniform",
	    .words = rand_types, .need = &need_sysbench,
	    .help = "how rows are drawn"),
	OPTION("rand_spec_pct", count, .least = "1", .most = "100",
	       .need = &need_special,
	       .help = "special rows, in % of the table"),
	OPTION("rand_spec_res", count, .least = "1", .most = "100",
	       .need = &need_special,
	       .help = "requests for special rows, in %"),
	OPTION("rand_spec_iter", count, .least = "1", .most = "1000",
	       .need = &need_summed, .help = "random numbers summed for one"),
	OPTION("rand_pareto_h", number, .least = "0.000001", .most = "0.999999",
	       .need = &need_pareto, .help = "the less, the narrower"),
	OPTION("rand_zipfian_exp", number, .least = "0.01", .most = "10",
	       .need = &need_zipfian, .help = "the more, the narrower"),
	OPTION("hot_share", percent, .value = "90%", .least = "0",
	       .most = "100", .need = &need_hot,
	       .help = "share of the requests that go to the hot range"),
	OPTION("hot_range", percent, .value = "10%", .least = "0.001",
	       .most = "100", .need = &need_hot,
	       .help = "size of the hot range, in % of the rows or bytes"),
	OPTION("hot_start", percent, .value = "50%", .least = "0",
	       .most = "100", .need = &need_hot,
	       .help = "where it lies: from 0, the front, to 100, the end"),
	KEY(workload, "opt.", option, workload.options, .need = &need_options,
	    .help = "any option of the script, or of memtouch"),
	KEY(workload, "reuse_data", bool, workload.reuse_data, .value = "no",
	    .words = yes_no, .need = &need_reuse,
	    .help = "use the data folder of the run before again"),
	KEY(workload, "memtouch_bytes", size, workload.memtouch_bytes,
	    .value = "256M", .least = "4M", .most = "16T",
	    .need = &need_memtouch, .help = "memory that memtouch uses"),
	KEY(workload, "memtouch_pattern", name, workload.memtouch_pattern,
	    .value = "uniform", .words = patterns, .need = &need_memtouch,
	    .help = "where memtouch touches it"),
	KEY(workload, "pid", count, workload.pid, .least = "2",
	    .most = "4194304", .need = &need_attach,
	    .help = "the process of this machine that is watched"),
	POINTS("groups", numbers, groups, .value = "10", .least = "1",
	       .most = "100000", .need = &need_hackbench,
	       .help = "of hackbench: a list, a point each"),
	POINTS("workers", words, workers, .value = "process", .words = workers,
	       .need = &need_hackbench,
	       .help = "what hackbench makes: process, thread or both"),
	POINTS("channels", words, channels, .value = "sockets",
	       .words = channels, .need = &need_hackbench,
	       .help = "what they talk through: pipes, sockets or both"),
	POINTS("loops", count, loops, .value = "100", .least = "1",
	       .most = "1000000000", .need = &need_hackbench,
	       .help = "messages of each sender to each receiver"),
	POINTS("fds", count, fds, .value = "20", .least = "1", .most = "100000",
	       .need = &need_hackbench,
	       .help = "senders, and receivers, of a group"),
	POINTS("datasize", count, datasize_bytes, .value = "100", .least = "1",
	       .most = "1048576", .need = &need_hackbench,
	       .help = "bytes of a message"),
	POINTS("duration", seconds, duration_ns, .value = "10s", .least = "1s",
	       .most = "1h", .need = &need_timed,
	       .help = "how long sysbench-memory and -threads work"),
	POINTS("command", text, command, .need = &need_command,
	       .help = "what /bin/sh -c is given"),
	POINTS("command_values", points, values, .need = &need_command,
	       .help = "each in place of {} in it: a point each"),
	POINTS("command_name", point, name, .value = "command",
	       .need = &need_command, .help = "of its metric"),
	POINTS("command_unit", text, unit, .need = &need_command,
	       .help = "of the figure"),
	POINTS("command_better", word, better, .words = betters,
	       .need = &need_command, .help = "which figure is better"),
	POINTS("command_regex", regex, regex, .need = &need_command,
	       .help = "finds the figure in the output: its first group"),
	POINTS("command_json", json, json, .need = &need_command,
	       .help = "path of the figure in JSON: .jobs[0].read.iops"),
	POINTS("command_files", text, files, .need = &need_command,
	       .help = "programs and files that a guest needs for it"),
	POINTS("repeats", count, repeats, .value = "1", .least = "1",
	       .most = "1000", .need = &need_points,
	       .help = "executions of a point in a run, whose mean counts"),
	POINTS("warm_ups", count, warm_ups, .value = "0", .least = "0",
	       .most = "1000", .need = &need_points,
	       .help = "executions of a point before them that do not"),
	POINTS("point_limit", time, limit_ns, .value = "10m", .least = "1s",
	       .most = "24h", .need = &need_points,
	       .help = "for an execution; the run then fails"),
	KEY(workload, "load", time, workload.load_ns, .value = "60s",
	    .least = "0s", .most = "24h", .need = &need_phases,
	    .help = "run before anything counts"),
	KEY(workload, "settle", settle, workload.settle_ns,
	    .value = "until-stable 300s", .least = "0s", .most = "24h",
	    .need = &need_phases, .help = "then wait for the huge pages"),
	KEY(workload, "measure", time, workload.measure_ns, .value = "300s",
	    .least = "100ms", .most = "24h", .need = &need_phases,
	    .help = "the window that counts"),

	KEY(collect, "interval", time, collect.interval_ns, .value = "1s",
	    .least = "10ms", .most = "1h", .help = "from sample to sample"),
	KEY(collect, "budget", percent, collect.budget_pct, .value = "0.5%",
	    .least = "0", .most = "100",
	    .help = "CPU time of all collectors, in % of one core; 0: no "
		    "limit"),
	KEY(collect, "off", collectors, collect.off, .words = collector_names,
	    .help = "collectors that are not wanted"),
	KEY(collect, "counters", word, collect.counters, .value = "tlb",
	    .words = counters_words,
	    .help = "what is counted: nothing, the kernel's software events, "
		    "or these and the PMU's of TLBs"),
	KEY(collect, "scope", word, collect.scope, .value = "server",
	    .words = scopes, .need = &need_counters,
	    .help = "whom counters are of"),
	KEY(collect, "level", word, collect.level, .value = "user+kernel",
	    .words = levels, .need = &need_pmu_counters,
	    .help = "whose work the PMU counts: the program's, or the "
		    "kernel's for it too"),
	KEY(collect, "events", text, collect.events, .need = &need_pmu_counters,
	    .help = "a folder of event files, which come before ours"),
	KEY(collect, "rotate", bool, collect.rotate, .value = "no",
	    .words = yes_no, .need = &need_pmu_counters,
	    .help = "groups that the PMU has no room for are counted in "
		    "turns, block by block"),
	KEY(collect, "running_least", percent, collect.running_pct,
	    .value = "95%", .least = "0", .most = "100", .need = &need_counters,
	    .help = "share of the time that a group must be on the PMU"),
	KEY(collect, "counters_from", text, collect.counters_from,
	    .need = &need_counters,
	    .help = "replay counts from a file in place of the PMU's"),

	ARM("thp", knob, knobs, .words = thp_modes,
	    .help = "transparent_hugepage/enabled"),
	ARM("thp.", knob, knobs,
	    .help = "a file below transparent_hugepage/, '.' for '/'"),
	ARM("sysctl.", knob, knobs,
	    .help = "a file below /proc/sys, '.' for '/'"),
	ARM("damos", damos, damos, .value = "none", .words = damos_actions,
	    .need = &need_process,
	    .help = "what is done to the memory when settling starts"),
	SCHEME("by", word, by, .value = "sysfs", .words = damos_bys,
	       .help = "who runs the scheme: sysfs as set up here, or the "
		       "kernel's hugepage sample module"),
	SCHEME("ops", constant, setup.ops, .value = "vaddr", .words = damon_ops,
	       .help = "which addresses are monitored"),
	SCHEME("addresses", addresses, setup.regions, .value = "pool",
	       .help = "the target's ranges: the buffer pool, or as given"),
	SCHEME("intervals", intervals, setup.sample_us,
	       .value = "5ms 100ms 60s",
	       .help = "sampling, aggregation and update of the target"),
	SCHEME("intervals_goal", intervals_goal, setup.intervals_goal,
	       .help = "tune the intervals: accesses in basis points, "
		       "aggregations, least and most sampling interval"),
	SCHEME("regions", counts, setup.nr_regions, .value = "10 1000",
	       .help = "regions that are monitored, least and most"),
	SCHEME("size", sizes, setup.scheme.sz_bytes, .value = "0 max",
	       .help = "of the regions that are acted on, least and most"),
	SCHEME("access_rate", damos_rate, setup.scheme.nr_accesses,
	       .value = "0 max",
	       .help = "of these regions, in % or hits of an aggregation"),
	SCHEME("age", damos_age, setup.scheme.age, .value = "0 max",
	       .help = "how long they were so: time, or aggregations"),
	SCHEME("apply_interval", time_us, setup.scheme.apply_interval_us,
	       .value = "0", .help = "how often; 0: at each aggregation"),
	SCHEME("target_node", node, setup.scheme.target_nid, .value = "any",
	       .least = "0", .most = "1023",
	       .help = "where migrate_hot and migrate_cold move memory"),
	SCHEME("quota_bytes", size, setup.scheme.quota_bytes, .value = "0",
	       .least = "0", .most = "16T",
	       .help = "memory that is acted on in an interval; 0: no limit"),
	SCHEME("quota_ms", count64, setup.scheme.quota_ms, .value = "0",
	       .least = "0", .most = "86400000",
	       .help = "time that this may take, in ms; 0: no limit"),
	SCHEME("quota_interval", time_ms, setup.scheme.quota_reset_ms,
	       .value = "1s", .help = "after which the quota starts anew"),
	SCHEME("weights", weights, setup.scheme.weight_sz_permil,
	       .value = "0 0 0",
	       .help = "what comes first: size, access rate, age"),
	SCHEME("fail_charge", fraction, setup.scheme.fail_charge_num,
	       .help = "share of what failed that the quota is charged"),
	SCHEME("goal", goal, goal, .help = "tune the quota: metric, target"),
	SCHEME("tuner", name, setup.scheme.tuner, .words = damos_tuners,
	       .help = "how it is tuned; the kernel's default is consist"),
	SCHEME("filter", filters, setup.scheme.filters,
	       .help = "ranges of addresses that are allowed or rejected"),
	SCHEME("watermarks", watermarks, setup.scheme.watermark_metric,
	       .help = "when it is active: metric, interval, high, mid, low"),
	SCHEME("kdamonds", count, n_kdamonds, .value = "1", .least = "1",
	       .most = "1024",
	       .help = "threads that the addresses are split among"),
	SCHEME("tried_regions", bool, wants_regions, .value = "no",
	       .help = "record the regions tried when the scheme ends"),
	ARM("kernel", kernel, kernel, .words = kernels,
	    .help = "the kernel of this arm's runs"),
	ARM("mariadbd", server, mariadbd, .need = &need_server,
	    .help = "the server of this arm's runs"),
	ARM("collectors", word, collectors, .value = "on", .words = arm_words,
	    .help = "off: nothing is sampled in this arm, to see what "
		    "sampling costs; no-counters: all but counters"),
	ARM("env.", env, env, .need = &need_place,
	    .help = "environment of the server"),

	CLAIM("metric", metric, metric, .help = "what is claimed of"),
	CLAIM("arm", text, arm, .help = "the label of the arm"),
	CLAIM("expect", text, expect,
	      .help = "what it is to be: > 0, > +0.5 %, < arm LABEL"),
};
const size_t n_config_keys = ARRAY_SIZE(config_keys);
