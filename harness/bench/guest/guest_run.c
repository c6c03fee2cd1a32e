/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_run.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "bench/guest/guest_accel.h"
#include "bench/guest/guest_run_parts.h"
#include "bench/guest/guest_watch.h"

static int take_end(struct guest_run *r, const struct guest_frame *frame)
{
	const char *tab = strchr(frame->data, '\t');
	auto_free char *word = NULL;
	int state;

	if (!tab)
		return -EPROTO;
	word = xstrndup(frame->data, (size_t)(tab - frame->data));
	state = run_state_parse(word);
	if (state < 0)
		return -EPROTO;
	r->run->state = (enum run_state)state;
	free(r->run->reason);
	r->run->reason = xstrdup(tab + 1);
	return 0;
}

static void take_tick(struct guest_run *r, const char *text)
{
	auto_free char *copy = xstrdup(text);
	size_t n;
	auto_free char **words = str_split(copy, ' ', &n);
	double v[2] = { NAN, NAN };

	for (size_t i = 0; i < n && i < 2; i++)
		if (num_double(words[i], &v[i]))
			v[i] = NAN;
	progress_tick(r->shared->progress, v[0], v[1]);
}

/* Whatever the user is to see: one line, of printable characters. */
static char *line_of(const struct guest_frame *frame)
{
	char *line = xstrndup(frame->data, frame->n);

	for (char *p = line; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = ' ';
	return line;
}

static int take(const struct guest_frame *frame, void *arg)
{
	struct guest_run *r = arg;
	struct progress *progress = r->shared->progress;
	auto_free char *line = NULL;

	switch (frame->kind) {
	case GUEST_HELLO:
		r->hello_ns = clock_ns();
		guest_run_facts(r, frame->data);
		return 0;
	case GUEST_FILE:
		return guest_record_take(r->dir, frame);
	case GUEST_TICK:
		take_tick(r, frame->data);
		return 0;
	case GUEST_END:
		return take_end(r, frame);
	case GUEST_PHASE:
		line = line_of(frame);
		progress_phase(progress, line);
		return 0;
	case GUEST_SAY:
		line = line_of(frame);
		progress_say(progress, "%s", line);
		return 0;
	case GUEST_OUT:
	case GUEST_ERR:
		break;
	}
	return -EPROTO;
}

static int watch(struct guest_run *r, struct guest_vm *vm)
{
	uint64_t data_bytes = r->shared->prepared.data_bytes;
	const struct guest_config *c = &r->shared->config->guest;
	struct guest_watch w = {
		.console = r->console,
		.log = r->log,
		.is_kept = true,
		.memory = { r->memory_bytes, "memory in [guest]" },
		.boot_limit_ns = c->boot_limit_ns ? c->boot_limit_ns
						  : guest_boot_limit_ns(
							    r->target->accel),
		.limit_ns = guest_limit_ns(r->shared->config, r->target->accel,
					   data_bytes),
		.take = take,
		.arg = r,
	};
	char *why;
	int ret;

	guest_run_state(r, RUN_FAILED, xstrdup("it did not begin"));
	ret = guest_watch(&w, vm, &why);
	r->has_ended = w.has_ended;
	r->target->n_unbooted =
		w.has_booted || ret == -EINTR ? 0 : r->target->n_unbooted + 1;
	if (ret == -EINTR)
		guest_run_state(r, RUN_FAILED, xstrdup("interrupted"));
	else if (why)
		guest_run_state(r, RUN_FAILED, guest_run_why(r, vm, why));
	else if (ret)
		guest_run_state(r, RUN_FAILED, xstrdup(err_last()));
	return why ? 0 : ret;
}

/* 0; -EINTR; or -errno, printed, if the folder cannot be written. */
static int boot(struct guest_run *r)
{
	auto_free char *cmdline = guest_run_cmdline(r);
	struct guest_vm_spec spec = {
		.image = &r->target->image,
		.initrd = r->set->files.path,
		.cmdline = cmdline,
		.accel = r->target->accel,
		.memory_bytes = r->memory_bytes,
		.cpus = r->shared->config->guest.cpus,
		.console = r->console,
		.log = r->log,
	};
	struct guest_vm vm;
	int ret;

	progress_phase(r->shared->progress, "boot");
	guest_run_facts(r, "");
	ret = guest_vm_start(&spec, &vm);
	if (ret) {
		guest_run_state(r, RUN_FAILED, xstrdup(err_last()));
		return 0;
	}
	ret = journal_pid(r->shared->journal, vm.pid);
	if (ret) {
		guest_vm_end(&vm);
		return ret;
	}
	return watch(r, &vm);
}

static int do_run(struct guest_run *r)
{
	int ret = guest_run_pack(r);

	if (ret) {
		guest_run_state(r, RUN_FAILED, xstrdup(err_last()));
		return 0;
	}
	if (r->target->n_unbooted >= GUEST_UNBOOTED_MAX) {
		guest_run_state(
			r, RUN_FAILED,
			xasprintf("not begun: %s did not boot in the %u "
				  "guests before",
				  r->target->image.path,
				  r->target->n_unbooted));
		return 0;
	}
	ret = boot(r);
	guest_run_judge(r);
	return ret;
}

int guest_run_one(struct guest_set *set, struct run_shared *shared,
		  struct run *run)
{
	struct guest_run r = {
		.set = set,
		.target = guest_set_target(set, run->arm),
		.shared = shared,
		.run = run,
	};
	int ret = store_run_open(shared->experiment, run, &r.store);
	int closed;

	if (ret)
		return ret;
	r.dir = xasprintf("%s/%s", shared->experiment->dir, run->dir);
	r.console = store_run_path(r.store, "console.log");
	r.log = store_run_path(r.store, "qemu.log");
	ret = do_run(&r);
	if (run->state == RUN_FAILED || run->state == RUN_INVALID)
		store_event(r.store, guest_run_now_s(&r), "fail", run->reason);
	closed = store_run_close(r.store, shared->experiment, run);
	free(r.dir);
	free(r.console);
	free(r.log);
	return closed ? closed : ret;
}
