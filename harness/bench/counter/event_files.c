/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/counter/event_files.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/paths.h"
#include "base/root.h"
#include "base/str.h"

static int read_one(const char *folder, const char *name,
		    struct event_files *out)
{
	auto_free char *path = xasprintf("%s/%s", folder, name);
	struct event_file file;
	int ret = event_file_read(path, &file);

	if (ret)
		return ret;
	XGROW(out->list, out->n);
	out->list[out->n++] = file;
	return 0;
}

static int read_folder(const char *folder, struct event_files *out)
{
	struct root root;
	char **names;
	size_t n;
	int ret = root_open(folder, &root);

	if (ret)
		return fail(ret, "events: %s", folder);
	ret = root_list(&root, ".", &names, &n);
	root_close(&root);
	if (ret)
		return fail(ret, "events: %s", folder);
	for (size_t i = 0; !ret && i < n; i++)
		if (str_ends(names[i], ".ini"))
			ret = read_one(folder, names[i], out);
	root_list_free(names, n);
	return ret;
}

int event_files_read(const char *folder, struct event_files *out)
{
	auto_free char *ours = paths_find("events");
	int ret = ours ? 0 : -ENOENT;

	*out = (struct event_files){ 0 };
	if (!ret && folder)
		ret = read_folder(folder, out);
	if (!ret)
		ret = read_folder(ours, out);
	if (ret)
		event_files_free(out);
	return ret;
}

void event_files_free(struct event_files *files)
{
	for (size_t i = 0; i < files->n; i++)
		event_file_free(&files->list[i]);
	free(files->list);
	*files = (struct event_files){ 0 };
}

const struct event_pmu *event_files_find(const struct event_files *files,
					 const struct cpu_id *id,
					 const char *sysfs,
					 const struct event_file **file)
{
	for (int is_any = 0; is_any <= 1; is_any++) {
		for (size_t i = 0; i < files->n; i++) {
			const struct event_pmu *pmu =
				event_file_find(&files->list[i], id, sysfs,
						is_any);

			if (!pmu)
				continue;
			*file = &files->list[i];
			return pmu;
		}
	}
	return NULL;
}
