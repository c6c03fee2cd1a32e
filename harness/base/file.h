/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ordinary files: read, write, publish. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>
#include <stdint.h>

/*
 * All return 0 or -errno and are silent.
 */

/* Everything from fd to its end, NUL-terminated; n may be NULL. free() it. */
int file_read_fd(int fd, char **text, size_t *n);
int file_read(const char *path, char **text, size_t *n);
/* The same of a file that was just written, from its beginning. */
int file_reread_fd(int fd, char **text, size_t *n);

/* Write all of it, over interruptions and short writes. */
int file_write_fd(int fd, const void *data, size_t n);

/* Written beside, fsynced and renamed: never seen half-written. */
int file_publish(const char *path, const char *text);

/* The same of a whole folder: all in it is on the disk before the rename. */
int file_publish_dir(const char *from, const char *to);

/* Make a folder and those above it. 0 if it is there already. */
int file_mkdirs(const char *path);

/*
 * A file without a name in $TMPDIR, or /tmp, for reading and writing: gone
 * with its last fd, however we end. Returns the fd, or -errno; *path (free()
 * it) is how a process that we start opens it too, while we live.
 */
int file_unnamed(char **path);

/* Bytes free to us on the file system of path. */
int file_free_bytes(const char *path, uint64_t *bytes);

/* The last n lines of a file, "" if it cannot be read. free() it. */
char *file_tail(const char *path, size_t lines);

#endif
