/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_boot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/guest/guest_modules.h"
#include "bench/guest/guest_pack.h"
#include "bench/guest/guest_watch.h"

/* What a guest is booted with and leaves; all of it without names. */
struct booting {
	const struct guest_boot *b;
	struct guest_image image;
	struct guest_files files;
	enum guest_accel accel;
	char *why; /* not KVM; NULL */
	char *console;
	char *log;
	int console_fd;
	int log_fd;
	char *kernel; /* release, as the guest said */
};

static int pack(struct booting *t)
{
	const struct guest_boot *b = t->b;
	static const char *const none[] = { NULL };
	int ret = guest_files_open(&t->files);

	if (!ret)
		ret = guest_pack_init(&t->files);
	if (!ret)
		ret = guest_pack_tools(&t->files);
	if (!ret)
		ret = guest_modules_add(&t->files, &t->image);
	if (!ret)
		ret = guest_pack_command(&t->files, b->argv ? b->argv : none);
	for (size_t i = 0; !ret && i < b->n_add; i++)
		ret = guest_files_add_program(&t->files, b->add[i], NULL);
	return ret ? ret : guest_files_end(&t->files);
}

static int prepare(struct booting *t)
{
	auto_free char *qemu = NULL;
	int ret = guest_image_read(t->b->kernel, &t->image);

	if (!ret)
		ret = guest_image_fits(&t->image);
	if (ret)
		return ret;
	qemu = guest_vm_program(t->image.arch);
	if (!qemu)
		return -ENOTSUP;
	t->console_fd = file_unnamed(&t->console);
	t->log_fd = file_unnamed(&t->log);
	if (t->console_fd < 0 || t->log_fd < 0)
		return fail(-EIO, "make a file for the guest's console");
	ret = pack(t);
	if (!ret)
		ret = guest_accel_find(&t->image, t->b->kvm, &t->accel,
				       &t->why);
	return ret;
}

static void clean_up(struct booting *t)
{
	if (t->files.path)
		guest_files_free(&t->files);
	if (t->console_fd >= 0)
		close(t->console_fd);
	if (t->log_fd >= 0)
		close(t->log_fd);
	guest_image_free(&t->image);
	free(t->why);
	free(t->console);
	free(t->log);
	free(t->kernel);
}

static struct guest_vm_spec spec_of(const struct booting *t,
				    const char *cmdline)
{
	return (struct guest_vm_spec){
		.image = &t->image,
		.initrd = t->files.path,
		.cmdline = cmdline,
		.accel = t->accel,
		.memory_bytes = t->b->memory_bytes,
		.cpus = t->b->cpus,
		.console = t->b->console ? t->b->console : t->console,
		.log = t->log,
	};
}

/* The value of a fact in a hello. free() it. */
static char *fact_of(const struct guest_frame *hello, const char *name)
{
	auto_free char *text = xasprintf("\n%s", hello->data);
	auto_free char *key = xasprintf("\n%s\t", name);
	const char *at = strstr(text, key);

	if (!at)
		return xstrdup("?");
	at += strlen(key);
	return xstrndup(at, strcspn(at, "\n"));
}

static int take(const struct guest_frame *frame, void *arg)
{
	struct booting *t = arg;
	int ret = 0;

	if (frame->kind == GUEST_HELLO && !t->kernel)
		t->kernel = fact_of(frame, "kernel");
	else if (frame->kind == GUEST_OUT)
		ret = file_write_fd(t->b->out_fd ? t->b->out_fd : STDOUT_FILENO,
				    frame->data, frame->n);
	else if (frame->kind == GUEST_ERR)
		ret = file_write_fd(STDERR_FILENO, frame->data, frame->n);
	return ret ? fail(ret, "pass on what the guest prints") : 0;
}

static void tell(const struct booting *t, const struct guest_watch *w)
{
	printf("%s booted in %.1f s by %s%s%s%s\n", t->kernel,
	       (double)w->boot_ns / (double)NUM_NS_PER_S,
	       guest_accel_text(t->accel), t->why ? " (not kvm: " : "",
	       t->why ? t->why : "", t->why ? ")" : "");
}

