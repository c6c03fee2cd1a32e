/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/load/load.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpulist.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "bench/load/load_command.h"
#include "bench/load/load_log.h"

/* The control page as workloads/report.lua lays it out. */
enum { PAGE_HEAD_BYTES = 4096, PAGE_SLOT_BYTES = 64 };

/* What the child needs between fork and exec. */
struct child {
	const struct load_spec *spec;
	int control_fd;
};

static int before_exec(void *arg)
{
	const struct child *c = arg;
	int ret = 0;

	if (fcntl(c->control_fd, F_SETFD, 0) < 0)
		return -errno;
	if (c->spec->cpus)
		ret = cpulist_bind(c->spec->cpus);
	if (!ret && c->spec->before_exec)
		ret = c->spec->before_exec(c->spec->arg);
	return ret;
}

/* A memfd that is not in the way of the child's fds 0 to 3. */
static int open_control(size_t bytes)
{
	auto_close int fd = memfd_create("thpbench-control", MFD_CLOEXEC);
	int high;

	if (fd < 0 || ftruncate(fd, (off_t)bytes))
		return -errno;
	high = fcntl(fd, F_DUPFD_CLOEXEC, 10);
	return high < 0 ? -errno : high;
}

static int make_command(const struct load_spec *spec, struct load_command *out)
{
	const struct workload_config *w = &spec->config->workload;

	if (w->program == WORKLOAD_MEMTOUCH)
		return load_memtouch_command(w, spec->arm, out);
	return load_sysbench_command(w, w->dry_run ? NULL : spec->socket, "run",
				     out);
}

/* Start the process; its end of the pipe becomes its fd 3. */
static pid_t start(const struct load_spec *spec, const struct load_command *c,
		   int control_fd, int report_fd)
{
	auto_close int log =
		open(spec->log,
		     O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
	struct child child = { spec, control_fd };
	const struct proc_spec proc = {
		.argv = (const char *const *)c->argv,
		.env = (const char *const *)c->env,
		.out_fd = log,
		.extra_fd = report_fd,
		.before_exec = before_exec,
		.arg = &child,
		.held = spec->held,
		.held_arg = spec->held_arg,
	};
	pid_t pid;

	if (log < 0)
		return fail(-errno, "open %s", spec->log);
	pid = proc_start(&proc);
	return pid < 0 ? fail(pid, "start %s", c->argv[0]) : pid;
}

static int open_and_start(const struct load_spec *spec, struct load_command *c,
			  struct load *l)
{
	size_t bytes = PAGE_HEAD_BYTES +
		       (size_t)spec->config->workload.threads * PAGE_SLOT_BYTES;
	int fds[2];
	pid_t pid;

	l->control_fd = open_control(bytes);
	if (l->control_fd < 0)
		return fail(l->control_fd, "make the page to stop the load");
	if (pipe2(fds, O_CLOEXEC))
		return fail(-errno, "make a pipe for the load");
	l->report_fd = fds[0];
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	load_command_env(c, "THPBENCH_CONTROL=%d:%zu", l->control_fd, bytes);
	l->started_ns = clock_ns();
	pid = start(spec, c, l->control_fd, fds[1]);
	close(fds[1]);
	if (pid < 0)
		return pid;
	l->pid = pid;
	return spec->journal ? journal_pid(spec->journal, pid) : 0;
}

/* Of the others nothing comes that could be read. */
static bool has_process(const struct load *l)
{
	return l->program != WORKLOAD_NULL && l->program != WORKLOAD_ATTACH;
}

int load_start(const struct load_spec *spec, struct load *out)
{
	struct load_command command = { 0 };
	int ret;

	*out = (struct load){
		.program = spec->config->workload.program,
		.report_fd = -1,
		.control_fd = -1,
		.tps = (double)NAN,
		.log = xstrdup(spec->log),
	};
	if (!has_process(out))
		return 0;
	ret = make_command(spec, &command);
	if (!ret)
		ret = open_and_start(spec, &command, out);
	load_command_free(&command);
	if (ret)
		load_free(out);
	return ret;
}

/* Read all there is: 0 if more may come, 1 at the end of the pipe. */
static int drain(struct load *l, struct store_run *store, uint64_t zero_ns)
{
	char buf[4096];

	for (;;) {
		ssize_t got = read(l->report_fd, buf, sizeof(buf));

		if (got > 0)
			load_feed(l, buf, (size_t)got, store, zero_ns);
		else if (got == 0)
			return 1;
		else if (errno != EINTR)
			return errno == EAGAIN ? 0 : 1;
	}
}

/* Whether it has ended, with its status taken, at most limit_ns from now. */
static bool has_ended(struct load *l, uint64_t limit_ns)
{
	int ret = proc_wait(l->pid, limit_ns, &l->wstatus);

	if (ret == 0)
		return false;
	l->pid = 0;
	return true;
}

int load_read(struct load *l, struct store_run *store, uint64_t zero_ns)
{
	char *reason;
	char *status;
	bool is_closed;

	if (l->pid == 0)
		return has_process(l) ? -EIO : 0;
	is_closed = drain(l, store, zero_ns) != 0;
	/* It closes its end of the pipe by ending: wait for its status. */
	if (!has_ended(l, is_closed ? NUM_NS_PER_S : 0)) {
		if (!is_closed)
			return 0;
		kill(l->pid, SIGKILL);
		has_ended(l, 10 * NUM_NS_PER_S);
	}
	drain(l, store, zero_ns);
	reason = load_log_reason(l->log, l->wstatus);
	status = proc_status_text(l->wstatus);
	refuse(-EIO, "the load ended by itself: %s%s%s", status,
	       reason ? ": " : "", reason ? reason : "");
	free(reason);
	free(status);
	return -EIO;
}

static void ask_to_stop(const struct load *l)
{
	static const uint32_t stop = 1;

	if (pwrite(l->control_fd, &stop, sizeof(stop), 0) != sizeof(stop))
		kill(l->pid, SIGTERM);
}

void load_stop(struct load *l, struct store_run *store, uint64_t zero_ns,
	       uint64_t limit_ns)
{
	uint64_t end = clock_ns() + limit_ns;

	if (l->pid == 0)
		return;
	drain(l, store, zero_ns);
	l->is_asked = !has_ended(l, 0);
	if (l->is_asked)
		ask_to_stop(l);
	/* A full pipe would hold it up: read on while it ends. */
	while (l->pid && clock_ns() < end) {
		struct pollfd p = { .fd = l->report_fd, .events = POLLIN };

		poll(&p, 1, 20);
		if (drain(l, store, zero_ns))
			has_ended(l, 20 * NUM_NS_PER_MS);
		else
			has_ended(l, 0);
	}
	if (l->pid) {
		l->is_killed = true;
		kill(-l->pid, SIGKILL);
		has_ended(l, 10 * NUM_NS_PER_S);
	}
	drain(l, store, zero_ns);
}

void load_free(struct load *l)
{
	if (l->pid > 0)
		proc_end(l->pid, 0, NULL);
	if (l->report_fd >= 0)
		close(l->report_fd);
	if (l->control_fd >= 0)
		close(l->control_fd);
	free(l->log);
	free(l->bad_line);
	*l = (struct load){ .report_fd = -1, .control_fd = -1 };
}
