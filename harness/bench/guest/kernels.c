/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/kernels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/root.h"
#include "base/str.h"
#include "bench/packages/cache_slot.h"
#include "bench/server/prepared.h"

const char *kernels_own_arch(void)
{
	static const struct {
		const char *machine;
		const char *arch;
	} archs[] = { { "x86_64", "amd64" }, { "aarch64", "arm64" } };
	struct utsname host;

	if (uname(&host))
		return "";
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		if (str_eq(archs[i].machine, host.machine))
			return archs[i].arch;
	return "";
}

char *kernels_dir(void)
{
	auto_free char *cache = prepared_cache_dir();

	return xasprintf("%s/kernels", cache);
}

void kernel_free(struct kernel *k)
{
	free(k->name);
	free(k->dir);
	free(k->image);
	free(k->modules);
	free(k->config);
	facts_free(&k->info);
	*k = (struct kernel){ 0 };
}

void kernel_list_free(struct kernel_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		kernel_free(&list->list[i]);
	free(list->list);
	*list = (struct kernel_list){ 0 };
}

static char *if_there(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name);

	if (access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

/* 0, or -errno (silent) for a folder that is no complete one. */
static int read_one(const char *folder, const char *name, struct kernel *out)
{
	int ret;

	*out = (struct kernel){
		.name = xstrdup(name),
		.dir = xasprintf("%s/%s", folder, name),
	};
	out->image = if_there(out->dir, "vmlinuz");
	out->modules = if_there(out->dir, "modules");
	out->config = if_there(out->dir, "config");
	ret = out->image ? cache_info_read(out->dir, &out->info) : -ENOENT;
	if (out->image && ret == -ENOENT) {
		facts_set(&out->info, "release", name);
		ret = 0;
	}
	if (ret)
		kernel_free(out);
	return ret;
}

static int by_release(const void *a, const void *b)
{
	const struct kernel *x = a;
	const struct kernel *y = b;
	int order = strverscmp(facts_get(&x->info, "release"),
			       facts_get(&y->info, "release"));

	return order ? order : strcmp(x->name, y->name);
}

int kernels_read(struct kernel_list *out)
{
	auto_free char *dir = kernels_dir();
	struct root root;
	char **names;
	size_t n;
	int ret = root_open(dir, &root);

	*out = (struct kernel_list){ 0 };
	if (ret == -ENOENT)
		return 0;
	if (!ret) {
		ret = root_list(&root, ".", &names, &n);
		root_close(&root);
	}
	if (ret)
		return fail(ret, "read %s", dir);
	for (size_t i = 0; i < n; i++) {
		if (names[i][0] == '.')
			continue;
		XGROW(out->list, out->n);
		if (!read_one(dir, names[i], &out->list[out->n]))
			out->n++;
	}
	root_list_free(names, n);
	if (out->n)
		qsort(out->list, out->n, sizeof(*out->list), by_release);
	return 0;
}

int kernel_find(const char *name, const char *arch, struct kernel *out)
{
	struct kernel_list all;
	int ret = kernels_read(&all);

	if (ret)
		return ret;
	ret = -ENOENT;
	for (size_t i = all.n; i-- && ret;) {
		const char *has = facts_get(&all.list[i].info, "arch");

		if (name ? !str_eq(all.list[i].name, name)
			 : has[0] && !str_eq(has, arch))
			continue;
		*out = all.list[i];
		all.list[i] = (struct kernel){ 0 };
		ret = 0;
	}
	kernel_list_free(&all);
	if (!ret)
		return 0;
	if (name)
		return refuse(ret,
			      "no kernel %s in the cache; see thpbench "
			      "guest list and thpbench guest fetch",
			      name);
	return refuse(ret,
		      "no kernel for %s in the cache; get one with "
		      "thpbench guest fetch",
		      arch);
}
