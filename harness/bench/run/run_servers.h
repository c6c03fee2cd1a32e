/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The servers of an experiment: arms may name different ones. */
#ifndef BENCH_RUN_SERVERS_H
#define BENCH_RUN_SERVERS_H

#include "bench/run/run_one.h"

struct run_server {
	char *mariadbd; /* as the configuration names it */
	struct server_program program;
	struct prepared prepared; /* for its version */
	char *data_dir;           /* a copy that may be used again, or NULL */
};

struct run_servers {
	struct run_server *list; /* by name, each once */
	size_t n;                /* 0: no arm needs a server */
	size_t *of_arm;
	size_t current; /* whose arm it is; n: nobody's yet */
};

/* All return 0 or -errno, printed. */

/* Find each server that an arm names. run_servers_free() it in any case. */
int run_servers_find(const struct config *config, struct run_servers *out);
/* Get the data of each, as prepared_get() does. */
int run_servers_prepare(struct run_servers *s, const struct run_shared *sh,
			void (*tell)(const char *what));

/*
 * Put the server of an arm into *sh for its runs; that of the arm before is
 * taken out. True if it is another than before.
 */
bool run_servers_enter(struct run_servers *s, size_t arm,
		       struct run_shared *sh);
/* Remove the copies that may be used again. Nothing is in *sh then. */
void run_servers_leave(struct run_servers *s, struct run_shared *sh);

/* Say in the record of each arm with a server of its own which that is. */
void run_servers_note(const struct run_servers *s, const struct config *config,
		      struct experiment *e);

void run_servers_free(struct run_servers *s);

#endif
