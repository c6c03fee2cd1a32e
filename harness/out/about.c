/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/about.h"

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/* A fact and how it reads: '@' stands for its value. */
struct part {
	const char *fact;
	const char *format;
};

/* The last: what ran in guests on that machine. */
static const struct part guest_parts[] = {
	{ "guest_kernels", "guest with Linux @" },
	{ "guest_cpus", "@ CPUs" },
	{ "accel", "by @" },
};

static void add_part(struct str *out, const char *format, const char *value)
{
	if (!*value)
		return;
	str_add(out, out->len ? ", " : "");
	for (; *format; format++) {
		if (*format == '@')
			str_add(out, value);
		else
			str_addc(out, *format);
	}
}

static void add_parts(struct str *out, const struct facts *facts,
		      const struct part *parts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_part(out, parts[i].format, facts_get(facts, parts[i].fact));
}

static char *finish(struct str *out, const char *otherwise)
{
	return out->len ? str_steal(out) : xstrdup(otherwise);
}

static void add_machine(struct str *out, const struct facts *host)
{
	static const struct part parts[] = {
		{ "kernel", "Linux @" },
		{ "arch", "@" },
		{ "cpu", "@" },
		{ "cpus", "@ CPUs" },
	};
	uint64_t bytes;

	add_parts(out, host, parts, ARRAY_SIZE(parts));
	if (num_u64(facts_get(host, "memory_bytes"), &bytes) == 0) {
		auto_free char *gib =
			xasprintf("%.1f", (double)bytes / (double)NUM_GIB);

		add_part(out, "@ GiB", gib);
	}
	add_parts(out, host, guest_parts, ARRAY_SIZE(guest_parts));
}

char *about_machine(const struct experiment *e)
{
	struct str out = { 0 };

	if (e->n_hosts > 1) {
		str_addf(&out, "%zu hosts", e->n_hosts);
		for (size_t i = 0; i < e->n_hosts; i++) {
			str_addf(&out, "%s%s", i ? "; " : ": ",
				 e->hosts[i].name);
			add_machine(&out, &e->hosts[i].facts);
		}
		return str_steal(&out);
	}
	add_part(&out, "@", facts_get(&e->host, "hostname"));
	add_machine(&out, &e->host);
	return finish(&out, "not recorded");
}

char *about_workload(const struct experiment *e)
{
	static const struct part parts[] = {
		{ "program", "@" },
		{ "pid", "pid @" },
		{ "process", "@" },
		{ "script", "@" },
		{ "rand_type", "@ rows" },
		{ "hot_share", "@ % of requests in the hot range" },
		{ "hot_range", "that of @ % of each table" },
		{ "tables", "@ tables" },
		{ "table_size", "@ rows a table" },
		{ "memtouch_bytes", "@ bytes" },
		{ "memtouch_pattern", "@" },
		{ "threads", "threads @" },
		{ "workers", "workers @" },
		{ "channels", "channels @" },
		{ "groups", "groups @" },
		{ "loops", "loops @" },
		{ "datasize", "@ bytes a message" },
		{ "command", "@" },
		{ "command_values", "values @" },
		{ "duration", "@ each" },
		{ "warm_ups", "warm-ups @" },
		{ "repeats", "repeats @" },
		{ "load", "load @" },
		{ "settle", "settle @" },
		{ "settle_until_stable", "settle until stable, at most @" },
		{ "measure", "measure @" },
		{ "interval", "a sample each @" },
	};
	struct str out = { 0 };

	add_parts(&out, &e->workload, parts, ARRAY_SIZE(parts));
	return finish(&out, "not recorded");
}

static const char *own_server(const struct experiment *e, size_t arm)
{
	return facts_get(&e->arms[arm].settings, "mariadbd");
}

/* "of 'a', 'b': server": from this arm on, all that have the same. */
static void add_own_server(struct str *out, const struct experiment *e,
			   size_t arm)
{
	const char *server = own_server(e, arm);

	str_addf(out, "%sof", out->len ? "; " : "");
	for (size_t i = arm; i < e->n_arms; i++)
		if (str_eq(own_server(e, i), server))
			str_addf(out, "%s '%s'", i > arm ? "," : "",
				 e->arms[i].label);
	str_addf(out, ": %s", server);
}

/* Arms that name their server: each server once, with all its arms. */
static void add_own_servers(struct str *out, const struct experiment *e)
{
	for (size_t arm = 0; arm < e->n_arms; arm++) {
		const char *server = own_server(e, arm);
		size_t first = 0;

		while (!str_eq(own_server(e, first), server))
			first++;
		if (*server && first == arm)
			add_own_server(out, e, arm);
	}
}

char *about_server(const struct experiment *e)
{
	static const struct part parts[] = {
		{ "version", "@" },
		{ "buffer_pool", "buffer pool @" },
		{ "cpus", "CPUs @" },
		{ "client_cpus", "client's CPUs @" },
		{ "numa_node", "NUMA node @" },
	};
	struct str out = { 0 };

	if (*facts_get(&e->server, "version"))
		add_parts(&out, &e->server, parts, ARRAY_SIZE(parts));
	add_own_servers(&out, e);
	if (*facts_get(&e->workload, "imported"))
		return finish(&out, "not recorded");
	return finish(&out, *facts_get(&e->workload, "pid")
				    ? "a process that was there already"
				    : "no database");
}
