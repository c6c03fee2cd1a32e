/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The workload's tables. */
#include <errno.h>
#include <fcntl.h>
#include <mysql.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "bench/guard/guard.h"
#include "bench/load/load.h"
#include "bench/load/load_command.h"
#include "bench/load/load_log.h"

static int create_database(const char *socket)
{
	MYSQL *my = mysql_init(NULL);
	int ret = 0;

	if (!my)
		abort();
	if (!mysql_real_connect(my, NULL, "root", "", NULL, 0, socket, 0) ||
	    mysql_query(my, "CREATE DATABASE IF NOT EXISTS sbtest"))
		ret = refuse(-EIO, "create the database sbtest: %s",
			     mysql_error(my));
	mysql_close(my);
	return ret;
}

/* Until it ends or the user stops us; minutes, for large tables. */
static int wait_for(pid_t pid, int *wstatus)
{
	int ret;

	while ((ret = proc_wait(pid, 200 * NUM_NS_PER_MS, wstatus)) == 0) {
		if (guard_stopped()) {
			proc_end(pid, 0, NULL);
			return -EINTR;
		}
	}
	return ret < 0 ? fail(ret, "wait for sysbench prepare") : 0;
}

/* prepare exits with 0 even where tables could not be made. */
static int judge(int wstatus, const char *log)
{
	auto_free char *fatal = load_log_fatal(log);
	auto_free char *reason = load_log_reason(log, wstatus);
	auto_free char *status = proc_status_text(wstatus);

	if (wstatus == 0 && !fatal)
		return 0;
	return refuse(-EIO, "sysbench prepare %s: %s", status,
		      reason ? reason : "it printed nothing");
}

static int run_prepare(const struct load_command *c, const char *log)
{
	auto_close int fd =
		open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC,
		     0644);
	const struct proc_spec spec = {
		.argv = (const char *const *)c->argv,
		.env = (const char *const *)c->env,
		.out_fd = fd,
	};
	int wstatus = 0;
	pid_t pid;
	int ret;

	if (fd < 0)
		return fail(-errno, "open %s", log);
	pid = proc_start(&spec);
	if (pid < 0)
		return fail(pid, "start %s", c->argv[0]);
	ret = wait_for(pid, &wstatus);
	return ret ? ret : judge(wstatus, log);
}

int load_prepare(const struct config *config, const char *socket,
		 const char *log)
{
	struct workload_config w = config->workload;
	struct load_command command = { 0 };
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int ret;

	/* Tables are made side by side, one a thread. */
	w.threads = w.tables;
	if (cpus > 0 && (unsigned long)cpus < w.tables)
		w.threads = (unsigned int)cpus;
	ret = load_sysbench_command(&w, socket, "prepare", &command);
	if (!ret)
		ret = create_database(socket);
	if (!ret)
		ret = run_prepare(&command, log);
	load_command_free(&command);
	return ret;
}
