/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench guest: kernels to run in, and guests by hand. */
#include "cmd/guest.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/guest/guest_inside.h"
#include "bench/guest/guest_kernel.h"
#include "cmd/cmd.h"
#include "cmd/load.h"

static int boot_main(const struct guest_choice *c, int argc, char **argv)
{
	struct guest_boot boot = c->boot;
	auto_free char *kernel = NULL;

	if (!argc)
		return refuse(STATUS_USAGE, "guest boot: a kernel is wanted: a "
					    "path, a name, or guest");
	kernel = guest_kernel_find(argv[0]);
	if (!kernel)
		return STATUS_NO_INPUT;
	boot.kernel = kernel;
	/* argv ends with a NULL, as main()'s does. */
	boot.argv = argc > 1 ? (const char *const *)argv + 1 : NULL;
	return guest_boot(&boot);
}

static int shell_main(const struct guest_choice *c, int argc, char **argv)
{
	struct guest_boot boot = c->boot;
	auto_free char *kernel = NULL;

	if (argc > 1)
		return refuse(STATUS_USAGE, "guest shell: one kernel at most");
	kernel = guest_kernel_find(argc ? argv[0] : "guest");
	if (!kernel)
		return STATUS_NO_INPUT;
	boot.kernel = kernel;
	return guest_shell(&boot);
}

/* In a guest, by its init alone: records go to stdout. */
static int inside_main(const struct guest_choice *c, int argc, char **argv)
{
	struct root root;
	int status;
	int ret;

	(void)c;
	if (argc != 1)
		return refuse(STATUS_USAGE, "guest inside: a mode is wanted");
	ret = root_open("/", &root);
	if (ret)
		return err_status(fail(ret, "/"));
	status = guest_inside(&root, argv[0], STDOUT_FILENO);
	root_close(&root);
	return status;
}

static const struct word {
	struct cmd_word word;
	int (*main)(const struct guest_choice *c, int argc, char **argv);
} words[] = {
	{ { "fetch", "[SPEC]...", "get kernels into the cache" }, guest_fetch },
	{ { "list", "", "the kernels in the cache" }, guest_list },
	{ { "boot", "KERNEL [-- COMMAND...]",
	    "run a command in a fresh guest" },
	  boot_main },
	{ { "shell", "[KERNEL]", "a shell in a fresh guest" }, shell_main },
};

enum option_name {
	OPTION_MEMORY,
	OPTION_CPUS,
	OPTION_CMDLINE,
	OPTION_KVM,
	OPTION_BOOT_LIMIT,
	OPTION_LIMIT,
	OPTION_ADD,
	OPTION_CONSOLE,
	OPTION_ARCH,
	OPTION_MODULES,
	OPTION_JSON,
};

static const struct cmd_option options[] = {
	[OPTION_MEMORY] = { "memory", "SIZE", 0, "of the guest (2G)" },
	[OPTION_CPUS] = { "cpus", "N", 0, "of the guest (2)" },
	[OPTION_CMDLINE] = { "cmdline", "TEXT", 0,
			     "added to its kernel's command line" },
	[OPTION_KVM] = { "kvm", "auto|off", 0,
			 "KVM where a trial boots (auto), or emulation" },
	[OPTION_BOOT_LIMIT] = { "boot-limit", "TIME", 0,
				"until it has booted" },
	[OPTION_LIMIT] = { "limit", "TIME", 0, "for the command (10m)" },
	[OPTION_ADD] = { "add", "FILE", 0,
			 "put it in, with its libraries; more than once" },
	[OPTION_CONSOLE] = { "console", "FILE", 0, "keep its console there" },
	[OPTION_ARCH] = { "arch", "ARCH", 0,
			  "fetch a kernel for it: amd64 or arm64" },
	[OPTION_MODULES] = { "modules", "DIR", 0,
			     "the modules of an image that is fetched" },
	[OPTION_JSON] = { "json", NULL, 0, "list as JSON" },
	{ 0 },
};

