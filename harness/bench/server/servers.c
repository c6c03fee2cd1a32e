/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/server/servers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/root.h"
#include "base/str.h"
#include "bench/packages/cache_slot.h"
#include "bench/server/prepared.h"

const char server_default_suite[] = "bullseye";

static char *folder(void)
{
	auto_free char *cache = prepared_cache_dir();

	return xasprintf("%s/servers", cache);
}

char *servers_dir(const char *suite)
{
	auto_free char *all = folder();

	return xasprintf("%s/%s", all, suite);
}

const char *servers_suite(const char *mariadbd)
{
	static const char prefix[] = "debian:";

	return str_starts(mariadbd, prefix) ? mariadbd + strlen(prefix) : NULL;
}

void fetched_server_free(struct fetched_server *s)
{
	free(s->suite);
	free(s->dir);
	facts_free(&s->info);
	*s = (struct fetched_server){ 0 };
}

void servers_free(struct fetched_servers *servers)
{
	for (size_t i = 0; i < servers->n; i++)
		fetched_server_free(&servers->list[i]);
	free(servers->list);
	*servers = (struct fetched_servers){ 0 };
}

static void add_one(const char *suite, struct fetched_servers *out)
{
	struct fetched_server s = { .suite = xstrdup(suite),
				    .dir = servers_dir(suite) };

	if (suite[0] == '.' || cache_info_read(s.dir, &s.info)) {
		fetched_server_free(&s);
		return;
	}
	XGROW(out->list, out->n);
	out->list[out->n++] = s;
}

int servers_read(struct fetched_servers *out)
{
	auto_free char *dir = folder();
	struct root root;
	char **names;
	size_t n;
	int ret = root_open(dir, &root);

	*out = (struct fetched_servers){ 0 };
	if (ret == -ENOENT)
		return 0;
	if (!ret) {
		ret = root_list(&root, ".", &names, &n);
		root_close(&root);
	}
	if (ret)
		return fail(ret, "read %s", dir);
	for (size_t i = 0; i < n; i++)
		add_one(names[i], out);
	root_list_free(names, n);
	return 0;
}
