/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a result folder holds, in memory. Plain structs: the store reads them
 * (data/store.h), the summary fills in the values, tables read them.
 */
#ifndef DATA_RECORD_H
#define DATA_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/facts.h"
#include "data/shard.h"

/* A figure that is there, or the reason why it is not. Never 0 for absent. */
struct value {
	bool is_there;
	double number; /* in its metric's unit */
	char *why;     /* not there: the reason; there: NULL */
};

/* The value of a metric that the table has not (data/extra.h). */
struct extra_value {
	char *metric;
	struct value value;
};

/* Something that happened in a run, on its clock. */
struct event {
	double t_s;   /* since the run began */
	char *name;   /* "phase", "mark", "fail", "collapse", ... */
	char *detail; /* "measure", or a sentence */
};

/* A stream of ticks: columns of numbers, row by row. */
struct series {
	char **columns; /* the first is t_s */
	size_t n_columns;
	double *cells; /* n_rows * n_columns; NAN: missing at that tick */
	size_t n_rows;
};

/* One mapping of smaps-*.tsv. */
struct mapping {
	char *name; /* "buffer pool", "[heap]", "mariadbd", "[anon]", ... */
	char *range;
	uint64_t size_bytes;
	uint64_t rss_bytes;
	uint64_t huge_bytes; /* anonymous, file and shmem, PMD-mapped */
};

struct mappings {
	struct mapping *list;
	size_t n;
};

/* A setting of a run as settings.tsv has it. "" for what is not known. */
struct setting_record {
	char *path;
	char *before;
	char *asked; /* "" if only watched */
	char *read_back;
	char *after;
};

/* What a collector did and cost: a row of collectors.tsv. */
struct collector_record {
	char *name;
	char *source; /* "cgroup v1 memory.stat", "PAGEMAP_SCAN", ... */
	uint64_t n_samples;
	double cpu_s;
	double longest_ms;
	char *missing; /* why it gave nothing; "" if it worked */
};

struct metric;

/*
 * A row of counters.tsv: what the PMU was asked, and for what is missing why.
 * "" for what a kind has not.
 */
struct counter_record {
	char *kind;   /* COUNTER_EVENT, ... below */
	char *group;  /* of an event */
	char *role;   /* "dtlb_walk"; of a fact its name */
	char *event;  /* "skx::ITLB_MISSES:WALK_COMPLETED" */
	char *code;   /* "4:0xe85": type and config as the kernel takes them */
	char *column; /* of samples.tsv; "" if it was not opened */
	char *text;   /* why it is missing, the note, the value of a fact */
};

#define COUNTER_EVENT "event"
#define COUNTER_MISSING "missing" /* a role without an event, and why */
#define COUNTER_NOTE "note"       /* what a reader should know of a role */
#define COUNTER_PROXY "proxy"     /* the role is not what its name says */
#define COUNTER_FACT "fact"       /* COUNTER_PMU, ... */
/* Facts: */
#define COUNTER_PMU "pmu"         /* "Intel Skylake-SP (skx)" */
#define COUNTER_SCOPE "scope"     /* "server", "cgroup", "system" */
#define COUNTER_LEVEL "level"     /* "user+kernel", "user" */
#define COUNTER_LIMIT "limit_pct" /* least share of the time on the PMU */
#define COUNTER_REPLAY "replay"   /* the file that the counts come from */

enum run_state {
	RUN_OK,
	RUN_MARKED,  /* counted, with a mark that says what to doubt */
	RUN_INVALID, /* ended, but not what was asked for: not counted */
	RUN_FAILED,  /* did not end: not counted */
};

struct run {
	unsigned int number;  /* place in the plan, from 1 */
	unsigned int block;   /* from 1 */
	unsigned int attempt; /* from 1 */
	size_t arm;           /* index into experiment.arms */
	enum run_state state;
	char *reason;  /* why it is not RUN_OK; "" if it is */
	char *earlier; /* of attempts before: "failed: why; ..."; or NULL */
	char *dir;     /* "runs/003-T-n" below the result folder */
	size_t part;   /* merged: index into experiment.parts; else 0 */

	struct event *events;
	size_t n_events;
	double measure_start_s; /* the window, on the run's clock; NAN: none */
	double measure_end_s;
	struct series samples;  /* samples.tsv */
	struct series load;     /* sysbench.tsv */
	struct mappings at_end; /* smaps-end.tsv */
	struct setting_record *settings;
	size_t n_settings;
	struct collector_record *collectors;
	size_t n_collectors;
	struct counter_record *counters;
	size_t n_counters;

	struct value *values; /* n_metrics of them, in the table's order */
	struct extra_value *extra;
	size_t n_extra;
};

/* A claim that was configured, or that a letter makes (data/claim.h). */
struct claim {
	char *name;
	char *metric;
	char *arm;    /* its label */
	char *expect; /* data/expect.h */
};

void claim_free(struct claim *c); /* what it holds, not itself */

struct arm_record {
	char *label;
	struct facts settings; /* as the configuration has them */
};

/* A shard of a merged experiment (data/merge.h). */
struct part_record {
	unsigned int index; /* of the shard */
	size_t host;        /* index into experiment.hosts */
	char *dir;          /* its result folder */
};

/* A machine and the kernel that it ran. */
struct host_record {
	char *name; /* "db1"; with what tells it apart if the name does not */
	struct facts facts;
};

struct experiment {
	char *dir; /* of the result folder */
	/* It gets its name once it is whole: its runs need no fsync. */
	bool is_published_whole;
	char *id; /* its name */
	char *title;
	char *config_path;
	char *config_text;
	char *config_hash; /* of the text without comments, hex */
	char *program;     /* version of thpbench that wrote it */
	char *created;     /* wall clock */
	char *primary;     /* metric */
	size_t baseline;   /* index of the arm */
	unsigned int blocks;
	uint64_t seed;
	struct facts server;   /* [server] with defaults filled in */
	struct facts workload; /* [workload] */
	struct facts host;     /* kernel, cpu, memory, packages, ... */
	struct facts judging;  /* "margin": "1%", "aa": an arm's label */
	struct arm_record *arms;
	size_t n_arms;
	struct run *runs; /* the last attempt of each run, as planned */
	size_t n_runs;
	size_t n_planned; /* runs in the plan; more than n_runs: interrupted */
	char **marks;     /* of the experiment as a whole */
	size_t n_marks;
	struct claim *claims;
	size_t n_claims;
	struct metric *extra; /* those the table has not (data/extra.h) */
	size_t n_extra;
	struct shard shard; /* of: 0 for a whole one */
	/* Merged from shards; else there are none. */
	struct part_record *parts;
	size_t n_parts;
	struct host_record *hosts;
	size_t n_hosts;
};

/* The value of a metric in a run; a "not recorded" value if none. */
const struct value *run_value(const struct run *run, const char *metric);

const char *run_state_text(enum run_state state);
/* -1 if it is none of the words. */
int run_state_parse(const char *text);

/* Index of a column by its name, or -1. */
int series_column(const struct series *s, const char *name);
double series_at(const struct series *s, size_t row, int col);

/*
 * Add state and reason of the attempt that the run holds to earlier, as
 * another one is to take its place. Nothing if there was no attempt.
 */
void run_keep_attempt(struct run *run);

void run_free(struct run *run); /* what it holds, not itself */
void experiment_free(struct experiment *e);

#endif
