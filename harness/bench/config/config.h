/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A configuration file, read and checked. The manual: thpbench.conf(5). */
#ifndef BENCH_CONFIG_H
#define BENCH_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/damos/damos.h"
#include "bench/load/points.h"
#include "data/record.h"
#include "kern/pfm.h"

/* A kernel file and what an arm wants in it, by its key in the file. */
struct knob {
	char *key;  /* "thp", "thp.khugepaged.pages_to_scan", "sysctl.vm.x" */
	char *path; /* below the root: "sys/kernel/mm/..." */
	char *value;
	unsigned int line;
};

enum damos_action {
	DAMOS_NONE,
	DAMOS_MADVISE_COLLAPSE, /* process_madvise() by us, no DAMON */
	DAMOS_SCHEME,           /* a scheme of DAMON's: struct damos_config */
};

/* All collectors in an arm, or none: what do they cost the load? */
enum arm_collectors {
	ARM_COLLECTORS_ON,
	ARM_COLLECTORS_OFF,
	ARM_COLLECTORS_UNCOUNTED, /* all but the counters */
};

struct arm {
	char *label;
	unsigned int line;
	enum damos_action damos;
	struct damos_config scheme;
	enum arm_collectors collectors;
	char *kernel;       /* config_kernel(): the experiment's if NULL */
	char *mariadbd;     /* config_mariadbd(): the experiment's if NULL */
	struct knob *knobs; /* [arm *]'s first, then its own; no path twice */
	size_t n_knobs;
	struct facts env;  /* env.<NAME>: environment of the server */
	struct facts keys; /* every key as written, for the record */
};

enum thp_disable {
	THP_DISABLE_BLOCK, /* the server cannot switch THP off for itself */
	THP_DISABLE_KEEP,  /* it may, as it does in the field */
};

struct server_config {
	char *mariadbd;             /* "system", "debian:SUITE", or a path */
	uint64_t buffer_pool_bytes; /* 0: sized to the data */
	char *cpus;                 /* "0-3,8", NULL: all */
	char *client_cpus;
	int numa_node; /* -1: not bound */
	enum thp_disable thp_disable;
	bool drop_caches;       /* before each run */
	bool compact_memory;    /* before each run */
	struct facts variables; /* my.<name> */
};

enum workload_program {
	WORKLOAD_SYSBENCH, /* against the server */
	WORKLOAD_MEMTOUCH, /* workloads/memtouch: the program is the server */
	WORKLOAD_NULL,     /* nothing runs: the pipeline alone */
	WORKLOAD_ATTACH,   /* nothing of ours: a process that runs is watched */
	WORKLOAD_POINTS,   /* benchmarks that end: bench/load/points.h */
};

struct workload_config {
	enum workload_program program;
	char *sysbench; /* "system", or the path of a sysbench */
	char *script;   /* oltp_read_only, ..., hot-range, or a .lua's path */
	unsigned int tables;
	uint64_t table_size;
	unsigned int threads;
	char *rand_type;      /* uniform gaussian special pareto zipfian */
	struct facts options; /* rand_*, hot_*, opt.<name>: given as --name= */
	bool dry_run;         /* sysbench without a server */
	bool reuse_data;      /* read-only: the folder is used again */
	char *memtouch_pattern; /* uniform hot sequential */
	uint64_t memtouch_bytes;
	unsigned int pid; /* of WORKLOAD_ATTACH; 0: not given */
	uint64_t load_ns;
	bool settle_until_stable;
	uint64_t settle_ns;  /* exact, or the limit of until-stable */
	uint64_t measure_ns; /* 0: until all points are done */
	struct points_config points_config;
};

enum counters_wanted {
	COUNTERS_NONE,
	COUNTERS_SOFTWARE, /* the kernel's own, which need no PMU */
	COUNTERS_TLB,      /* and what the PMU says of TLBs */
};

enum counters_scope {
	COUNTERS_OF_SERVER, /* the process and all that it begins */
	COUNTERS_OF_CGROUP, /* what runs in its cgroup */
	COUNTERS_OF_SYSTEM, /* all CPUs */
};

struct collect_config {
	uint64_t interval_ns;
	double budget_pct; /* of one core, all collectors; 0: no limit */
	char *off;         /* names of collectors not wanted, by blanks */
	enum counters_wanted counters;
	enum counters_scope scope;
	enum pfm_level level;
	char *events;        /* a folder of event files; NULL: ours alone */
	bool rotate;         /* groups that do not fit: in turns, by block */
	double running_pct;  /* least share of the time on the PMU */
	char *counters_from; /* a file to replay; NULL: the PMU */
};

enum guest_kvm {
	GUEST_KVM_AUTO, /* where a trial with it boots */
	GUEST_KVM_OFF,
};

struct guest_config {
	uint64_t memory_bytes; /* 0: sized to the data */
	unsigned int cpus;
	char *cmdline; /* added to the kernel's; NULL: nothing */
	enum guest_kvm kvm;
	uint64_t boot_limit_ns; /* until it has booted; 0: by how it runs */
	uint64_t limit_ns;      /* of a run; 0: by its phases */
};

#define CONFIG_AA "A/A"

struct config {
	char *path;
	char *text;
	char *hash; /* 16 hex digits: FNV-1a 64 of what was read */
	char *title;
	unsigned int blocks;
	uint64_t seed;
	size_t baseline;   /* index into arms */
	char *primary;     /* a metric */
	double margin_pct; /* a difference within it does not matter */
	bool has_aa;       /* the arm CONFIG_AA repeats the baseline */
	char *kernel;      /* "host", "guest", "auto", a name or a path */
	struct guest_config guest;
	struct server_config server;
	struct workload_config workload;
	struct points points; /* of WORKLOAD_POINTS, in their order */
	struct collect_config collect;
	struct arm *arms;
	size_t n_arms;
	struct claim *claims;
	size_t n_claims;
	/* "workload.threads" = "4": all that is in effect, but for the arms */
	struct facts keys;
};

/*
 * Read and check a configuration. Bad ones give "file:line: what is wrong;
 * what would be right" for each fault found, and -EBADMSG; -errno if it
 * cannot be read. Nothing of the system is looked at.
 */
int config_read(const char *path, struct config *out);
/* The same for a text; name is what messages call it. */
int config_parse(const char *name, const char *text, struct config *out);
/*
 * Keep only the arms of these labels, in the configuration's order. The
 * baseline, where it is not among them, becomes the first that is (warned).
 */
void config_keep_arms(struct config *c, const char *const *labels, size_t n);
void config_free(struct config *c);

/* The kernel that an arm's runs want, as written. */
const char *config_kernel(const struct config *c, const struct arm *arm);

/* The server of an arm's runs, as written. */
const char *config_mariadbd(const struct config *c, const struct arm *arm);

/* The keys of one section as they are in effect, defaults filled in. */
void config_section(const struct config *c, const char *section,
		    struct facts *out);

/* One key that a section may hold: the parser reads it, and the manual. */
struct config_key {
	const char *section; /* "experiment", "arm", ... */
	const char *name;    /* a trailing '.' stands for a family: "my." */
	const char *help;
	const struct config_type *type; /* bench/config/config_key.h */
	const char *value;              /* the default; NULL: none */
	const char *least;              /* of a number; NULL: no range */
	const char *most;
	const char *const *words;       /* those allowed, then NULL; or NULL */
	const struct config_need *need; /* NULL: it always means something */
	size_t offset;                  /* in struct config, arm or claim */
};

extern const struct config_key config_keys[];
extern const size_t n_config_keys;

#endif
