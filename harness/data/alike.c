/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/alike.h"

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/* Another value of these is another measurement. */
static const char *const decisive_workload[] = {
	"program", "script",  "tables",   "table_size",     "rand_type",
	"threads", "measure", "dry_run",  "memtouch_bytes", "memtouch_pattern",
	"loops",   "fds",     "datasize", "duration",       "command",
};
static const char *const decisive_server[] = { "buffer_pool" };
static const char *const decisive_host[] = { "accel" };

/* What is another one in every run, or says nothing of the machine. */
static const char *const passing[] = { "buddyinfo", "memory_free_bytes",
				       "kernel_cmdline", "path" };

/* What tells one machine from another. */
static const char *const of_machine[] = { "hostname", "arch", "cpu", "cpus" };

/* What a kernel keeps for itself differs from boot to boot. */
static bool is_same_memory(const struct facts *a, const struct facts *b)
{
	double x;
	double y;

	if (num_double(facts_get(a, "memory_bytes"), &x) ||
	    num_double(facts_get(b, "memory_bytes"), &y))
		return str_eq(facts_get(a, "memory_bytes"),
			      facts_get(b, "memory_bytes"));
	return x > 0.99 * y && y > 0.99 * x;
}

static bool is_among(const char *name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(name, list[i]))
			return true;
	return false;
}

static char *first_unlike(const struct facts *a, const struct facts *b,
			  const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *x = facts_get(a, names[i]);
		const char *y = facts_get(b, names[i]);

		if (!str_eq(x, y))
			return xasprintf("%s is %s in one and %s in the other",
					 names[i], *x ? x : "not there",
					 *y ? y : "not there");
	}
	return NULL;
}

char *alike_refusal(const struct experiment *a, const struct experiment *b)
{
	char *why = first_unlike(&a->workload, &b->workload, decisive_workload,
				 ARRAY_SIZE(decisive_workload));

	if (!why)
		why = first_unlike(&a->server, &b->server, decisive_server,
				   ARRAY_SIZE(decisive_server));
	if (!why)
		why = first_unlike(&a->host, &b->host, decisive_host,
				   ARRAY_SIZE(decisive_host));
	return why;
}

static void add(struct facts *out, const char *name, const char *x,
		const char *y)
{
	if (!str_eq(x, y))
		facts_setf(out, name, "%s | %s", *x ? x : "-", *y ? y : "-");
}

static void add_unlike(const struct facts *a, const struct facts *b,
		       struct facts *out)
{
	for (size_t i = 0; i < a->n; i++)
		if (!is_among(a->list[i].name, passing, ARRAY_SIZE(passing)))
			add(out, a->list[i].name, a->list[i].value,
			    facts_get(b, a->list[i].name));
	for (size_t i = 0; i < b->n; i++)
		if (!*facts_get(a, b->list[i].name) &&
		    !is_among(b->list[i].name, passing, ARRAY_SIZE(passing)))
			add(out, b->list[i].name, "", b->list[i].value);
}

static const char *known(const char *text)
{
	return text ? text : "";
}

static bool has_arm(const struct experiment *e, const char *label)
{
	for (size_t i = 0; i < e->n_arms; i++)
		if (str_eq(e->arms[i].label, label))
			return true;
	return false;
}

/* "T n, T a": the labels of a that b has not. free() it. */
static char *arms_alone(const struct experiment *a, const struct experiment *b)
{
	struct str out = { 0 };

	for (size_t i = 0; i < a->n_arms; i++)
		if (!has_arm(b, a->arms[i].label))
			str_addf(&out, "%s'%s'", out.len ? ", " : "",
				 a->arms[i].label);
	return str_steal(&out);
}

void alike_arms(const struct experiment *a, const struct experiment *b,
		struct facts *out)
{
	auto_free char *of_a = arms_alone(a, b);
	auto_free char *of_b = arms_alone(b, a);

	if (a->n_arms > 1 || b->n_arms > 1)
		add(out, "arms of one alone", of_a, of_b);
}

void alike_differences(const struct experiment *a, const struct experiment *b,
		       struct facts *out)
{
	add_unlike(&a->host, &b->host, out);
	add_unlike(&a->server, &b->server, out);
	add_unlike(&a->workload, &b->workload, out);
	add(out, "configuration", known(a->config_hash), known(b->config_hash));
	add(out, "program", known(a->program), known(b->program));
}

bool alike_same_host(const struct experiment *a, const struct experiment *b)
{
	for (size_t i = 0; i < ARRAY_SIZE(of_machine); i++)
		if (!str_eq(facts_get(&a->host, of_machine[i]),
			    facts_get(&b->host, of_machine[i])))
			return false;
	return is_same_memory(&a->host, &b->host);
}
