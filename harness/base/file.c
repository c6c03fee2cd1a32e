/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/stop.h"

int file_read_fd(int fd, char **text, size_t *n)
{
	size_t room = 4096;
	size_t len = 0;
	char *buf = xmalloc(room);

	for (;;) {
		ssize_t got = read(fd, buf + len, room - len - 1);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			int err = -errno;

			free(buf);
			return err;
		}
		if (got == 0)
			break;
		len += (size_t)got;
		if (room - len < 2048) {
			room *= 2;
			buf = xrealloc(buf, room);
		}
	}
	buf[len] = '\0';
	*text = buf;
	if (n)
		*n = len;
	return 0;
}

int file_reread_fd(int fd, char **text, size_t *n)
{
	return lseek(fd, 0, SEEK_SET) < 0 ? -errno : file_read_fd(fd, text, n);
}

int file_read(const char *path, char **text, size_t *n)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return file_read_fd(fd, text, n);
}

int file_write_fd(int fd, const void *data, size_t n)
{
	const char *p = data;

	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		p += done;
		n -= (size_t)done;
	}
	return 0;
}

static int publish(const char *path, const char *temp, const char *text)
{
	int fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int ret;

	if (fd < 0)
		return -errno;
	ret = file_write_fd(fd, text, strlen(text));
	if (!ret && fsync(fd))
		ret = -errno;
	if (close(fd) && !ret)
		ret = -errno;
	if (!ret && rename(temp, path))
		ret = -errno;
	if (ret)
		unlink(temp);
	return ret;
}

int file_publish(const char *path, const char *text)
{
	auto_free char *temp = xasprintf("%s.new", path);
	struct stop stop;
	int ret;

	stop_hold(&stop);
	ret = publish(path, temp, text);
	stop_release(&stop);
	return ret;
}

int file_publish_dir(const char *from, const char *to)
{
	auto_close int fd = open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 || syncfs(fd) || rename(from, to) ? -errno : 0;
}

int file_mkdirs(const char *path)
{
	auto_free char *part = xstrdup(path);
	struct stat st;

	if (!*path)
		return -ENOENT;
	for (char *p = part + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (mkdir(part, 0755) && errno != EEXIST)
			return -errno;
		*p = '/';
	}
	if (mkdir(part, 0755) && errno != EEXIST)
		return -errno;
	if (stat(path, &st))
		return -errno;
	return S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;
}

/* Where the file system knows no files without names: one that loses it. */
static int open_nameless(const char *dir)
{
	auto_free char *path = xasprintf("%s/thpbench.XXXXXX", dir);
	int fd = open(dir, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);

	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

int file_unnamed(char **path)
{
	const char *dir = getenv("TMPDIR");
	int fd = open_nameless(dir && *dir ? dir : "/tmp");

	if (fd < 0)
		return -errno;
	*path = xasprintf("/proc/%d/fd/%d", (int)getpid(), fd);
	return fd;
}

int file_free_bytes(const char *path, uint64_t *bytes)
{
	struct statvfs fs;

	if (statvfs(path, &fs))
		return -errno;
	*bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	return 0;
}

char *file_tail(const char *path, size_t lines)
{
	auto_free char *text = NULL;
	size_t n = 0;
	char *p;

	if (!lines || file_read(path, &text, &n))
		return xstrdup("");
	while (n && text[n - 1] == '\n')
		text[--n] = '\0';
	for (p = text + n; p > text; p--)
		if (p[-1] == '\n' && --lines == 0)
			break;
	return xstrdup(p);
}