static int bad_value(const char *option, const char *value, const char *right)
{
	return refuse(STATUS_USAGE, "guest: --%s %s: not %s", option, value,
		      right);
}

static int read_kvm(struct guest_boot *b, const char *value)
{
	if (!str_eq(value, "auto") && !str_eq(value, "off"))
		return bad_value("kvm", value, "auto or off");
	b->kvm = str_eq(value, "off") ? GUEST_KVM_OFF : GUEST_KVM_AUTO;
	return 0;
}

static int read_cpus(struct guest_boot *b, const char *value)
{
	uint64_t n;

	if (num_u64(value, &n) || !n || n > 255)
		return bad_value("cpus", value, "a number from 1 to 255");
	b->cpus = (unsigned int)n;
	return 0;
}

static int read_memory(struct guest_boot *b, const char *value)
{
	if (num_size(value, &b->memory_bytes) ||
	    b->memory_bytes < 128 * NUM_MIB || b->memory_bytes > 1024 * NUM_GIB)
		return bad_value("memory", value, "a size from 128M to 1T");
	return 0;
}

static int read_time(const char *option, const char *value, uint64_t *ns)
{
	return num_time(value, ns) || !*ns
		       ? bad_value(option, value, "a time, such as 5m")
		       : 0;
}

static int read_option(size_t i, const char *value, struct guest_choice *c)
{
	struct guest_boot *b = &c->boot;

	switch ((enum option_name)i) {
	case OPTION_MEMORY:
		return read_memory(b, value);
	case OPTION_CPUS:
		return read_cpus(b, value);
	case OPTION_CMDLINE:
		b->cmdline = value;
		return 0;
	case OPTION_KVM:
		return read_kvm(b, value);
	case OPTION_BOOT_LIMIT:
		return read_time("boot-limit", value, &b->boot_limit_ns);
	case OPTION_LIMIT:
		return read_time("limit", value, &b->limit_ns);
	case OPTION_ADD:
		XGROW(c->add, c->n_add);
		c->add[c->n_add++] = value;
		b->add = c->add;
		b->n_add = c->n_add;
		return 0;
	case OPTION_CONSOLE:
		b->console = value;
		return 0;
	case OPTION_ARCH:
		c->arch = value;
		return 0;
	case OPTION_MODULES:
		c->modules = value;
		return 0;
	case OPTION_JSON:
		c->is_json = true;
		return 0;
	}
	return STATUS_INTERNAL;
}

static int call(const struct cmd *cmd, const struct guest_choice *c, int argc,
		char **argv)
{
	size_t i;
	int bad;

	/* Not for users, and so no row. */
	if (argc && str_eq(argv[0], "inside"))
		return inside_main(c, argc - 1, argv + 1);
	bad = cmd_choose_word(cmd, argc ? argv[0] : NULL, &i);
	return bad ? bad : words[i].main(c, argc - 1, argv + 1);
}

static int guest_main(const struct cmd *cmd, int argc, char **argv)
{
	struct guest_choice c = {
		.boot = {
			.memory_bytes = 2 * NUM_GIB,
			.cpus = 2,
			.cmdline = "",
			.limit_ns = 600 * NUM_NS_PER_S,
		},
	};
	const struct cmd_option *o;
	const char *value;
	int bad;

	while ((o = cmd_next(cmd, argc, argv, &value, &bad))) {
		bad = read_option((size_t)(o - options), value, &c);
		if (bad)
			break;
	}
	if (!bad)
		bad = call(cmd, &c, argc - optind, argv + optind);
	free(c.add);
	return bad < 0 ? STATUS_OK : bad;
}

const struct cmd cmd_guest = {
	.name = "guest",
	.arguments = "WORD ...",
	.help = "kernels to run in, and guests that boot them",
	.options = options,
	.words = CMD_ROWS(words, ARRAY_SIZE(words)),
	.main = guest_main,
};
