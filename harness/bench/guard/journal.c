/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guard/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "base/tsv.h"
#include "bench/guard/lock.h"
#include "bench/guard/undo.h"

static char *journal_path(const char *dir)
{
	return xasprintf("%s/journal.tsv", dir);
}

static void add_line(struct str *text, const char *const *cells, size_t n)
{
	for (size_t i = 0; i < n; i++)
		tsv_add_cell(text, cells[i]);
	str_addc(text, '\n');
}

/* On disk when this returns; whole, or not at all. */
static int append(struct journal *j, const struct str *text)
{
	off_t size = lseek(j->fd, 0, SEEK_END);
	int ret = file_write_fd(j->fd, text->text, text->len);

	if (!ret && fsync(j->fd))
		ret = -errno;
	if (!ret)
		return 0;
	/* A disk that is full took a part: the next line is to stand alone. */
	if (size < 0 || ftruncate(j->fd, size))
		warn("%s ends in half a line", j->path);
	return fail(ret, "write %s", j->path);
}

static int append_line(struct journal *j, const char *const *cells, size_t n)
{
	auto_str struct str text = { 0 };

	add_line(&text, cells, n);
	return append(j, &text);
}

static int append_process(struct journal *j, const char *kind, pid_t pid)
{
	uint64_t start = proc_start_time(pid);
	auto_free char *pid_text = xasprintf("%d", (int)pid);
	auto_free char *start_text = xasprintf("%" PRIu64, start);
	const char *cells[] = { kind, pid_text, start_text };

	return start ? append_line(j, cells, ARRAY_SIZE(cells)) : 0;
}

/* The name itself must be on disk as well. */
static int sync_dir(const char *dir)
{
	auto_close int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || (fsync(fd) && errno != EINVAL))
		return fail(-errno, "sync %s", dir);
	return 0;
}

static int refuse_left(const struct root *root, const char *path)
{
	return refuse(-EAGAIN,
		      "a run was killed and its journal %s is left; "
		      "'thpbench restore%s%s' puts back what it changed",
		      path, root->is_live ? "" : " --root ",
		      root->is_live ? "" : root->path);
}

static int create(const struct root *root, struct journal *j)
{
	int ret;

	j->fd = open(j->path,
		     O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC |
			     O_NOFOLLOW,
		     0644);
	if (j->fd < 0 && errno == EEXIST)
		return refuse_left(root, j->path);
	if (j->fd < 0)
		return fail(-errno, "create %s", j->path);
	ret = sync_dir(j->dir);
	if (!ret)
		ret = append_process(j, "guard", getpid());
	if (ret)
		unlink(j->path);
	return ret;
}

int journal_open(const struct root *root, const char *config_path,
		 struct journal *j)
{
	int ret;

	*j = (struct journal){ .fd = -1, .dir = lock_state_dir(root) };
	j->path = journal_path(j->dir);
	j->lock_fd = lock_take(root, j->dir, config_path);
	ret = j->lock_fd < 0 ? j->lock_fd : create(root, j);
	if (ret) {
		j->is_kept = true;
		journal_close(j);
	}
	return ret;
}

int journal_check(const struct root *root, const char *config_path)
{
	auto_free char *dir = lock_state_dir(root);
	auto_free char *path = journal_path(dir);
	int fd = lock_take(root, dir, config_path);
	int ret;

	if (fd < 0)
		return fd;
	ret = access(path, F_OK) ? 0 : refuse_left(root, path);
	lock_give_back(dir, fd);
	return ret;
}

int journal_settings(struct journal *j, const struct settings *s)
{
	auto_str struct str text = { 0 };

	for (size_t i = 0; i < s->n; i++) {
		const struct setting *one = &s->list[i];
		auto_free char *rank = xasprintf("%d", one->rank);
		const char *cells[] = { "setting", one->path, one->before,
					rank };

		if (one->is_ours && one->before)
			add_line(&text, cells, ARRAY_SIZE(cells));
	}
	return text.len ? append(j, &text) : 0;
}

int journal_dir(struct journal *j, const char *path)
{
	auto_free char *here = path[0] == '/' ? NULL : get_current_dir_name();
	auto_free char *full =
		xasprintf("%s%s%s", here ? here : "", here ? "/" : "", path);
	const char *cells[] = { "dir", full };

	if (!undo_owns(full))
		return refuse(-EINVAL,
			      "%s cannot be journaled: its name must begin "
			      "with thpbench",
			      full);
	return append_line(j, cells, ARRAY_SIZE(cells));
}

