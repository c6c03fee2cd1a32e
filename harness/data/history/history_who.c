/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an experiment is in the history: itself, its host, its kernels. */
#include <ctype.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/tsv.h"
#include "data/extra.h"
#include "data/history/history.h"

/* Of what was imported without a time nothing but the values says which it is.
 */
static uint64_t hash_values(uint64_t hash, const struct experiment *e)
{
	for (size_t i = 0; i < e->n_runs; i++) {
		for (size_t k = 0; k < extra_count(e); k++) {
			const char *metric = extra_at(e, k)->name;
			const struct value *v = run_value(&e->runs[i], metric);
			auto_free char *text = NULL;

			if (!v->is_there)
				continue;
			text = xasprintf("\n%u %s %.17g", e->runs[i].number,
					 metric, v->number);
			hash = hash_text(hash, text);
		}
	}
	return hash;
}

void history_uid(const struct experiment *e, char uid[17])
{
	const char *const parts[] = {
		e->id,      facts_get(&e->host, "hostname"),
		e->created, e->config_hash,
		"seed ",
	};
	auto_free char *seed = xasprintf("%llu", (unsigned long long)e->seed);
	auto_free char *name = NULL;
	uint64_t hash = HASH_START;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		hash = hash_text(hash_text(hash, parts[i] ? parts[i] : ""),
				 "\n");
	hash = hash_text(hash, seed);
	if (!e->created || !isdigit((unsigned char)*e->created))
		hash = hash_values(hash, e);
	name = hash_name(hash);
	snprintf(uid, 17, "%s", name);
}

char *history_host(const struct experiment *e)
{
	const char *name = facts_get(&e->host, "hostname");
	const char *accel = facts_get(&e->host, "accel");

	if (!*name || !*accel)
		return xstrdup(name);
	return xasprintf("%s guest %s", name, accel);
}

/* A guest says so itself. */
char *history_kernel(const struct experiment *e, const struct run *run)
{
	auto_free char *path =
		xasprintf("%s/%s/guest.tsv", e->dir, run->dir ? run->dir : "");
	struct tsv t;
	char *kernel = NULL;

	if (tsv_read(path, &t) == 0) {
		for (size_t i = 0; i < t.n_rows && !kernel; i++)
			if (str_eq(tsv_cell(&t, i, 0), "kernel"))
				kernel = xstrdup(tsv_cell(&t, i, 1));
		tsv_free(&t);
	}
	if (kernel)
		return kernel;
	if (*facts_get(&e->host, "guest_kernels"))
		return xstrdup(facts_get(&e->host, "guest_kernels"));
	return xstrdup(facts_get(&e->host, "kernel"));
}
