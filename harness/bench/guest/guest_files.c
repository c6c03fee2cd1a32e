/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_files.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/elf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"

/* As many links as the kernel follows on the way to a file. */
enum { MOST_LINKS = 40 };

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Note a name. Was it new? */
static bool is_new(struct guest_files *f, const char *name)
{
	char *copy = xstrdup(name);
	char **node = tsearch(copy, &f->names, compare);

	if (!node)
		abort();
	if (*node != copy)
		free(copy);
	return *node == copy;
}

static int print(int ret, const char *what)
{
	return ret ? fail(ret, "put %s into the guest's archive", what) : 0;
}

int guest_files_open(struct guest_files *f)
{
	int ret;

	*f = (struct guest_files){ 0 };
	f->cpio.fd = file_unnamed(&f->path);
	if (f->cpio.fd < 0)
		return fail(f->cpio.fd, "make the guest's archive");
	/* The kernel opens it for its init before anything is mounted. */
	is_new(f, "/dev");
	is_new(f, "/dev/console");
	ret = cpio_dir(&f->cpio, "/dev", 0755);
	if (!ret)
		ret = cpio_char(&f->cpio, "/dev/console", 0600, 5, 1);
	return print(ret, "/dev/console");
}

/* What to do about what is not here. */
enum missing {
	MISSING_FAILS,
	MISSING_IS_MADE, /* a folder */
	MISSING_IS_LEFT, /* if a link pointed there */
};

/* Where the walk along a path stands. */
struct walk {
	char *at;   /* links resolved; "" is the root */
	char *rest; /* still to go */
	unsigned int n_links;
	enum missing missing;
};

static int add_dir(struct guest_files *f, const char *name, mode_t mode)
{
	if (!is_new(f, name))
		return 0;
	return print(cpio_dir(&f->cpio, name, mode & 07777), name);
}

/* Go on at what a link points to. */
static int follow(struct guest_files *f, struct walk *w, const char *link)
{
	char target[PATH_MAX];
	ssize_t n = readlink(link, target, sizeof(target) - 1);
	char *rest;

	if (n < 0)
		return fail(-errno, "%s", link);
	target[n] = '\0';
	if (++w->n_links > MOST_LINKS)
		return fail(-ELOOP, "%s", link);
	if (is_new(f, link) && cpio_link(&f->cpio, link, target))
		return print(-EIO, link);
	rest = xasprintf("%s/%s", target, w->rest);
	free(w->rest);
	w->rest = rest;
	if (target[0] == '/')
		w->at[0] = '\0';
	return 0;
}

/* Cut the first part off the rest; "" at the end. free() it. */
static char *next_part(struct walk *w)
{
	char *begin = w->rest + strspn(w->rest, "/");
	size_t n = strcspn(begin, "/");
	char *part = xstrndup(begin, n);

	memmove(w->rest, begin + n, strlen(begin + n) + 1);
	return part;
}

static bool is_last(const struct walk *w)
{
	return w->rest[strspn(w->rest, "/")] == '\0';
}

/* Whatever the walk has come to. */
static int visit(struct guest_files *f, struct walk *w, char *path)
{
	struct stat st;
	bool is_there = lstat(path, &st) == 0;

	if (!is_there && errno == ENOENT && w->n_links &&
	    w->missing == MISSING_IS_LEFT) {
		w->rest[0] = '\0';
		return 0;
	}
	if (!is_there && !(errno == ENOENT && w->missing == MISSING_IS_MADE))
		return fail(-errno, "%s", path);
	if (is_there && S_ISLNK(st.st_mode))
		return follow(f, w, path);
	free(w->at);
	w->at = xstrdup(path);
	if (!is_there || S_ISDIR(st.st_mode))
		return add_dir(f, path, is_there ? st.st_mode : 0755);
	if (!is_last(w))
		return fail(-ENOTDIR, "%s", path);
	if (!S_ISREG(st.st_mode) || !is_new(f, path))
		return 0;
	return print(cpio_file(&f->cpio, path, st.st_mode & 07777, path), path);
}

static int walk(struct guest_files *f, struct walk *w)
{
	int ret = 0;

	while (!ret && !is_last(w)) {
		auto_free char *part = next_part(w);
		auto_free char *path = xasprintf("%s/%s", w->at, part);

		if (str_eq(part, "."))
			continue;
		if (str_eq(part, "..")) {
			char *slash = strrchr(w->at, '/');

			if (slash)
				*slash = '\0';
			continue;
		}
		ret = visit(f, w, path);
	}
	return ret;
}

