/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/collect/collect.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/collect/collectors.h"
#include "bench/collect/mapping.h"
#include "bench/collect/pace.h"
#include "data/column.h"

const struct collector *const collectors[] = {
	&collector_memory, &collector_vmstat,   &collector_khugepaged,
	&collector_mthp,   &collector_cgroup,   &collector_cpu,
	&collector_psi,    &collector_mariadb,  &collector_damos,
	&collector_trace,  &collector_counters,
};
const size_t n_collectors = ARRAY_SIZE(collectors);

/* What was spent where: a collector, the mappings, the writing. */
struct cost {
	uint64_t n;
	uint64_t cpu_ns;
	uint64_t longest_ns; /* wall */
};

struct instance {
	const struct collector *kind;
	void *state; /* NULL: missing */
	char *source;
	char *missing;  /* why */
	bool has_value; /* at any tick so far */
	double *cells;  /* its part of the row */
	size_t n_cells;
	struct cost cost;
};

struct collect {
	const struct collect_target *target;
	struct collect_config config;
	struct instance *list;
	size_t n;
	const char **columns;
	double *cells;
	size_t n_cells; /* own_cpu_s is the last */
	struct pace pace;
	uint64_t next_ns;
	uint64_t cpu_ns; /* of all, mappings and writing included */
	bool has_ticked;
	struct cost writing;
	struct cost mappings;
};

/* Both clocks, before and after a piece of work. */
struct moment {
	uint64_t cpu_ns;
	uint64_t wall_ns;
};

static struct moment moment_now(void)
{
	return (struct moment){ clock_cpu_ns(), clock_ns() };
}

/* Charge what was done since a moment, and make that moment now. */
static void charge(struct collect *c, struct cost *cost, struct moment *since)
{
	struct moment now = moment_now();
	uint64_t wall_ns = now.wall_ns - since->wall_ns;

	cost->cpu_ns += now.cpu_ns - since->cpu_ns;
	c->cpu_ns += now.cpu_ns - since->cpu_ns;
	if (wall_ns > cost->longest_ns)
		cost->longest_ns = wall_ns;
	*since = now;
}

bool collect_is_off(const char *off, const char *name)
{
	auto_free char *copy = xstrdup(off ? off : "");
	auto_free char **names = NULL;
	size_t n;

	names = str_split(copy, ' ', &n);
	for (size_t i = 0; i < n; i++)
		if (str_eq(names[i], name))
			return true;
	return false;
}

static void open_one(struct collect *c, struct instance *one)
{
	struct moment since = moment_now();

	if (collect_is_off(c->config.off, one->kind->name)) {
		one->missing = xstrdup("switched off by the configuration");
		return;
	}
	one->state = one->kind->open(c->target, &one->source, &one->missing);
	if (one->state)
		one->kind->columns(one->state, &one->n_cells);
	charge(c, &one->cost, &since);
	one->cost.longest_ns = 0; /* of the samples only */
}

/* Lay out one row of cells for all. */
static void lay_out(struct collect *c)
{
	size_t at = 0;

	for (size_t i = 0; i < c->n; i++)
		c->n_cells += c->list[i].n_cells;
	c->n_cells++;
	c->columns = xcalloc(c->n_cells, sizeof(*c->columns));
	c->cells = xcalloc(c->n_cells, sizeof(*c->cells));
	for (size_t i = 0; i < c->n; i++) {
		struct instance *one = &c->list[i];
		const char *const *names;

		if (!one->state)
			continue;
		names = one->kind->columns(one->state, &one->n_cells);
		one->cells = c->cells + at;
		for (size_t j = 0; j < one->n_cells; j++)
			c->columns[at++] = names[j];
	}
	c->columns[at] = COL_OWN_CPU;
	for (size_t i = 0; i < c->n_cells; i++)
		c->cells[i] = NAN;
}

struct collect *collect_open_list(const struct collect_target *t,
				  const struct collect_config *config,
				  const struct collector *const *list, size_t n)
{
	struct collect *c = xcalloc(1, sizeof(*c));

	c->target = t;
	c->config = *config;
	c->config.off = xstrdup(config->off);
	c->list = xcalloc(n, sizeof(*c->list));
	c->n = n;
	for (size_t i = 0; i < n; i++) {
		c->list[i].kind = list[i];
		open_one(c, &c->list[i]);
	}
	lay_out(c);
	c->next_ns = clock_ns();
	pace_begin(&c->pace, c->config.interval_ns, c->config.budget_pct,
		   c->next_ns);
	return c;
}

struct collect *collect_open(const struct collect_target *t,
			     const struct collect_config *c)
{
	return collect_open_list(t, c, collectors, n_collectors);
}

void collect_held(struct collect *c, pid_t pid)
{
	struct moment since = moment_now();

	for (size_t i = 0; i < c->n; i++) {
		struct instance *one = &c->list[i];

		if (one->state && one->kind->held)
			one->kind->held(one->state, c->target, pid);
		charge(c, &one->cost, &since);
	}
}

