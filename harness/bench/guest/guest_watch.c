/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_watch.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"
#include "bench/guard/guard.h"

/* From the last record to the end of the machine. */
static const uint64_t off_limit_ns = 20 * NUM_NS_PER_S;

struct watching {
	struct guest_watch *w;
	struct guest_vm *vm;
	struct guest_frames frames;
	uint64_t began_ns;
	uint64_t until_ns;
	int taken; /* what w->take() returned */
};

static int take(const struct guest_frame *frame, void *arg)
{
	struct watching *t = arg;

	if (frame->kind == GUEST_HELLO && !t->w->has_booted) {
		uint64_t now = clock_ns();

		t->w->has_booted = true;
		t->w->boot_ns = now - t->began_ns;
		t->until_ns = now + t->w->limit_ns;
	}
	if (frame->kind == GUEST_END) {
		t->w->has_ended = true;
		t->w->status = (int)(frame->offset & 0xff);
	}
	t->taken = t->w->take(frame, t->w->arg);
	return t->taken;
}

/* 1 more may come, 0 the port is closed, -errno. */
static int read_some(struct watching *t)
{
	enum { PIECE = 256 * 1024 };
	auto_free char *piece = xmalloc(PIECE);
	ssize_t got = read(t->vm->data_fd, piece, PIECE);
	int ret;

	if (got < 0)
		return errno == EINTR || errno == EAGAIN ? 1 : -errno;
	if (!got)
		return 0;
	ret = guest_frames_feed(&t->frames, piece, (size_t)got, take, t);
	return ret ? ret : 1;
}

/* Until its last record, its end, its limit, or a signal. */
static int read_all(struct watching *t)
{
	int ret = 1;

	while (ret > 0 && !t->w->has_ended) {
		struct pollfd p = { .fd = t->vm->data_fd, .events = POLLIN };
		int ready = poll(&p, 1, 200);

		if (guard_stopped())
			return -EINTR;
		if (ready > 0)
			ret = read_some(t);
		if (ret > 0 && clock_ns() > t->until_ns)
			return -ETIMEDOUT;
	}
	return ret < 0 ? ret : 0;
}

static void read_console(const char *path, struct guest_console *c)
{
	auto_free char *text = NULL;

	if (file_read(path, &text, NULL))
		text = xstrdup("");
	guest_console_scan(text, c);
}

static char *why_late(const struct watching *t, const struct guest_console *c)
{
	const struct guest_watch *w = t->w;
	uint64_t ns = w->has_booted ? w->limit_ns : w->boot_limit_ns;
	auto_free char *time = num_time_text(ns);

	if (w->has_booted)
		return xasprintf("the guest was not done after %s", time);
	if (c->is_silent)
		return xasprintf("the guest printed nothing in %s: its kernel "
				 "does not start on this machine, or has no "
				 "serial console",
				 time);
	return xasprintf("the guest did not boot in %s", time);
}

/* How qemu came to its end, in its own last words where there are any. */
static char *why_gone(const struct watching *t)
{
	auto_free char *how = proc_status_text(t->vm->wstatus);
	auto_free char *said = file_tail(t->w->log, 1);
	bool is_by_itself =
		WIFEXITED(t->vm->wstatus) && !WEXITSTATUS(t->vm->wstatus);

	if (is_by_itself)
		return xasprintf("the guest switched itself off %s",
				 t->w->has_booted ? "before it was done"
						  : "before it had booted");
	return xasprintf("qemu %s%s%s%s",
			 WIFSIGNALED(t->vm->wstatus) ? "was " : "", how,
			 *said ? ": " : "", said);
}

/* Of files that do not fit some never begin to boot. */
static bool is_refused(const char *log)
{
	auto_free char *text = NULL;

	return !file_read(log, &text, NULL) &&
	       strstr(text, "initrd is too large");
}

/* Behind what happened: why, or its last words; and where all of them are. */
static void add_console(struct str *text, const struct guest_watch *w,
			const struct guest_console *c)
{
	auto_free char *known = guest_console_why(c, &w->memory);

	if (known)
		str_addf(text, ": %s", known);
	else if (c->last && !w->has_booted)
		str_addf(text, "; its console ends: %s", c->last);
	if (w->has_booted)
		str_add(text, "; what it had sent is kept");
	if (c->last && w->is_kept)
		str_addf(text, "; all of it: %s", w->console);
}

static char *why_not(const struct watching *t, int ret)
{
	auto_free char *what = NULL;
	struct guest_console c;
	struct str text = { 0 };

	read_console(t->w->console, &c);
	c.is_full |= is_refused(t->w->log);
	t->w->has_hung = ret == -ETIMEDOUT && !t->w->has_booted && !c.is_silent;
	/* The kernel's words in oops_end(), by die(). */
	t->w->has_crashed = c.panic && str_starts(c.panic, "Fatal exception");
	if (ret == -ETIMEDOUT)
		what = why_late(t, &c);
	else if (ret == -EPROTO)
		what = xstrdup("the guest sent what is no record");
	else if (ret)
		what = xasprintf("read from the guest: %s", strerror(-ret));
	else
		what = why_gone(t);
	str_add(&text, what);
	add_console(&text, t->w, &c);
	guest_console_free(&c);
	return str_steal(&text);
}

int guest_watch(struct guest_watch *w, struct guest_vm *vm, char **why)
{
	struct watching t = { .w = w, .vm = vm, .began_ns = clock_ns() };
	int ret;

	*why = NULL;
	t.until_ns = t.began_ns + w->boot_limit_ns;
	ret = read_all(&t);
	guest_frames_free(&t.frames);
	/* Its console is whole once it has ended. */
	if (!ret)
		guest_vm_wait(vm, w->has_ended ? off_limit_ns : NUM_NS_PER_S);
	guest_vm_end(vm);
	if ((t.taken && t.taken != -EPROTO) || ret == -EINTR ||
	    (!ret && w->has_ended))
		return ret;
	*why = why_not(&t, ret);
	return -EIO;
}
