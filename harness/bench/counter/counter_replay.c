/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/counter/counter_replay.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "kern/perf_code.h"

enum cell { T, GROUP, ROLE, EVENT, CODE, VALUE, ENABLED, RUNNING, N_CELLS };

static const char *const names[N_CELLS] = {
	[T] = "t_s",
	[GROUP] = "group",
	[ROLE] = "role",
	[EVENT] = "event",
	[CODE] = "code",
	[VALUE] = "value",
	[ENABLED] = "enabled_ns",
	[RUNNING] = "running_ns",
};

/* One line: an event of a group from a moment on. */
struct step {
	uint64_t t_ns;
	size_t group; /* indices of the plan */
	size_t event;
	uint64_t value;
	uint64_t enabled_ns;
	uint64_t running_ns;
};

struct counter_replay {
	struct step *list;
	size_t n;
};

/* What is being read, and where. */
struct reader {
	const char *name;
	unsigned int line;
	bool has_header;
	struct counter_plan *plan;
	struct counter_replay *replay;
};

static int bad(const struct reader *r, const char *what, const char *right)
{
	return refuse(-EBADMSG, "%s:%u: %s; %s", r->name, r->line, what, right);
}

static int bad_number(const struct reader *r, enum cell cell, const char *text)
{
	auto_free char *what =
		xasprintf("%s = %s: not a number", names[cell], text);

	return bad(r, what,
		   cell == T ? "seconds such as 1.5"
			     : "a whole number that is not negative");
}

static int read_header(struct reader *r, char **cells, size_t n)
{
	bool is_right = n == N_CELLS;

	for (size_t i = 0; i < n && is_right; i++)
		is_right = str_eq(cells[i], names[i]);
	r->has_header = is_right;
	return is_right ? 0
			: bad(r, "not the names of the cells",
			      "t_s group role event code value enabled_ns "
			      "running_ns, with tabs between them");
}

static size_t find_group(struct counter_plan *plan, const char *name)
{
	size_t i = 0;

	while (i < plan->n_groups && !str_eq(plan->groups[i].name, name))
		i++;
	if (i < plan->n_groups)
		return i;
	XGROW(plan->groups, plan->n_groups);
	plan->groups[plan->n_groups++] = (struct counter_group){
		.name = xstrdup(name),
		.is_software = str_eq(name, "software"),
	};
	return i;
}

static size_t find_event(struct counter_group *g, char **cells,
			 const struct perf_code *code)
{
	size_t i = 0;

	while (i < g->n && !str_eq(g->events[i].name, cells[EVENT]))
		i++;
	if (i < g->n)
		return i;
	XGROW(g->events, g->n);
	g->events[g->n++] = (struct counter_event){
		.name = xstrdup(cells[EVENT]),
		.role = xstrdup(cells[ROLE]),
		.code = *code,
	};
	return i;
}

/* "4:0x25" */
static int read_code(const char *text, struct perf_code *out)
{
	const char *colon = strchr(text, ':');
	auto_free char *type =
		xstrndup(text, colon ? (size_t)(colon - text) : strlen(text));
	uint64_t number;

	if (!colon || num_u64(type, &number) || number > UINT32_MAX)
		return -EINVAL;
	*out = (struct perf_code){ .type = (uint32_t)number };
	return num_u64(colon + 1, &out->config);
}

static int check_step(const struct reader *r, const struct step *step)
{
	const struct counter_replay *all = r->replay;

	if (step->running_ns > step->enabled_ns)
		return bad(r, "running_ns is more than enabled_ns",
			   "at most as much");
	if (step->event >= PERF_MOST_EVENTS)
		return bad(r, "too many events in a group", "at most 16");
	if (all->n && all->list[all->n - 1].t_ns > step->t_ns)
		return bad(r, "t_s goes back", "lines in the order of time");
	return 0;
}

static int read_step(struct reader *r, char **cells)
{
	static const enum cell numbers[] = { VALUE, ENABLED, RUNNING };
	uint64_t read[ARRAY_SIZE(numbers)];
	struct perf_code code;
	struct step step;
	double t_s;
	int ret;

	if (num_double(cells[T], &t_s) || t_s < 0 || t_s > 1e9)
		return bad_number(r, T, cells[T]);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (num_u64(cells[numbers[i]], &read[i]))
			return bad_number(r, numbers[i], cells[numbers[i]]);
	for (enum cell c = GROUP; c <= EVENT; c++)
		if (!*cells[c])
			return bad(r, "a name is empty", "a word");
	if (read_code(cells[CODE], &code))
		return bad(r, "not a code", "type and config such as 4:0x25");
	step = (struct step){
		.t_ns = (uint64_t)(t_s * (double)NUM_NS_PER_S),
		.group = find_group(r->plan, cells[GROUP]),
		.value = read[0],
		.enabled_ns = read[1],
		.running_ns = read[2],
	};
	step.event = find_event(&r->plan->groups[step.group], cells, &code);
	ret = check_step(r, &step);
	if (ret)
		return ret;
	XGROW(r->replay->list, r->replay->n);
	r->replay->list[r->replay->n++] = step;
	return 0;
}

static int read_line(struct reader *r, char *line)
{
	auto_free char **cells = NULL;
	size_t n;

	if (*line == '\0' || *line == '#')
		return 0;
	cells = str_split(line, '\t', &n);
	if (!r->has_header)
		return read_header(r, cells, n);
	if (n != N_CELLS)
		return bad(r, "not the number of cells that the first line has",
			   "8, with tabs between them");
	return read_step(r, cells);
}

int counter_replay_parse(const char *name, const char *text,
			 struct counter_plan *plan, struct counter_replay **out)
{
	auto_free char *copy = xstrdup(text);
	auto_free char **lines = NULL;
	struct reader r = {
		.name = name,
		.plan = plan,
		.replay = xcalloc(1, sizeof(**out)),
	};
	int ret = 0;
	size_t n;

	/* It has counted what it says, all at once. */
	*plan = (struct counter_plan){ .general = UINT_MAX,
				       .fixed = xstrdup("") };
	lines = str_split(copy, '\n', &n);
	for (size_t i = 0; i < n && !ret; i++) {
		r.line = (unsigned int)i + 1;
		ret = read_line(&r, lines[i]);
	}
	if (!ret && !r.replay->n)
		ret = bad(&r, "no counts", "at least one line of them");
	if (ret) {
		counter_plan_free(plan);
		counter_replay_free(r.replay);
		return ret;
	}
	*out = r.replay;
	return 0;
}

int counter_replay_read(const char *path, struct counter_plan *plan,
			struct counter_replay **out)
{
	auto_free char *text = NULL;
	int ret = file_read(path, &text, NULL);

	if (ret)
		return fail(ret, "read %s", path);
	return counter_replay_parse(path, text, plan, out);
}

void counter_replay_at(const struct counter_replay *r, size_t group,
		       uint64_t since_ns, struct perf_count *out)
{
	*out = (struct perf_count){ 0 };
	for (size_t i = 0; i < r->n && r->list[i].t_ns <= since_ns; i++) {
		const struct step *step = &r->list[i];

		if (step->group != group)
			continue;
		out->values[step->event] = step->value;
		out->enabled_ns = step->enabled_ns;
		out->running_ns = step->running_ns;
	}
}

void counter_replay_free(struct counter_replay *r)
{
	if (r)
		free(r->list);
	free(r);
}
