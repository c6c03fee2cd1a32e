/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run in a guest is worth, by how the guest ended. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "bench/guest/guest_run_parts.h"
#include "bench/run/oom.h"

double guest_run_now_s(const struct guest_run *r)
{
	uint64_t ns = r->hello_ns ? clock_ns() - r->hello_ns : 0;

	return (double)ns / (double)NUM_NS_PER_S;
}

void guest_run_state(struct guest_run *r, enum run_state state, char *reason)
{
	r->run->state = state;
	free(r->run->reason);
	r->run->reason = reason;
}

char *guest_run_why(const struct guest_run *r, const struct guest_vm *vm,
		    char *why)
{
	bool is_killed =
		WIFSIGNALED(vm->wstatus) && WTERMSIG(vm->wstatus) == SIGKILL;

	if (!is_killed)
		return why;
	return oom_reason(r->shared->root, r->oom_kills, why,
			  "lower memory in [guest], or have less data");
}

/* Takes the text. */
static void add_reason(struct guest_run *r, char *text)
{
	char *old = r->run->reason;

	r->run->reason = xasprintf("%s%s%s", old, *old ? "; " : "", text);
	free(old);
	free(text);
}

static void add_mark(struct guest_run *r, char *mark)
{
	store_event(r->store, guest_run_now_s(r), "mark", mark);
	progress_say(r->shared->progress, "marked: %s", mark);
	if (r->run->state == RUN_OK)
		r->run->state = RUN_MARKED;
	add_reason(r, mark);
}

void guest_run_judge(struct guest_run *r)
{
	const struct guest_memory memory = { r->memory_bytes,
					     "memory in [guest]" };
	bool is_good = r->run->state == RUN_OK || r->run->state == RUN_MARKED;
	auto_free char *text = NULL;
	struct guest_console c;
	char *mark;

	if (file_read(r->console, &text, NULL))
		return;
	guest_console_scan(text, &c);
	mark = guest_console_mark(&c);
	if (mark && (is_good || guest_console_has_more(&c)))
		add_mark(r, mark);
	else
		free(mark);
	/* guest_watch() has said it of one that did not end by itself. */
	if (c.killed && r->has_ended)
		add_reason(r, guest_console_why(&c, &memory));
	guest_console_free(&c);
}
