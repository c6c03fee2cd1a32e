/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How sysbench is called. */
#include "bench/load/load_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/paths.h"
#include "base/proc.h"
#include "base/str.h"
#include "bench/load/load.h"

/* Options that would break the report, and why they are not let through. */
static const struct {
	const char *name;
	const char *value; /* NULL: any */
	const char *why;
} refused[] = {
	{ "report_checkpoints", NULL, "they set sysbench's counters back" },
	{ "config_file", NULL, "it could change any option unseen" },
	/* sysbench 1.0 with libmariadb then dies of SIGSEGV (#527). */
	{ "mysql_ignore_errors", "all", "a lost server would go unseen" },
};

/* sysbench takes - for _ in names; here they are compared with _. */
static char *plain_name(const char *name)
{
	char *copy = xstrdup(str_starts(name, "opt.") ? name + 4 : name);

	for (char *p = copy; *p; p++) {
		if (*p == '-')
			*p = '_';
	}
	return copy;
}

static int check_option(const char *name, const char *value)
{
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		if (!str_eq(name, refused[i].name))
			continue;
		if (refused[i].value && !strstr(value, refused[i].value))
			continue;
		return refuse(-EINVAL,
			      "sysbench option %s=%s is not allowed: "
			      "%s",
			      name, value, refused[i].why);
	}
	return 0;
}

/*
 * The distribution. prepare draws the values of its indexed column from it as
 * well: always uniformly, so that every rand_type runs on the same data.
 */
static int add_distribution(const struct workload_config *w, bool is_run,
			    struct load_command *c)
{
	const char *exponent = facts_get(&w->options, "rand_zipfian_exp");
	bool is_zipfian = str_eq(w->rand_type, "zipfian");
	bool is_uniform = str_eq(w->rand_type, "uniform");

	if (!is_uniform && str_eq(w->script, "hot-range"))
		return refuse(-EINVAL,
			      "hot-range has a distribution of its "
			      "own: rand_type must be uniform, not %s",
			      w->rand_type);
	load_command_arg(c, "--rand-type=%s",
			 is_run && !is_zipfian ? w->rand_type : "uniform");
	if (is_run && is_zipfian)
		load_command_env(c, "THPBENCH_ZIPFIAN=%s",
				 exponent[0] ? exponent : "0.8");
	return 0;
}

static int add_options(const struct workload_config *w, struct load_command *c)
{
	for (size_t i = 0; i < w->options.n; i++) {
		const char *value = w->options.list[i].value;
		auto_free char *name = plain_name(w->options.list[i].name);
		int ret = check_option(name, value);

		if (ret)
			return ret;
		/* Ours: older sysbench has no such option. */
		if (!str_eq(name, "rand_zipfian_exp"))
			load_command_arg(c, "--%s=%s", name, value);
	}
	return 0;
}

/* What must hold stands last: of two equal options sysbench takes the last. */
static void add_fixed(const struct workload_config *w, const char *socket,
		      struct load_command *c)
{
	load_command_arg(c, "--threads=%u", w->threads);
	load_command_arg(c, "--tables=%u", w->tables);
	load_command_arg(c, "--table-size=%llu",
			 (unsigned long long)w->table_size);
	load_command_arg(c, "--time=0");
	load_command_arg(c, "--events=0");
	load_command_arg(c, "--forced-shutdown=off");
	load_command_arg(c, "--report-interval=1");
	load_command_arg(c, "--percentile=95");
	load_command_arg(c, "--verbosity=3");
	load_command_arg(c, "--db-driver=mysql");
	load_command_arg(c, "--mysql-user=root");
	load_command_arg(c, "--mysql-db=sbtest");
	if (socket)
		load_command_arg(c, "--mysql-socket=%s", socket);
	load_command_arg(c, "--mysql-dry-run=%s", socket ? "off" : "on");
}

static char *find_sysbench(const struct workload_config *w)
{
	bool is_system = str_eq(w->sysbench, "system");
	char *path = proc_find_program(is_system ? "sysbench" : w->sysbench);

	if (!path && is_system)
		refuse(-ENOENT, "there is no sysbench: install the package "
				"sysbench");
	else if (!path)
		refuse(-ENOENT, "sysbench = %s: no such program", w->sysbench);
	return path;
}

int load_sysbench_command(const struct workload_config *w, const char *socket,
			  const char *verb, struct load_command *out)
{
	auto_free char *sysbench = find_sysbench(w);
	auto_free char *report = sysbench ? paths_find("report.lua") : NULL;
	int ret;

	if (!report)
		return -ENOENT;
	load_command_arg(out, "%s", sysbench);
	load_command_arg(out, "%s", report);
	/* The defaults of 1.0.20, which a configuration may change. */
	load_command_arg(out, "--db-ps-mode=auto");
	load_command_arg(out, "--mysql-ignore-errors=1213,1020,1205");
	ret = add_options(w, out);
	if (!ret)
		ret = add_distribution(w, str_eq(verb, "run"), out);
	if (ret)
		return ret;
	add_fixed(w, socket, out);
	load_command_arg(out, "%s", verb);
	load_command_env(out, "THPBENCH_SCRIPT=%s", w->script);
	return 0;
}

/* The first line that sysbench prints, whatever it is told to do. */
char *load_sysbench_version(const struct workload_config *w)
{
	auto_free char *path = find_sysbench(w);
	const char *const argv[] = { path, "/dev/null", NULL };
	const struct proc_spec spec = { .argv = argv };
	auto_free char *text = NULL;
	char *version;
	int wstatus;

	if (!path || proc_capture(&spec, 10 * NUM_NS_PER_S, &text, &wstatus) ||
	    !str_starts(text, "sysbench "))
		return xstrdup("");
	version = text + strlen("sysbench ");
	version[strcspn(version, "\n")] = '\0';
	return xstrdup(version);
}
