/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The subcommands: one file each, one table. */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <stddef.h>
#include <stdint.h>

#include "data/shard.h"

/* One option of a subcommand: getopt, --help and completion read it. */
struct cmd_option {
	const char *name;  /* "blocks" for --blocks */
	const char *value; /* "N" for --blocks N; NULL: takes none */
	char letter;       /* 'o' for -o; 0: none */
	const char *help;
};

/* A table whose rows begin with a name: n rows of size bytes. */
struct cmd_rows {
	const void *first;
	size_t n;
	size_t size;
};

#define CMD_ROWS(list, n)                                                      \
	(&(const struct cmd_rows){ list, n, sizeof((list)[0]) })

/* A word behind a subcommand, such as "fetch": its rows begin with one. */
struct cmd_word {
	const char *name;
	const char *arguments; /* "[SUITE]" */
	const char *help;      /* one line */
};

struct cmd {
	const char *name;
	const char *arguments;            /* "CONFIG", "DIR..." */
	const char *help;                 /* one line */
	const struct cmd_option *options; /* ends with a NULL name */
	const struct cmd_rows *words;     /* begin with a cmd_word; or NULL */
	/* Returns an exit status. argv[0] is the subcommand's name. */
	int (*main)(const struct cmd *cmd, int argc, char **argv);
};

extern const struct cmd *const cmds[];
extern const size_t n_cmds;

/* What every subcommand takes: --root, --help. Ends with a NULL name. */
extern const struct cmd_option cmd_common[];

extern const struct cmd cmd_plan;
extern const struct cmd cmd_check;
extern const struct cmd cmd_run;
extern const struct cmd cmd_restore;
extern const struct cmd cmd_report;
extern const struct cmd cmd_plot;
extern const struct cmd cmd_claims;
extern const struct cmd cmd_import;
extern const struct cmd cmd_compare;
extern const struct cmd cmd_lint;
extern const struct cmd cmd_probe;
extern const struct cmd cmd_history;
extern const struct cmd cmd_guest;
extern const struct cmd cmd_server;
extern const struct cmd cmd_help;

/*
 * Read the next option of a subcommand: in *value its value or NULL. Returns
 * the option, or NULL at the end (the arguments start at argv[optind]) or on
 * an error: *bad is then STATUS_USAGE, and a line was printed. --help and
 * --root are every subcommand's: --help prints and sets *bad to -1 (exit 0).
 */
const struct cmd_option *cmd_next(const struct cmd *cmd, int argc, char **argv,
				  const char **value, int *bad);

/* --root DIR of the command line, "/" by default. */
const char *cmd_root(void);

/* --blocks N, from 1 to 1000. 0, or STATUS_USAGE (printed). */
int cmd_blocks(const char *value, uint64_t *blocks);

/* --shard I/N. 0, or STATUS_USAGE (printed). */
int cmd_shard(const char *value, struct shard *shard);
/* The same once the number of blocks is known: each shard is to have one. */
int cmd_shard_fits(const struct shard *shard, const char *config,
		   unsigned int blocks);

/* No such subcommand: say which is meant, if any. Returns STATUS_USAGE. */
int cmd_refuse_name(const char *name);

/* Print what a command is asked for. 0, or STATUS_IO (printed). */
int cmd_put(const char *text, size_t n);

/* Usage of one command, to stdout. */
void cmd_print_help(const struct cmd *cmd);

#endif
