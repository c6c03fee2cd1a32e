/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of bench/server/prepared.h among themselves. */
#ifndef BENCH_PREPARED_PARTS_H
#define BENCH_PREPARED_PARTS_H

#include "bench/server/prepared.h"

struct prepared_job {
	const struct root *root;
	const struct config *config;
	const struct server_program *program;
	struct journal *journal;        /* NULL: nobody's */
	void (*tell)(const char *what); /* NULL: nobody */
	const char *cache;              /* the cache folder */
};

/* prepared_key.c */

/*
 * All that the content of a prepared folder depends on, by name: server,
 * sysbench, tables, the options that shape them, my.* keys that are built
 * into the files. 0 or -errno (printed).
 */
int prepared_parts(const struct config *config,
		   const struct server_program *program, struct facts *parts);
/* The key made of them. free() it. */
char *prepared_key(const struct facts *parts);
/* The my.* keys that are built into the files, from all of them. */
void prepared_built_in(const struct facts *variables, struct facts *out);

/* prepared.c */

/* Where the folder of a key is kept. free() it. */
char *prepared_dir(const char *cache, const char *key);
void prepared_tell(const struct prepared_job *job, const char *what);

/* prepared_lock.c */

/*
 * An fd that holds the lock of a key for as long as it is open. -EINTR if the
 * user stops us while we wait; without wait -EWOULDBLOCK if somebody holds
 * it, silent; another -errno printed.
 */
int prepared_lock(const struct prepared_job *job, const char *key, bool wait);

/* prepared_record.c: prepared.tsv of a kept folder */

/* What it was made of, and how big it is. 0 or -errno, printed. */
int prepared_write(const char *dir, const struct facts *parts,
		   uint64_t data_bytes);
/* 0, or -ENOENT if there is no complete folder; silent. */
int prepared_read(const char *dir, uint64_t *data_bytes);

/* prepared_install.c, prepared_make.c */

/*
 * Make a data folder below dir, which is new: dir/data, and its logs. 0 and
 * *data_bytes, or -errno, printed. What is there then is the caller's.
 */
int prepared_make(const struct prepared_job *job, const char *dir,
		  uint64_t *data_bytes);
/* mariadb-install-db. 0 or -errno, printed with the end of its log. */
int prepared_install(const struct server_program *program,
		     const struct facts *built_in, const char *data_dir,
		     const char *log);

/* prepared_space.c */

/* What the workload's folder takes on disk, guessed from its rows. */
uint64_t prepared_guess_bytes(const struct config *c);
/*
 * Room in dir for new_bytes, and for copy_bytes where files cannot share
 * their blocks? 0, or -ENOSPC (printed: how much is needed, and is there).
 */
int prepared_check_space(const char *dir, uint64_t new_bytes,
			 uint64_t copy_bytes, const char *what);

#endif