int journal_temp_dir(struct journal *j, char **path)
{
	enum { LONGEST = 60 }; /* leaves 47 bytes for names in it */
	const char *base = getenv("TMPDIR");
	auto_free char *made = NULL;

	if (!base || base[0] != '/' || strlen(base) > LONGEST)
		base = "/tmp";
	made = xasprintf("%s/thpbench.XXXXXX", base);
	if (!mkdtemp(made))
		return fail(-errno, "make a folder in %s", base);
	*path = xstrdup(made);
	return j ? journal_dir(j, made) : 0;
}

int journal_cgroup(struct journal *j, const char *path)
{
	const char *cells[] = { "cgroup", path };

	if (!undo_owns_cgroup(path))
		return refuse(-EINVAL,
			      "%s cannot be journaled: no cgroup whose name "
			      "begins with thpbench",
			      path);
	return append_line(j, cells, ARRAY_SIZE(cells));
}

int journal_pid(struct journal *j, pid_t pid)
{
	return append_process(j, "pid", pid);
}

int journal_halted(struct journal *j, pid_t pid)
{
	return append_process(j, "halted", pid);
}

int journal_going(struct journal *j, pid_t pid)
{
	return append_process(j, "going", pid);
}

int journal_kdamonds(struct journal *j, size_t n, pid_t pid, const char *ops)
{
	auto_free char *n_text = xasprintf("%zu", n);
	auto_free char *pid_text = xasprintf("%d", (int)pid);
	const char *cells[] = { "kdamonds", n_text, pid_text, ops };

	return append_line(j, cells, ARRAY_SIZE(cells));
}

int journal_trace(struct journal *j, const char *path)
{
	const char *cells[] = { "trace", path };

	if (!undo_owns_trace(path))
		return refuse(-EINVAL,
			      "%s cannot be journaled: no trace instance whose "
			      "name begins with thpbench",
			      path);
	return append_line(j, cells, ARRAY_SIZE(cells));
}

void journal_forget_lock(struct journal *j)
{
	/* close(2) alone: LOCK_UN would unlock the guard's too. */
	close(j->lock_fd);
	j->lock_fd = -1;
}

/* Read the journal anew. 0 or -errno, printed but for -ENOENT. */
static int read_rows(const char *path, struct undo *u)
{
	char *text;
	int ret = file_read(path, &text, NULL);

	*u = (struct undo){ 0 };
	if (ret)
		return ret == -ENOENT ? ret : fail(ret, "read %s", path);
	undo_parse(text, u);
	return 0;
}

static int replay_rows(const struct root *root, const char *path,
		       struct journal_undone *done)
{
	struct undo u;
	unsigned int stuck;
	int ret = read_rows(path, &u);

	if (ret)
		return ret;
	undo_processes(&u, done);
	stuck = done->failures;
	undo_free(&u);
	/* Again: until it was killed the worker may have written to it. */
	ret = read_rows(path, &u);
	if (ret)
		return ret;
	if (u.n_bad)
		warn("%s: lines left out that are not ours: %u", path, u.n_bad);
	ret = undo_rest(root, &u, done);
	undo_free(&u);
	if (!ret && stuck)
		ret = -EIO;
	if (!ret && unlink(path))
		ret = fail(-errno, "remove %s", path);
	return ret;
}

/* A user's restore does not see the journal that root's run left. */
static int check_other(const struct root *root, const char *dir)
{
	auto_free char *system = lock_system_dir(root);
	auto_free char *path = journal_path(system);

	if (str_eq(system, dir) || access(path, F_OK))
		return -ENOENT;
	return refuse(-EACCES, "%s is another user's; run restore as that user",
		      path);
}

int journal_replay(const struct root *root, bool is_own,
		   struct journal_undone *done)
{
	auto_free char *dir = lock_state_dir(root);
	auto_free char *path = journal_path(dir);
	int fd = -1;
	int ret;

	*done = (struct journal_undone){ 0 };
	if (is_own)
		return replay_rows(root, path, done);
	if (access(dir, F_OK))
		return check_other(root, dir);
	fd = lock_take(root, dir, "thpbench restore");
	if (fd < 0)
		return fd;
	ret = replay_rows(root, path, done);
	lock_give_back(dir, fd);
	return ret == -ENOENT ? check_other(root, dir) : ret;
}

char *journal_left(const char *dir)
{
	char *path = journal_path(dir);

	if (access(path, F_OK) == 0)
		return path;
	free(path);
	return NULL;
}

void journal_close(struct journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	if (!j->is_kept)
		unlink(j->path);
	if (j->lock_fd >= 0)
		lock_give_back(j->dir, j->lock_fd);
	free(j->dir);
	free(j->path);
	*j = (struct journal){ .fd = -1, .lock_fd = -1 };
}
