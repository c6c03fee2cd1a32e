/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/merge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/alike.h"

/* --- are they parts of one experiment? --- */

static char *unlike(const char *what, const char *x, const char *y)
{
	if (str_eq(x, y))
		return NULL;
	return xasprintf("%s is %s in one and %s in the other", what,
			 x && *x ? x : "not there", y && *y ? y : "not there");
}

static char *unlike_number(const char *what, uint64_t x, uint64_t y)
{
	auto_free char *one = xasprintf("%" PRIu64, x);
	auto_free char *other = xasprintf("%" PRIu64, y);

	return unlike(what, one, other);
}

/* Labels with what is between them. free() it. */
static char *arms_text(const struct experiment *e)
{
	struct str out = { 0 };

	for (size_t i = 0; i < e->n_arms; i++)
		str_addf(&out, "%s'%s'", i ? ", " : "", e->arms[i].label);
	return str_steal(&out);
}

static char *first_unlike(const struct experiment *a,
			  const struct experiment *b)
{
	auto_free char *arms = arms_text(a);
	auto_free char *others = arms_text(b);
	char *why = unlike("the configuration's hash", a->config_hash,
			   b->config_hash);

	if (!why)
		why = unlike_number("the seed", a->seed, b->seed);
	if (!why)
		why = unlike_number("the number of shards", a->shard.of,
				    b->shard.of);
	if (!why)
		why = unlike_number("the number of blocks", a->blocks,
				    b->blocks);
	if (!why)
		why = unlike("the list of arms", arms, others);
	if (!why)
		why = unlike("the guests' kernel",
			     facts_get(&a->host, "guest_kernels"),
			     facts_get(&b->host, "guest_kernels"));
	return why ? why : alike_refusal(a, b);
}

static char *refusal(const struct experiment *list, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		auto_free char *why = first_unlike(&list[0], &list[i]);

		if (why)
			return xasprintf("%s and %s are not shards of one "
					 "experiment: %s",
					 list[0].dir, list[i].dir, why);
		if (list[i].shard.index == list[i - 1].shard.index)
			return xasprintf("%s and %s are both shard %u of %u; "
					 "name one of them",
					 list[i - 1].dir, list[i].dir,
					 list[i].shard.index, list[i].shard.of);
	}
	return NULL;
}

static int by_index(const void *a, const void *b)
{
	const struct experiment *x = a;
	const struct experiment *y = b;

	if (x->shard.index != y->shard.index)
		return x->shard.index < y->shard.index ? -1 : 1;
	return strcmp(x->dir, y->dir);
}

/* --- hosts --- */

static bool is_same_host(const struct experiment *a, const struct facts *host)
{
	const struct experiment other = { .host = *host };

	return alike_same_host(a, &other) &&
	       str_eq(facts_get(&a->host, "kernel"), facts_get(host, "kernel"));
}

/* The hostname, and with it what no host before it has. free() it. */
static char *host_name(const struct experiment *out, const struct facts *host)
{
	const char *name = facts_get(host, "hostname");
	const char *kernel = facts_get(host, "kernel");
	size_t n_same = 0;
	bool is_kernel_new = true;

	for (size_t i = 0; i < out->n_hosts; i++) {
		const struct facts *other = &out->hosts[i].facts;

		if (!str_eq(facts_get(other, "hostname"), name))
			continue;
		n_same++;
		is_kernel_new &= !str_eq(facts_get(other, "kernel"), kernel);
	}
	name = *name ? name : "a host without a name";
	if (!n_same)
		return xstrdup(name);
	if (is_kernel_new)
		return xasprintf("%s with Linux %s", name, kernel);
	return xasprintf("%s, machine %zu of that name", name, n_same + 1);
}

static size_t find_host(struct experiment *out, const struct experiment *part)
{
	struct host_record *host;

	for (size_t i = 0; i < out->n_hosts; i++)
		if (is_same_host(part, &out->hosts[i].facts))
			return i;
	XGROW(out->hosts, out->n_hosts);
	host = &out->hosts[out->n_hosts];
	*host = (struct host_record){ .name = host_name(out, &part->host) };
	facts_copy(&host->facts, &part->host);
	return out->n_hosts++;
}

/* --- what is to be doubted --- */

static void add_mark(struct experiment *e, char *mark)
{
	XGROW(e->marks, e->n_marks);
	e->marks[e->n_marks++] = mark;
}

static void mark_missing(struct experiment *out)
{
	struct shard s = { .of = out->shard.of };
	size_t part = 0;

	for (s.index = 1; s.index <= s.of; s.index++) {
		auto_free char *blocks = NULL;

		if (part < out->n_parts && out->parts[part].index == s.index) {
			part++;
			continue;
		}
		blocks = shard_blocks(&s, out->blocks);
		add_mark(out,
			 xasprintf("shard %u of %u is not among the folders: "
				   "block%s %s of %u.",
				   s.index, s.of,
				   strchr(blocks, ',') ? "s" : "", blocks,
				   out->blocks));
	}
}

