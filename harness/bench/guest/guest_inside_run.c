/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run in a guest: a worker that does it, and what sends its folder. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "bench/guest/guest_inside.h"
#include "bench/guest/guest_job.h"
#include "bench/guest/guest_record.h"

/* How often its folder is looked through. */
enum { LOOK_EVERY_MS = 250 };

/* What the worker sends to us, to be sent on. */
struct relay {
	int pipe;
	int fd;
	struct guest_frames frames;
	bool has_ended;
	char *end; /* of its last record: state, tab, reason */
};

static int relay_one(const struct guest_frame *frame, void *arg)
{
	struct relay *r = arg;

	if (frame->kind == GUEST_END) {
		free(r->end);
		r->end = xstrndup(frame->data, frame->n);
		return 0;
	}
	return guest_frame_send(r->fd, frame->kind, frame->name, frame->offset,
				frame->data, frame->n);
}

/* Of what has come within a quarter of a second. 0 or -errno. */
static int relay(struct relay *r)
{
	struct pollfd p = { .fd = r->pipe, .events = POLLIN };
	char piece[4096];
	ssize_t got;

	if (poll(&p, 1, LOOK_EVERY_MS) <= 0)
		return 0;
	got = read(r->pipe, piece, sizeof(piece));
	if (got <= 0) {
		r->has_ended = got == 0 || errno != EINTR;
		return 0;
	}
	return guest_frames_feed(&r->frames, piece, (size_t)got, relay_one, r);
}

/* Full memory is to take the run, and leave who tells of it. */
static void stay_alive(void)
{
	auto_close int fd =
		open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || file_write_fd(fd, "-1000", 5))
		warn("the guest's memory may be freed by killing us");
}

static int send_end(struct relay *r, int wstatus)
{
	auto_free char *how = proc_status_text(wstatus);
	auto_free char *text =
		r->end ? xstrdup(r->end)
		       : xasprintf("failed\tthe run did not end: its process "
				   "%s",
				   how);
	int status =
		WIFEXITED(wstatus) ? WEXITSTATUS(wstatus) : STATUS_INTERNAL;

	return guest_frame_send(r->fd, GUEST_END, "-", (uint64_t)status, text,
				strlen(text));
}

static int forward(struct relay *r, pid_t worker, const char *dir)
{
	struct guest_sender sender = { .dir = dir, .fd = r->fd };
	int wstatus = 0;
	int ret = 0;

	while (!ret && !r->has_ended) {
		ret = relay(r);
		if (!ret)
			ret = guest_record_send(&sender, false);
	}
	proc_wait(worker, UINT64_MAX, &wstatus);
	if (!ret)
		ret = guest_record_send(&sender, true);
	if (!ret)
		ret = send_end(r, wstatus);
	guest_sender_free(&sender);
	guest_frames_free(&r->frames);
	free(r->end);
	return ret;
}

int guest_inside_run(const struct root *root, int fd)
{
	struct guest_job job;
	struct relay r = { .fd = fd };
	int fds[2];
	pid_t pid;
	int ret = guest_job_read(root, &job);

	if (!ret && pipe2(fds, O_CLOEXEC))
		ret = fail(-errno, "make a pipe");
	if (ret) {
		/* What is wrong is all that there is to send. */
		r.end = xasprintf("failed\t%s", err_last());
		ret = send_end(&r, 0);
		free(r.end);
		return ret;
	}
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		close(fds[0]);
		close(fd);
		exit(guest_job_do(&job, fds[1]));
	}
	close(fds[1]);
	stay_alive();
	r.pipe = fds[0];
	ret = pid < 0 ? fail(-errno, "fork") : forward(&r, pid, job.run_dir);
	close(fds[0]);
	guest_job_free(&job);
	return ret;
}
