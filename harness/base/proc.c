/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/* The moment at which a limit expires; the largest one never does. */
static uint64_t expires(uint64_t limit_ns)
{
	uint64_t end;

	return __builtin_add_overflow(clock_ns(), limit_ns, &end) ? UINT64_MAX
								  : end;
}

int proc_wait(pid_t pid, uint64_t limit_ns, int *wstatus)
{
	uint64_t end = expires(limit_ns);
	uint64_t nap = NUM_NS_PER_MS / 2;

	for (;;) {
		pid_t got = waitpid(pid, wstatus, WNOHANG);
		uint64_t now;

		if (got == pid)
			return 1;
		if (got < 0 && errno != EINTR)
			return -errno;
		now = clock_ns();
		if (now >= end)
			return 0;
		if (nap < 20 * NUM_NS_PER_MS)
			nap *= 2;
		clock_sleep_until(now + nap < end ? now + nap : end);
	}
}

void proc_end(pid_t pid, uint64_t grace_ns, int *wstatus)
{
	int status = 0;

	kill(pid, SIGTERM);
	if (proc_wait(pid, grace_ns, &status) == 0) {
		kill(-pid, SIGKILL);
		kill(pid, SIGKILL);
		proc_wait(pid, 10 * NUM_NS_PER_S, &status);
	} else {
		kill(-pid, SIGKILL); /* what it left in its group */
	}
	if (wstatus)
		*wstatus = status;
}

int proc_run(const struct proc_spec *spec, uint64_t limit_ns, int *wstatus)
{
	const uint64_t look_ns = 100 * NUM_NS_PER_MS;
	uint64_t end = expires(limit_ns);
	pid_t pid = proc_start(spec);
	uint64_t now;
	int ret;

	if (pid < 0)
		return pid;
	do {
		now = clock_ns();
		ret = now >= end ? -ETIMEDOUT
				 : proc_wait(pid,
					     end - now < look_ns ? end - now
								 : look_ns,
					     wstatus);
		if (!ret && spec->stops && stop_asked())
			ret = -EINTR;
	} while (!ret);
	if (ret > 0)
		return 0;
	proc_end(pid, 0, wstatus);
	return ret;
}

/* Read fd to its end, but not beyond a moment, nor a stop if it counts. */
static int read_until(int fd, uint64_t end, bool stops, struct str *out)
{
	char buf[4096];

	for (;;) {
		uint64_t now = clock_ns();
		struct pollfd p = { .fd = fd, .events = POLLIN };
		uint64_t ms;
		ssize_t got;

		if (now >= end)
			return -ETIMEDOUT;
		if (stops && stop_asked())
			return -EINTR;
		ms = (end - now) / NUM_NS_PER_MS + 1;
		if (poll(&p, 1, ms < 200 ? (int)ms : 200) <= 0)
			continue;
		got = read(fd, buf, sizeof(buf));
		if (got == 0)
			return 0;
		if (got > 0)
			str_addn(out, buf, (size_t)got);
		else if (errno != EINTR)
			return -errno;
	}
}

/* Once its output has ended, or that failed: ret. */
static int finish(pid_t pid, int ret, uint64_t end, int *wstatus)
{
	uint64_t now = clock_ns();

	if (!ret) {
		ret = proc_wait(pid, end > now ? end - now : 0, wstatus);
		if (ret > 0)
			return 0;
	}
	proc_end(pid, 0, wstatus);
	return ret ? ret : -ETIMEDOUT;
}

int proc_capture(const struct proc_spec *spec, uint64_t limit_ns, char **out,
		 int *wstatus)
{
	struct proc_spec with_pipe = *spec;
	uint64_t end = expires(limit_ns);
	struct str text = { 0 };
	int fds[2];
	pid_t pid;
	int ret;

	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	with_pipe.out_fd = fds[1];
	pid = proc_start(&with_pipe);
	close(fds[1]);
	ret = pid < 0 ? pid : read_until(fds[0], end, spec->stops, &text);
	close(fds[0]);
	if (pid > 0)
		ret = finish(pid, ret, end, wstatus);
	if (ret) {
		str_free(&text);
		return ret;
	}
	*out = str_steal(&text);
	return 0;
}

