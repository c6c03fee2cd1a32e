/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

static FTS *open_tree(const char *path)
{
	char *roots[] = { (char *)path, NULL };

	return fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
}

static int remove_entry(const FTSENT *e)
{
	switch (e->fts_info) {
	case FTS_D:
		return 0;
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS:
		return -e->fts_errno;
	case FTS_DP:
		return rmdir(e->fts_accpath) ? -errno : 0;
	default:
		return unlink(e->fts_accpath) ? -errno : 0;
	}
}

int tree_remove(const char *path)
{
	FTS *fts = open_tree(path);
	FTSENT *e;
	int ret = 0;

	if (!fts)
		return -errno;
	while ((e = fts_read(fts))) {
		int err = remove_entry(e);

		if (err && !ret)
			ret = err;
	}
	if (!ret && errno)
		ret = -errno;
	fts_close(fts);
	return ret;
}

static int copy_range(int in, int out)
{
	for (;;) {
		ssize_t n = copy_file_range(in, NULL, out, NULL, INT_MAX, 0);

		if (n == 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
	}
}

/* For file systems between which the kernel copies nothing. */
static int copy_bytes(int in, int out)
{
	enum { ROOM = 1 << 20 };
	auto_free char *buf = xmalloc(ROOM);

	for (;;) {
		ssize_t n = read(in, buf, ROOM);
		int ret;

		if (n == 0)
			return 0;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		ret = file_write_fd(out, buf, (size_t)n);
		if (ret)
			return ret;
	}
}

static int copy_file(const FTSENT *e, const char *to, uint64_t *cloned)
{
	auto_close int in = open(e->fts_accpath, O_RDONLY | O_CLOEXEC);
	auto_close int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
				  e->fts_statp->st_mode & 07777);
	int ret;

	if (in < 0 || out < 0)
		return -errno;
	/* What the umask took away. */
	if (fchmod(out, e->fts_statp->st_mode & 07777))
		return -errno;
	if (ioctl(out, FICLONE, in) == 0) {
		(*cloned)++;
		return 0;
	}
	ret = copy_range(in, out);
	if (ret == -EXDEV || ret == -EINVAL || ret == -EOPNOTSUPP)
		ret = copy_bytes(in, out);
	return ret;
}

static int copy_link(const FTSENT *e, const char *to)
{
	char target[PATH_MAX];
	ssize_t n = readlink(e->fts_accpath, target, sizeof(target) - 1);

	if (n < 0)
		return -errno;
	target[n] = '\0';
	return symlink(target, to) ? -errno : 0;
}

static int copy_entry(const FTSENT *e, const char *to, uint64_t *cloned)
{
	switch (e->fts_info) {
	case FTS_D:
		return mkdir(to, 0700) ? -errno : 0;
	case FTS_DP:
		return chmod(to, e->fts_statp->st_mode & 07777) ? -errno : 0;
	case FTS_F:
		return copy_file(e, to, cloned);
	case FTS_SL:
	case FTS_SLNONE:
		return copy_link(e, to);
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS:
		return -e->fts_errno;
	default: /* sockets and pipes of a dead server */
		return 0;
	}
}

int tree_copy(const char *from, const char *to, uint64_t *cloned)
{
	size_t skip = strlen(from);
	uint64_t count = 0;
	auto_free char *name = NULL;
	FTSENT *e = NULL;
	int ret = 0;
	FTS *fts;

	/* "dir/" is "dir": fts_path of what is in it begins alike. */
	while (skip > 1 && from[skip - 1] == '/')
		skip--;
	name = xstrndup(from, skip);
	fts = open_tree(name);
	if (!fts)
		return -errno;
	while (!ret && (e = fts_read(fts))) {
		auto_free char *dest =
			xasprintf("%s%s", to, e->fts_path + skip);

		ret = copy_entry(e, dest, &count);
	}
	if (!ret && errno)
		ret = -errno;
	fts_close(fts);
	if (cloned)
		*cloned = count;
	return ret;
}

/* A file of one block in dir, without a name; -errno. */
static int nameless(const char *dir)
{
	static const char block[4096] = { 0 };
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	if (write(fd, block, sizeof(block)) != sizeof(block)) {
		close(fd);
		return -EIO;
	}
	return fd;
}

int tree_can_clone(const char *dir)
{
	auto_close int in = nameless(dir);
	auto_close int out = nameless(dir);

	/* No room for a block, or no nameless files (overlayfs): no clones. */
	if (in == -ENOENT || in == -ENOTDIR || in == -EACCES)
		return in;
	if (in < 0 || out < 0)
		return 0;
	return ioctl(out, FICLONE, in) == 0;
}

int tree_bytes(const char *path, uint64_t *bytes)
{
	FTS *fts = open_tree(path);
	FTSENT *e;
	int ret = 0;

	if (!fts)
		return -errno;
	*bytes = 0;
	while ((e = fts_read(fts))) {
		if (e->fts_info == FTS_DNR || e->fts_info == FTS_NS)
			ret = -e->fts_errno;
		else if (e->fts_info != FTS_DP)
			*bytes += (uint64_t)e->fts_statp->st_blocks * 512;
	}
	if (!ret && errno)
		ret = -errno;
	fts_close(fts);
	return ret;
}
