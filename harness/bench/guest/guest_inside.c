/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "base/tsv.h"
#include "bench/guest/guest_frame.h"
#include "kern/host.h"

static int send_hello(const struct root *root, int fd)
{
	auto_str struct str text = { 0 };
	struct facts facts = { 0 };

	host_facts(root, &facts);
	for (size_t i = 0; i < facts.n; i++) {
		tsv_add_cell(&text, facts.list[i].name);
		tsv_add_cell(&text, facts.list[i].value);
		str_addc(&text, '\n');
	}
	facts_free(&facts);
	return guest_frame_send(fd, GUEST_HELLO, "-", 0, text.text, text.len);
}

/* The words of the command, each with its NUL. free() the array. */
static const char **words_of(char *text, size_t n)
{
	const char **argv = NULL;
	size_t n_words = 0;

	for (char *p = text; p < text + n; p += strlen(p) + 1) {
		XGROW(argv, n_words);
		argv[n_words++] = p;
	}
	XGROW(argv, n_words);
	argv[n_words] = NULL;
	return argv;
}

/* Both its streams, until they end or it has ended and they are empty. */
struct command {
	pid_t pid;
	int wstatus;
	struct pollfd streams[2];
};

/* Send what has come. Was there anything? */
static bool pass_on(struct command *c, int fd)
{
	static const enum guest_frame_kind kinds[] = { GUEST_OUT, GUEST_ERR };
	char piece[4096];
	bool is_some = false;

	if (poll(c->streams, 2, 100) <= 0)
		return false;
	for (int i = 0; i < 2; i++) {
		ssize_t got;

		if (!c->streams[i].revents)
			continue;
		got = read(c->streams[i].fd, piece, sizeof(piece));
		if (got > 0) {
			guest_frame_send(fd, kinds[i], "-", 0, piece,
					 (size_t)got);
			is_some = true;
		} else {
			close(c->streams[i].fd);
			c->streams[i].fd = -1;
		}
	}
	return is_some;
}

static int status_of(int wstatus)
{
	return WIFEXITED(wstatus) ? WEXITSTATUS(wstatus)
				  : 128 + WTERMSIG(wstatus);
}

static int start(const char *const *argv, struct command *c)
{
	struct proc_spec spec = { .argv = argv, .dir = "/root" };
	int out[2];
	int err[2];

	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		return fail(-errno, "make a pipe");
	spec.out_fd = out[1];
	spec.err_fd = err[1];
	c->pid = proc_start(&spec);
	close(out[1]);
	close(err[1]);
	for (int i = 0; i < 2; i++)
		c->streams[i] = (struct pollfd){
			.fd = i ? err[0] : out[0],
			.events = POLLIN,
		};
	return c->pid < 0 ? fail(c->pid, "start %s", argv[0]) : 0;
}

/* The exit status of the command, or of not starting it (sh's). */
static int run_command(int fd)
{
	auto_free char *text = NULL;
	auto_free const char **argv = NULL;
	struct command c = { 0 };
	bool has_ended = false;
	size_t n;
	int ret = file_read("/thpbench/argv", &text, &n);

	if (ret)
		return err_status(fail(ret, "/thpbench/argv"));
	argv = words_of(text, n);
	if (!argv[0])
		return 0;
	if (start(argv, &c)) {
		auto_free char *line = xasprintf("thpbench: %s\n", err_last());

		guest_frame_send(fd, GUEST_ERR, "-", 0, line, strlen(line));
		return c.pid == -ENOENT ? 127 : 126;
	}
	for (;;) {
		bool is_some = pass_on(&c, fd);

		if (has_ended && !is_some)
			return status_of(c.wstatus);
		has_ended = has_ended || proc_wait(c.pid, 0, &c.wstatus);
	}
}

int guest_inside(const struct root *root, const char *mode, int fd)
{
	int status;
	int ret = send_hello(root, fd);

	if (ret)
		return err_status(fail(ret, "send a record"));
	if (str_eq(mode, "run"))
		return err_status(guest_inside_run(root, fd));
	if (str_eq(mode, "exec"))
		status = run_command(fd);
	else
		status = refuse(STATUS_USAGE, "no mode '%s' of a guest", mode);
	ret = guest_frame_send(fd, GUEST_END, "-", (uint64_t)status, "", 0);
	return ret ? err_status(fail(ret, "send a record")) : status;
}
