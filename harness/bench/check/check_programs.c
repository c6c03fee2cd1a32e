/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The programs that a run starts, with their versions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/paths.h"
#include "base/proc.h"
#include "base/str.h"
#include "bench/check/check_parts.h"
#include "bench/load/load.h"

static char system_word[] = "system";

static void check_mariadbd(struct check_job *job)
{
	const struct server_config any = { .mariadbd = system_word };
	const struct server_config *c =
		job->config ? &job->config->server : &any;
	struct server_program *p = &job->program;

	if (server_find(c, p)) {
		check_missing(job, "mariadbd", true, xstrdup(err_last()),
			      "apt-get install mariadb-server-core; or "
			      "[server] mariadbd = PATH");
		return;
	}
	check_ok(job, "mariadbd", xasprintf("%s, %s", p->version, p->path));
}

/* "uniform,gaussian" out of "--rand-type=STRING ... {uniform,gaussian}". */
static char *rand_types(const char *path)
{
	const char *const argv[] = { path, "--help", NULL };
	const struct proc_spec spec = { .argv = argv };
	auto_free char *text = NULL;
	const char *at;
	int wstatus;

	if (proc_capture(&spec, 10 * NUM_NS_PER_S, &text, &wstatus))
		return NULL;
	at = strstr(text, "--rand-type=");
	at = at ? strchr(at, '{') : NULL;
	return at ? xstrndup(at + 1, strcspn(at + 1, "}\n")) : NULL;
}

static void check_sysbench(struct check_job *job)
{
	const struct workload_config any = { .sysbench = system_word };
	const struct workload_config *w =
		job->config ? &job->config->workload : &any;
	bool is_system = str_eq(w->sysbench, system_word);
	auto_free char *path =
		proc_find_program(is_system ? "sysbench" : w->sysbench);
	auto_free char *version = path ? load_sysbench_version(w) : NULL;
	auto_free char *types = NULL;
	bool has_zipfian;

	if (!version || !*version) {
		check_missing(job, "sysbench", true,
			      path ? xasprintf("%s does not say what version "
					       "it is",
					       path)
				   : xasprintf("no program %s",
					       is_system ? "sysbench"
							 : w->sysbench),
			      "apt-get install sysbench; or [workload] "
			      "sysbench = PATH");
		return;
	}
	types = rand_types(path);
	has_zipfian = types && strstr(types, "zipfian");
	check_ok(job, "sysbench",
		 xasprintf("%s, %s; rand_type %s%s", version, path,
			   types ? types : "not known",
			   has_zipfian ? "" : "; zipfian by our own script"));
}

static void check_ours(struct check_job *job, const char *name)
{
	char *path = paths_find(name);

	if (path)
		check_ok(job, name, path);
	else
		check_missing(job, name, true, xstrdup(err_last()),
			      "make, or make install");
}

static bool has_benchmark(const struct config *c, const char *package)
{
	for (size_t i = 0; i < c->points.n; i++) {
		enum benchmark_id id = c->points.list[i].benchmark;

		if (str_eq(benchmarks[id].package, package))
			return true;
	}
	return false;
}

/* What the benchmarks start; what a command needs it says itself. */
static void check_points(struct check_job *job)
{
	const struct benchmark *b = &benchmarks[BENCHMARK_HACKBENCH];
	auto_free char *help = xasprintf("apt-get install %s", b->package);

	if (has_benchmark(job->config, b->package)) {
		char *path = proc_find_program(b->program);

		if (path)
			check_ok(job, b->program, path);
		else
			check_missing(job, b->program, true,
				      xasprintf("no program %s", b->program),
				      help);
	}
	if (has_benchmark(job->config, "sysbench")) {
		check_sysbench(job);
		check_ours(job, "builtin.lua");
	}
}

/* Of program = attach. */
static void check_process(struct check_job *job)
{
	unsigned int pid = job->config->workload.pid;
	auto_free char *path = xasprintf("proc/%u/comm", pid);
	auto_free char *comm = NULL;

	if (root_read_word(job->root, path, &comm))
		check_missing(job, "process", true,
			      xasprintf("no process has pid %u", pid),
			      "the pid of one that runs");
	else
		check_ok(job, "process", xasprintf("pid %u, %s", pid, comm));
}

/* A script of the user's own; what is in it sysbench will say. */
static void check_script(struct check_job *job)
{
	const char *path = job->config->workload.script;

	if (!str_ends(path, ".lua"))
		return;
	if (access(path, R_OK) == 0)
		check_ok(job, "script", xstrdup(path));
	else
		check_missing(job, "script", true,
			      xasprintf("%s: %s", path, strerror(errno)),
			      "[workload] script = PATH, from the folder that "
			      "thpbench is started in");
}

void check_programs(struct check_job *job)
{
	bool is_memtouch = job->config &&
			   job->config->workload.program == WORKLOAD_MEMTOUCH;

	if (check_has_server(job)) {
		check_mariadbd(job);
		check_ours(job, "mariadb.cnf");
		if (!job->config ||
		    job->config->server.thp_disable == THP_DISABLE_BLOCK)
			check_ours(job, "libthpkeep.so");
	}
	if (check_has_sysbench(job)) {
		check_sysbench(job);
		check_ours(job, "report.lua");
		if (job->config)
			check_script(job);
	}
	if (is_memtouch)
		check_ours(job, "memtouch");
	if (job->config && job->config->workload.program == WORKLOAD_ATTACH)
		check_process(job);
	if (job->config && job->config->points.n)
		check_points(job);
}
