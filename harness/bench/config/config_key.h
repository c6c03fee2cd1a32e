/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The types of the keys: how a text becomes a value of the configuration. */
#ifndef BENCH_CONFIG_KEY_H
#define BENCH_CONFIG_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/config/config.h"
#include "bench/config/config_fault.h"

/* A key as it stands in a file. */
struct config_item {
	const struct config_key *key;
	const char *name; /* all of it: "my.innodb_io_capacity" */
	const char *value;
	unsigned int line;
};

struct config_type {
	const char *name;  /* for the manual: "size" */
	const char *wrong; /* "not a size" */
	/* "such as 0-3,8"; NULL: the words or the range, ", or x": and x */
	const char *right;
	/*
	 * Is the key's name sound, whatever its value? NULL, or "what is
	 * wrong; what would be right" (free() it). May be NULL.
	 */
	char *(*check)(const struct config_item *item);
	/*
	 * Put the value where it belongs in *base, the configuration or the
	 * arm. 0; -EINVAL if it is not of this type, -ERANGE if it is out of
	 * the key's range.
	 */
	int (*read)(const struct config_item *item, void *base);
};

/* What must hold for a key to mean something. */
struct config_need {
	bool (*is_met)(const struct config *c);
	const char *text; /* "program = memtouch" */
};

extern const struct config_type type_bool;
extern const struct config_type type_count;   /* unsigned int */
extern const struct config_type type_count64; /* uint64_t */
extern const struct config_type type_seed;
extern const struct config_type type_size;
extern const struct config_type type_pool; /* a size, or auto: 0 */
extern const struct config_type type_time;
extern const struct config_type type_settle;
extern const struct config_type type_percent;
extern const struct config_type type_node; /* int, or any: -1 */
extern const struct config_type type_text;
extern const struct config_type type_word;       /* its index, as an enum */
extern const struct config_type type_name;       /* the word itself */
extern const struct config_type type_kernel;     /* a word, name or path */
extern const struct config_type type_cpus;       /* "0-3,8" */
extern const struct config_type type_program;    /* system, or a path */
extern const struct config_type type_server;     /* or debian:SUITE */
extern const struct config_type type_script;     /* a name, or a .lua's path */
extern const struct config_type type_metric;     /* checked later */
extern const struct config_type type_label;      /* checked later */
extern const struct config_type type_collectors; /* names, by blanks */
/* Benchmarks: lists stand between blanks. */
extern const struct config_type type_programs; /* one, or benchmarks */
extern const struct config_type type_threads;  /* numbers; the first alone */
extern const struct config_type type_numbers;
extern const struct config_type type_words;   /* of those allowed */
extern const struct config_type type_seconds; /* a time, in whole ones */
extern const struct config_type type_point;   /* part of a metric's name */
extern const struct config_type type_points;  /* several */
extern const struct config_type type_regex;
extern const struct config_type type_json; /* a path */
/* damos and damos.*; the fields of a value stand between blanks. */
extern const struct config_type type_damos;     /* an action, none */
extern const struct config_type type_constant;  /* const char *: the word */
extern const struct config_type type_addresses; /* pool, or ranges */
extern const struct config_type type_intervals; /* 5ms 100ms 60s */
extern const struct config_type type_intervals_goal; /* 400 3 5ms 10s */
extern const struct config_type type_counts;         /* damon_range */
extern const struct config_type type_sizes;          /* damon_range */
extern const struct config_type type_damos_rate;     /* the form alone */
extern const struct config_type type_damos_age;      /* the form alone */
extern const struct config_type type_weights;        /* 0 100 0 */
extern const struct config_type type_fraction;       /* 1/4096 */
extern const struct config_type type_time_us;        /* in microseconds */
extern const struct config_type type_time_ms;        /* in milliseconds */
extern const struct config_type type_goal;           /* METRIC TARGET ... */
extern const struct config_type type_filters;        /* reject 0x..-0x.., ... */
extern const struct config_type type_watermarks;     /* metric 5s 500 400 200 */
/* For workload.options, under the key's own name. */
extern const struct config_type type_option_count;
extern const struct config_type type_option_number;
extern const struct config_type type_option_percent;
/* Families: the name behind the dot counts. */
extern const struct config_type type_option;   /* opt.<name> */
extern const struct config_type type_variable; /* my.<name> */
extern const struct config_type type_env;
extern const struct config_type type_knob;

/* Is the row for keys of this name? */
bool config_key_is(const struct config_key *key, const char *name);
/* The row for a key of a section, families too; NULL: unknown. */
const struct config_key *config_key_find(const char *section, const char *name);

/*
 * Read one item into *base; a fault if it is wrong. Returns whether it was
 * right.
 */
bool config_item_read(const struct config_item *item, void *base,
		      struct faults *faults);

/* What config_item_read() says of a value that is not of its type. */
void config_item_wrong(const struct config_item *item, struct faults *faults);

/* "unknown key ...", with the nearest right word. */
void config_key_unknown(const char *section, const char *name,
			unsigned int line, struct faults *faults);

/*
 * What a key of this name sets, so that two spellings of one thing are seen
 * as one: a knob's path; for the others the name with '_' for '-'. free() it.
 */
char *config_key_identity(const char *name);

#endif
