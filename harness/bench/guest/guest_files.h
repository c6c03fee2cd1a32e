/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a guest has at boot: files of this machine at the paths that they have
 * here, with the links on the way to them, and a few of our own.
 */
#ifndef BENCH_GUEST_FILES_H
#define BENCH_GUEST_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/cpio.h"

struct guest_files {
	struct cpio cpio;
	char *path;  /* the archive, for processes that we start */
	void *names; /* what is in it: a tree of tsearch(3) */
};

/* All return 0 or -errno, printed. guest_files_free() it, also on errors. */

/* Begin an archive; it is gone with guest_files_free(). */
int guest_files_open(struct guest_files *f);

/*
 * A file, link or folder of this machine, and all on the way to it. Of a
 * folder nothing but itself. What is in it already stays as it is.
 */
int guest_files_add(struct guest_files *f, const char *path);
/* A folder and all below it; sockets, devices and pipes are left out. */
int guest_files_add_tree(struct guest_files *f, const char *path);
/* A program of this machine with its loader and libraries; a script alone. */
int guest_files_add_program(struct guest_files *f, const char *path,
			    const char *lib_path);
/* A file of this machine under another name. */
int guest_files_add_as(struct guest_files *f, const char *name,
		       const char *from, mode_t mode);
int guest_files_add_data(struct guest_files *f, const char *name,
			 const void *data, size_t n, mode_t mode);
/* A folder that need not be here. */
int guest_files_add_dir(struct guest_files *f, const char *name);
int guest_files_add_link(struct guest_files *f, const char *name,
			 const char *target);

/* Write the end; the archive is whole. */
int guest_files_end(struct guest_files *f);
void guest_files_free(struct guest_files *f);

#endif