/* What a part says, or has otherwise than the first. */
static void mark_part(struct experiment *out, const struct experiment *first,
		      const struct experiment *part)
{
	const struct part_record *record = &out->parts[out->n_parts - 1];
	const char *host = out->hosts[record->host].name;
	struct facts unlike_facts = { 0 };
	auto_str struct str list = { 0 };

	for (size_t i = 0; i < part->n_marks; i++)
		add_mark(out, xasprintf("shard %u (%s): %s", record->index,
					host, part->marks[i]));
	alike_differences(first, part, &unlike_facts);
	for (size_t i = 0; i < unlike_facts.n; i++)
		if (!str_eq(unlike_facts.list[i].name, "hostname"))
			str_addf(&list, "%s%s: %s", list.len ? "; " : "",
				 unlike_facts.list[i].name,
				 unlike_facts.list[i].value);
	facts_free(&unlike_facts);
	if (list.len)
		add_mark(out,
			 xasprintf("shard %u (%s) differs from shard %u "
				   "(%s): %s.",
				   record->index, host, out->parts[0].index,
				   out->hosts[out->parts[0].host].name,
				   list.text));
}

/* --- putting together --- */

static void take_runs(struct experiment *out, struct experiment *part,
		      const char *below)
{
	for (size_t i = 0; i < part->n_runs; i++) {
		struct run *run = &part->runs[i];
		char *dir = xasprintf("%s/%s", below, run->dir);

		free(run->dir);
		run->dir = dir;
		run->part = out->n_parts - 1;
		XGROW(out->runs, out->n_runs);
		out->runs[out->n_runs++] = *run;
	}
	part->n_runs = 0;
}

/* Its folder as seen from that of the whole, where it lies in it. */
static const char *below(const char *dir, const char *part)
{
	size_t n = strlen(dir);

	while (n > 1 && dir[n - 1] == '/')
		n--;
	return strncmp(part, dir, n) != 0 || part[n] != '/' ? part
							    : part + n + 1;
}

static void add_part(struct experiment *out, const struct experiment *first,
		     struct experiment *part)
{
	XGROW(out->parts, out->n_parts);
	out->parts[out->n_parts++] = (struct part_record){
		.index = part->shard.index,
		.host = find_host(out, part),
		.dir = xstrdup(part->dir),
	};
	mark_part(out, first, part);
	if (strcmp(part->created, out->created) < 0) {
		free(out->created);
		out->created = xstrdup(part->created);
	}
	take_runs(out, part, below(out->dir, part->dir));
}

/* What all have in common, from the first; its runs and marks stay there. */
static void begin(struct experiment *first, const char *dir,
		  struct experiment *out)
{
	auto_free char *name = shard_dir(&first->shard);

	*out = *first;
	*first = (struct experiment){
		.dir = out->dir,
		.created = xstrdup(out->created ? out->created : ""),
		.config_hash = xstrdup(out->config_hash),
		.program = xstrdup(out->program ? out->program : ""),
		.shard = out->shard,
		.runs = out->runs,
		.n_runs = out->n_runs,
		.marks = out->marks,
		.n_marks = out->n_marks,
	};
	facts_copy(&first->host, &out->host);
	facts_copy(&first->server, &out->server);
	facts_copy(&first->workload, &out->workload);
	out->dir = xstrdup(dir);
	out->runs = NULL;
	out->n_runs = 0;
	out->marks = NULL;
	out->n_marks = 0;
	out->n_planned = out->n_arms * out->blocks;
	if (out->id && str_ends(out->id, name) &&
	    strlen(out->id) > strlen(name) + 1)
		out->id[strlen(out->id) - strlen(name) - 1] = '\0';
}

static int by_number(const void *a, const void *b)
{
	const struct run *x = a;
	const struct run *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

int merge_shards(struct experiment *shards, size_t n, const char *dir,
		 struct experiment *out, char **why)
{
	qsort(shards, n, sizeof(*shards), by_index);
	*why = refusal(shards, n);
	if (*why)
		return -EINVAL;
	begin(&shards[0], dir, out);
	for (size_t i = 0; i < n; i++)
		add_part(out, &shards[0], &shards[i]);
	for (size_t i = 0; i < n; i++)
		experiment_free(&shards[i]);
	mark_missing(out);
	if (out->n_runs)
		qsort(out->runs, out->n_runs, sizeof(*out->runs), by_number);
	return 0;
}

const char *merge_host(const struct experiment *e, const struct run *run)
{
	return e->n_parts ? e->hosts[e->parts[run->part].host].name : NULL;
}

char *merge_hosts_text(const struct experiment *e)
{
	struct str out = { 0 };

	for (size_t host = 0; host < e->n_hosts; host++) {
		auto_str struct str list = { 0 };
		size_t n = 0;

		for (size_t i = 0; i < e->n_parts; i++)
			if (e->parts[i].host == host)
				str_addf(&list, "%s%u", n++ ? ", " : "",
					 e->parts[i].index);
		str_addf(&out, "%s%s (shard%s %s)", host ? ", " : "",
			 e->hosts[host].name, n == 1 ? "" : "s", list.text);
	}
	return str_steal(&out);
}
