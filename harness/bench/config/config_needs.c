/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/config/config_needs.h"

#include "base/str.h"

static bool is_sysbench(const struct config *c)
{
	return c->workload.program == WORKLOAD_SYSBENCH;
}

static bool has_server(const struct config *c)
{
	return is_sysbench(c) && !c->workload.dry_run;
}

static bool has_points(const struct config *c)
{
	return c->workload.program == WORKLOAD_POINTS;
}

static bool is_wanted(const struct config *c, enum benchmark_id id)
{
	return has_points(c) && c->workload.points_config.is_wanted[id];
}

static bool is_hackbench(const struct config *c)
{
	return is_wanted(c, BENCHMARK_HACKBENCH);
}

/* Built-in tests of sysbench that end after some time. */
static bool is_timed(const struct config *c)
{
	return is_wanted(c, BENCHMARK_MEMORY) ||
	       is_wanted(c, BENCHMARK_THREADS);
}

static bool is_builtin(const struct config *c)
{
	return is_wanted(c, BENCHMARK_MUTEX) || is_timed(c);
}

static bool is_command(const struct config *c)
{
	return is_wanted(c, BENCHMARK_COMMAND);
}

static bool has_sysbench(const struct config *c)
{
	return is_sysbench(c) || is_builtin(c);
}

/* Phases that last as long as is asked, not until all is done. */
static bool has_phases(const struct config *c)
{
	return !has_points(c);
}

static bool is_attach(const struct config *c)
{
	return c->workload.program == WORKLOAD_ATTACH;
}

static bool has_threads(const struct config *c)
{
	return is_builtin(c) || (!has_points(c) && !is_attach(c));
}

static bool is_memtouch(const struct config *c)
{
	return c->workload.program == WORKLOAD_MEMTOUCH;
}

static bool has_process(const struct config *c)
{
	return has_server(c) || is_memtouch(c) || is_attach(c);
}

/* What we start, we may place. */
static bool has_place(const struct config *c)
{
	return has_server(c) || is_memtouch(c) || has_points(c);
}

static bool is_hot_range(const struct config *c)
{
	return is_sysbench(c) && str_eq(c->workload.script, "hot-range");
}

/* What draws by hot_share and hot_range. */
static bool is_hot(const struct config *c)
{
	return is_hot_range(c) ||
	       (is_memtouch(c) && str_eq(c->workload.memtouch_pattern, "hot"));
}

static bool has_options(const struct config *c)
{
	return has_sysbench(c) || is_memtouch(c);
}

static bool is_rand(const struct config *c, const char *type)
{
	return is_sysbench(c) && str_eq(c->workload.rand_type, type);
}

static bool is_special(const struct config *c)
{
	return is_rand(c, "special");
}

static bool is_summed(const struct config *c)
{
	return is_special(c) || is_rand(c, "gaussian");
}

static bool is_pareto(const struct config *c)
{
	return is_rand(c, "pareto");
}

static bool is_zipfian(const struct config *c)
{
	return is_rand(c, "zipfian");
}

static bool has_counters(const struct config *c)
{
	return c->collect.counters != COUNTERS_NONE;
}

static bool has_pmu_counters(const struct config *c)
{
	return c->collect.counters == COUNTERS_TLB;
}

static bool may_reuse(const struct config *c)
{
	return has_server(c) &&
	       !str_eq(c->workload.script, "oltp_read_write") &&
	       !str_eq(c->workload.script, "oltp_write_only");
}

const struct config_need need_sysbench = { is_sysbench, "program = sysbench" };
const struct config_need need_server = { has_server,
					 "program = sysbench without dry_run" };
const struct config_need need_memtouch = { is_memtouch, "program = memtouch" };
const struct config_need need_process = { has_process,
					  "a server, memtouch or a process to "
					  "act on" };
const struct config_need need_attach = { is_attach, "program = attach" };
const struct config_need need_hot = {
	is_hot, "script = hot-range, or memtouch_pattern = hot"
};
const struct config_need need_options = {
	has_options, "program = sysbench, sysbench-..., or memtouch"
};
const struct config_need need_special = { is_special, "rand_type = special" };
const struct config_need need_summed = { is_summed,
					 "rand_type = special or gaussian" };
const struct config_need need_pareto = { is_pareto, "rand_type = pareto" };
const struct config_need need_zipfian = { is_zipfian, "rand_type = zipfian" };
const struct config_need need_reuse = {
	may_reuse, "a server and a script that only reads"
};

const struct config_need need_counters = { has_counters,
					   "counters = software or tlb" };
const struct config_need need_pmu_counters = { has_pmu_counters,
					       "counters = tlb" };

const struct config_need need_place = {
	has_place, "a server, memtouch or a benchmark to act on"
};
const struct config_need need_phases = {
	has_phases, "program = sysbench, memtouch, attach or null"
};
const struct config_need need_threads = { has_threads,
					  "a program with threads to set" };
const struct config_need need_program = {
	has_sysbench, "program = sysbench or sysbench-..."
};
const struct config_need need_points = {
	has_points, "program = hackbench, sysbench-... or command"
};
const struct config_need need_hackbench = { is_hackbench,
					    "program = hackbench" };
const struct config_need need_timed = {
	is_timed, "program = sysbench-memory or sysbench-threads"
};
const struct config_need need_command = { is_command, "program = command" };