int collect_begin(struct collect *c, struct store_run *store)
{
	return store_sample_columns(store, c->columns, c->n_cells);
}

static void look_at(struct collect *c, struct instance *one)
{
	for (size_t i = 0; i < one->n_cells; i++)
		one->cells[i] = NAN;
	one->kind->sample(one->state, c->target, one->cells);
}

static void sample_one(struct collect *c, struct instance *one)
{
	look_at(c, one);
	one->cost.n++;
	for (size_t i = 0; i < one->n_cells && !one->has_value; i++)
		one->has_value = !isnan(one->cells[i]);
}

int collect_tick(struct collect *c, struct store_run *store, double t_s,
		 const char *phase)
{
	struct moment since = moment_now();
	uint64_t before_ns = c->cpu_ns;
	int ret;

	if (!c->has_ticked)
		c->pace.zero_ns =
			since.wall_ns - (uint64_t)(t_s * (double)NUM_NS_PER_S);
	c->has_ticked = true;
	for (size_t i = 0; i < c->n; i++) {
		if (!c->list[i].state)
			continue;
		sample_one(c, &c->list[i]);
		charge(c, &c->list[i].cost, &since);
	}
	c->cells[c->n_cells - 1] = (double)c->cpu_ns / (double)NUM_NS_PER_S;
	ret = store_sample(store, t_s, phase, c->cells);
	c->writing.n++;
	charge(c, &c->writing, &since);
	pace_spend(&c->pace, c->cpu_ns - before_ns);
	c->next_ns = pace_next_ns(&c->pace, since.wall_ns);
	return ret;
}

uint64_t collect_next_ns(const struct collect *c)
{
	return c->next_ns;
}

uint64_t collect_widened_ns(const struct collect *c)
{
	return c->pace.widest_ns;
}

double collect_last(const struct collect *c, const char *column)
{
	for (size_t i = 0; i < c->n_cells; i++)
		if (str_eq(c->columns[i], column))
			return c->cells[i];
	return NAN;
}

/* The memory collector, if it is at work. */
static struct instance *find_memory(struct collect *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->list[i].kind == &collector_memory && c->list[i].state)
			return &c->list[i];
	return NULL;
}

/* What the memory collector says now, as the i-th of a check. */
static void ask_memory(struct collect *c, struct instance *memory, int i,
		       struct mapping_check *check)
{
	check->rss_bytes[i] = NAN;
	check->huge_bytes[i] = NAN;
	if (!memory)
		return;
	look_at(c, memory);
	check->rss_bytes[i] = collect_last(c, COL_RSS);
	check->huge_bytes[i] = collect_last(c, COL_HUGE);
}

int collect_mappings(struct collect *c, struct store_run *store,
		     const char *when, char **mismatch)
{
	struct moment since = moment_now();
	struct instance *memory = find_memory(c);
	struct mapping_check check;
	struct mappings found = { 0 };
	int ret;

	*mismatch = NULL;
	if (c->target->server_pid <= 0)
		return 0;
	ask_memory(c, memory, 0, &check);
	ret = mapping_read(c->target, &found, &check);
	ask_memory(c, memory, 1, &check);
	if (!ret)
		ret = store_mappings(store, when, &found);
	if (!ret && memory)
		*mismatch = mapping_mismatch(&check, memory->source, when);
	mappings_free(&found);
	c->mappings.n++;
	charge(c, &c->mappings, &since);
	return ret;
}

static void describe(struct collector_record *out, const char *name,
		     const char *source, const struct cost *cost)
{
	out->name = (char *)name;
	out->source = (char *)source;
	out->n_samples = cost->n;
	out->cpu_s = (double)cost->cpu_ns / (double)NUM_NS_PER_S;
	out->longest_ms = (double)cost->longest_ns / (double)NUM_NS_PER_MS;
	out->missing = (char *)"";
}

int collect_close(struct collect *c, struct store_run *store)
{
	size_t n = c->n + 2;
	auto_free struct collector_record *list = xcalloc(n, sizeof(*list));
	int ret = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct instance *one = &c->list[i];

		describe(&list[i], one->kind->name,
			 one->source ? one->source : "", &one->cost);
		if (one->missing)
			list[i].missing = one->missing;
		else if (!one->has_value)
			list[i].missing = (char *)one->kind->none;
	}
	describe(&list[c->n], "mappings", "/proc/PID/smaps", &c->mappings);
	describe(&list[c->n + 1], "writing", "samples.tsv", &c->writing);
	if (store)
		ret = store_collectors(store, list, n);
	for (size_t i = 0; i < c->n; i++) {
		const struct instance *one = &c->list[i];

		if (store && !ret && one->state && one->kind->record)
			ret = one->kind->record(one->state, store);

		if (c->list[i].state)
			c->list[i].kind->close(c->list[i].state);
		free(c->list[i].source);
		free(c->list[i].missing);
	}
	free(c->config.off);
	free(c->list);
	free(c->columns);
	free(c->cells);
	free(c);
	return ret;
}
