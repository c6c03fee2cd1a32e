/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_modules.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"

/* How module files are packed, and what unpacks them. */
static const struct {
	const char *suffix;
	const char *program;
	const char *package;
} packings[] = {
	{ ".ko", NULL, NULL },
	{ ".ko.xz", "xz", "xz-utils" },
	{ ".ko.zst", "zstd", "zstd" },
	{ ".ko.gz", "gzip", "gzip" },
};

struct module {
	char *name; /* with '_' */
	char *path;
	bool is_added;
};

struct modules {
	struct guest_files *files;
	struct module *list;
	size_t n;
	unsigned int n_added;
};

static char *first_dir(char *const *dirs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		auto_free char *kernel = xasprintf("%s/kernel", dirs[i]);

		if (access(kernel, R_OK | X_OK) == 0)
			return xstrdup(dirs[i]);
	}
	return NULL;
}

char *guest_modules_dir(const struct guest_image *image)
{
	const char *slash = strrchr(image->path, '/');
	auto_free char *at =
		xstrndup(image->path, (size_t)(slash - image->path));
	const char *version = image->version ? image->version : "none";
	char *dirs[] = {
		xasprintf("%s/modules", at),
		xstrdup(at),
		xasprintf("%s/lib/modules/%s", at, version),
		xasprintf("%s/../lib/modules/%s", at, version),
		xasprintf("/lib/modules/%s", version),
	};
	char *found = first_dir(dirs, ARRAY_SIZE(dirs));

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		free(dirs[i]);
	return found;
}

char *guest_modules_info(const char *module, size_t n, const char *key)
{
	auto_free char *text = xasprintf("%s=", key);
	size_t len = strlen(text) + 1;
	const char *at;

	/* Its strings stand one behind the other, each with its NUL. */
	memmove(text + 1, text, len - 1);
	text[0] = '\0';
	at = module ? memmem(module, n, text, len) : NULL;
	if (!at)
		return NULL;
	at += len;
	return xstrndup(at, strnlen(at, n - (size_t)(at - module)));
}

/* "virtio-rng.ko.xz" -> "virtio_rng"; NULL: no module. free() it. */
static char *name_of(const char *file)
{
	for (size_t i = 0; i < ARRAY_SIZE(packings); i++) {
		const char *suffix = packings[i].suffix;
		char *name;

		if (!str_ends(file, suffix))
			continue;
		name = xstrndup(file, strlen(file) - strlen(suffix));
		for (char *p = name; *p; p++)
			if (*p == '-')
				*p = '_';
		return name;
	}
	return NULL;
}

static void list_modules(const char *dir, struct modules *m)
{
	auto_free char *kernel = xasprintf("%s/kernel", dir);
	char *paths[] = { kernel, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *e;

	while (fts && (e = fts_read(fts))) {
		char *name = e->fts_info == FTS_F ? name_of(e->fts_name) : NULL;

		if (!name)
			continue;
		XGROW(m->list, m->n);
		m->list[m->n++] = (struct module){
			.name = name,
			.path = xstrdup(e->fts_path),
		};
	}
	if (fts)
		fts_close(fts);
}

static void free_modules(struct modules *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->list[i].name);
		free(m->list[i].path);
	}
	free(m->list);
}

/* What a program makes of it. */
static int unpack(const char *program, const char *package, const char *path,
		  char **data, size_t *n)
{
	const char *const argv[] = { program, "-dc", path, NULL };
	auto_free char *name = NULL;
	auto_close int fd = file_unnamed(&name);
	struct proc_spec spec = { .argv = argv, .out_fd = fd };
	int wstatus = 0;
	int ret;

	if (fd < 0)
		return fail(fd, "make a file");
	ret = proc_run(&spec, 60 * NUM_NS_PER_S, &wstatus);
	if (ret == -ENOENT)
		return refuse(-ENOTSUP,
			      "%s is packed, and there is no %s: install the "
			      "package %s",
			      path, program, package);
	if (!ret && wstatus)
		return refuse(-EIO, "%s cannot unpack %s", program, path);
	if (!ret)
		ret = file_reread_fd(fd, data, n);
	return ret ? fail(ret, "unpack %s", path) : 0;
}

static int read_module(const char *path, char **data, size_t *n)
{
	int ret;

	for (size_t i = 1; i < ARRAY_SIZE(packings); i++)
		if (str_ends(path, packings[i].suffix))
			return unpack(packings[i].program, packings[i].package,
				      path, data, n);
	ret = file_read(path, data, n);
	return ret ? fail(ret, "read %s", path) : 0;
}

static struct module *find_module(struct modules *m, const char *name)
{
	for (size_t i = 0; i < m->n; i++)
		if (str_eq(m->list[i].name, name))
			return &m->list[i];
	return NULL;
}

static int add_module(struct modules *m, const char *name);

/* "virtio,virtio_ring": each before the one that needs it. */
static int add_needed(struct modules *m, char *depends)
{
	size_t n;
	auto_free char **names = str_split(depends, ',', &n);
	int ret = 0;

	for (size_t i = 0; !ret && i < n; i++) {
		for (char *p = names[i]; *p; p++)
			if (*p == '-')
				*p = '_';
		ret = add_module(m, names[i]);
	}
	return ret;
}

static int add_module(struct modules *m, const char *name)
{
	struct module *module = find_module(m, name);
	auto_free char *data = NULL;
	auto_free char *depends = NULL;
	auto_free char *magic = NULL;
	auto_free char *path = NULL;
	size_t n = 0;
	int ret;

	/* Not there: built in. */
	if (!module || module->is_added)
		return 0;
	module->is_added = true;
	ret = read_module(module->path, &data, &n);
	if (ret)
		return ret;
	depends = guest_modules_info(data, n, "depends");
	magic = guest_modules_info(data, n, "vermagic");
	if (!magic)
		return refuse(-EINVAL, "%s is no kernel module", module->path);
	ret = depends ? add_needed(m, depends) : 0;
	if (ret)
		return ret;
	/* "6.1.0-57-cloud-amd64 SMP preempt ...": the release comes first. */
	magic[strcspn(magic, " ")] = '\0';
	path = xasprintf("/thpbench/modules/%s/%02u-%s.ko", magic, m->n_added++,
			 name);
	return guest_files_add_data(m->files, path, data, n, 0644);
}

int guest_modules_add(struct guest_files *f, const struct guest_image *image)
{
	static const char *const wanted[] = { "virtio_pci", "virtio_console" };
	auto_free char *dir = guest_modules_dir(image);
	struct modules m = { .files = f };
	int ret = 0;

	if (!dir)
		return 0;
	list_modules(dir, &m);
	for (size_t i = 0; !ret && i < ARRAY_SIZE(wanted); i++)
		ret = add_module(&m, wanted[i]);
	free_modules(&m);
	return ret;
}
