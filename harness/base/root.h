/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files below a root: "/", or the recorded tree of another machine. */
#ifndef BASE_ROOT_H
#define BASE_ROOT_H

#include <stdbool.h>
#include <stddef.h>

/* Relative paths everywhere: "sys/kernel/mm/...", no leading slash. */
struct root {
	int fd;
	char *path;   /* as given, for messages */
	bool is_live; /* "/" */
};

/* Returns 0 or -errno (silent). root_close() frees it. */
int root_open(const char *path, struct root *root);
void root_close(struct root *root);

/*
 * The whole file as a text with a NUL behind it; free() it. Kernel files are
 * read to their end, whatever size they claim. Returns 0 or -errno; silent.
 */
int root_read(const struct root *root, const char *path, char **text);
/* The same with white space trimmed off both ends. */
int root_read_word(const struct root *root, const char *path, char **text);
/*
 * One write(2) of the text to an existing file, as sysfs wants it. Returns 0
 * or -errno; silent.
 */
int root_write(const struct root *root, const char *path, const char *text);
bool root_exists(const struct root *root, const char *path);
/*
 * May this file or folder be written? 0, or -errno (EACCES, EROFS, ENOENT). A
 * file that nobody may write is refused to root too, as sysfs does.
 */
int root_writable(const struct root *root, const char *path);
/*
 * The names in a folder, sorted, without "." and ".."; free with
 * root_list_free(). Returns 0 or -errno.
 */
int root_list(const struct root *root, const char *path, char ***names,
	      size_t *n);
void root_list_free(char **names, size_t n);

#endif