/* *end, where not NULL, gets the path without links. free() it. */
static int walk_to(struct guest_files *f, const char *path,
		   enum missing missing, char **end)
{
	bool is_whole = path[0] == '/' || !path[0];
	auto_free char *here = is_whole ? NULL : getcwd(NULL, 0);
	struct walk w = {
		.at = xstrdup(""),
		.rest = xasprintf("%s/%s", here ? here : "", path),
		.missing = missing,
	};
	int ret = walk(f, &w);

	if (!ret && end)
		*end = xstrdup(w.at);
	free(w.at);
	free(w.rest);
	return ret;
}

int guest_files_add(struct guest_files *f, const char *path)
{
	return walk_to(f, path, MISSING_FAILS, NULL);
}

int guest_files_add_dir(struct guest_files *f, const char *name)
{
	return walk_to(f, name, MISSING_IS_MADE, NULL);
}

/* Make the folders above a new name; *full gets it without links. */
static int make_place(struct guest_files *f, const char *name, char **full)
{
	const char *slash = strrchr(name, '/');
	auto_free char *above = xstrndup(name, (size_t)(slash - name));
	auto_free char *at = NULL;
	int ret = walk_to(f, above, MISSING_IS_MADE, &at);

	*full = NULL;
	if (!ret)
		*full = xasprintf("%s%s", at, slash);
	return ret;
}

int guest_files_add_as(struct guest_files *f, const char *name,
		       const char *from, mode_t mode)
{
	auto_free char *full = NULL;
	int ret = make_place(f, name, &full);

	if (ret || !is_new(f, full))
		return ret;
	return print(cpio_file(&f->cpio, full, mode, from), from);
}

int guest_files_add_data(struct guest_files *f, const char *name,
			 const void *data, size_t n, mode_t mode)
{
	auto_free char *full = NULL;
	int ret = make_place(f, name, &full);

	if (ret || !is_new(f, full))
		return ret;
	return print(cpio_data(&f->cpio, full, mode, data, n), full);
}

int guest_files_add_link(struct guest_files *f, const char *name,
			 const char *target)
{
	auto_free char *full = NULL;
	int ret = make_place(f, name, &full);

	if (ret || !is_new(f, full))
		return ret;
	return print(cpio_link(&f->cpio, full, target), full);
}

int guest_files_add_tree(struct guest_files *f, const char *path)
{
	auto_free char *top = NULL;
	char *paths[] = { NULL, NULL };
	FTS *fts;
	FTSENT *e;
	int ret = walk_to(f, path, MISSING_FAILS, &top);

	if (ret)
		return ret;
	paths[0] = top;
	fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	if (!fts)
		return fail(-errno, "read %s", top);
	while (!ret && (e = fts_read(fts))) {
		if (e->fts_info == FTS_ERR || e->fts_info == FTS_DNR ||
		    e->fts_info == FTS_NS)
			ret = fail(-e->fts_errno, "read %s", e->fts_path);
		else if (e->fts_info != FTS_DP)
			ret = walk_to(f, e->fts_path, MISSING_IS_LEFT, NULL);
	}
	fts_close(fts);
	return ret;
}

int guest_files_add_program(struct guest_files *f, const char *path,
			    const char *lib_path)
{
	char **list = NULL;
	size_t n = 0;
	struct elf elf;
	bool is_elf = elf_read(path, &elf) == 0;
	int ret = guest_files_add(f, path);

	elf_free(&elf);
	if (!ret && is_elf)
		ret = elf_libraries(path, lib_path, &list, &n);
	for (size_t i = 0; i < n; i++) {
		if (!ret)
			ret = guest_files_add(f, list[i]);
		free(list[i]);
	}
	free(list);
	return ret;
}

int guest_files_end(struct guest_files *f)
{
	return print(cpio_end(&f->cpio), "its end");
}

void guest_files_free(struct guest_files *f)
{
	if (f->cpio.fd >= 0)
		close(f->cpio.fd);
	free(f->path);
	tdestroy(f->names, free);
	*f = (struct guest_files){ .cpio = { .fd = -1 } };
}
