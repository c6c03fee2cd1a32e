/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"

int root_open(const char *path, struct root *root)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	root->fd = fd;
	root->path = xstrdup(path);
	root->is_live = str_eq(path, "/");
	return 0;
}

void root_close(struct root *root)
{
	if (root->path)
		close(root->fd);
	free(root->path);
	root->path = NULL;
}

int root_read(const struct root *root, const char *path, char **text)
{
	auto_close int fd = openat(root->fd, path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return file_read_fd(fd, text, NULL);
}

int root_read_word(const struct root *root, const char *path, char **text)
{
	char *start;
	int ret = root_read(root, path, text);

	if (ret)
		return ret;
	start = str_trim(*text);
	memmove(*text, start, strlen(start) + 1);
	return 0;
}

int root_write(const struct root *root, const char *path, const char *text)
{
	/* O_TRUNC does nothing in sysfs and makes recorded trees exact. */
	auto_close int fd =
		openat(root->fd, path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	size_t n = strlen(text);
	ssize_t done;

	if (fd < 0)
		return -errno;
	do
		done = write(fd, text, n);
	while (done < 0 && errno == EINTR);
	if (done < 0)
		return -errno;
	return (size_t)done == n ? 0 : -EIO;
}

bool root_exists(const struct root *root, const char *path)
{
	return faccessat(root->fd, path, F_OK, 0) == 0;
}

int root_writable(const struct root *root, const char *path)
{
	struct stat st;

	if (faccessat(root->fd, path, W_OK, AT_EACCESS) ||
	    fstatat(root->fd, path, &st, 0))
		return -errno;
	/* Of a folder the bits say nothing to root: cgroupfs has 0555. */
	return S_ISDIR(st.st_mode) || st.st_mode & 0222 ? 0 : -EACCES;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int root_list(const struct root *root, const char *path, char ***names,
	      size_t *n)
{
	int fd = openat(root->fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	auto_dir DIR *dir = NULL;
	struct dirent *entry;

	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -ENOMEM;
	}
	*names = NULL;
	*n = 0;
	while ((entry = readdir(dir))) {
		if (str_eq(entry->d_name, ".") || str_eq(entry->d_name, ".."))
			continue;
		XGROW(*names, *n);
		(*names)[(*n)++] = xstrdup(entry->d_name);
	}
	if (*n)
		qsort(*names, *n, sizeof(**names), by_name);
	return 0;
}

void root_list_free(char **names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
}