/* One guest from its start to its end; why (free() it) as guest_watch()'s. */
static int watch(struct booting *t, struct guest_watch *w, char **why)
{
	auto_free char *cmdline =
		xasprintf("thpbench.mode=exec%s%s", *t->b->cmdline ? " " : "",
			  t->b->cmdline);
	struct guest_vm_spec spec = spec_of(t, cmdline);
	struct guest_vm vm;
	int ret;

	*why = NULL;
	*w = (struct guest_watch){
		.console = spec.console,
		.log = spec.log,
		.is_kept = t->b->console,
		.memory = { t->b->memory_bytes, "--memory" },
		.boot_limit_ns = t->b->boot_limit_ns
					 ? t->b->boot_limit_ns
					 : guest_boot_limit_ns(t->accel),
		.limit_ns = t->b->limit_ns,
		.take = take,
		.arg = t,
	};
	ret = guest_vm_start(&spec, &vm);
	return ret ? ret : guest_watch(w, &vm, why);
}

/*
 * Kernels patch their own code while they boot, and start their CPUs. Emulated,
 * they meet half of a patch now and then (an int3 that nobody owns) and end by
 * a fatal exception, or wait for a CPU for ever; a second guest boots. Nothing
 * is done twice by that, as nothing was done.
 */
static bool is_worth_another(const struct booting *t,
			     const struct guest_watch *w)
{
	return t->accel == GUEST_TCG && !w->has_booted &&
	       (w->has_crashed || w->has_hung);
}

static int boot(struct booting *t)
{
	auto_free char *first = NULL;
	auto_free char *why = NULL;
	struct guest_watch w;
	int ret = watch(t, &w, &first);

	if (first && is_worth_another(t, &w)) {
		fprintf(stderr, "thpbench: %s: %s; trying again\n",
			t->image.path, first);
		ret = watch(t, &w, &why);
	} else {
		why = first;
		first = NULL;
	}
	if (why)
		refuse(ret, "%s: %s", t->image.path, why);
	if (ret)
		return err_status(ret);
	if (!t->b->argv)
		tell(t, &w);
	return w.status;
}

int guest_boot(const struct guest_boot *b)
{
	struct booting t = { .b = b, .console_fd = -1, .log_fd = -1 };
	int ret = prepare(&t);
	int status = ret ? err_status(ret) : boot(&t);

	clean_up(&t);
	return status;
}

/* What ends us is to find the terminal as it was. */
static int wait_shell(struct guest_vm *vm)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct timespec nap = { .tv_nsec = 100000000 };
	sigset_t set;
	sigset_t before;
	int sig = -1;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, &before);
	while (sig < 0 && !guest_vm_wait(vm, 0))
		sig = sigtimedwait(&set, NULL, &nap);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return sig > 0 ? 128 + sig : STATUS_OK;
}

static int shell(struct booting *t)
{
	auto_str struct str cmdline = { 0 };
	struct guest_vm_spec spec;
	struct termios terminal;
	struct winsize size;
	bool is_terminal = tcgetattr(STDIN_FILENO, &terminal) == 0;
	struct guest_vm vm;
	int status;
	int ret;

	str_add(&cmdline, "thpbench.mode=shell quiet");
	if (is_terminal && !ioctl(STDIN_FILENO, TIOCGWINSZ, &size))
		str_addf(&cmdline, " thpbench.rows=%d thpbench.columns=%d",
			 size.ws_row, size.ws_col);
	str_addf(&cmdline, " %s", t->b->cmdline);
	spec = spec_of(t, cmdline.text);
	spec.console = NULL;
	fprintf(stderr, "thpbench: booting %s by %s; 'exit' ends it\n",
		t->image.version ? t->image.version : t->image.path,
		guest_accel_text(t->accel));
	ret = guest_vm_start(&spec, &vm);
	if (ret)
		return err_status(ret);
	status = wait_shell(&vm);
	if (!status && vm.wstatus) {
		auto_free char *said = file_tail(t->log, 1);

		status = STATUS_IO;
		refuse(-EIO, "qemu failed: %s", said);
	}
	guest_vm_end(&vm);
	if (is_terminal)
		tcsetattr(STDIN_FILENO, TCSANOW, &terminal);
	return status;
}

int guest_shell(const struct guest_boot *b)
{
	struct booting t = { .b = b, .console_fd = -1, .log_fd = -1 };
	int ret = prepare(&t);
	int status = ret ? err_status(ret) : shell(&t);

	clean_up(&t);
	return status;
}
