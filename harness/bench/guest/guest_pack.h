/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every guest is given, and what a run needs besides. */
#ifndef BENCH_GUEST_PACK_H
#define BENCH_GUEST_PACK_H

#include "bench/config/config.h"
#include "bench/guest/guest_files.h"
#include "bench/server/prepared.h"
#include "bench/server/server.h"

/* All return 0 or -errno, printed. */

/* Its init and busybox: enough to boot and to say so. */
int guest_pack_init(struct guest_files *f);
/* And this program with what lies beside it. */
int guest_pack_tools(struct guest_files *f);
/* A command for guest_inside(), as the words of argv, which ends with NULL. */
int guest_pack_command(struct guest_files *f, const char *const *argv);

/*
 * What the runs of an experiment need: its configuration, the programs, and
 * where there is a server (program and prepared are its own) the data. The
 * rest is in /thpbench/experiment.tsv, "name<tab>value" a line: config (its
 * name), dir (the working folder), mariadbd (a path), prepared (a folder), and
 * arm.N, the label of arm N.
 */
int guest_pack_experiment(struct guest_files *f, const struct config *config,
			  const struct server_program *program,
			  const struct prepared *prepared);

#endif