char *proc_status_text(int wstatus)
{
	if (WIFEXITED(wstatus))
		return xasprintf("exited with %d", WEXITSTATUS(wstatus));
	if (WIFSIGNALED(wstatus)) {
		const char *name = sigabbrev_np(WTERMSIG(wstatus));

		return xasprintf("killed by SIG%s", name ? name : "?");
	}
	return xasprintf("wait status 0x%x", (unsigned int)wstatus);
}

uint64_t proc_start_time(pid_t pid)
{
	auto_free char *path = xasprintf("/proc/%d/stat", (int)pid);
	auto_free char *text = NULL;
	const char *p;
	uint64_t v = 0;

	if (file_read(path, &text, NULL))
		return 0;
	/* Behind the name, which may hold anything: field 3; 22 is wanted. */
	p = strrchr(text, ')');
	for (int field = 2; p && field < 22; field++)
		p = strchr(p + 1, ' ');
	if (!p || num_scan_u64(&p, &v))
		return 0;
	return v;
}

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       access(path, X_OK) == 0;
}

char *proc_find_program(const char *name)
{
	const char *path = getenv("PATH");
	auto_free char *dirs = xasprintf("%s:/usr/sbin:/sbin:/usr/local/sbin",
					 path ? path : "/usr/bin:/bin");
	auto_free char **list = NULL;
	size_t n;

	if (strchr(name, '/'))
		return is_program(name) ? xstrdup(name) : NULL;
	list = str_split(dirs, ':', &n);
	for (size_t i = 0; i < n; i++) {
		/* An empty part of PATH is the working folder. */
		char *full = xasprintf("%s/%s", *list[i] ? list[i] : ".", name);

		if (is_program(full))
			return full;
		free(full);
	}
	return NULL;
}

/* The parent of a process; 0 if it is gone. */
static pid_t parent_of(const char *pid)
{
	auto_free char *path = xasprintf("/proc/%s/stat", pid);
	auto_free char *text = NULL;
	const char *p;
	uint64_t parent;

	if (file_read(path, &text, NULL))
		return 0;
	p = strrchr(text, ')');
	if (!p || strlen(p) < 4)
		return 0;
	p += 3; /* ") S " */
	return num_scan_u64(&p, &parent) ? 0 : (pid_t)parent;
}

/*
 * Each child, of whichever thread, without the need for
 * /proc/PID/task/TID/children (CONFIG_PROC_CHILDREN).
 */
void proc_list_children(struct proc_children *out)
{
	auto_dir DIR *dir = opendir("/proc");
	struct dirent *entry;

	*out = (struct proc_children){ 0 };
	while (dir && (entry = readdir(dir))) {
		uint64_t pid;

		if (num_u64(entry->d_name, &pid) ||
		    parent_of(entry->d_name) != getpid())
			continue;
		XGROW(out->pids, out->n);
		out->pids[out->n++] = (pid_t)pid;
	}
}

void proc_free_children(struct proc_children *c)
{
	free(c->pids);
	*c = (struct proc_children){ 0 };
}

static bool is_among(pid_t pid, const struct proc_children *c)
{
	for (size_t i = 0; c && i < c->n; i++)
		if (c->pids[i] == pid)
			return true;
	return false;
}

/* SIGKILL to each that is not spared; those that had it stay in the list. */
static void kill_children(const struct proc_children *spared,
			  struct proc_children *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		if (!is_among(list->pids[i], spared) &&
		    kill(list->pids[i], SIGKILL) == 0)
			list->pids[n++] = list->pids[i];
	list->n = n;
}

int proc_kill_children(const struct proc_children *spared)
{
	struct proc_children list;
	int killed = 0;
	bool is_done;

	/* Its own children come to us when a child dies: until none is left. */
	do {
		proc_list_children(&list);
		kill_children(spared, &list);
		for (size_t i = 0; i < list.n; i++) {
			int status;

			if (waitpid(list.pids[i], &status, 0) == list.pids[i] &&
			    WIFSIGNALED(status))
				killed++;
		}
		is_done = !list.n;
		proc_free_children(&list);
	} while (!is_done);
	return killed;
}
