/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_vm.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"

static const struct {
	const char *program;
	const char *package;
	const char *machine;
	const char *console;
} machines[] = {
	[GUEST_X86_64] = { "qemu-system-x86_64", "qemu-system-x86", "pc",
			   "ttyS0" },
	[GUEST_ARM64] = { "qemu-system-aarch64", "qemu-system-arm", "virt",
			  "ttyAMA0" },
};

char *guest_vm_program(enum guest_arch arch)
{
	char *path = proc_find_program(machines[arch].program);

	if (!path)
		refuse(-ENOTSUP, "there is no %s: install the package %s",
		       machines[arch].program, machines[arch].package);
	return path;
}

const char *guest_accel_text(enum guest_accel accel)
{
	return accel == GUEST_KVM ? "kvm" : "tcg";
}

struct words {
	char **list;
	size_t n;
};

static void add(struct words *w, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct words *w, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	if (fmt) {
		va_start(ap, fmt);
		if (vasprintf(&text, fmt, ap) < 0)
			abort();
		va_end(ap);
	}
	XGROW(w->list, w->n);
	w->list[w->n++] = text;
}

/* In an option's list of values a comma is written twice. free() it. */
static char *with_commas(const char *path)
{
	struct str s = { 0 };

	for (; *path; path++) {
		str_addc(&s, *path);
		if (*path == ',')
			str_addc(&s, ',');
	}
	return str_steal(&s);
}

static void add_console(const struct guest_vm_spec *spec, struct words *w)
{
	auto_free char *path =
		spec->console ? with_commas(spec->console) : NULL;

	add(w, "-chardev");
	if (path)
		add(w, "file,id=console,path=%s", path);
	else
		add(w, "stdio,id=console,signal=off");
	add(w, "-serial");
	add(w, "chardev:console");
}

/*
 * Where records come out: a port of virtio's, which takes bytes by the page;
 * and for a kernel without it a second serial port, byte by byte. The guest
 * uses one of them (workloads/guest-init).
 */
static void add_ports(const struct guest_vm_spec *spec, struct words *w)
{
	static const char *const words[] = {
		"-chardev", "file,id=data,path=/dev/fd/1",
		"-device",  "virtio-serial-pci",
		"-device",  "virtserialport,chardev=data,name=thpbench",
	};

	if (!spec->console)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		add(w, "%s", words[i]);
	if (spec->image->arch != GUEST_X86_64)
		return;
	add(w, "-chardev");
	add(w, "file,id=serial,path=/dev/fd/1");
	add(w, "-serial");
	add(w, "chardev:serial");
}

static void add_kernel(const struct guest_vm_spec *spec, struct words *w)
{
	add(w, "-kernel");
	add(w, "%s", spec->image->path);
	add(w, "-initrd");
	add(w, "%s", spec->initrd);
	add(w, "-append");
	/*
	 * A panic ends the machine (-no-reboot). All but debug messages go to
	 * the console, which is looked through afterwards.
	 */
	add(w, "console=%s rdinit=/init panic=-1 loglevel=7%s%s",
	    machines[spec->image->arch].console, *spec->cmdline ? " " : "",
	    spec->cmdline);
}

char **guest_vm_args(const struct guest_vm_spec *spec)
{
	static const char *const always[] = {
		"-nodefaults", "-no-user-config",
		"-no-reboot",  "-display",
		"none",        "-nic",
		"none",
	};
	struct words w = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		add(&w, "%s", always[i]);
	add(&w, "-machine");
	add(&w, "%s", machines[spec->image->arch].machine);
	add(&w, "-accel");
	add(&w, "%s", guest_accel_text(spec->accel));
	add(&w, "-cpu");
	add(&w, "%s", spec->accel == GUEST_KVM ? "host" : "max");
	add(&w, "-smp");
	add(&w, "%u", spec->cpus);
	add(&w, "-m");
	add(&w, "%" PRIu64 "M", spec->memory_bytes / NUM_MIB);
	add_console(spec, &w);
	add_ports(spec, &w);
	add_kernel(spec, &w);
	add(&w, NULL);
	return w.list;
}

static void free_words(char **list)
{
	for (size_t i = 0; list[i]; i++)
		free(list[i]);
	free(list);
}

/* The program and its words as proc_start() wants them. free() it. */
static const char **command(const char *program, char **words)
{
	const char **argv;
	size_t n = 0;

	while (words[n])
		n++;
	argv = xcalloc(n + 2, sizeof(*argv));
	argv[0] = program;
	for (size_t i = 0; i < n; i++)
		argv[i + 1] = words[i];
	return argv;
}

/* Its own fds: the records' end of a pipe, or our terminal. */
struct ends {
	int in;
	int out;
	int log;
	int pipe;
};

static int open_ends(const struct guest_vm_spec *spec, struct ends *e)
{
	int fds[2] = { -1, -1 };

	*e = (struct ends){ .in = -1, .out = -1, .pipe = -1 };
	e->log =
		open(spec->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (e->log < 0)
		return fail(-errno, "make %s", spec->log);
	if (spec->console && pipe2(fds, O_CLOEXEC))
		return fail(-errno, "make a pipe");
	if (spec->console) {
		e->out = fds[1];
		e->pipe = fds[0];
	} else {
		/* 0 is no fd to proc_start(). */
		e->in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
		e->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	}
	return 0;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

int guest_vm_start(const struct guest_vm_spec *spec, struct guest_vm *out)
{
	auto_free char *program = guest_vm_program(spec->image->arch);
	char **words;
	auto_free const char **argv = NULL;
	struct proc_spec proc = { 0 };
	struct ends e;
	pid_t pid;
	int ret;

	*out = (struct guest_vm){ .data_fd = -1 };
	if (!program)
		return -ENOTSUP;
	ret = open_ends(spec, &e);
	words = guest_vm_args(spec);
	argv = command(program, words);
	proc.argv = argv;
	proc.in_fd = e.in;
	proc.out_fd = e.out;
	proc.err_fd = e.log;
	pid = ret ? ret : proc_start(&proc);
	free_words(words);
	close_fd(e.in);
	close_fd(e.out);
	close_fd(e.log);
	if (ret || pid < 0) {
		close_fd(e.pipe);
		return ret ? ret : fail(pid, "start %s", program);
	}
	out->pid = pid;
	out->data_fd = e.pipe;
	return 0;
}

int guest_vm_wait(struct guest_vm *vm, uint64_t limit_ns)
{
	int ret = vm->pid ? proc_wait(vm->pid, limit_ns, &vm->wstatus) : 1;

	if (ret)
		vm->pid = 0;
	return ret;
}

void guest_vm_end(struct guest_vm *vm)
{
	if (vm->pid)
		proc_end(vm->pid, 0, &vm->wstatus);
	vm->pid = 0;
	close_fd(vm->data_fd);
	vm->data_fd = -1;
}
