/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MADV_COLLAPSE of shmem, and of a file's pages. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/probe/probe_parts.h"

enum { PAGE_BYTES = 4096 };

void probe_collapse_shmem(const struct probe_env *env, struct answer *out)
{
	auto_close int fd = memfd_create("thpbench-probe", MFD_CLOEXEC);
	struct probe_memory m;
	int ret;

	if (fd < 0 || ftruncate(fd, (off_t)env->huge_bytes)) {
		probe_missing(out, "memfd_create: %s", strerror(errno));
		return;
	}
	ret = probe_memory_map_file(fd, PROT_READ | PROT_WRITE, MAP_SHARED,
				    env->huge_bytes, &m);
	if (ret) {
		probe_missing(out, "map shmem: %s", strerror(-ret));
		return;
	}
	probe_memory_fill(&m, 0, m.bytes);
	if (!probe_expect_small(env, &m, out))
		probe_collapse_try(env, &m, 0, m.bytes, out);
}

/* The name of a file's file system; a number where it is none of these. */
static char *file_system_of(int fd)
{
	static const struct {
		long magic;
		const char *name;
	} known[] = {
		{ EXT4_SUPER_MAGIC, "ext4" },
		{ XFS_SUPER_MAGIC, "xfs" },
		{ BTRFS_SUPER_MAGIC, "btrfs" },
		{ F2FS_SUPER_MAGIC, "f2fs" },
		{ TMPFS_MAGIC, "tmpfs" },
		{ RAMFS_MAGIC, "ramfs" },
		{ OVERLAYFS_SUPER_MAGIC, "overlayfs" },
	};
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return xstrdup("?");
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if ((long)fs.f_type == known[i].magic)
			return xstrdup(known[i].name);
	return xasprintf("file system 0x%lx", (unsigned long)fs.f_type);
}

/*
 * Page by page: what is written at once may come to lie in one large folio of
 * the page cache.
 */
static int write_pages(int fd, size_t bytes)
{
	static const char page[PAGE_BYTES] = { 1 };
	int ret = 0;

	for (size_t at = 0; !ret && at < bytes; at += sizeof(page))
		ret = file_write_fd(fd, page, sizeof(page));
	return !ret && fsync(fd) ? -errno : ret;
}

/*
 * A file that is written, on its disk, and open for reading alone: what is
 * open for writing is not collapsed. Its fd, or -errno.
 */
static int make_file(size_t bytes)
{
	auto_free char *path = NULL;
	auto_close int fd = file_unnamed(&path);
	int ret;

	if (fd < 0)
		return fd;
	ret = write_pages(fd, bytes);
	if (ret)
		return ret;
	ret = open(path, O_RDONLY | O_CLOEXEC);
	return ret < 0 ? -errno : ret;
}

/* As a program's text is mapped; where that is not allowed, to be read. */
static int map_text(int fd, size_t huge_bytes, struct probe_memory *m)
{
	int ret = probe_memory_map_file(fd, PROT_READ | PROT_EXEC, MAP_PRIVATE,
					huge_bytes, m);

	return ret ? probe_memory_map_file(fd, PROT_READ, MAP_PRIVATE,
					   huge_bytes, m)
		   : 0;
}

static void try_file(const struct probe_env *env, int fd, struct answer *out)
{
	struct probe_memory m;
	int ret = map_text(fd, env->huge_bytes, &m);

	if (ret) {
		probe_missing(out, "map a file: %s", strerror(-ret));
		return;
	}
	for (size_t at = 0; at < m.bytes; at += PAGE_BYTES)
		(void)*(volatile char *)(m.base + at);
	if (!probe_expect_small(env, &m, out))
		probe_collapse_try(env, &m, 0, m.bytes, out);
}

void probe_collapse_file(const struct probe_env *env, struct answer *out)
{
	auto_close int fd = make_file(env->huge_bytes);
	auto_free char *where = fd < 0 ? NULL : file_system_of(fd);

	if (fd < 0) {
		probe_missing(out, "make a file: %s", strerror(-fd));
		return;
	}
	if (str_eq(where, "tmpfs") || str_eq(where, "ramfs")) {
		probe_missing(out,
			      "files of $TMPDIR or /tmp lie in memory "
			      "(%s): see collapse-shmem, collapse-ramfs",
			      where);
		return;
	}
	try_file(env, fd, out);
	if (out->state != ANSWER_MISSING)
		answer_set(out, out->state,
			   xasprintf("%s (%s)", out->text, where), NULL);
}

/*
 * A file on a file system of our own, which nobody else sees and which goes
 * with us. Read, it has pages of zeros, which are not dirty: those never
 * become clean there. Its fd, or -errno.
 */
static int make_ramfs_file(size_t bytes)
{
	static const char dir[] = "/tmp";
	static const char path[] = "/tmp/file";
	int fd;

	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", dir, "ramfs", MS_NOSUID | MS_NODEV, NULL))
		return -errno;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, (off_t)bytes))
		return -errno;
	close(fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

void probe_collapse_ramfs(const struct probe_env *env, struct answer *out)
{
	auto_close int fd = make_ramfs_file(env->huge_bytes);

	if (fd < 0)
		probe_missing(out, "mount a ramfs: %s", strerror(-fd));
	else
		try_file(env, fd, out);
}
