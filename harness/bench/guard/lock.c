/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guard/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"

char *lock_system_dir(const struct root *root)
{
	bool has_slash = str_ends(root->path, "/");

	return xasprintf("%s%srun/thpbench", root->path, has_slash ? "" : "/");
}

/* May we write in it, or make it in the nearest folder that is there? */
static bool is_usable(const char *path)
{
	auto_free char *dir = xstrdup(path);
	char *slash;

	while (faccessat(AT_FDCWD, dir, W_OK | X_OK, AT_EACCESS)) {
		slash = strrchr(dir, '/');
		if (errno != ENOENT || !slash || slash == dir)
			return false;
		*slash = '\0';
	}
	return true;
}

char *lock_state_dir(const struct root *root)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	char *dir = lock_system_dir(root);

	if (is_usable(dir))
		return dir;
	free(dir);
	if (runtime && runtime[0] == '/') {
		dir = xasprintf("%s/thpbench", runtime);
		if (is_usable(dir))
			return dir;
		free(dir);
	}
	return xasprintf("/tmp/thpbench-%u", (unsigned int)geteuid());
}

/*
 * Somebody else may have made it, or a link of that name, to have us write
 * where he likes: /tmp is everybody's.
 */
static int check_dir(const char *dir)
{
	struct stat st;

	if (lstat(dir, &st))
		return -errno;
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() ||
	    st.st_mode & (S_IWGRP | S_IWOTH))
		return refuse(-EPERM,
			      "%s is not a folder of ours alone; remove it",
			      dir);
	return 0;
}

static int make_dir(const struct root *root, const char *dir)
{
	auto_free char *above = xstrdup(dir);
	auto_free char *system = lock_system_dir(root);
	mode_t mode = str_eq(dir, system) ? 0755 : 0700;
	int ret;

	*strrchr(above, '/') = '\0';
	ret = file_mkdirs(above);
	if (!ret && mkdir(dir, mode) && errno != EEXIST)
		ret = -errno;
	if (ret)
		return fail(ret, "make %s", dir);
	return check_dir(dir);
}

/* "pid 12 (x.conf)"; NULL while the holder has not written it. free() it. */
static char *holder_text(int fd)
{
	auto_free char *who = NULL;
	char *what;

	if (file_read_fd(fd, &who, NULL) || !strchr(who, '\t'))
		return NULL;
	what = strchr(who, '\t');
	*what++ = '\0';
	return xasprintf("pid %s (%s)", who, str_trim(what));
}

static int refuse_second(int fd)
{
	auto_free char *who = holder_text(fd);

	if (!who)
		return refuse(-EBUSY, "another run is beginning or ending");
	return refuse(-EBUSY, "another run is going on: %s", who);
}

char *lock_holder(const char *dir)
{
	auto_free char *path = xasprintf("%s/lock", dir);
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	char *who;

	/* Shared, and given back at once by close(2). */
	if (fd < 0 || !flock(fd, LOCK_SH | LOCK_NB) || errno != EWOULDBLOCK)
		return NULL;
	who = holder_text(fd);
	return who ? who : xstrdup("it is beginning or ending");
}

/* Is it still the file of that name? The holder removes it when it ends. */
static bool is_current(int fd, const char *path)
{
	struct stat ours;
	struct stat named;

	return !fstat(fd, &ours) && !lstat(path, &named) &&
	       ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
}

static int name_us(int fd, const char *what)
{
	auto_free char *text = xasprintf("%d\t%s\n", (int)getpid(), what);

	if (ftruncate(fd, 0))
		return -errno;
	return file_write_fd(fd, text, strlen(text));
}

/* An fd; -EAGAIN if the file went away meanwhile; else -errno, printed. */
static int try_lock(const char *path, const char *what)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	int ret;

	if (fd < 0 && errno == ENOENT)
		return -EAGAIN;
	if (fd < 0)
		return fail(-errno, "open %s", path);
	if (flock(fd, LOCK_EX | LOCK_NB))
		ret = errno == EWOULDBLOCK ? refuse_second(fd)
					   : fail(-errno, "lock %s", path);
	else if (!is_current(fd, path))
		ret = -EAGAIN;
	else
		ret = name_us(fd, what);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

int lock_take(const struct root *root, const char *dir, const char *what)
{
	enum { MOST_TRIES = 100 };
	auto_free char *path = xasprintf("%s/lock", dir);
	int ret = -EAGAIN;

	for (int i = 0; i < MOST_TRIES && ret == -EAGAIN; i++) {
		ret = make_dir(root, dir);
		if (!ret)
			ret = try_lock(path, what);
	}
	return ret == -EAGAIN ? fail(ret, "lock %s", path) : ret;
}

void lock_give_back(const char *dir, int fd)
{
	auto_free char *path = xasprintf("%s/lock", dir);

	/* Before it is unlocked: nobody else can hold the file of that name. */
	unlink(path);
	close(fd);
	rmdir(dir);
}
