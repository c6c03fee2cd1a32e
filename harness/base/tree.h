/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole folders: copy, remove, measure. */
#ifndef BASE_TREE_H
#define BASE_TREE_H

#include <stdint.h>

/* All return 0 or -errno and are silent. */

/* Remove a folder and all below, never across a mount or through a link. */
int tree_remove(const char *path);

/*
 * Copy a folder of folders, files and links to a new folder, modes kept.
 * Shares blocks where the file system can (FICLONE), else copies in the
 * kernel. *cloned, if not NULL, gets how many files share their blocks.
 */
int tree_copy(const char *from, const char *to, uint64_t *cloned);

/* 1 if files in this folder can share their blocks, 0 if not, or -errno. */
int tree_can_clone(const char *dir);

/* Bytes on disk of all below a folder (st_blocks: holes do not count). */
int tree_bytes(const char *path, uint64_t *bytes);

#endif
